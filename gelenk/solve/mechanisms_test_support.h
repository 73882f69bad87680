#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/solve/component_plan.h"
#include "gelenk/solve/joint_machine_test_support.h"

// Mechanisms of many kinds, and machines made at random.
namespace gelenk::solve::test {

inline JointMachine link_chain(std::size_t count, double mass_ratio = 1.0) {
  JointMachine m;
  Vector at{};
  std::int32_t before = -1;
  for (std::size_t k = 0; k < count; ++k) {
    const Vector next = plus(at, m.machine.direction());
    const std::int32_t body = m.add_bar(at, next, k % 2 == 0 ? 1.0 : mass_ratio);
    m.revolute(before, body, at, m.machine.direction());
    at = next;
    before = body;
  }
  m.finish("chain");
  return m;
}

// Ten kinds of joints in turn, hung on one of the last four bodies.
inline JointMachine mixed_tree(std::size_t count, double mass_ratio = 1.0) {
  JointMachine m;
  m.machine.generator.seed(3);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t p =
        i == 0 ? -1 : static_cast<std::int32_t>(i - 1 - m.machine.generator() % std::min<std::size_t>(i, 4));
    const Vector near = p < 0 ? Vector{} : m.machine.centers[static_cast<std::size_t>(p)];
    const Vector at = plus(near, times(0.1, m.machine.direction()));
    const Vector d = m.machine.direction();
    const double mass = m.machine.number(1, 2) * (i % 2 == 0 ? 1.0 : mass_ratio);
    const std::int32_t body = m.add_bar(at, plus(at, times(0.3, d)), mass);
    m.add_joint(i % 10, p, body, at, m.machine.direction(), plus(at, times(0.2, d)));
  }
  m.finish("tree of ten joint types");
  return m;
}

inline JointMachine four_bars(std::size_t count, double angle = 1.2, double mass_ratio = 1.0) {
  JointMachine m;
  const Vector v{std::cos(angle), 0, std::sin(angle)};
  std::int32_t before = -1;
  for (std::size_t i = 0; i <= count; ++i) {
    const Vector foot{static_cast<double>(i), 0, 0};
    const std::int32_t crank = m.add_bar(foot, plus(foot, v), i % 2 == 0 ? 1.0 : mass_ratio);
    m.revolute(crank, -1, foot, kY);
    if (i > 0) {
      const Vector left = plus({foot[0] - 1, 0, 0}, v);
      const std::int32_t bar = m.add_bar(left, plus(foot, v), 1.0);
      m.revolute(before, bar, left, kY);
      m.revolute(bar, crank, plus(foot, v), kY);
    }
    before = crank;
  }
  m.finish("four-bars");
  return m;
}

// Cells one after another between two rails, the first hinged to the ground: two chains with rungs.
inline JointMachine rung_ladder(std::size_t cells, double mass_ratio = 1.0) {
  JointMachine m;
  std::int32_t upper = -1;
  std::int32_t lower = -1;
  for (std::size_t i = 0; i < cells; ++i) {
    const auto x = static_cast<double>(i);
    const double lift = 0.1 * std::sin(0.7 * x);
    const Vector a{x, 0, lift};
    const Vector b{x + 1, 0, 0.1 * std::sin(0.7 * (x + 1))};
    const Vector up{0, 0, 1};
    const std::int32_t low = m.add_bar(a, b, 1.0);
    const std::int32_t high = m.add_bar(plus(a, up), plus(b, up), mass_ratio);
    const std::int32_t rung = m.add_bar(b, plus(b, up), 0.5);
    m.revolute(lower, low, a, kY);
    m.revolute(upper, high, plus(a, up), kY);
    m.revolute(low, rung, b, kY);
    m.revolute(high, rung, plus(b, up), kY);
    lower = upper = rung;
  }
  m.finish("ladder");
  return m;
}

