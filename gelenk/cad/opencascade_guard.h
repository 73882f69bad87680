#pragma once

#include <functional>
#include <string>

namespace gelenk::cad {

// Runs a reader that calls OpenCASCADE, which prints and throws. What it throws becomes a sentence in `error`.
void guarded(const std::string& path, std::string& error, const std::function<void()>& read);

}  // namespace gelenk::cad
