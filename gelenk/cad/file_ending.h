#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace gelenk::cad {

// Whether a file is called so, in small or large letters.
inline bool has_ending(const std::string& file, std::string_view lower_case) {
  std::string end = file.substr(file.size() - std::min(file.size(), lower_case.size()));
  for (char& letter : end) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return end == lower_case;
}

inline bool is_freecad_file(const std::string& file) { return has_ending(file, ".fcstd"); }
inline bool is_urdf_file(const std::string& file) { return has_ending(file, ".urdf"); }

}  // namespace gelenk::cad
