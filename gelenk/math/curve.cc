#include "gelenk/math/curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "gelenk/math/table.h"

namespace gelenk {
namespace {

constexpr std::size_t kSamples = 8;        // of a piece
constexpr double kSlowest = 0.05;          // length of the curve by the chord: below it the curve turns on the spot
constexpr double kTouching = 0.02;         // of the length of two stretches: nearer than that they touch
constexpr double kLeastAngle = 0.02;       // rad, to a direction that the curve does not run along
constexpr double kClearlyBetter = 1.0e-6;  // so that a plane curve has its normal, not something near it
constexpr int kMostSteps = 80;

// Gauss's rule of five points on [-1, 1].
constexpr std::array<double, 5> kNodes{-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                                       0.9061798459386640};
constexpr std::array<double, 5> kWeights{0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                                         0.2369268850561891};

// Least distance of two stretches, each from a point along a vector: both as seen from where the other is nearest.
double distance_of_stretches(const Vector3& p, const Vector3& d, const Vector3& q, const Vector3& e) {
  const Vector3 r = p - q;
  const double a = d.dot(d), b = d.dot(e), c = e.dot(e), f = e.dot(r), g = d.dot(r);
  const double determinant = a * c - b * b;
  double s = determinant > 0.0 ? std::clamp((b * f - c * g) / determinant, 0.0, 1.0) : 0.0;
  const double t = std::clamp((b * s + f) / c, 0.0, 1.0);
  s = std::clamp((b * t - g) / a, 0.0, 1.0);
  return (r + s * d - t * e).norm();
}

}  // namespace

std::optional<Curve> Curve::make(const std::vector<Vector3>& points, bool is_closed, std::string* error) {
  const auto refuse = [&](std::string why) -> std::optional<Curve> {
    if (error != nullptr) *error = std::move(why);
    return std::nullopt;
  };
  const std::size_t fewest = is_closed ? 3 : 2;
  if (points.size() < fewest) {
    return refuse(is_closed ? "a closed curve needs at least three points" : "a curve needs at least two points");
  }
  if (points.size() > kMostPoints) {
    return refuse("it has " + std::to_string(points.size()) + " points, at most " + std::to_string(kMostPoints) +
                  " are possible");
  }
  std::vector<Vector3> corners = points;
  if (is_closed) corners.push_back(points.front());
  std::vector<double> u{0.0};
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const double chord = (corners[i] - corners[i - 1]).norm();
    if (!std::isfinite(chord)) return refuse("its points are not finite");
    if (!(chord > 0.0)) {
      return refuse(is_closed && i + 1 == corners.size()
                        ? "its last point is the first one again: a closed curve closes by itself"
                        : "its points " + std::to_string(i) + " and " + std::to_string(i + 1) + " are the same");
    }
    u.push_back(u.back() + chord);
  }
  Curve curve;
  curve.is_closed_ = is_closed;
  curve.end_ = u.back();
  curve.pieces_.resize(corners.size() - 1);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> y;
    for (const Vector3& corner : corners) y.push_back(corner(axis));
    const std::optional<Table> spline =
        Table::make(u, std::move(y), is_closed ? Interpolation::periodic : Interpolation::cubic, error);
    if (!spline) return std::nullopt;
    for (std::size_t i = 0; i < curve.pieces_.size(); ++i) {
      const auto number = static_cast<std::int32_t>(i + 1);
      const double bend = spline->curvature_on(number, u[i]);
      Piece& piece = curve.pieces_[i];
      piece.start = u[i];
      piece.c[0](axis) = corners[i](axis);
      piece.c[1](axis) = spline->slope_on(number, u[i]);
      piece.c[2](axis) = 0.5 * bend;
      piece.c[3](axis) = (spline->curvature_on(number, u[i + 1]) - bend) / (6.0 * (u[i + 1] - u[i]));
    }
  }
  curve.sample();
  if (std::string why = curve.problem(); !why.empty()) return refuse(std::move(why));
  curve.choose_aside();
  return curve;
}

double Curve::period() const { return is_closed_ ? length() : std::numeric_limits<double>::infinity(); }

std::array<Vector3, 4> Curve::derivatives(double u) const {
  if (is_closed_) u -= end_ * std::floor(u / end_);
  const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), u,
                                      [](double value, const Piece& piece) { return value < piece.start; });
  const Piece& piece = *(after - 1);
  const double t = std::clamp(u, 0.0, end_) - piece.start;
  const std::array<Vector3, 4>& c = piece.c;
  std::array<Vector3, 4> result{c[0] + t * (c[1] + t * (c[2] + t * c[3])), c[1] + t * (2.0 * c[2] + t * 3.0 * c[3]),
                                2.0 * c[2] + 6.0 * t * c[3], 6.0 * c[3]};
  if (u >= 0.0 && u <= end_) return result;
  result[0] += (u < 0.0 ? u : u - end_) * result[1];
  result[2].setZero();
  result[3].setZero();
  return result;
}

