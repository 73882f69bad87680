#include "gelenk/base/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

#include "gelenk/base/memory_file.h"

namespace gelenk::sandbox_test {
namespace {

constexpr std::size_t kMemory = std::size_t{64} << 20;

// How a process ends that goes into the sandbox and does this: its exit code, or the signal, negative.
template <class Work>
int end_in_sandbox(Work&& work) {
  std::string error;
  const Descriptor file = make_memory_file("no library", error);
  const pid_t child = ::fork();
  if (child == 0) {
    const bool is_sandboxed = enter_loading_sandbox(std::array{file.get()}, kMemory).empty() && enter_sandbox().empty();
    ::_exit(is_sandboxed ? work() : 99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Sandbox, OrdinaryWorkGoesOn) {
  EXPECT_EQ(end_in_sandbox([] {
              void* large = ::malloc(1 << 24);  // by mmap
              ::free(large);
              return large != nullptr && ::getpid() > 0 ? 7 : 1;
            }),
            7);
}

TEST(Sandbox, FilesAndProcessesAreOutOfReach) {
  EXPECT_EQ(end_in_sandbox([] { return ::open("/dev/null", O_RDONLY); }), -SIGSYS);
  EXPECT_EQ(end_in_sandbox([] { return static_cast<int>(::fork()); }), -SIGSYS);
  EXPECT_EQ(end_in_sandbox([] { return ::kill(::getppid(), 0); }), -SIGSYS);
  EXPECT_EQ(end_in_sandbox([] { return ::close(0); }), -SIGSYS);
}

TEST(Sandbox, MemoryIsLimited) {
  EXPECT_EQ(end_in_sandbox([] { return ::malloc(2 * kMemory) == nullptr ? 7 : 1; }), 7);
}

TEST(Sandbox, ItsSignalsReachNobodyElse) {
  EXPECT_EQ(end_in_sandbox([]() -> int { ::abort(); }), -SIGABRT);
}

// While a library is loaded, its file can be opened by the name that the loader uses, and no other.
TEST(Sandbox, WhileLoadingOneFileCanBeOpened) {
  std::string error;
  const Descriptor file = make_memory_file("library", error);
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  const pid_t child = ::fork();
  if (child == 0) {
    if (!enter_loading_sandbox(std::array{file.get()}, kMemory).empty()) ::_exit(99);
    const int opened = ::open(path.c_str(), O_RDONLY);
    char bytes[7] = {};
    const bool is_read = opened == file.get() && ::read(opened, bytes, sizeof bytes) == 7 && bytes[0] == 'l';
    const bool is_other_closed = ::open("/dev/null", O_RDONLY) < 0 && ::open("/etc/passwd", O_RDONLY) < 0;
    ::_exit(is_read && is_other_closed ? 7 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace gelenk::sandbox_test
