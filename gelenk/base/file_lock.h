#pragma once

#include <string>
#include <utility>

namespace gelenk {

// Shows other programs that a file is in use, as long as this lives. Others may lock it in the same way: whoever reads
// is not kept out. Only a promise between programs that ask; where the file system knows no locks, nothing happens.
class SharedFileLock {
 public:
  explicit SharedFileLock(const std::string& path);
  ~SharedFileLock();
  SharedFileLock(const SharedFileLock&) = delete;
  SharedFileLock& operator=(const SharedFileLock&) = delete;

 private:
  int descriptor_ = -1;
};

// Makes us the only one who writes a file, as long as this lives. Readers are not kept out afterwards. Taken before the
// first byte is changed: of two who want the same file, one gets it.
class WriterLock {
 public:
  WriterLock() = default;
  ~WriterLock() { release(); }
  WriterLock(WriterLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  WriterLock& operator=(WriterLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  // Creates the file, empty, when there is none and `creates`. Returns why we may not write it, as overwrite_obstacle()
  // does, or nothing.
  std::string take(const std::string& path, bool creates);
  void release();

 private:
  int descriptor_ = -1;
};

// Whether somebody holds a SharedFileLock now, in this program or another one. The library of the results locks what it
// reads in its own way, which does not count here. Needs no right to write.
bool is_file_in_use(const std::string& path);

// Why an ordinary file that exists cannot be overwritten now: "Permission denied", or that another program holds a lock
// on it. Empty: it can. The file stays as it is.
std::string overwrite_obstacle(const std::string& path);

}  // namespace gelenk