void Curve::sample() {
  double travel = 0.0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const double start = pieces_[i].start;
    const double h = ((i + 1 < pieces_.size() ? pieces_[i + 1].start : end_) - start) / kSamples;
    for (std::size_t k = 0; k < kSamples; ++k) {
      const double u = start + static_cast<double>(k) * h;
      samples_.push_back({u, travel, derivatives(u)[0]});
      for (std::size_t n = 0; n < kNodes.size(); ++n) {
        travel += 0.5 * h * kWeights[n] * derivatives(u + 0.5 * h * (1.0 + kNodes[n]))[1].norm();
      }
    }
  }
  samples_.push_back({end_, travel, is_closed_ ? samples_.front().position : derivatives(end_)[0]});
}

double Curve::travel(double u) const {
  const double turns = is_closed_ ? std::floor(u / end_) : 0.0;
  u -= turns * end_;
  if (u < 0.0) return u * derivatives(0.0)[1].norm();
  if (u >= end_) return turns * length() + length() + (u - end_) * derivatives(end_)[1].norm();
  const auto after = std::upper_bound(samples_.begin() + 1, samples_.end() - 1, u,
                                      [](double value, const Sample& sample) { return value < sample.u; });
  const Sample& from = *(after - 1);
  const double h = u - from.u;
  double travel = turns * length() + from.travel;
  for (std::size_t n = 0; n < kNodes.size(); ++n) {
    travel += 0.5 * h * kWeights[n] * derivatives(from.u + 0.5 * h * (1.0 + kNodes[n]))[1].norm();
  }
  return travel;
}

double Curve::parameter(double wanted) const {
  if (is_closed_) wanted -= length() * std::floor(wanted / length());
  double u = wanted * end_ / length();
  for (int step = 0; step < kMostSteps; ++step) {
    const double change = (wanted - travel(u)) / derivatives(u)[1].norm();
    u += change;
    if (std::abs(change) <= 4.0 * std::numeric_limits<double>::epsilon() * end_) break;
  }
  return u;
}

// φ(u) = ½ |p - C(u)|², φ' = -C'·(p - C), φ'' = C'·C' - C''·(p - C): a zero of φ' between the two, by Newton's steps as
// long as they stay between places where φ falls and where it rises.
double Curve::refined(const Vector3& p, double from, double to) const {
  double u = 0.5 * (from + to);
  for (int step = 0; step < kMostSteps; ++step) {
    const std::array<Vector3, 4> C = derivatives(u);
    const Vector3 gap = p - C[0];
    const double slope = -C[1].dot(gap);
    const double bend = C[1].dot(C[1]) - C[2].dot(gap);
    (slope > 0.0 ? to : from) = u;
    double next = bend > 0.0 ? u - slope / bend : from - 1.0;
    if (!(next >= from && next <= to)) next = 0.5 * (from + to);
    const double change = next - u;
    u = next;
    if (std::abs(change) <= 2.0 * std::numeric_limits<double>::epsilon() * end_) break;
  }
  return u;
}

double Curve::nearest(const Vector3& p) const {
  const std::size_t last = samples_.size() - 1;
  double least = std::numeric_limits<double>::infinity();
  double result = 0.0;
  const auto distance = [&](std::size_t i) { return (samples_[i].position - p).norm(); };
  const auto try_between = [&](double from, double to) {
    const double u = refined(p, from, to);
    const double d = (derivatives(u)[0] - p).norm();
    if (d >= least) return;
    least = d;
    result = u;
  };
  // Every sample that is nearer than its neighbors, unless the curve around it cannot be nearer than what was found.
  double before = is_closed_ ? distance(last - 1) : std::numeric_limits<double>::infinity();
  double here = distance(0);
  for (std::size_t i = 0; i <= last; ++i) {
    if (is_closed_ && i == last) break;
    const double after = i < last ? distance(i + 1) : std::numeric_limits<double>::infinity();
    if (here <= before && here <= after) {
      const double step_back = i > 0 ? samples_[i].u - samples_[i - 1].u : end_ - samples_[last - 1].u;
      const double step_on = i < last ? samples_[i + 1].u - samples_[i].u : step_back;
      const double reach = i < last ? samples_[i + 1].travel - samples_[i].travel : 0.0;
      const double reach_back =
          i > 0 ? samples_[i].travel - samples_[i - 1].travel : length() - samples_[last - 1].travel;
      if (here - std::max(reach, reach_back) < least) {
        const double from = !is_closed_ && i == 0 ? 0.0 : samples_[i].u - step_back;
        const double to = !is_closed_ && i == last ? end_ : samples_[i].u + step_on;
        try_between(from, to);
      }
    }
    before = here;
    here = after;
  }
  if (is_closed_) return result - end_ * std::floor(result / end_);
  // On the straight lines beyond the ends.
  for (const bool is_end : {false, true}) {
    const std::array<Vector3, 4> C = derivatives(is_end ? end_ : 0.0);
    const double along = (p - C[0]).dot(C[1]) / C[1].dot(C[1]);
    const double d = (p - C[0] - along * C[1]).norm();
    if ((is_end ? along < 0.0 : along > 0.0) || d > least) continue;
    least = d;
    result = (is_end ? end_ : 0.0) + along;
  }
  return result;
}