inline JointMachine ring(std::size_t count, bool is_grounded, bool has_balls, double mass_ratio = 1.0) {
  JointMachine m;
  std::vector<Vector> p;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 2 * M_PI * static_cast<double>(i) / static_cast<double>(count);
    p.push_back(times(1 + 0.1 * m.machine.number(0, 1), {std::cos(angle), 0, std::sin(angle)}));
  }
  for (std::size_t i = 0; i < count; ++i) m.add_bar(p[i], p[(i + 1) % count], i % 2 == 0 ? 1.0 : mass_ratio);
  for (std::size_t i = 0; i < count; ++i) {
    const auto a = static_cast<std::int32_t>(i);
    const auto b = static_cast<std::int32_t>((i + 1) % count);
    if (has_balls) m.spherical(a, b, p[(i + 1) % count]);
    if (!has_balls) m.revolute(a, b, p[(i + 1) % count], kY);
  }
  if (is_grounded) m.revolute(0, -1, m.machine.centers[0], kY);
  m.finish(std::string("ring") + (is_grounded ? ", grounded" : ", floating") + (has_balls ? ", balls" : ""));
  return m;
}

inline JointMachine bricard() {
  JointMachine m;
  const Vector dirs[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  std::vector<Vector> p{{0, 0, 0}};
  for (const Vector& d : dirs) p.push_back(plus(p.back(), d));
  for (std::size_t i = 0; i < 5; ++i) m.add_bar(p[i], p[i + 1], 1.0);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto first = static_cast<std::int32_t>(i < 5 ? i : 4);
    const std::int32_t second = i == 0 || i == 5 ? -1 : static_cast<std::int32_t>(i) - 1;
    m.revolute(first, second, p[i], cross(dirs[(i + 5) % 6], dirs[i % 6]));
  }
  m.finish("Bricard 6R");
  return m;
}

inline void add_wishbone(JointMachine& m, std::int32_t chassis, const Vector& o, double side, std::int32_t rack) {
  const auto q = [&](double x, double y, double z) { return plus(o, {x, side * y, z}); };
  const std::int32_t lower = m.add_bar(q(0, .05, 0), q(0, .45, -.02), 3.);
  const std::int32_t upper = m.add_bar(q(0, .1, .25), q(-.02, .4, .26), 2.);
  const std::int32_t upright = m.add_bar(q(0, .45, -.02), q(-.02, .4, .26), 6.);
  const std::int32_t wheel = m.add_body(q(0, .5, .1), 15., {.5, .9, .5});
  m.revolute(lower, chassis, q(0, .05, 0), {1, 0, .02});
  m.revolute(upper, chassis, q(0, .1, .25), {1, 0, -.05});
  m.spherical(lower, upright, q(0, .45, -.02));
  m.spherical(upper, upright, q(-.02, .4, .26));
  m.revolute(upright, wheel, q(0, .5, .1), kY);
  m.distance(rack, upright, q(.12, .1, .1), q(.13, .42, .1));
}

inline JointMachine wishbone() {
  JointMachine m;
  add_wishbone(m, -1, {0, 0, 0}, 1.0, -1);
  m.finish("double wishbone");
  return m;
}

inline JointMachine wishbone_car() {
  JointMachine m;
  const std::int32_t chassis = m.add_body({0, 0, .3}, 1000., {300., 1200., 1300.});
  const std::int32_t rack = m.add_body({1.4, 0, .1}, 5., {.3, .02, .3});
  m.prismatic(chassis, rack, {1.4, 0, .1}, {1.4, 0, .1}, kY);
  for (const double x : {1.3, -1.3}) {
    for (const double side : {1.0, -1.0}) add_wishbone(m, chassis, {x, side * .3, 0}, side, x > 0 ? rack : chassis);
  }
  m.finish("wishbone car");
  return m;
}

inline JointMachine planar_robot(bool is_driven) {
  JointMachine m;
  const std::int32_t platform = m.add_body({0, 0, 0}, 3., {.1, .2, .1});
  for (int i = 0; i < 3; ++i) {
    const double angle = 2 * M_PI * i / 3;
    const Vector u{std::cos(angle), 0, std::sin(angle)};
    const Vector w{-std::sin(angle), 0, std::cos(angle)};
    const Vector B = times(1.2, u);
    const Vector K = plus(times(.8, u), times(.35, w));
    const Vector C = times(.25, u);
    const std::int32_t first = m.add_bar(B, K, 1.);
    const std::int32_t second = m.add_bar(K, C, 1.);
    if (is_driven) m.driven_revolute(-1, first, B, kY);
    if (!is_driven) m.revolute(-1, first, B, kY);
    m.revolute(first, second, K, kY);
    m.revolute(second, platform, C, kY);
  }
  m.finish(is_driven ? "3RRR, driven" : "3RRR");
  return m;
}

