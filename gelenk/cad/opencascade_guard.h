#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gelenk::cad {

// Runs something that calls OpenCASCADE, which prints and throws. What it throws becomes a sentence in `error`; `verb`
// says what is done with the file.
void guarded(const std::string& path, std::string& error, const std::function<void()>& work,
             std::string_view verb = "read");

}  // namespace gelenk::cad
