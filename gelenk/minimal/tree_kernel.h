#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/math/vector.h"
#include "gelenk/minimal/tree.h"

// Mass matrix and forces of a tree, over any scalar. Vectors of a link are in its own axes, about its own origin:
// nothing that turns with the whole machine enters the formulas.
namespace gelenk::minimal {

// Numbers of a link: where it begins, and what it carries.
template <class T>
struct LinkNumbers {
  Mat3<T> C = Mat3<T>::Identity();  // axes and origin of where it begins, from the frame of its parent
  Vec3<T> r = Vec3<T>::Zero();
  T mass{0.0};
  Vec3<T> moment = Vec3<T>::Zero();   // mass times center
  Mat3<T> inertia = Mat3<T>::Zero();  // about the origin; the upper triangle counts
};

// What a link does at this moment.
template <class T>
struct LinkMotion {
  T c{1.0}, s{0.0};                                      // of its turn
  Mat3<T> ball = Mat3<T>::Identity();                    // its free orientation
  T travel{0.0};                                         // of its slide
  Vec3<T> w = Vec3<T>::Zero();                           // angular velocity
  Vec3<T> a = Vec3<T>::Zero(), alpha = Vec3<T>::Zero();  // accelerations of the origin while all rates are constant
};

template <class T>
struct RigidInertia {
  T mass{0.0};
  Vec3<T> moment = Vec3<T>::Zero();
  Mat3<T> inertia = Mat3<T>::Zero();  // upper triangle
};

// ω × (ω × v) + 0: the matrix w wᵀ - w² has six products, whatever it is multiplied with.
template <class T>
Mat3<T> spin_square(const Vec3<T>& w) {
  const T xx = w.x() * w.x(), yy = w.y() * w.y(), zz = w.z() * w.z();
  const T xy = w.x() * w.y(), xz = w.x() * w.z(), yz = w.y() * w.z();
  Mat3<T> square;
  square << -(yy + zz), xy, xz, xy, -(xx + zz), yz, xz, yz, -(xx + yy);
  return square;
}

template <class T>
Vec3<T> times_symmetric(const Mat3<T>& J, const Vec3<T>& v) {
  return {J(0, 0) * v.x() + J(0, 1) * v.y() + J(0, 2) * v.z(), J(0, 1) * v.x() + J(1, 1) * v.y() + J(1, 2) * v.z(),
          J(0, 2) * v.x() + J(1, 2) * v.y() + J(2, 2) * v.z()};
}

// w × J w
template <class T>
Vec3<T> gyroscopic(const Mat3<T>& J, const Vec3<T>& w) {
  const T xx = w.x() * w.x(), yy = w.y() * w.y(), zz = w.z() * w.z();
  const T xy = w.x() * w.y(), xz = w.x() * w.z(), yz = w.y() * w.z();
  return {yz * (J(2, 2) - J(1, 1)) + (yy - zz) * J(1, 2) + xy * J(0, 2) - xz * J(0, 1),
          xz * (J(0, 0) - J(2, 2)) + (zz - xx) * J(0, 2) + yz * J(0, 1) - xy * J(1, 2),
          xy * (J(1, 1) - J(0, 0)) + (xx - yy) * J(0, 1) + xz * J(1, 2) - yz * J(0, 2)};
}

template <class T>
class TreeKernel {
 public:
  // `numbers`: one for each link. `gravity`: acceleration, world axes; zero where weights are forces.
  TreeKernel(const Tree& tree, std::span<const LinkNumbers<T>> numbers, const Vec3<T>& gravity)
      : tree_(tree), numbers_(numbers), gravity_(gravity), motions_(tree.links.size()) {}

  const LinkMotion<T>& motion(std::size_t link) const { return motions_[link]; }

