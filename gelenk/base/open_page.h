#pragma once

#include <string>
#include <string_view>

namespace gelenk {

// Shows an address in the user's browser ($BROWSER, or what the desktop has for it). False: there is no desktop or no
// program for it. Does not wait.
bool open_page(const std::string& address);

// Path of a program that the shell would find; empty: there is none.
std::string find_program(std::string_view name);

// Path of a Chromium or Chrome that can work without a window: $CHROMIUM, or the first one on the PATH. Empty: none.
std::string find_chromium();

// Whether this user may do everything.
bool is_superuser();

}  // namespace gelenk
