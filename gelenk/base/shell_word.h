#pragma once

#include <string>

namespace gelenk {

// A word of a command that people copy into a shell: 'in quotes' where a shell would need them.
std::string shell_word(const std::string& text);

}  // namespace gelenk
