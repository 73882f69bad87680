#pragma once

#include <string_view>

namespace gelenk::app {

// The page of the viewer, built from the folder viewer/ and compiled into the program: one file of HTML.
std::string_view viewer_page();

}  // namespace gelenk::app