enum class Legs { struts, driven_struts, rods };
inline JointMachine stewart(Legs legs, double mass_ratio = 1.0) {
  JointMachine m;
  const std::int32_t platform = m.add_body({0, .03, 1.}, 20. * mass_ratio, {mass_ratio, mass_ratio, 1.8 * mass_ratio});
  for (int i = 0; i < 6; ++i) {
    const double pair = i - i % 2;
    const double a = M_PI / 3 * pair + (i % 2 != 0 ? .3 : -.3);
    const double b = M_PI / 3 * pair + M_PI / 3 * (i % 2 != 0 ? 1 : -1) * .75;
    const Vector A{std::cos(a), std::sin(a), 0};
    const Vector B{.6 * std::cos(b), .6 * std::sin(b), .97};
    const Vector e = unit(minus(B, A));
    if (legs == Legs::rods) {
      m.distance(-1, platform, A, B);
      continue;
    }
    const Vector mid = times(.5, plus(A, B));
    const std::int32_t lower = m.add_bar(A, plus(mid, times(.1, e)), 2.);
    const std::int32_t upper = m.add_bar(plus(mid, times(-.1, e)), B, 1.5);
    m.universal(-1, lower, A, e);
    if (legs == Legs::struts) m.prismatic(lower, upper, mid, mid, e);
    if (legs == Legs::driven_struts) m.driven_prismatic(lower, upper, mid, mid, e);
    m.spherical(upper, platform, B);
  }
  m.finish(legs == Legs::rods ? "Stewart, rods" : legs == Legs::struts ? "Stewart" : "Stewart, driven");
  return m;
}

// Bodies in a square, neighbors held by rods; nothing holds it to the ground.
inline JointMachine rod_grid(std::size_t n) {
  JointMachine m;
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      m.add_body({static_cast<double>(column), static_cast<double>(row), 0.1 * m.machine.number(-1, 1)}, 1.0,
                 {.02, .03, .04});
    }
  }
  const auto link = [&](std::size_t i, std::size_t j) {
    const Vector d = m.machine.direction();
    m.distance(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), plus(m.machine.centers[i], times(.1, d)),
               plus(m.machine.centers[j], times(.1, d)));
  };
  for (std::size_t i = 0; i < n * n; ++i) {
    if (i % n + 1 < n) link(i, i + 1);
    if (i / n + 1 < n) link(i, i + n);
  }
  m.finish("rod grid " + std::to_string(n));
  return m;
}

// Plates in a square, neighbors joined by bars with a hinge at each end; all axes parallel, one plate hinged to the
// ground.
inline JointMachine hinge_net(std::size_t n) {
  JointMachine m;
  for (std::size_t i = 0; i < n * n; ++i) {
    const std::size_t row = i / n;
    const auto x = static_cast<double>(i % n);
    const auto z = static_cast<double>(row);
    m.add_body({x + 0.1 * std::sin(3 * x + z), 0, z + 0.1 * std::cos(5 * x - z)}, 1.0, {.02, .03, .04});
  }
  const auto link = [&](std::size_t i, std::size_t j) {
    const Vector from = m.machine.centers[i];
    const Vector to = m.machine.centers[j];
    const std::int32_t bar = m.add_bar(from, to, 0.5);
    m.revolute(static_cast<std::int32_t>(i), bar, from, kY);
    m.revolute(bar, static_cast<std::int32_t>(j), to, kY);
  };
  for (std::size_t i = 0; i < n * n; ++i) {
    if (i % n + 1 < n) link(i, i + 1);
    if (i / n + 1 < n) link(i, i + n);
  }
  m.revolute(-1, 0, m.machine.centers[0], kY);
  m.finish("hinge net " + std::to_string(n));
  return m;
}

