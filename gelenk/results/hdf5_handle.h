#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

// HDF5 as this layer uses it: identifiers that close themselves, one thread at a time, errors as text. The library's
// own header stays in the .cc files; its identifiers are 64-bit integers, its results ints that are negative on
// failure.
namespace gelenk::results::hdf5 {

using Id = std::int64_t;

// Owns an identifier of the library.
class Handle {
 public:
  using Close = int (*)(Id);

  Handle() = default;
  Handle(Id id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { reset(); }

  Id get() const { return id_; }
  bool is_open() const { return id_ >= 0; }
  // Closing a file or a dataset writes what is left, and may fail.
  bool reset() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }
  // Leaves it open for ever.
  void forget() { id_ = -1; }

 private:
  Id id_ = -1;
  Close close_ = nullptr;
};

// Held during every call: the library may have been built without locks of its own. Errors are kept, not printed.
class Lock {
 public:
  Lock();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

// Why the last call that failed in this thread did: what the operating system said, else the library's innermost
// reason.
std::string last_error();

// How files are opened: in the newest format, in which others may read while we write and all structure has checksums.
Handle file_access();
Handle open_dataset(Id location, const std::string& name);
Handle open_group(Id location, const std::string& name);
// For functions that the library calls: no exception may go through it, its locks would stay locked. Returns 0, or -1
// when there was one.
template <class Deed>
int without_exceptions(Deed&& deed) noexcept {
  try {
    deed();
  } catch (...) {
    return -1;
  }
  return 0;
}

// All values of a dataset; more than there can be when it is not known.
std::size_t count_values(Id dataset);
bool has_link(Id location, const std::string& name);

// Texts are stored with a fixed length in UTF-8, without the library's heaps, so that they can be changed in place and
// a damaged file cannot lead astray.
Handle text_type(std::size_t bytes);
bool write_text(Id location, const std::string& name, const std::string& text);
bool write_attribute(Id object, const std::string& name, const std::string& text);
bool write_attribute(Id object, const std::string& name, std::int64_t value);
// False when it is not there, no text, longer than allowed, or not what its checksum says. Texts of older versions have
// none.
bool read_text(Id location, const std::string& name, std::size_t max_bytes, std::string& text);
bool read_attribute(Id object, const std::string& name, std::string& text);
bool read_attribute(Id object, const std::string& name, std::int64_t& value);

}  // namespace gelenk::results::hdf5
