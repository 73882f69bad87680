#pragma once

#include <optional>
#include <string>

#include "apps/gelenk/console.h"

// Small files that analyses write: tables, pictures.
namespace gelenk::app {

// Why the file may not be written: it exists, and nobody has said --force.
std::optional<ExitCode> refuse_existing(const std::string& file, bool is_forced, Console& console);
// Puts the text there in one step. The exit code when that is not possible.
std::optional<ExitCode> save_text(const std::string& file, const std::string& text, bool is_forced, Console& console);

}  // namespace gelenk::app
