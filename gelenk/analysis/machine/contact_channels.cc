#include "gelenk/analysis/machine/contact_channels.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"
#include "gelenk/model/contact_types.h"

namespace gelenk::analysis {

void add_contact_impulses(const system::System& system, std::span<const FoundPoint> points,
                          std::span<const std::int32_t> chosen, const contact::Problem& problem,
                          std::span<double> numbers) {
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const contact::PointProblem& point = problem.points()[k];
    if (!(point.impulse[0] > 0.0)) continue;
    const FoundPoint& found = points[at(chosen[k])];
    double* const six = &numbers[model::kContactNumbers * at(found.contact)];
    const system::Contact& contact = system.contacts[at(found.contact)];
    const auto is_second = [&](std::int32_t contour) {
      return std::find(contact.second.begin(), contact.second.end(), contour) != contact.second.end();
    };
    const double sign = is_second(found.contour_b) ? 1.0 : is_second(found.contour_a) ? -1.0 : 0.0;
    const Vector3 impulse = sign * (point.directions * point.impulse);
    for (int i = 0; i < 3; ++i) six[i] += impulse[i];
    six[3] += point.impulse[0];
    six[4] += std::hypot(point.impulse[1], point.impulse[2]);
  }
}

}  // namespace gelenk::analysis
