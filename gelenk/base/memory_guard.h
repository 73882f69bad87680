#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

// What happens when there is no memory left. Our own code gets std::bad_alloc and ends what it does; libraries in C
// often do not look whether they got what they asked for. So some memory is kept in reserve: who fails first gets it,
// and the program ends in good order. When that is gone, too, it ends at once, with a message and kMemoryExitCode.
namespace gelenk {

inline constexpr int kMemoryExitCode = 4;

// At the start of the program. Exceptions for want of memory that nobody catches end as end_without_memory() does.
void guard_memory();

// Something could not be allocated; the reserve is used up. What goes on for long should end now.
bool is_memory_low();
// "not enough memory: needs about 131 MB, has 120 MB", as well as it can be known
std::string memory_shortage();
// The address space of this program is limited, as with `ulimit -v`. Threads cost much of it.
bool is_memory_limited();
// For a program that we started and that crashed or could not be loaded: "each program may use 80 MB here (ulimit -v)
// ..."; empty where nobody limits it.
std::string memory_limit_hint();

// Nothing of these allocates anything. Gives the reserve free.
void note_failed_allocation(std::size_t bytes) noexcept;
[[noreturn]] void end_without_memory(std::size_t bytes) noexcept;

// Two texts at fixed places of a file that are written when the program ends for want of memory: a word, and behind it,
// at its own place, what memory_shortage() says. For one file at a time.
class LastWords {
 public:
  LastWords() = default;
  ~LastWords() { disarm(); }
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

  struct Place {
    std::uint64_t offset = 0;
    std::size_t bytes = 0;  // room, filled up with zeros; at most 4096
  };
  void arm(const std::string& path, Place word_place, std::string word, Place reason_place);
  void disarm();

 private:
  friend void say_last_words(LastWords& words, const char* reason) noexcept;

  int descriptor_ = -1;
  Place word_place_, reason_place_;
  std::string word_;
};

}  // namespace gelenk
