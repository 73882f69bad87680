#include "gelenk/analysis/contact_events.h"

#include <fmt/format.h>

#include "gelenk/base/index.h"
#include "gelenk/base/text.h"

namespace gelenk::analysis {

std::string contact_event_text(const system::System& system, const ContactEvent& event) {
  const std::string both =
      fmt::format("'{}' and '{}'", system.contours[at(event.a)].path, system.contours[at(event.b)].path);
  switch (event.kind) {
    case ContactEvent::Kind::closes:
      return both + " touch";
    case ContactEvent::Kind::opens:
      return both + " part";
    case ContactEvent::Kind::sticks:
      return both + " stick to each other";
    case ContactEvent::Kind::slides:
      return both + " slide on each other";
    case ContactEvent::Kind::impact:
      break;
  }
  return fmt::format("{} meet at {} m/s: an impact, which changes the energy by {} J", both,
                     format_rounded(event.approach, 4), format_rounded(event.energy, 3));
}

}  // namespace gelenk::analysis