  // From the ground outwards.
  void move(std::span<const T> x, std::span<const T> v) {
    for (std::size_t i = 0; i < motions_.size(); ++i) {
      const Link& link = tree_.links[i];
      LinkMotion<T>& m = motions_[i];
      Vec3<T> w = Vec3<T>::Zero(), a = -gravity_, alpha = w;
      if (link.parent >= 0) {
        const LinkMotion<T>& parent = motions_[at(link.parent)];
        const Vec3<T>& r = numbers_[i].r;
        w = parent.w;
        alpha = parent.alpha;
        a = parent.a + spin_square(w) * r + alpha.cross(r);
      }
      const Mat3<T> C_inverse = numbers_[i].C.transpose();
      const Vec3<T> w_before = C_inverse * w, a_before = C_inverse * a, alpha_before = C_inverse * alpha;
      follow(link, x, v, w_before, a_before, alpha_before, m);
    }
  }

  // M, row by row, upper and lower triangle.
  std::vector<T> mass_matrix() const {
    const std::size_t n = at(tree_.rates);
    std::vector<T> M(n * n, T(0.0));
    std::vector<RigidInertia<T>> composite = own_inertias();
    for (std::size_t i = motions_.size(); i-- > 0;) {
      const Link& link = tree_.links[i];
      for (int k = 0; k < link.rate_count(); ++k) {
        const std::size_t column = at(link.rate) + static_cast<std::size_t>(k);
        add_column(i, force_of_unit(link, k, composite[i]), column, M);
      }
      if (link.parent >= 0) add_to(composite[at(link.parent)], seen_from_parent(i, composite[i]));
    }
    return M;
  }

  // Forces that keep all rates constant, weights included: f of M v' + f = Q.
  std::vector<T> bias() const {
    std::vector<T> result(at(tree_.rates), T(0.0));
    std::vector<std::pair<Vec3<T>, Vec3<T>>> loads(motions_.size(), {Vec3<T>::Zero(), Vec3<T>::Zero()});
    for (std::size_t i = motions_.size(); i-- > 0;) {
      const LinkMotion<T>& m = motions_[i];
      const LinkNumbers<T>& own = numbers_[i];
      auto& [f, n] = loads[i];
      f += m.a * own.mass + spin_square(m.w) * own.moment + m.alpha.cross(own.moment);
      n += times_symmetric(own.inertia, m.alpha) + gyroscopic(own.inertia, m.w) + own.moment.cross(m.a);
      const Link& link = tree_.links[i];
      for (int k = 0; k < link.rate_count(); ++k)
        result[at(link.rate) + static_cast<std::size_t>(k)] = along(link, k, f, n);
      if (link.parent < 0) continue;
      const auto [f_parent, n_parent] = passed_on(i, f, n);
      loads[at(link.parent)].first += f_parent;
      loads[at(link.parent)].second += n_parent;
    }
    return result;
  }

  // Axes of the link as seen from where it begins, applied to a vector.
  Vec3<T> turned(std::size_t i, const Vec3<T>& v) const {
    const Link& link = tree_.links[i];
    const LinkMotion<T>& m = motions_[i];
    if (link.kind == Link::Kind::ball) return m.ball * v;
    if (link.kind != Link::Kind::turn) return v;
    const auto [p, q] = others(link.axis);
    Vec3<T> result = v;
    result(p) = m.c * v(p) - m.s * v(q);
    result(q) = m.s * v(p) + m.c * v(q);
    return result;
  }
  // Origin of the link as seen from where it begins.
  Vec3<T> shifted(std::size_t i) const {
    Vec3<T> result = Vec3<T>::Zero();
    if (tree_.links[i].kind == Link::Kind::slide) result(tree_.links[i].axis) = motions_[i].travel;
    return result;
  }

 private:
  // The axes that a turn mixes.
  static std::pair<int, int> others(int axis) { return {(axis + 1) % 3, (axis + 2) % 3}; }

  Vec3<T> turned_back(const Link& link, const LinkMotion<T>& m, const Vec3<T>& v) const {
    if (link.kind == Link::Kind::ball) return m.ball.transpose() * v;
    if (link.kind != Link::Kind::turn) return v;
    const auto [p, q] = others(link.axis);
    Vec3<T> result = v;
    result(p) = m.c * v(p) + m.s * v(q);
    result(q) = m.c * v(q) - m.s * v(p);
    return result;
  }

