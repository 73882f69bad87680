#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/gelenk/console.h"

namespace gelenk::app {

// What a file that was named on the command line is, by its first bytes, or by its name where these say nothing.
enum class FileKind : std::uint8_t { missing, folder, results, drawing, robot, container, model, other };
FileKind kind_of_file(const std::string& path);

// What to do with a file that was named without a verb: "gelenk view run.h5".
std::string command_for(const std::string& path);

// What a verb takes.
enum class WantedFile : std::uint8_t { model, results, drawing };

// A file that is plainly another one than the verb takes is reported together with the command that takes it. Nothing:
// the verb may try to read it, or say that it is missing.
std::optional<ExitCode> refuse_other_file(const std::string& path, WantedFile wanted, Console& console);

}  // namespace gelenk::app
