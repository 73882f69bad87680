#include "gelenk/base/sandboxed_work.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <new>

#include "gelenk/base/descriptor.h"
#include "gelenk/base/memory_file.h"
#include "gelenk/base/sandbox.h"
#include "gelenk/base/system_error.h"
#include "gelenk/base/text.h"

namespace gelenk {
namespace {

constexpr int kOutput = 3;  // of the copy: the first behind those that every program has
constexpr int kThrew = 70, kNotWritten = 74;
constexpr double kNearlyAll = 0.8;  // of the memory: who crashes then has most likely found none

// What the copy says before it crashes.
struct CopyWords {
  volatile bool lacked_memory;
  char place[Whereabouts::kMostBytes];
  char missing[Whereabouts::kMostBytes];
};
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsHeard = true;  // what sanitizers find is always reported
#else
constexpr bool kIsHeard = false;
#endif
CopyWords* words_of_this_process = nullptr;  // for a handler, which can be given nothing

void note_no_memory() {
  words_of_this_process->lacked_memory = true;
  throw std::bad_alloc();
}

bool write_result(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void be_silent() {
  const Descriptor nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  for (const int output : {STDOUT_FILENO, STDERR_FILENO}) {
    if (nothing.is_open()) ::dup2(nothing.get(), output);
  }
}

// The descriptor for the result; -1: there is none.
int arrange_files(const SandboxedOrder& order, int output) {
  if (order.is_silent && !kIsHeard) be_silent();
  if (order.keeps_files) return output;
  if (output != kOutput && ::dup2(output, kOutput) < 0) return -1;
  close_descriptors_from(kOutput + 1);
  return kOutput;
}

// One that goes round in circles is ended by SIGXCPU.
void limit_time(double seconds) {
  if (!(seconds > 0.0)) return;
  const auto whole = static_cast<rlim_t>(std::ceil(seconds));
  const rlimit limit{whole, whole + 1};
  ::setrlimit(RLIMIT_CPU, &limit);
}

// All that the copy does. Its exit code; what is to be done at the end of a program is not done.
int work_in_sandbox(const SandboxedOrder& order, pid_t owner, int output, CopyWords& words,
                    const std::function<std::string(const Whereabouts&)>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != owner) return kThrew;  // who is dead already
  output = arrange_files(order, output);
  if (output < 0) return kThrew;
  limit_time(order.seconds);
  words_of_this_process = &words;
  std::set_new_handler(note_no_memory);
  const std::string missing = enter_reading_sandbox(order.readable, order.memory);
  Whereabouts(words.missing).be_at(missing);
  try {
    const std::string result = work(Whereabouts(words.place));
    return write_result(output, result) ? 0 : kNotWritten;
  } catch (const std::bad_alloc&) {
    words.lacked_memory = true;
  } catch (const std::exception& problem) {
    Whereabouts(words.place).be_at(problem.what());
  }
  return kThrew;
}

// What the copy left may be anything.
std::string text_of(const char (&bytes)[Whereabouts::kMostBytes]) {
  std::string text(bytes, ::strnlen(bytes, sizeof bytes));
  if (!is_printable(text, false)) text = shown(text);
  return text;
}

std::optional<std::string> read_result(int file) {
  const off_t size = ::lseek(file, 0, SEEK_END);
  if (size < 0) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(size), '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

void wait_for_copy(pid_t copy, const SandboxedOrder& order, SandboxedEnd& end) {
  int status = 0;
  rusage usage{};
  while (::wait4(copy, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) {
    end.end.exit_code = WEXITSTATUS(status);
  } else {
    end.end.signal = WTERMSIG(status);
    end.ran_out_of_time = order.seconds > 0.0 && end.end.signal == SIGXCPU;
    constexpr double kUnit = 1024.0;  // of ru_maxrss
    const double peak = kUnit * static_cast<double>(usage.ru_maxrss);
    end.lacked_memory = order.memory > 0 && peak > kNearlyAll * static_cast<double>(order.memory);
    end.lacked_memory = end.lacked_memory || end.end.signal == SIGXFSZ;
  }
}

}  // namespace

void Whereabouts::be_at(std::string_view place) const {
  const std::size_t count = std::min(place.size(), kMostBytes - 1);
  if (count > 0) ::memcpy(text_, place.data(), count);
  text_[count] = '\0';
}

SandboxedEnd run_sandboxed(const SandboxedOrder& order, const std::function<std::string(const Whereabouts&)>& work) {
  SandboxedEnd end;
  const Descriptor output(::memfd_create("result", MFD_CLOEXEC));
  std::optional<SharedMemory> memory = SharedMemory::create(sizeof(CopyWords), end.reason);
  if (!memory) return end;
  auto& words = *reinterpret_cast<CopyWords*>(memory->bytes().data());
  const pid_t owner = ::getpid();
  const pid_t copy = output.is_open() ? ::fork() : -1;
  if (copy < 0) {
    end.reason = last_error_text();
    return end;
  }
  if (copy == 0) ::_exit(work_in_sandbox(order, owner, output.get(), words, work));
  wait_for_copy(copy, order, end);
  end.lacked_memory = end.lacked_memory || words.lacked_memory;
  end.place = text_of(words.place);
  end.missing = text_of(words.missing);
  if (end.end.exit_code == 0) end.result = read_result(output.get());
  return end;
}

}  // namespace gelenk
