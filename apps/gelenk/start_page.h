#pragma once

#include <string>

#include "gelenk/base/private_folder.h"

namespace gelenk::app {

// A page that leads to an address with a token. Other users of this computer see the arguments of every program, so a
// browser is started with the name of this file, which only this user can read. It is gone when this is.
class StartPage {
 public:
  explicit StartPage(const std::string& address);

  // Empty: it could not be written, error() says why.
  const std::string& path() const { return path_; }
  const std::string& error() const { return error_; }
  const std::string& folder() const { return folder_.path(); }

  // In the user's browser; false: there is none.
  bool open() const;

 private:
  PrivateFolder folder_;
  std::string path_;
  std::string error_;
};

}  // namespace gelenk::app
