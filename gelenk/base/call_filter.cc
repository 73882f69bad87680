#include "gelenk/base/call_filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gelenk {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the filter does not support this processor"
#endif

std::uint32_t refusal(int error) { return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error); }

}  // namespace

CallFilter::CallFilter() {
  load(offsetof(seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
  decide(SECCOMP_RET_KILL_PROCESS);
  load(offsetof(seccomp_data, nr));
}

CallFilter::~CallFilter() = default;

void CallFilter::allow(std::initializer_list<long> calls) { rule_for_all(calls, SECCOMP_RET_ALLOW); }

void CallFilter::refuse(std::initializer_list<long> calls, int error) { rule_for_all(calls, refusal(error)); }

void CallFilter::trap(std::initializer_list<long> calls) { rule_for_all(calls, SECCOMP_RET_TRAP); }

void CallFilter::kill(std::initializer_list<long> calls) { rule_for_all(calls, SECCOMP_RET_KILL_PROCESS); }

void CallFilter::allow_if(long call, unsigned argument, std::span<const int> values) {
  begin_rule(call);
  load_argument(argument);
  for (const int value : values) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value), 0, 1);
    decide(SECCOMP_RET_ALLOW);
  }
  decide(SECCOMP_RET_KILL_PROCESS);
  end_rule();
}

void CallFilter::allow_without(long call, unsigned argument, std::uint32_t bits, int error) {
  begin_rule(call);
  load_argument(argument);
  add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
  decide(refusal(error));
  decide(SECCOMP_RET_ALLOW);
  end_rule();
}

void CallFilter::allow_mmap(std::span<const int> files) {
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

void CallFilter::allow_harmless() {
  allow({SYS_brk, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_futex, SYS_getrandom});
  allow({SYS_clock_gettime, SYS_gettimeofday, SYS_nanosleep, SYS_clock_nanosleep, SYS_restart_syscall});
  allow({SYS_sched_yield, SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_rt_sigprocmask});
  allow({SYS_getpid, SYS_gettid});
  // Not those that an administrator could damage shared memory with
  allow_if(SYS_madvise, 2, {MADV_WILLNEED, MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP});
  allow_if(SYS_tgkill, 0, {::getpid()});  // abort()
  allow_if(SYS_write, 0, {STDOUT_FILENO, STDERR_FILENO});
  allow_if(SYS_writev, 0, {STDOUT_FILENO, STDERR_FILENO});
  // printf() asks these about stdout, and goes on without an answer.
  refuse({SYS_ioctl, SYS_lseek}, EPERM);
}

bool CallFilter::install(int error) {
  decide(error == 0 ? SECCOMP_RET_KILL_PROCESS : refusal(error));
  sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

void CallFilter::add(int code, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
  code_.push_back({static_cast<std::uint16_t>(code), if_true, if_false, value});
}

void CallFilter::load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }

// The lower half, which is all that the kernel looks at for descriptors, flags and ids. Little-endian.
void CallFilter::load_argument(unsigned index) { load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t)); }

void CallFilter::decide(std::uint32_t answer) { add(BPF_RET | BPF_K, answer); }

void CallFilter::begin_rule(long call) {
  add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 0);
  rule_begin_ = code_.size();
}

// Another call jumps over the rule; the number is still loaded there, because every rule decides.
void CallFilter::end_rule() { code_[rule_begin_ - 1].jf = static_cast<std::uint8_t>(code_.size() - rule_begin_); }

void CallFilter::rule_for_all(std::initializer_list<long> calls, std::uint32_t answer) {
  for (const long call : calls) {
    begin_rule(call);
    decide(answer);
    end_rule();
  }
}

}  // namespace gelenk
