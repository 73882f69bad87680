#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "gelenk/base/diagnostic_codes.h"

// What asks the operating system directly. POSIX calls stand in this folder and nowhere else.
namespace gelenk {

struct ReadResult {
  std::optional<std::string> text;
  Code code = Code::none;  // why there is no text: file_not_found, file_unreadable, file_too_large
  std::string reason;      // "No such file or directory"
};

// Reads an ordinary file whole; never more than `max_bytes`, and never waits for a pipe or a device.
ReadResult read_file(const std::string& path, std::size_t max_bytes);

// Puts the text in the place of the file in one step: after a crash or a full disk the old or the new text is there,
// never half of one. Follows symbolic links and keeps the permissions. Returns what went wrong, or nothing.
std::string write_file_atomically(const std::string& path, const std::string& text);
// The same, but only the user can read or change a file that is new.
std::string write_private_file_atomically(const std::string& path, const std::string& text);
// Writes a file that is not there yet, for the user's eyes only. One that exists stays as it is: "File exists".
std::string create_private_file(const std::string& path, const std::string& text);

// Makes a new, empty file. One that exists stays as it is: false. Also when it cannot be made.
bool create_empty_file(const std::string& path);

// Absolute path of something that exists, without links and dots.
std::optional<std::string> real_path(const std::string& path);
// The folder that a path names its file in: "a" of "a/b", "." of "b", "/" of "/b".
std::string folder_of(const std::string& path);
// Whether the path, links resolved, is the folder or lies in it; the path itself need not exist.
bool is_inside(const std::string& path, const std::string& folder);

// File descriptors that every program has
inline constexpr int kStdout = 1, kStderr = 2;

bool is_terminal(int file_descriptor);
// Columns of the terminal; nothing when it is none.
std::optional<int> terminal_width(int file_descriptor);

// The running program, to find the data installed beside it.
std::optional<std::string> executable_path();
// A file that belongs to the program but is not for people to call: beside it, or where the installation puts such
// files. Empty: it is at neither place.
std::string installed_file(const std::string& name);
// Where a user's settings lie: $XDG_CONFIG_HOME/gelenk or ~/.config/gelenk. It need not exist.
std::optional<std::string> user_config_dir();

}  // namespace gelenk
