// Which reactions of a run are unique: questions to its certificate.
#include <algorithm>

#include "gelenk/results/certificate.h"

namespace gelenk::results {

std::string_view sharing_name(Sharing sharing) {
  switch (sharing) {
    case Sharing::unique:
      return "unique";
    case Sharing::at_times:
      return "shared at times";
    case Sharing::always:
      return "shared";
    case Sharing::unknown:
      break;
  }
  return "unknown";
}

Sharing sharing_of(const Certificate& certificate, std::string_view channel) {
  for (const Certificate::SharedReaction& shared : certificate.shared_reactions) {
    if (shared.channel == channel) return shared.is_always ? Sharing::always : Sharing::at_times;
  }
  // What is not named is unique, unless the list was cut.
  const bool is_whole =
      certificate.shared_reaction_count == static_cast<std::int64_t>(certificate.shared_reactions.size());
  return is_whole ? Sharing::unique : Sharing::unknown;
}

std::vector<std::string> sharing_partners(const Certificate& certificate, std::string_view element) {
  std::vector<std::int32_t> groups;
  for (const Certificate::SharedReaction& shared : certificate.shared_reactions) {
    if (shared.element == element) groups.push_back(shared.group);
  }
  std::vector<std::string> names;
  for (const Certificate::SharedReaction& shared : certificate.shared_reactions) {
    if (shared.element == element || std::ranges::find(groups, shared.group) == groups.end()) continue;
    if (std::ranges::find(names, shared.element) == names.end()) names.push_back(shared.element);
  }
  return names;
}

}  // namespace gelenk::results
