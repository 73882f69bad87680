#pragma once

#include <cerrno>
#include <string>

namespace gelenk {

// What the system says about an error number: "No such file or directory"
std::string error_text(int error);

// The same for a file that could not be created. A folder that is missing, or closed to the user, is named:
// "there is no folder 'out'".
std::string creation_error_text(const std::string& path, int error);

// About the number that the last call left in errno
inline std::string last_error_text() { return error_text(errno); }

}  // namespace gelenk
