#include "gelenk/base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>

#include "gelenk/base/call_filter.h"
#include "gelenk/base/landlock.h"
#include "gelenk/base/process.h"
#include "gelenk/base/shared_library.h"
#include "gelenk/base/system_error.h"

namespace gelenk {
namespace {

// The files that the loader may open, and their names; for the handler, which can be given nothing.
struct LoadedFile {
  int descriptor = -1;
  char path[32] = {};
};
LoadedFile loaded_files[2];

struct SystemCall {
  unsigned long arguments[4];
};

SystemCall call_of(const ucontext_t& context) {
#if defined(__x86_64__)
  const auto& r = context.uc_mcontext.gregs;
  const auto at = [&](int index) { return static_cast<unsigned long>(r[index]); };
  return {{at(REG_RDI), at(REG_RSI), at(REG_RDX), at(REG_R10)}};
#else
  const auto& r = context.uc_mcontext.regs;
  return {{r[0], r[1], r[2], r[3]}};
#endif
}

void set_result(ucontext_t& context, long result) {
#if defined(__x86_64__)
  context.uc_mcontext.gregs[REG_RAX] = result;
#else
  context.uc_mcontext.regs[0] = static_cast<unsigned long>(result);
#endif
}

// Does for the loader what the filter does not let it do: to open, look at and close its files.
long answer_for_loader(int number, const SystemCall& call) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): that is how pointers come in registers
  const auto path = [&] { return reinterpret_cast<const char*>(call.arguments[1]); };
  if (number == SYS_close) return 0;  // it stays open, and harmless
  for (const LoadedFile& file : loaded_files) {
    if (file.descriptor < 0) continue;
    if (number == SYS_openat && ::strcmp(path(), file.path) == 0) return file.descriptor;
    if (number == SYS_newfstatat && static_cast<int>(call.arguments[0]) == file.descriptor && *path() == '\0') {
      return ::syscall(SYS_fstat, file.descriptor, call.arguments[2]) == 0 ? 0 : -errno;
    }
  }
  return number == SYS_openat ? -ENOENT : -EACCES;
}

void handle_trap(int, siginfo_t* info, void* raw_context) {
  auto& context = *static_cast<ucontext_t*>(raw_context);
  const int before = errno;
  set_result(context, answer_for_loader(info->si_syscall, call_of(context)));
  errno = before;
}

bool handle_traps(std::span<const int> libraries) {
  if (libraries.size() > std::size(loaded_files)) return false;
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    const std::string path = SharedLibrary::path_of(libraries[i]);
    if (path.size() >= sizeof loaded_files[i].path) return false;
    ::strcpy(loaded_files[i].path, path.c_str());
    loaded_files[i].descriptor = libraries[i];
  }
  struct sigaction action {};
  action.sa_sigaction = handle_trap;
  action.sa_flags = SA_SIGINFO;
  return ::sigaction(SIGSYS, &action, nullptr) == 0;
}

void limit(int what, std::size_t value) {
  // Not above what somebody else has set already.
  rlimit now{};
  ::getrlimit(static_cast<__rlimit_resource_t>(what), &now);
  const rlim_t least = std::min<rlim_t>(value, now.rlim_max);
  const rlimit both{least, least};
  ::setrlimit(static_cast<__rlimit_resource_t>(what), &both);
}

}  // namespace

std::string enter_loading_sandbox(std::span<const int> libraries, std::size_t memory) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NPROC, 0);
  limit(RLIMIT_MEMLOCK, 0);
  // Without a filter the loader opens a file once more.
  const int last = *std::max_element(libraries.begin(), libraries.end());
  limit(RLIMIT_NOFILE, static_cast<std::size_t>(last) + 1 + libraries.size());
  limit(RLIMIT_AS, address_space_in_use() + memory);

  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return last_error_text();
  if (!handle_traps(libraries)) return last_error_text();
  CallFilter filter;
  filter.allow_harmless();
  filter.allow_mmap(libraries);
  filter.allow_if(SYS_read, 0, libraries);
  filter.allow_if(SYS_pread64, 0, libraries);
  filter.allow_if(SYS_fstat, 0, libraries);
  filter.trap({SYS_openat, SYS_newfstatat, SYS_close});
  // The second filter. A constructor could add one of its own, which can only make it stricter, or keep ours out: what
  // is allowed here is harmless by itself.
  filter.allow_if(SYS_seccomp, 1, {0});
  return filter.install() ? std::string() : "no system call filter (seccomp): " + last_error_text();
}

std::string enter_sandbox() {
  CallFilter filter;
  filter.allow_harmless();
  filter.allow_mmap({});
  filter.refuse({SYS_fstat, SYS_newfstatat}, EPERM);
  return filter.install() ? std::string() : last_error_text();
}

std::string enter_reading_sandbox(std::span<const std::string> readable, std::size_t memory) {
  constexpr std::size_t kMostFiles = 64;
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NPROC, 0);
  limit(RLIMIT_MEMLOCK, 0);
  limit(RLIMIT_NOFILE, kMostFiles);
  if (memory > 0) {
    limit(RLIMIT_FSIZE, memory);  // of the output
    limit(RLIMIT_AS, address_space_in_use() + memory);
  }

  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return last_error_text();
  const std::string no_landlock = allow_reading_only(readable);
  CallFilter filter;
  // Reading, and looking around: what lies where is not secret, what is in it may be.
  filter.allow(
      {SYS_read, SYS_readv, SYS_pread64, SYS_lseek, SYS_close, SYS_mmap, SYS_fstat, SYS_newfstatat, SYS_statx});
  filter.allow({SYS_readlinkat, SYS_faccessat, SYS_getcwd, SYS_getdents64});
#if defined(__x86_64__)
  filter.allow({SYS_readlink, SYS_access, SYS_pipe});  // which other processors do not have
#endif
  // Nothing can be opened to write, so that what is open already is all that can be written to. Sanitizers look through
  // a pipe whether memory can be read.
  filter.allow({SYS_write, SYS_writev, SYS_pipe2});
  constexpr std::uint32_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  filter.allow_without(SYS_openat, 2, kWriting, EACCES);
  filter.allow_if(SYS_fcntl, 1, {F_GETFD, F_SETFD, F_GETFL});
  filter.allow_if(SYS_prlimit64, 0, {0});
  filter.allow({SYS_rt_sigaction, SYS_sigaltstack, SYS_times, SYS_getrusage, SYS_sysinfo, SYS_uname});
  filter.allow({SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_sched_getaffinity});
  // No reader has a use for these.
  filter.kill({SYS_execve, SYS_execveat, SYS_socket, SYS_ptrace});
  filter.allow_harmless();
  // Libraries ask for this and that; they go on without.
  if (!filter.install(EPERM)) return "no system call filter (seccomp): " + last_error_text();
  return no_landlock;
}

}  // namespace gelenk
