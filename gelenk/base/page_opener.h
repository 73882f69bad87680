#pragma once

#include <string>

namespace gelenk {

// What open_page() starts to show an address. `path` is empty when there is none, and `reason` says why.
struct PageOpener {
  std::string path;
  std::string reason;
  bool has_desktop = true;  // false: nothing is wrong, there is only no screen
};
PageOpener find_page_opener();

}  // namespace gelenk
