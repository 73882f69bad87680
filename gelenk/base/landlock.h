#pragma once

#include <span>
#include <string>

namespace gelenk {

// From now on this process can open files to read in these files and folders only, and change none anywhere. Paths that
// do not exist are passed over. Needs no rights, but PR_SET_NO_NEW_PRIVS. Returns why the system does not offer it, or
// nothing.
std::string allow_reading_only(std::span<const std::string> paths);

}  // namespace gelenk
