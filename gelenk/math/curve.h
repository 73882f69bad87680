#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/math/vector.h"

namespace gelenk {

// Position on a curve with its first and second derivative by the parameter.
template <class T>
struct CurvePoint {
  Vec3<T> position, first, second;
};

// A smooth curve in space through points: a cubic spline over the chords between them. An open curve has no curvature
// at its ends and goes on straight beyond them; a closed one is as smooth at its first point as everywhere. The travel
// along it is its true length from the first point on, negative before the first point of an open curve.
class Curve {
 public:
  static constexpr std::size_t kMostPoints = 500;

  // Needs two points, or three of a closed curve, whose first point is not repeated at the end. A curve that crosses
  // itself, or turns back on the spot, has no nearest point: returns nothing and says why.
  static std::optional<Curve> make(const std::vector<Vector3>& points, bool is_closed, std::string* error);

  bool is_closed() const { return is_closed_; }
  double length() const { return samples_.back().travel; }
  // All travels that differ by it are the same place; infinite for an open curve.
  double period() const;

  // The parameter of the point that is nearest to p. For p on the curve, its place; elsewhere it jumps where two points
  // are equally near.
  double nearest(const Vector3& p) const;
  double travel(double u) const;
  // Both ways: travel(parameter(x)) = x, up to whole turns of a closed curve.
  double parameter(double travel) const;

  // With derivatives of first order by whatever u depends on.
  template <class T>
  CurvePoint<T> at(const T& u) const {
    const double u0 = value_of(u);
    const std::array<Vector3, 4> C = derivatives(u0);
    const T du = u - u0;
    const auto moved = [&](const Vector3& from, const Vector3& slope) {
      return Vec3<T>(from.cast<T>() + slope.cast<T>() * du);
    };
    return {moved(C[0], C[1]), moved(C[1], C[2]), moved(C[2], C[3])};
  }

  // A direction that the curve never runs along, or as far from it as there is one: for a plane curve its normal. With
  // the tangent it makes axes that turn smoothly along the curve.
  const Vector3& aside() const { return aside_; }
  // The same with a wanted direction; nothing where the curve runs along it.
  bool set_aside(const Vector3& direction);
  // The curve with the signs of the axes changed.
  Curve reflected(const Vector3& signs) const;

 private:
  struct Piece {
    double start = 0.0;
    std::array<Vector3, 4> c;  // position = c0 + c1 t + c2 t² + c3 t³, t = u - start
  };
  struct Sample {
    double u = 0.0, travel = 0.0;
    Vector3 position;
  };

  Curve() = default;
  // Position and three derivatives.
  std::array<Vector3, 4> derivatives(double u) const;
  double refined(const Vector3& p, double from, double to) const;
  void sample();
  std::string problem() const;
  double least_angle(const Vector3& direction) const;
  void choose_aside();

  bool is_closed_ = false;
  double end_ = 0.0;  // parameter of the last point, or of the first one again
  std::vector<Piece> pieces_;
  std::vector<Sample> samples_;  // several for each piece, the last one at the end
  Vector3 aside_ = Vector3::UnitZ();
};

// The parameter of the nearest point with its derivatives: one step of Newton from its number.
template <class T>
T parameter_near(const Curve& curve, const Vec3<T>& p) {
  const Vector3 from(value_of(p.x()), value_of(p.y()), value_of(p.z()));
  const double u = curve.nearest(from);
  const CurvePoint<double> C = curve.at(u);
  const double bend = C.first.dot(C.first) - C.second.dot(from - C.position);
  return T(u) + Vec3<T>(p - C.position.template cast<T>()).dot(C.first.template cast<T>()) / bend;
}

// The travel of the nearest point, likewise.
template <class T>
T travel_near(const Curve& curve, const Vec3<T>& p) {
  const T u = parameter_near(curve, p);
  const double u0 = value_of(u);
  return (u - u0) * curve.at(u0).first.norm() + curve.travel(u0);
}

// Axes along a curve and their derivatives by the parameter, as columns: the tangent t, e × t / |e × t| and what is
// perpendicular to both, e being the direction aside.
template <class T>
struct CurveAxes {
  Mat3<T> directions, slopes;
};

template <class T>
CurveAxes<T> axes_of(const Curve& curve, const CurvePoint<T>& C) {
  using std::sqrt;
  const Vec3<T> e = curve.aside().template cast<T>();
  const T speed = sqrt(C.first.dot(C.first));
  const Vec3<T> t = C.first / speed;
  const Vec3<T> t_slope = (C.second - t * t.dot(C.second)) / speed;
  const Vec3<T> across = e.cross(t);
  const T size = sqrt(across.dot(across));
  const Vec3<T> n = across / size;
  const Vec3<T> across_slope = e.cross(t_slope);
  const Vec3<T> n_slope = (across_slope - n * n.dot(across_slope)) / size;
  CurveAxes<T> axes;
  axes.directions << t, n, t.cross(n);
  axes.slopes << t_slope, n_slope, t_slope.cross(n) + t.cross(n_slope);
  return axes;
}

}  // namespace gelenk