// A four-bar with a net of rods that hangs on its coupler and nowhere else.
inline JointMachine net_on_a_coupler(std::size_t n) {
  JointMachine m;
  const std::int32_t first = m.add_bar({0, 0, 0}, {0.2, 0, 1}, 1.0);
  const std::int32_t second = m.add_bar({1, 0, 0}, {1.2, 0, 1}, 1.0);
  const std::int32_t coupler = m.add_bar({0.2, 0, 1}, {1.2, 0, 1}, 2.0);
  m.revolute(-1, first, {0, 0, 0}, kY);
  m.revolute(-1, second, {1, 0, 0}, kY);
  m.revolute(first, coupler, {0.2, 0, 1}, kY);
  m.revolute(second, coupler, {1.2, 0, 1}, kY);
  const auto net = [n](std::size_t row, std::size_t column) { return static_cast<std::int32_t>(3 + n * row + column); };
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      const Vector center{0.3 * static_cast<double>(column), 0.1 * m.machine.number(-1, 1),
                          0.6 - 0.3 * static_cast<double>(row)};
      m.add_body(center, 0.2, {.002, .003, .004});
      const Vector at = plus(center, times(.05, m.machine.direction()));
      m.distance(row == 0 ? coupler : net(row - 1, column), net(row, column), plus(at, {0, 0.02, 0.2}), at);
      if (column > 0) m.distance(net(row, column - 1), net(row, column), plus(at, {-.2, 0, .03}), at);
    }
  }
  m.finish("net on a coupler");
  return m;
}

// Any joints between any bodies, loops among them, often redundant.
inline JointMachine random_machine(unsigned seed) {
  JointMachine m;
  m.machine.generator.seed(seed);
  auto& generator = m.machine.generator;
  const std::size_t count = 3 + generator() % 7;
  const bool is_grounded = generator() % 10 < 7;
  const auto place = [&m] { return Vector{m.machine.number(-1, 1), m.machine.number(-1, 1), m.machine.number(-1, 1)}; };
  for (std::size_t i = 0; i < count; ++i) {
    const Vector at = place();
    m.add_bar(at, plus(at, m.machine.direction()), m.machine.number(0.5, 3.5));
  }
  const auto add = [&](std::int32_t a, std::int32_t b) {
    m.add_joint(generator() % JointMachine::kTypes, a, b, place(), m.machine.direction(), place());
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 && is_grounded) add(-1, 0);
    if (i > 0) add(static_cast<std::int32_t>(generator() % i), static_cast<std::int32_t>(i));
  }
  for (std::size_t i = generator() % 6; i > 0; --i) {
    const auto a = static_cast<std::int32_t>(generator() % (count + (is_grounded ? 1 : 0))) - (is_grounded ? 1 : 0);
    const auto b = static_cast<std::int32_t>(generator() % count);
    if (a != b) add(a, b);
  }
  m.finish("random " + std::to_string(seed));
  return m;
}

inline std::vector<JointMachine> mechanisms(double mass_ratio = 1.0) {
  std::vector<JointMachine> all;
  all.push_back(link_chain(64, mass_ratio));
  all.push_back(mixed_tree(40, mass_ratio));
  all.push_back(four_bars(1, 1.2, mass_ratio));
  all.push_back(four_bars(10, 1.2, mass_ratio));
  all.push_back(rung_ladder(16, mass_ratio));
  all.push_back(ring(8, true, false, mass_ratio));
  all.push_back(ring(8, false, false, mass_ratio));
  all.push_back(ring(8, true, true, mass_ratio));
  all.push_back(bricard());
  all.push_back(wishbone());
  all.push_back(wishbone_car());
  all.push_back(planar_robot(false));
  all.push_back(planar_robot(true));
  all.push_back(stewart(Legs::struts, mass_ratio));
  all.push_back(stewart(Legs::driven_struts, mass_ratio));
  all.push_back(stewart(Legs::rods));
  all.push_back(rod_grid(4));
  return all;
}

// Bodies dealt out at random to components that own each other at random, mostly without any sense: fronts with many
// bodies at their border, components that hold nothing together, trees that hang on bodies of others.
inline Partition random_partition(std::size_t bodies, unsigned seed) {
  std::mt19937 generator(seed);
  Partition partition;
  const std::size_t count = 2 + generator() % 4;
  for (std::size_t c = 1; c < count; ++c) partition.owner.push_back(static_cast<std::int32_t>(generator() % c));
  for (std::size_t b = 0; b < bodies; ++b) {
    partition.component_of_body.push_back(static_cast<std::int32_t>(generator() % count));
  }
  return partition;
}

}  // namespace gelenk::solve::test
