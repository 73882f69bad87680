#include "gelenk/model/descriptor.h"

#include <algorithm>
#include <string>

#include "gelenk/base/text.h"

namespace gelenk::model {
namespace {

// "BallJoint", "ball-joint" and "ball_joint" are the same to people.
std::string plain(std::string_view word) {
  std::string result;
  for (const char c : word) {
    if (c == '-' || c == '_' || c == ' ') continue;
    result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

}  // namespace

bool is_also_called(std::string_view also_called, std::string_view word) {
  const std::vector<std::string> words = split(also_called, ' ');
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& other) { return !other.empty() && plain(other) == plain(word); });
}

}  // namespace gelenk::model