std::string Curve::problem() const {
  for (std::size_t i = 0; i + 1 < samples_.size(); ++i) {
    const Vector3 slope = derivatives(samples_[i].u)[1];
    if (slope.norm() < kSlowest) {
      return "it turns back on the spot beside its point " + std::to_string(i / kSamples + 1);
    }
  }
  const std::size_t count = samples_.size() - 1;
  double longest = 0.0;
  for (std::size_t i = 0; i < count; ++i) longest = std::max(longest, samples_[i + 1].travel - samples_[i].travel);
  for (std::size_t i = 0; i < count; ++i) {
    const Vector3 d = samples_[i + 1].position - samples_[i].position;
    for (std::size_t j = i + 2; j < count; ++j) {
      if (is_closed_ && i == 0 && j + 1 == count) continue;
      const Vector3 e = samples_[j + 1].position - samples_[j].position;
      const double size = d.norm() + e.norm();
      const Vector3 apart = samples_[j].position - samples_[i].position;
      if (const double beyond = apart.norm() - 3.0 * longest; beyond > 0.0) {
        j += static_cast<std::size_t>(beyond / longest);  // before that nothing can be near
        continue;
      }
      if (distance_of_stretches(samples_[i].position, d, samples_[j].position, e) > kTouching * size) continue;
      return "it crosses or touches itself beside its points " + std::to_string(i / kSamples + 1) + " and " +
             std::to_string(j / kSamples + 1);
    }
  }
  return "";
}

// To the curve, anywhere.
double Curve::least_angle(const Vector3& direction) const {
  double least = 0.5 * std::numbers::pi;
  for (const Sample& sample : samples_) {
    const Vector3 tangent = derivatives(sample.u)[1].normalized();
    least = std::min(least, std::atan2(tangent.cross(direction).norm(), std::abs(tangent.dot(direction))));
  }
  return least;
}

void Curve::choose_aside() {
  double best = 0.0;
  const auto offer = [&](const Vector3& direction) {
    const double angle = least_angle(direction);
    if (angle <= best + kClearlyBetter) return;
    best = angle;
    aside_ = direction;
  };
  offer(Vector3::UnitZ());
  offer(Vector3::UnitY());
  offer(Vector3::UnitX());
  // The normal of a plane curve, from two tangents that are not parallel.
  const Vector3 first = derivatives(0.0)[1].normalized();
  Vector3 normal = Vector3::Zero();
  for (const Sample& sample : samples_) {
    const Vector3 across = first.cross(derivatives(sample.u)[1].normalized());
    if (across.norm() > normal.norm()) normal = across;
  }
  if (normal.norm() > 0.0) offer(normal.normalized());
  // Directions spread evenly over half a sphere.
  constexpr int kDirections = 60;
  for (int i = 0; i < kDirections; ++i) {
    const double z = (i + 0.5) / kDirections;
    const double turn = i * std::numbers::pi * (3.0 - std::sqrt(5.0));
    const double r = std::sqrt(1.0 - z * z);
    offer({r * std::cos(turn), r * std::sin(turn), z});
  }
}

bool Curve::set_aside(const Vector3& direction) {
  aside_ = direction.normalized();
  return least_angle(aside_) > kLeastAngle;
}

Curve Curve::reflected(const Vector3& signs) const {
  Curve result = *this;
  for (Piece& piece : result.pieces_) {
    for (Vector3& c : piece.c) c = signs.cwiseProduct(c);
  }
  for (Sample& sample : result.samples_) sample.position = signs.cwiseProduct(sample.position);
  result.aside_ = signs.cwiseProduct(aside_);
  return result;
}

}  // namespace gelenk
