#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace gelenk {

// What a file looks like from outside. Whoever writes to it, or puts another one in its place, changes some of it.
struct FileStamp {
  bool exists = false;
  std::uint64_t device = 0, number = 0, size = 0;
  std::int64_t written = 0, changed = 0;  // ns; the second one also counts what keeps the first

  bool operator==(const FileStamp&) const = default;
};
FileStamp file_stamp(const std::string& path);

// Files that something was made of, and whether they are still the same. Looked at again and again rather than by
// inotify: that also works on network drives, for files that are not there yet, and for editors that write a new file
// and give it the name of the old one.
class FileWatch {
 public:
  // Before it is read: what happens to it from then on counts. It need not exist.
  void add(const std::string& path);
  // One of them is not what it was, and all have come to rest: they are as they were at the last look. Half a file that
  // an editor is still writing is not worth reading.
  bool has_changed();
  std::size_t size() const { return files_.size(); }

 private:
  struct Stamps {
    FileStamp added, seen;
  };
  std::map<std::string, Stamps> files_;  // by path
};

}  // namespace gelenk
