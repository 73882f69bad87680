#pragma once

#include <string>

namespace gelenk {

// "did you mean 'parts/crank.yaml'?" for a file that is not there: one of its folder with the same suffix and nearly
// the same name, or what the folder itself is called. Empty when nothing is near.
std::string did_you_mean_file(const std::string& path);

}  // namespace gelenk
