#include "gelenk/base/memory_guard.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

namespace gelenk {
namespace {

constexpr std::size_t kReserveBytes = std::size_t{8} << 20;  // closing a file of results takes about one
constexpr double kMegabyte = 1e6;
constexpr double kClearlyMore = 1.05;
constexpr std::size_t kMostReasonBytes = 4096;

std::atomic<void*> reserve{nullptr};
std::atomic<bool> is_low{false};
std::atomic<std::size_t> needed{0};  // bytes of this program, with what it did not get
std::atomic<LastWords*> last_words{nullptr};

// Bytes of address space; without any allocation.
std::size_t bytes_in_use() noexcept {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  std::array<char, 64> text{};
  const ssize_t count = file < 0 ? 0 : ::read(file, text.data(), text.size() - 1);
  if (file >= 0) ::close(file);
  const unsigned long long pages = count > 0 ? std::strtoull(text.data(), nullptr, 10) : 0;
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

bool has_limit(rlimit& limit) noexcept {
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

double bytes_allowed() noexcept {
  rlimit limit{};
  if (has_limit(limit)) return static_cast<double>(limit.rlim_cur);
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

using Sentence = std::array<char, 160>;

Sentence shortage() noexcept {
  Sentence text{};
  const double allowed = bytes_allowed() / kMegabyte;
  const double wanted = static_cast<double>(needed.load()) / kMegabyte;
  // What comes behind the first allocation that fails, nobody knows.
  const bool is_known = wanted > kClearlyMore * allowed;
  std::snprintf(text.data(), text.size(), "not enough memory: needs %s %.0f MB, has %.0f MB",
                is_known ? "about" : "more than", is_known ? wanted : allowed, allowed);
  return text;
}

void write_error(const char* text) noexcept {
  [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text, std::strlen(text));
}

[[noreturn]] void end_unhandled() noexcept {
  try {
    if (const std::exception_ptr current = std::current_exception()) std::rethrow_exception(current);
  } catch (const std::bad_alloc&) {
    end_without_memory(0);
  } catch (...) {
  }
  std::abort();
}

}  // namespace

void guard_memory() {
  void* const pages = ::mmap(nullptr, kReserveBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages != MAP_FAILED) reserve = pages;
  std::set_terminate(end_unhandled);
}

bool is_memory_low() { return is_low; }

std::string memory_shortage() { return shortage().data(); }

bool is_memory_limited() {
  rlimit limit{};
  return has_limit(limit);
}

std::string memory_limit_hint() {
  if (!is_memory_limited()) return {};
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "each program may use only %.0f MB of memory here: raise the limit, ulimit -v",
                bytes_allowed() / kMegabyte);
  return text.data();
}

void note_failed_allocation(std::size_t bytes) noexcept {
  if (needed.load() == 0) needed = bytes_in_use() + bytes;
  is_low = true;
  if (void* const pages = reserve.exchange(nullptr)) ::munmap(pages, kReserveBytes);
}

void say_last_words(LastWords& words, const char* reason) noexcept {
  const auto write_at = [&](LastWords::Place place, const char* text) {
    std::array<char, kMostReasonBytes> room{};
    const std::size_t size = std::min(place.bytes, room.size());
    std::memcpy(room.data(), text, std::min(std::strlen(text), size));
    [[maybe_unused]] const ssize_t count =
        ::pwrite(words.descriptor_, room.data(), size, static_cast<off_t>(place.offset));
  };
  write_at(words.word_place_, words.word_.c_str());
  write_at(words.reason_place_, reason);
}

// Only one thread ends the program; others that come here meanwhile wait for that.
void end_without_memory(std::size_t bytes) noexcept {
  static std::atomic<bool> is_ending{false};
  if (is_ending.exchange(true)) {
    for (;;) ::pause();
  }
  note_failed_allocation(bytes);
  const Sentence text = shortage();
  if (LastWords* const words = last_words.exchange(nullptr)) say_last_words(*words, text.data());
  write_error("error: ");
  write_error(text.data());
  write_error("\n");
  ::_exit(kMemoryExitCode);
}

void LastWords::arm(const std::string& path, Place word_place, std::string word, Place reason_place) {
  disarm();
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) return;
  word_place_ = word_place;
  word_ = std::move(word);
  reason_place_ = reason_place;
  last_words = this;
}

void LastWords::disarm() {
  LastWords* self = this;
  last_words.compare_exchange_strong(self, nullptr);
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

}  // namespace gelenk
