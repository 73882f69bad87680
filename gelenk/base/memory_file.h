#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gelenk/base/descriptor.h"

// Files that have no name and lie on no disk.
namespace gelenk {

// A file with these bytes, which nobody can change any more and which may be run. Not open, with a reason in `error`.
Descriptor make_memory_file(std::string_view bytes, std::string& error);

// Memory that another process can see, too, once it has the descriptor. Its size is fixed for ever, so that nobody can
// take it away under the feet of who reads it. Zero at first; pages that nobody touches take no place.
class SharedMemory {
 public:
  static std::optional<SharedMemory> create(std::size_t size, std::string& error);
  // What another process created.
  static std::optional<SharedMemory> attach(Descriptor file, std::string& error);
  SharedMemory(SharedMemory&&) = default;
  SharedMemory& operator=(SharedMemory&&) = default;

  std::span<std::byte> bytes() const { return {mapped_.get(), mapped_.get_deleter().size}; }
  int descriptor() const { return file_.get(); }

 private:
  struct Unmap {
    std::size_t size = 0;
    void operator()(std::byte* address) const;
  };
  SharedMemory(Descriptor file, std::unique_ptr<std::byte[], Unmap> mapped)
      : file_(std::move(file)), mapped_(std::move(mapped)) {}
  static std::optional<SharedMemory> map(Descriptor file, std::size_t size, std::string& error);

  Descriptor file_;
  std::unique_ptr<std::byte[], Unmap> mapped_;
};

}  // namespace gelenk
