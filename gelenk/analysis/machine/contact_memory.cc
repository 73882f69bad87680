#include "gelenk/analysis/machine/contact_memory.h"

namespace gelenk::analysis {
namespace {

// Writer and reader walk over the same members.
template <class Report, class Visit>
void for_each_number(Report& r, Visit&& visit) {
  visit(r.solves), visit(r.unsolved), visit(r.most_sweeps);
  visit(r.impacts), visit(r.late_impacts), visit(r.lost_bounces);
  visit(r.squares), visit(r.worst), visit(r.worst_time), visit(r.worst_contact), visit(r.tolerance);
  visit(r.deepest), visit(r.deepest_time), visit(r.deepest_contact);
  visit(r.work_normal), visit(r.work_friction);
}

}  // namespace

void ContactMemory::save(ByteWriter& out) const {
  out.put(static_cast<std::uint64_t>(points.size()));
  for (const Point& point : points) {
    for (const std::int32_t number : {point.a, point.b, point.feature}) out.put(number);
    for (const double number : point.force) out.put(number);
  }
  out.put(static_cast<std::uint64_t>(pairs.size()));
  for (const Pair& pair : pairs) {
    for (const std::int32_t number : {pair.a, pair.b, pair.contact}) out.put(number);
    out.put(pair.mode == Mode::sliding);
  }
  out.put(loads);
  for (const Law& law : laws) {
    for (const double number : {law.last[0], law.last[1], law.force, law.power}) out.put(number);
    out.put(law.tooth);
    out.put(static_cast<std::int32_t>(law.mode));
  }
  for (const double number : contacts) out.put(number);
  for_each_number(report, [&](const auto& number) { out.put(number); });
}

void ContactMemory::load(ByteReader& in) {
  points.clear();
  const auto point_count = in.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < point_count && in.is_good(); ++i) {
    Point& point = points.emplace_back();
    for (std::int32_t* number : {&point.a, &point.b, &point.feature}) in.get(*number);
    for (double& number : point.force) in.get(number);
  }
  pairs.clear();
  const auto pair_count = in.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < pair_count && in.is_good(); ++i) {
    Pair& pair = pairs.emplace_back();
    for (std::int32_t* number : {&pair.a, &pair.b, &pair.contact}) in.get(*number);
    pair.mode = in.get<bool>() ? Mode::sliding : Mode::sticking;
  }
  in.get(loads);
  for (Law& law : laws) {
    for (double* number : {&law.last[0], &law.last[1], &law.force, &law.power}) in.get(*number);
    in.get(law.tooth);
    law.mode = static_cast<Law::Mode>(in.get<std::int32_t>());
  }
  for (double& number : contacts) in.get(number);
  for_each_number(report, [&](auto& number) { in.get(number); });
}

}  // namespace gelenk::analysis
