#include "gelenk/analysis/contact_events.h"

#include <fmt/format.h>

#include "gelenk/base/index.h"
#include "gelenk/base/text.h"

namespace gelenk::analysis {
namespace {

const system::Force& force_of(const system::System& system, const ContactEvent& event) {
  return system.forces[at(system.hard_laws[at(event.law)].force)];
}

std::string law_event_text(const system::System& system, const ContactEvent& event) {
  const system::Coordinate& c = system.coordinates[at(system.hard_laws[at(event.law)].coordinates[0])];
  const std::string coordinate = system.joints[at(c.joint)].path + "." + std::string(c.type->name);
  switch (event.kind) {
    case ContactEvent::Kind::closes:
      return fmt::format("it holds '{}'", coordinate);
    case ContactEvent::Kind::opens:
      return fmt::format("it lets '{}' go", coordinate);
    case ContactEvent::Kind::sticks:
      return fmt::format("'{}' sticks", coordinate);
    case ContactEvent::Kind::slides:
      return fmt::format("'{}' slides", coordinate);
    case ContactEvent::Kind::impact:
      break;
  }
  return fmt::format("'{}' meets its stop at {} {}: an impact, which changes the energy by {} J", coordinate,
                     format_rounded(event.approach, 4), quantity_info(c.type->rate_quantity()).si_symbol,
                     format_rounded(event.energy, 3));
}

}  // namespace

const std::string& contact_event_element(const system::System& system, const ContactEvent& event) {
  return event.law >= 0 ? force_of(system, event).path : system.contacts[at(event.contact)].path;
}

std::string contact_event_text(const system::System& system, const ContactEvent& event) {
  if (event.law >= 0) return law_event_text(system, event);
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
