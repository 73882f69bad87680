#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gelenk::cad {

// A robot description as the parser takes it. What is missing or odd, and can be meant in one way only, is mended, with
// a note that says how: other programs read such files, too. Nothing, with the end of a sentence about the file in
// `error`, when it is not one, or has to be expanded by xacro first.
struct RepairedUrdf {
  std::string text;
  std::vector<std::string> notes;
};
std::optional<RepairedUrdf> repaired_urdf(const std::string& text, std::string& error);

}  // namespace gelenk::cad
