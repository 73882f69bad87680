#include "gelenk/base/system_error.h"

#include <system_error>

namespace gelenk {

std::string error_text(int error) { return std::system_category().message(error); }

}  // namespace gelenk
