#include "gelenk/base/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "gelenk/base/system_error.h"

namespace gelenk {
namespace {

constexpr const char* kShownName = "gelenk";  // in /proc/PID/maps
constexpr int kFixedSize = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
// Of Linux 6.3; a system that forbids to run files in memory requires a flag from programs that need to. Older ones do
// not know it.
constexpr unsigned kMayRun = 0x0010u;

Descriptor open_memory_file(unsigned flags) {
  Descriptor file(::memfd_create(kShownName, MFD_CLOEXEC | MFD_ALLOW_SEALING | flags));
  if (!file.is_open() && flags != 0 && errno == EINVAL) {
    file.set(::memfd_create(kShownName, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  }
  return file;
}

// The place in the file stays at its beginning.
bool write_all(int file, std::string_view bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::pwrite(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

Descriptor make_memory_file(std::string_view bytes, std::string& error) {
  Descriptor file = open_memory_file(kMayRun);
  if (file.is_open() && write_all(file.get(), bytes) &&
      ::fcntl(file.get(), F_ADD_SEALS, kFixedSize | F_SEAL_WRITE) == 0) {
    return file;
  }
  error = last_error_text();
  return Descriptor();
}

void SharedMemory::Unmap::operator()(std::byte* address) const { ::munmap(address, size); }

std::optional<SharedMemory> SharedMemory::map(Descriptor file, std::size_t size, std::string& error) {
  void* address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (address == MAP_FAILED) {
    error = last_error_text();
    return std::nullopt;
  }
  std::unique_ptr<std::byte[], Unmap> mapped(static_cast<std::byte*>(address), Unmap{size});
  return SharedMemory(std::move(file), std::move(mapped));
}

std::optional<SharedMemory> SharedMemory::create(std::size_t size, std::string& error) {
  Descriptor file = open_memory_file(0);
  if (!file.is_open() || ::ftruncate(file.get(), static_cast<off_t>(size)) != 0 ||
      ::fcntl(file.get(), F_ADD_SEALS, kFixedSize) != 0) {
    error = last_error_text();
    return std::nullopt;
  }
  return map(std::move(file), size, error);
}

std::optional<SharedMemory> SharedMemory::attach(Descriptor file, std::string& error) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    error = last_error_text();
    return std::nullopt;
  }
  return map(std::move(file), static_cast<std::size_t>(status.st_size), error);
}

}  // namespace gelenk
