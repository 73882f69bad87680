#pragma once

#include <functional>
#include <string_view>

namespace gelenk::cad {

// Told what is done now: "reading", "transferring" ...
using Progress = std::function<void(std::string_view stage)>;

}  // namespace gelenk::cad
