#include "gelenk/base/glob.h"

#include <cstddef>

namespace gelenk {

bool is_glob(std::string_view pattern) { return pattern.find_first_of("*?") != std::string_view::npos; }

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  // Where to go on when the present attempt fails: behind the last star, with one more character given to it. An
  // earlier star never needs to be tried again, since the last one can take whatever that one would have left.
  std::size_t star = std::string_view::npos;
  std::size_t taken_to = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken_to = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken_to;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace gelenk
