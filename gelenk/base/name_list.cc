#include "gelenk/base/name_list.h"

#include "gelenk/base/text.h"

namespace gelenk {

std::string list_names(std::vector<std::string> names, std::size_t most) {
  const std::size_t more = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - more);
  return join(names, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : std::string());
}

}  // namespace gelenk