  void follow(const Link& link, std::span<const T> x, std::span<const T> v, const Vec3<T>& w, const Vec3<T>& a,
              const Vec3<T>& alpha, LinkMotion<T>& m) const {
    using std::cos;
    using std::sin;
    switch (link.kind) {
      case Link::Kind::fixed:
        m.w = w;
        m.a = a;
        m.alpha = alpha;
        return;
      case Link::Kind::turn: {
        const T angle = x[at(link.position)] * T(link.sign);
        m.c = cos(angle);
        m.s = sin(angle);
        Vec3<T> turn = Vec3<T>::Zero();
        turn(link.axis) = v[at(link.rate)] * T(link.sign);
        const Vec3<T> before = turned_back(link, m, w);
        m.w = before + turn;
        m.alpha = turned_back(link, m, alpha) + before.cross(turn);
        m.a = turned_back(link, m, a);
        return;
      }
      case Link::Kind::slide: {
        m.travel = x[at(link.position)] * T(link.sign);
        Vec3<T> d = Vec3<T>::Zero(), speed = d;
        d(link.axis) = m.travel;
        speed(link.axis) = v[at(link.rate)] * T(link.sign);
        m.w = w;
        m.alpha = alpha;
        m.a = a + spin_square(w) * d + alpha.cross(d) + w.cross(speed) * T(2.0);
        return;
      }
      case Link::Kind::ball: {
        const T* const q = &x[at(link.position)];
        m.ball = rotation(q[0], q[1], q[2], q[3]);
        const T* const own = &v[at(link.rate)];
        const Vec3<T> turn(own[0], own[1], own[2]);
        const Vec3<T> before = m.ball.transpose() * w;
        m.w = before + turn;
        m.alpha = m.ball.transpose() * alpha + before.cross(turn);
        m.a = m.ball.transpose() * a;
        return;
      }
    }
  }

  static Mat3<T> rotation(const T& w, const T& x, const T& y, const T& z) {
    const T two(2.0), one(1.0);
    Mat3<T> R;
    R << one - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y), two * (x * y + w * z),
        one - two * (x * x + z * z), two * (y * z - w * x), two * (x * z - w * y), two * (y * z + w * x),
        one - two * (x * x + y * y);
    return R;
  }

  std::vector<RigidInertia<T>> own_inertias() const {
    std::vector<RigidInertia<T>> result;
    for (const LinkNumbers<T>& own : numbers_) result.push_back({own.mass, own.moment, own.inertia});
    return result;
  }

  // Component number k of a link's own coordinates.
  static T along(const Link& link, int k, const Vec3<T>& f, const Vec3<T>& n) {
    if (link.kind == Link::Kind::ball) return n(k);
    return (link.kind == Link::Kind::turn ? n : f)(link.axis) * T(link.sign);
  }

  // Force and moment for a unit acceleration of coordinate k.
  static std::pair<Vec3<T>, Vec3<T>> force_of_unit(const Link& link, int k, const RigidInertia<T>& I) {
    Vec3<T> e = Vec3<T>::Zero();
    e(link.kind == Link::Kind::ball ? k : link.axis) = T(link.kind == Link::Kind::ball ? 1.0 : link.sign);
    if (link.kind == Link::Kind::slide) return {e * I.mass, I.moment.cross(e)};
    return {e.cross(I.moment), times_symmetric(I.inertia, e)};
  }

  void add_column(std::size_t i, std::pair<Vec3<T>, Vec3<T>> load, std::size_t column, std::vector<T>& M) const {
    const std::size_t n = at(tree_.rates);
    for (;;) {
      const Link& link = tree_.links[i];
      for (int k = 0; k < link.rate_count(); ++k) {
        const std::size_t row = at(link.rate) + static_cast<std::size_t>(k);
        if (row > column) continue;  // of the same ball
        M[row * n + column] = along(link, k, load.first, load.second);
        M[column * n + row] = M[row * n + column];
      }
      if (link.parent < 0) return;
      load = passed_on(i, load.first, load.second);
      i = at(link.parent);
    }
  }

