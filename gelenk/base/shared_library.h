#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gelenk/base/descriptor.h"

namespace gelenk {

// Compiled code that is loaded while the program runs, from memory: nothing is written to the disk. What it needs must
// be found by the system's loader. Its constructors run at once, its destructors when this ends.
class SharedLibrary {
 public:
  // Nothing, with a sentence part in `error`.
  static std::optional<SharedLibrary> load(std::string_view bytes, std::string& error);
  // The content of an open file.
  static std::optional<SharedLibrary> load(Descriptor file, std::string& error);
  ~SharedLibrary();
  SharedLibrary(SharedLibrary&&) = default;
  SharedLibrary& operator=(SharedLibrary&&) = delete;

  // A function by its C name and type; null when there is none.
  template <class Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(find_symbol(name));
  }

  // The name under which the loader opens such a file.
  static std::string path_of(int descriptor);

 private:
  struct Unload {
    void operator()(void* handle) const;
  };
  SharedLibrary(Descriptor file, void* handle) : file_(std::move(file)), handle_(handle) {}
  void* find_symbol(const char* name) const;

  Descriptor file_;
  std::unique_ptr<void, Unload> handle_;
};

}  // namespace gelenk
