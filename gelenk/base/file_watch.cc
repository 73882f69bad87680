#include "gelenk/base/file_watch.h"

#include <sys/stat.h>

namespace gelenk {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return static_cast<std::int64_t>(time.tv_sec) * kSecond + time.tv_nsec;
}

}  // namespace

FileStamp file_stamp(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {.exists = true,
          .device = status.st_dev,
          .number = status.st_ino,
          .size = static_cast<std::uint64_t>(status.st_size),
          .written = nanoseconds(status.st_mtim),
          .changed = nanoseconds(status.st_ctim)};
}

void FileWatch::add(const std::string& path) {
  // A file that is read twice was the first one at the first time.
  if (files_.contains(path)) return;
  const FileStamp stamp = file_stamp(path);
  files_.emplace(path, Stamps{stamp, stamp});
}

bool FileWatch::has_changed() {
  bool is_other = false;
  bool is_at_rest = true;
  for (auto& [path, stamps] : files_) {
    const FileStamp now = file_stamp(path);
    is_other = is_other || now != stamps.added;
    is_at_rest = is_at_rest && now == stamps.seen;
    stamps.seen = now;
  }
  return is_other && is_at_rest;
}

}  // namespace gelenk
