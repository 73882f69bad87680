#include "gelenk/base/cage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <system_error>
#include <vector>

#include "gelenk/base/process.h"
#include "gelenk/base/shared_library.h"
#include "gelenk/base/system_error.h"

namespace gelenk {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the cage does not know the system calls of this processor"
#endif

// A program of the kernel's packet filter over one system call: rules by number, each of which decides; what has no
// rule kills the process.
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
    decide(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
  }

  void allow(std::initializer_list<long> calls) { rule_for_all(calls, SECCOMP_RET_ALLOW); }
  // They return this error.
  void refuse(std::initializer_list<long> calls, int error) {
    rule_for_all(calls, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
  }
  // They are answered by our handler.
  void trap(std::initializer_list<long> calls) { rule_for_all(calls, SECCOMP_RET_TRAP); }
  // Only when the argument, a 32-bit number, is one of these.
  void allow_if(long call, unsigned argument, std::initializer_list<int> values) {
    allow_if(call, argument, std::span(values.begin(), values.size()));
  }
  void allow_if(long call, unsigned argument, std::span<const int> values) {
    begin_rule(call);
    load_argument(argument);
    for (const int value : values) {
      add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value), 0, 1);
      decide(SECCOMP_RET_ALLOW);
    }
    decide(SECCOMP_RET_KILL_PROCESS);
    end_rule();
  }
  // Memory without a file, or of these files.
  void allow_mmap(std::span<const int> files) {
    begin_rule(SYS_mmap);
    load_argument(3);
    add(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 1);
    decide(SECCOMP_RET_ALLOW);
    load_argument(4);
    for (const int file : files) {
      add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(file), 0, 1);
      decide(SECCOMP_RET_ALLOW);
    }
    decide(SECCOMP_RET_KILL_PROCESS);
    end_rule();
  }

  // False, with errno. On top of the filters that are there already: the strictest answer counts.
  bool install() {
    decide(SECCOMP_RET_KILL_PROCESS);
    sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
  }

 private:
  void add(int code, std::uint32_t value, std::uint8_t if_true = 0, std::uint8_t if_false = 0) {
    code_.push_back({static_cast<std::uint16_t>(code), if_true, if_false, value});
  }
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
  // The lower half, which is all that the kernel looks at for descriptors and ids. Little-endian.
  void load_argument(unsigned index) { load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t)); }
  void decide(std::uint32_t answer) { add(BPF_RET | BPF_K, answer); }

  void begin_rule(long call) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 0);
    rule_begin_ = code_.size();
  }
  // Another call jumps over the rule; the number is still loaded there, because every rule decides.
  void end_rule() { code_[rule_begin_ - 1].jf = static_cast<std::uint8_t>(code_.size() - rule_begin_); }
  void rule_for_all(std::initializer_list<long> calls, std::uint32_t answer) {
    for (const long call : calls) {
      begin_rule(call);
      decide(answer);
      end_rule();
    }
  }

  std::vector<sock_filter> code_;
  std::size_t rule_begin_ = 0;
};

// What any code may do: its own memory, its own thread, the clock, its end, and writing to nothing.
void allow_harmless(Filter& filter) {
  filter.allow({SYS_brk, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_futex, SYS_getrandom});
  filter.allow({SYS_clock_gettime, SYS_gettimeofday, SYS_nanosleep, SYS_clock_nanosleep, SYS_restart_syscall});
  filter.allow({SYS_sched_yield, SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_rt_sigprocmask});
  filter.allow({SYS_getpid, SYS_gettid});
  // Not those that an administrator could damage shared memory with
  filter.allow_if(SYS_madvise, 2, {MADV_WILLNEED, MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE});
  filter.allow_if(SYS_tgkill, 0, {::getpid()});  // abort()
  filter.allow_if(SYS_write, 0, {STDOUT_FILENO, STDERR_FILENO});
  filter.allow_if(SYS_writev, 0, {STDOUT_FILENO, STDERR_FILENO});
  // printf() asks these about stdout, and goes on without an answer.
  filter.refuse({SYS_ioctl, SYS_lseek}, EPERM);
}

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

std::string enter_loading_cage(std::span<const int> libraries, std::size_t memory) {
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
  Filter filter;
  allow_harmless(filter);
  filter.allow_mmap(libraries);
  filter.allow_if(SYS_read, 0, libraries);
  filter.allow_if(SYS_pread64, 0, libraries);
  filter.allow_if(SYS_fstat, 0, libraries);
  filter.trap({SYS_openat, SYS_newfstatat, SYS_close});
  // The second filter. A constructor could add one of its own, which can only make it stricter, or keep ours out: what
  // is allowed here is harmless by itself.
  filter.allow_if(SYS_seccomp, 1, {0});
  return filter.install() ? std::string() : "no filter of system calls (seccomp): " + last_error_text();
}

std::string enter_cage() {
  Filter filter;
  allow_harmless(filter);
  filter.allow_mmap({});
  filter.refuse({SYS_fstat, SYS_newfstatat}, EPERM);
  return filter.install() ? std::string() : last_error_text();
}

}  // namespace gelenk
