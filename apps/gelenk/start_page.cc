#include "apps/gelenk/start_page.h"

#include <fmt/format.h>

#include "gelenk/base/open_page.h"
#include "gelenk/base/platform.h"

namespace gelenk::app {

StartPage::StartPage(const std::string& address) : error_(folder_.error()) {
  if (!error_.empty()) return;
  path_ = folder_.path() + "/start.html";
  std::string escaped;
  for (const char c : address) escaped += c == '&' ? "&amp;" : std::string(1, c);
  error_ = create_private_file(path_, fmt::format("<meta http-equiv=\"refresh\" content=\"0;url={}\">\n", escaped));
  if (!error_.empty()) path_.clear();
}

bool StartPage::open() const { return !path_.empty() && open_page("file://" + path_); }

}  // namespace gelenk::app