  // A load on the link, as one on its parent.
  std::pair<Vec3<T>, Vec3<T>> passed_on(std::size_t i, const Vec3<T>& f, const Vec3<T>& n) const {
    const Vec3<T> f_before = turned(i, f);
    const Vec3<T> n_before = turned(i, n) + shifted(i).cross(f_before);
    const Vec3<T> f_parent = numbers_[i].C * f_before;
    return {f_parent, Vec3<T>(numbers_[i].C * n_before + numbers_[i].r.cross(f_parent))};
  }

  static void add_to(RigidInertia<T>& sum, const RigidInertia<T>& other) {
    sum.mass += other.mass;
    sum.moment += other.moment;
    sum.inertia += other.inertia;
  }

  // About a point from which the old origin is at d: J + 2 (d·g) - d gᵀ - g dᵀ with g = h + m d / 2.
  static void shift(RigidInertia<T>& I, const Vec3<T>& d) {
    const Vec3<T> g = I.moment + d * (I.mass * T(0.5));
    const T both = d.dot(g) * T(2.0);
    for (int i = 0; i < 3; ++i) {
      I.inertia(i, i) += both - d(i) * g(i) * T(2.0);
      for (int k = i + 1; k < 3; ++k) I.inertia(i, k) -= d(i) * g(k) + g(i) * d(k);
    }
    I.moment += d * I.mass;
  }

  RigidInertia<T> seen_from_parent(std::size_t i, RigidInertia<T> I) const {
    const Link& link = tree_.links[i];
    const LinkMotion<T>& m = motions_[i];
    if (link.kind == Link::Kind::turn) turn(I, link.axis, m.c, m.s);
    if (link.kind == Link::Kind::ball) turn(I, m.ball);
    if (link.kind == Link::Kind::slide) shift(I, shifted(i));
    turn(I, numbers_[i].C);
    shift(I, numbers_[i].r);
    return I;
  }

  // About one axis: with c² and c s four products for the block that turns.
  static void turn(RigidInertia<T>& I, int axis, const T& c, const T& s) {
    const auto [p, q] = others(axis);
    const auto entry = [&I](int i, int k) -> T& { return i < k ? I.inertia(i, k) : I.inertia(k, i); };
    const T c2 = c * c, cs = c * s;
    const T difference = entry(p, p) - entry(q, q), twice = entry(p, q) + entry(p, q);
    const T m1 = c2 * difference - cs * twice, m2 = c2 * twice + cs * difference;
    const T pp = entry(q, q) + m1, qq = entry(p, p) - m1;
    entry(p, q) = m2 - entry(p, q);
    entry(p, p) = pp;
    entry(q, q) = qq;
    const T pk = c * entry(p, axis) - s * entry(q, axis);
    entry(q, axis) = s * entry(p, axis) + c * entry(q, axis);
    entry(p, axis) = pk;
    const T h = c * I.moment(p) - s * I.moment(q);
    I.moment(q) = s * I.moment(p) + c * I.moment(q);
    I.moment(p) = h;
  }

  static void turn(RigidInertia<T>& I, const Mat3<T>& R) {
    Mat3<T> full = I.inertia;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < i; ++k) full(i, k) = full(k, i);
    }
    const Mat3<T> half = R * full;
    for (int i = 0; i < 3; ++i) {
      for (int k = i; k < 3; ++k) I.inertia(i, k) = half.row(i).dot(R.row(k));
    }
    I.moment = R * I.moment;
  }

  const Tree& tree_;
  std::span<const LinkNumbers<T>> numbers_;
  Vec3<T> gravity_;
  std::vector<LinkMotion<T>> motions_;
};

}  // namespace gelenk::minimal
