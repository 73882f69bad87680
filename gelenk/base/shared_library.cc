#include "gelenk/base/shared_library.h"

#include <dlfcn.h>

#include <utility>

#include "gelenk/base/memory_file.h"

namespace gelenk {
namespace {

// Messages of the loader begin with a path that helps nobody.
std::string loader_message(const std::string& path) {
  const char* message = ::dlerror();
  std::string text = message == nullptr ? "unknown reason" : message;
  if (text.starts_with(path + ": ")) text.erase(0, path.size() + 2);
  return text;
}

}  // namespace

std::string SharedLibrary::path_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

std::optional<SharedLibrary> SharedLibrary::load(std::string_view bytes, std::string& error) {
  Descriptor file = make_memory_file(bytes, error);
  if (!file.is_open()) return std::nullopt;
  return load(std::move(file), error);
}

std::optional<SharedLibrary> SharedLibrary::load(Descriptor file, std::string& error) {
  const std::string path = path_of(file.get());
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    error = loader_message(path);
    return std::nullopt;
  }
  return SharedLibrary(std::move(file), handle);
}

SharedLibrary::~SharedLibrary() {
  if (handle_ == nullptr) return;
  handle_.reset();
  // Some libraries stay although nobody uses them. The loader would take the next file of the same number for this one.
  if (void* rest = ::dlopen(path_of(file_.get()).c_str(), RTLD_LAZY | RTLD_NOLOAD); rest != nullptr) {
    ::dlclose(rest);
    file_.release();
  }
}

void SharedLibrary::Unload::operator()(void* handle) const { ::dlclose(handle); }

void* SharedLibrary::find_symbol(const char* name) const { return ::dlsym(handle_.get(), name); }

}  // namespace gelenk
