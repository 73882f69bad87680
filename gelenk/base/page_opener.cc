#include "gelenk/base/page_opener.h"

#include <cstdlib>

#include "gelenk/base/open_page.h"

namespace gelenk {
namespace {

std::string variable_of_desktop(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

}  // namespace

PageOpener find_page_opener() {
  if (const std::string browser = variable_of_desktop("BROWSER"); !browser.empty()) {
    std::string program = browser.front() == '/' ? browser : find_program(browser);
    if (!program.empty()) return {std::move(program), {}};
    return {{}, "the variable BROWSER names '" + browser + "', which is not on the PATH"};
  }
  if (variable_of_desktop("DISPLAY").empty() && variable_of_desktop("WAYLAND_DISPLAY").empty()) {
    return {{}, "no desktop here: neither DISPLAY nor WAYLAND_DISPLAY is set", false};
  }
  std::string opener = find_program("xdg-open");
  if (opener.empty()) return {{}, "xdg-open is not on the PATH"};
  return {std::move(opener), {}};
}

}  // namespace gelenk
