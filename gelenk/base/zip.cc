#include "gelenk/base/zip.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "gelenk/base/text.h"
#include "gelenk/base/zip_layout.h"

namespace gelenk {
namespace {

constexpr std::string_view kFirstBytes = "PK\x03\x04";
constexpr std::size_t kUnpackStep = 1u << 16;
constexpr std::size_t kLongestPath = 255;
constexpr int kPermissions = 0644;

struct ArchiveFree {
  void operator()(archive* value) const { archive_free(value); }
};
using ArchivePointer = std::unique_ptr<archive, ArchiveFree>;

struct EntryFree {
  void operator()(archive_entry* value) const { archive_entry_free(value); }
};
using EntryPointer = std::unique_ptr<archive_entry, EntryFree>;

std::string reason_of(archive* from) {
  const char* text = archive_error_string(from);
  return text != nullptr ? std::string(text) : std::string("unknown reason");
}

// The library knows many methods, some of which take gigabytes for a few bytes; it names the method only in the name of
// the format: "ZIP 2.0 (deflation)".
bool has_plain_method(archive* from) {
  const char* name = archive_format_name(from);
  const std::string_view text = name != nullptr ? name : "";
  return text.ends_with("(deflation)") || text.ends_with("(uncompressed)");
}

// Names of files, and of the folders that they need.
class NameBook {
 public:
  // What is wrong with one more file, or nothing.
  std::string add(const std::string& path) {
    if (std::string problem = zip_path_problem(path); !problem.empty()) return problem;
    if (!files_.insert(path).second) return fmt::format("the file '{}' appears twice", path);
    if (folders_.contains(path)) return fmt::format("'{}' is a file and a folder", path);
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      std::string folder = path.substr(0, slash);
      if (files_.contains(folder)) return fmt::format("'{}' is a file and a folder", folder);
      folders_.insert(std::move(folder));
    }
    return {};
  }

 private:
  std::set<std::string> files_;
  std::set<std::string> folders_;
};

class Unpacker {
 public:
  Unpacker(std::string_view bytes, const ZipLimits& limits) : limits_(limits), archive_(archive_read_new()) {
    // By its central directory, as every other program reads it.
    is_open_ = archive_ != nullptr && archive_read_support_format_zip_seekable(archive_.get()) == ARCHIVE_OK &&
               archive_read_open_memory(archive_.get(), bytes.data(), bytes.size()) == ARCHIVE_OK;
  }

  std::string run() {
    if (!is_open_) return damaged();
    for (;;) {
      archive_entry* header = nullptr;
      const int status = archive_read_next_header(archive_.get(), &header);
      if (status == ARCHIVE_EOF) return {};
      if (status != ARCHIVE_OK) return damaged();
      if (entries.size() >= limits_.max_entries) {
        return fmt::format("the archive has more than {} files", limits_.max_entries);
      }
      if (std::string problem = take(header); !problem.empty()) return problem;
    }
  }

  std::vector<ZipEntry> entries;

 private:
  std::string damaged() const {
    return fmt::format("the archive is damaged or cut short ({})",
                       archive_ != nullptr ? reason_of(archive_.get()) : std::string("no memory"));
  }

  std::string take(archive_entry* header) {
    const char* name = archive_entry_pathname(header);
    if (name == nullptr) return "the archive has a file with a name that is not plain ASCII";
    ZipEntry entry;
    entry.path = name;
    const bool is_link = archive_entry_symlink(header) != nullptr || archive_entry_hardlink(header) != nullptr;
    if (is_link || archive_entry_filetype(header) != AE_IFREG) {
      return fmt::format("{} in the archive is not an ordinary file", shown(entry.path));
    }
    if (std::string problem = names_.add(entry.path); !problem.empty()) return problem;
    if (archive_entry_is_encrypted(header) != 0) return fmt::format("the file '{}' is encrypted", entry.path);
    if (!has_plain_method(archive_.get())) {
      return fmt::format("the file '{}' is compressed, but not with deflate", entry.path);
    }
    if (std::string problem = unpack(entry); !problem.empty()) return problem;
    entries.push_back(std::move(entry));
    return {};
  }

