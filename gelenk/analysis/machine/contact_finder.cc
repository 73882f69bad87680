#include "gelenk/analysis/machine/contact_finder.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {
namespace {

constexpr std::uint8_t kFirst = 1, kSecond = 2, kAmong = 4;
// Points count this part of a contour's size before they can touch: the lists of resting ones are then the same
// whatever rounding does.
constexpr double kSkin = 1e-3;
// A step may lead as far as its velocities say, and half as far again.
constexpr double kReserve = 1.5;

double size_of(const contact::Contour& contour) {
  if (contour.kind == contact::ContourKind::plane) return 0.0;
  return contour.kind == contact::ContourKind::box ? contour.half.minCoeff() : contour.radius;
}

double radius_around(const contact::Contour& contour) {
  if (contour.kind == contact::ContourKind::plane) return 0.0;
  return contour.kind == contact::ContourKind::box ? contour.half.norm() : contour.radius + contour.half.z();
}

}  // namespace

ContactFinder::ContactFinder(const system::System& system, const system::Params& params)
    : system_(system), params_(params), sides_(system.contacts.size() * system.contours.size(), 0) {
  const std::size_t count = system.contours.size();
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const system::Contact& contact = system.contacts[k];
    for (const std::int32_t c : contact.first) sides_[k * count + at(c)] |= contact.is_group ? kAmong : kFirst;
    for (const std::int32_t c : contact.second) sides_[k * count + at(c)] |= kSecond;
  }
  for (const system::ContourParams& contour : params.contours) {
    reach_.push_back(contour.X_BS.position.norm() + radius_around(contour.shape));
  }
  places_.resize(count);
  margins_.resize(count);
  extents_.resize(count);
}

// The first contact that names the pair.
std::int32_t ContactFinder::contact_of(std::int32_t a, std::int32_t b) const {
  const std::size_t count = system_.contours.size();
  for (std::size_t k = 0; k < system_.contacts.size(); ++k) {
    const std::uint8_t here = sides_[k * count + at(a)];
    const std::uint8_t there = sides_[k * count + at(b)];
    const bool is_group = (here & kAmong) != 0 && (there & (kAmong | kSecond)) != 0;
    const bool is_other_way = (there & kAmong) != 0 && (here & kSecond) != 0;
    const bool is_pair =
        ((here & kFirst) != 0 && (there & kSecond) != 0) || ((here & kSecond) != 0 && (there & kFirst) != 0);
    if (is_group || is_other_way || is_pair) return static_cast<std::int32_t>(k);
  }
  return -1;
}

std::span<const FoundPoint> ContactFinder::find(const system::State& state, std::span<const double> accelerations,
                                                double step) {
  for (std::size_t c = 0; c < places_.size(); ++c) {
    const system::ContourParams& contour = params_.contours[c];
    const std::int32_t body = system_.contours[c].body;
    places_[c] = contour.X_BS;
    margins_[c] = kSkin * size_of(contour.shape);
    if (body >= 0) {
      const Pose X_WB{state.orientation[at(body)].toRotationMatrix(), system::place_of(state, at(body))};
      places_[c] = X_WB * contour.X_BS;
      const auto speed = [&](std::span<const double> all) {
        const double* const v = &all[6 * at(body)];
        return Vector3(v[0], v[1], v[2]).norm() + reach_[c] * Vector3(v[3], v[4], v[5]).norm();
      };
      margins_[c] += kReserve * step * (speed(state.velocity) + step * speed(accelerations));
    }
    const Vector3 half = contact::half_extent(contour.shape, places_[c]) + Vector3::Constant(margins_[c]);
    extents_[c] = {places_[c].position - half, places_[c].position + half};
  }
  broad_phase_.find(extents_, near_);
  found_.clear();
  for (const auto& [a, b] : near_) {
    const std::int32_t body_a = system_.contours[at(a)].body;
    const std::int32_t body_b = system_.contours[at(b)].body;
    if (body_a == body_b) continue;
    const std::int32_t contact = contact_of(a, b);
    if (contact < 0) continue;
    points_.clear();
    contact::find_points(params_.contours[at(a)].shape, places_[at(a)], params_.contours[at(b)].shape, places_[at(b)],
                         margins_[at(a)] + margins_[at(b)], points_);
    std::stable_sort(points_.begin(), points_.end(),
                     [](const auto& p, const auto& q) { return p.feature < q.feature; });
    for (const contact::ContactPoint& point : points_) found_.push_back({point, a, b, body_a, body_b, contact});
  }
  return found_;
}

}  // namespace gelenk::analysis
