#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// ZIP archives of ordinary files. Archives are untrusted: reading them ends in files or in a sentence, whatever
// the bytes are.
namespace gelenk {

struct ZipEntry {
  std::string path;  // "resources/system.bin"
  std::string bytes;

  bool operator==(const ZipEntry&) const = default;
};

struct ZipLimits {
  std::size_t max_entries = 10'000;
  std::size_t max_entry_bytes = std::size_t{256} << 20;  // unpacked
  std::size_t max_total_bytes = std::size_t{512} << 20;  // unpacked, all together
  bool allows_comment = false;                           // behind the archive
};

// Whether the bytes begin as an archive with at least one file does; nothing else is checked.
bool looks_like_zip(std::string_view bytes);

// What is wrong with the name of a file in an archive, or nothing. Good names lead into the folder where the archive is
// unpacked on every operating system: plain ASCII, '/' between the pieces, no piece "..", no drive.
std::string zip_path_problem(std::string_view path);

// Unpacks an archive in memory, in the order of its files. Refused, with a sentence in `error`: truncated and damaged
// archives, those in which two programs could find different files (zip_layout.h), more than the limits allow, folders,
// links and other special files, encryption, methods other than stored and deflated, names with a problem, two files
// with one name, a file where another needs a folder.
std::optional<std::vector<ZipEntry>> read_zip(std::string_view bytes, std::string& error, const ZipLimits& limits = {});

// Packs the files in this order. The same files give the same bytes: no times, no owners. The names must be good.
// Nothing with a sentence in `error` when they are not.
std::optional<std::string> make_zip(std::span<const ZipEntry> entries, std::string& error);

}  // namespace gelenk