  // What the header says about the size is not believed: the bytes are counted.
  std::string unpack(ZipEntry& entry) {
    const std::size_t allowed = std::min(limits_.max_entry_bytes, limits_.max_total_bytes - total_);
    for (;;) {
      const std::size_t size = entry.bytes.size();
      entry.bytes.resize(std::min(size + std::max(size, kUnpackStep), allowed + 1));
      const la_ssize_t count = archive_read_data(archive_.get(), entry.bytes.data() + size, entry.bytes.size() - size);
      if (count < 0) {
        return fmt::format("the file '{}' in the archive is damaged ({})", entry.path, reason_of(archive_.get()));
      }
      entry.bytes.resize(size + static_cast<std::size_t>(count));
      if (count == 0) break;
      if (entry.bytes.size() > limits_.max_entry_bytes) {
        return fmt::format("the file '{}' is larger than {} bytes when unpacked", entry.path, limits_.max_entry_bytes);
      }
      if (entry.bytes.size() > allowed) {
        return fmt::format("the files are larger than {} bytes together when unpacked", limits_.max_total_bytes);
      }
    }
    entry.bytes.shrink_to_fit();
    total_ += entry.bytes.size();
    return {};
  }

  const ZipLimits& limits_;
  ArchivePointer archive_;
  bool is_open_ = false;
  NameBook names_;
  std::size_t total_ = 0;
};

la_ssize_t append(archive* /*to*/, void* out, const void* data, std::size_t size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(data), size);
  return static_cast<la_ssize_t>(size);
}

bool pack(archive* to, const ZipEntry& entry) {
  const EntryPointer header(archive_entry_new());
  if (!header) return false;
  // Without a time the library writes the first day that the format knows, in every time zone.
  archive_entry_set_pathname(header.get(), entry.path.c_str());
  archive_entry_set_filetype(header.get(), AE_IFREG);
  archive_entry_set_perm(header.get(), kPermissions);
  archive_entry_set_size(header.get(), static_cast<la_int64_t>(entry.bytes.size()));
  if (archive_write_header(to, header.get()) != ARCHIVE_OK) return false;
  const la_ssize_t written = archive_write_data(to, entry.bytes.data(), entry.bytes.size());
  return written == static_cast<la_ssize_t>(entry.bytes.size());
}

}  // namespace

bool looks_like_zip(std::string_view bytes) { return bytes.starts_with(kFirstBytes); }

std::string zip_path_problem(std::string_view path) {
  if (path.empty()) return "a file in the archive has no name";
  if (path.size() > kLongestPath) return fmt::format("the name {} is too long for a file in an archive", shown(path));
  // Windows takes '\' for a slash, "C:" for a drive, and has no names with the others.
  const bool is_plain = std::all_of(path.begin(), path.end(), [](char c) {
    return c >= ' ' && c <= '~' && std::string_view("\\:*?\"<>|").find(c) == std::string_view::npos;
  });
  if (!is_plain) return fmt::format("the name {} has a character that names in an archive may not have", shown(path));
  for (const std::string& piece : split(path, '/')) {
    if (piece.empty() || piece == "." || piece == "..") {
      return fmt::format("the name {} leaves the folder of the archive", shown(path));
    }
  }
  return {};
}

std::optional<std::vector<ZipEntry>> read_zip(std::string_view bytes, std::string& error, const ZipLimits& limits) {
  error.clear();
  if (!looks_like_zip(bytes)) {
    error = "this is not a ZIP archive";
    return std::nullopt;
  }
  const ZipLayout layout = zip_layout(bytes, limits.allows_comment);
  if (!layout.problem.empty()) {
    error = fmt::format("the archive is damaged or cut short, or ambiguous: {}", layout.problem);
    return std::nullopt;
  }
  Unpacker unpacker(bytes, limits);
  error = unpacker.run();
  if (error.empty() && unpacker.entries.size() != layout.files) error = "not all files of the archive can be found";
  if (!error.empty()) return std::nullopt;
  return std::move(unpacker.entries);
}

std::optional<std::string> make_zip(std::span<const ZipEntry> entries, std::string& error) {
  error.clear();
  NameBook names;
  for (const ZipEntry& entry : entries) {
    error = names.add(entry.path);
    if (!error.empty()) return std::nullopt;
  }
  std::string bytes;
  const ArchivePointer to(archive_write_new());
  bool is_good = to != nullptr && archive_write_set_format_zip(to.get()) == ARCHIVE_OK &&
                 archive_write_zip_set_compression_deflate(to.get()) == ARCHIVE_OK &&
                 archive_write_set_bytes_per_block(to.get(), 0) == ARCHIVE_OK &&
                 archive_write_open(to.get(), &bytes, nullptr, append, nullptr) == ARCHIVE_OK;
  for (const ZipEntry& entry : entries) is_good = is_good && pack(to.get(), entry);
  is_good = is_good && archive_write_close(to.get()) == ARCHIVE_OK;
  if (is_good) return bytes;
  error = fmt::format("the archive cannot be made ({})", to != nullptr ? reason_of(to.get()) : "no memory");
  return std::nullopt;
}

}  // namespace gelenk
