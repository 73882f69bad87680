#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <filesystem>
#include <fstream>

#include "tests/hosts/bad_modes.h"
#include "tests/hosts/hosts_test_support.h"

// Components that break, lie or attack: every one ends in a ComponentFailure of the right kind, and the owner goes on.
namespace gelenk::component::test::bad_components_test {
namespace {

using Kind = ComponentFailure::Kind;
using testing::HasSubstr;
using testing::Not;

struct Misdeed {
  BadMode mode;
  const char* name;
  Kind kind;
  const char* text;  // in the message
};
void PrintTo(const Misdeed& misdeed, std::ostream* stream) { *stream << misdeed.name; }

WorkerLimits short_limits() {
  WorkerLimits limits = worker_limits();
  limits.call_seconds = 1.0;
  limits.start_seconds = 2.0;
  limits.memory = std::size_t{64} << 20;
  return limits;
}

HostSettings settings_for(BadMode mode) {
  HostSettings settings = free_body_settings();
  settings.resource = std::to_string(mode);
  return settings;
}

// Everything that a component is asked for in its life, once.
void use(Place place, BadMode mode) {
  const auto body = mount(place, "bad_body", settings_for(mode), short_limits());
  start(*body);
  Batch batch;
  add_stage(batch, 0, 0);
  body->perform(batch.commands());
  body->read(GELENK_STATE, 0);
}

void expect_failure(Place place, const Misdeed& misdeed) {
  try {
    use(place, misdeed.mode);
    FAIL() << "nobody noticed";
  } catch (const ComponentFailure& failure) {
    EXPECT_EQ(static_cast<int>(failure.kind()), static_cast<int>(misdeed.kind)) << failure.what();
    EXPECT_THAT(failure.what(), HasSubstr(misdeed.text));
    EXPECT_THAT(failure.what(), HasSubstr("'ball'"));
    EXPECT_THAT(failure.what(), Not(HasSubstr("\033")));
  }
  EXPECT_NO_THROW(use(place, bad_mode_none)) << "the next one must work";
}

// Lies are found by both hosts.
class Lies : public testing::TestWithParam<std::tuple<Place, Misdeed>> {};
INSTANTIATE_TEST_SUITE_P(
    BadComponents, Lies,
    testing::Combine(
        testing::Values(Place::in_process, Place::worker),
        testing::Values(Misdeed{bad_not_a_number, "not_a_number", Kind::broken_numbers, "values that are not finite"},
                        Misdeed{bad_infinite, "infinite", Kind::broken_numbers, "values that are not finite"},
                        Misdeed{bad_unwritten, "unwritten", Kind::broken_numbers, "values that are not finite"},
                        Misdeed{bad_too_many_done, "too_many_done", Kind::wrong_sizes, "miscounts"},
                        Misdeed{bad_too_few_done, "too_few_done", Kind::wrong_sizes, "miscounts"},
                        Misdeed{bad_other_status, "other_status", Kind::failed, "unknown status"},
                        Misdeed{bad_say_failed, "say_failed", Kind::failed, "it is tired"},
                        Misdeed{bad_say_refused, "say_refused", Kind::refused, "it is tired"},
                        Misdeed{bad_rude_text, "rude_text", Kind::failed, "?[2J??"},
                        Misdeed{bad_indefinite, "indefinite", Kind::broken_numbers, "no machine has"},
                        Misdeed{bad_asymmetric, "asymmetric", Kind::broken_numbers, "not symmetric"},
                        Misdeed{bad_negative_diagonal, "negative_diagonal", Kind::broken_numbers, "no machine has"},
                        Misdeed{bad_zero_diagonal, "zero_diagonal", Kind::broken_numbers, "no machine has"},
                        Misdeed{bad_huge_counts, "huge_counts", Kind::wrong_sizes, "impossible length"},
                        Misdeed{bad_other_ports, "other_ports", Kind::wrong_sizes, "in the port 'push'"},
                        Misdeed{bad_other_sizes, "other_sizes", Kind::wrong_sizes, "do not follow"},
                        Misdeed{bad_short_structures, "short_structures", Kind::wrong_sizes, "wrong size"},
                        Misdeed{bad_refuse_create, "refuse_create", Kind::failed, "cannot be created: xxx"},
                        Misdeed{bad_refuse_mount, "refuse_mount", Kind::refused, "it likes to be alone"},
                        Misdeed{bad_other_when_mounted, "other_when_mounted", Kind::wrong_sizes,
                                "changes its description"},
                        Misdeed{bad_many_switches, "many_switches", Kind::wrong_sizes, "too many switches"},
                        Misdeed{bad_odd_length, "odd_length", Kind::broken_numbers, "not a power of two"},
                        Misdeed{bad_skew_port, "skew_port", Kind::broken_numbers, "port 'eye'"},
                        Misdeed{bad_huge_read, "huge_read", Kind::wrong_sizes, "too many bytes"},
                        Misdeed{bad_changing_read, "changing_read", Kind::wrong_sizes, "different number of bytes"})),
    [](const auto& test) {
      return std::string(std::get<1>(test.param).name) +
             (std::get<0>(test.param) == Place::worker ? "_worker" : "_in_process");
    });

TEST_P(Lies, AreFound) { expect_failure(std::get<0>(GetParam()), std::get<1>(GetParam())); }

// Lies in answers that nobody has asked for yet are found when somebody does.
TEST(BadComponents, WhatWasBegunIsLookedAtToo) {
  for (const BadMode mode : {bad_not_a_number, bad_unwritten, bad_indefinite, bad_too_many_done, bad_crash, bad_hang}) {
    const auto body = mount(Place::worker, "bad_body", settings_for(mode), short_limits());
    start(*body);
    Batch batch;
    add_stage(batch, 0, 0);
    EXPECT_NO_THROW(body->begin(batch.commands()));
    const auto ask_for_all = [&] {
      for (const gelenk_command& command : batch.commands()) body->perform({&command, 1});
    };
    EXPECT_THROW(ask_for_all(), ComponentFailure) << mode;
  }
}

// Attacks and crashes are survived in the worker.
class Attacks : public testing::TestWithParam<Misdeed> {};
INSTANTIATE_TEST_SUITE_P(BadComponents, Attacks,
                         testing::Values(Misdeed{bad_crash, "crash", Kind::crashed, "SIGSEGV"},
                                         Misdeed{bad_call_abort, "call_abort", Kind::crashed, "SIGABRT"},
                                         Misdeed{bad_call_exit, "call_exit", Kind::crashed, "exited with code 0"},
                                         Misdeed{bad_recurse, "recurse", Kind::crashed, "SIGSEGV"},
                                         Misdeed{bad_crash_in_create, "crash_in_create", Kind::crashed, "SIGABRT"},
                                         Misdeed{bad_crash_in_mount, "crash_in_mount", Kind::crashed, "SIGABRT"},
                                         Misdeed{bad_hang_in_mount, "hang_in_mount", Kind::late, "does not answer"},
                                         Misdeed{bad_hang, "hang", Kind::late, "does not answer"},
                                         Misdeed{bad_hang_in_create, "hang_in_create", Kind::late, "does not answer"},
                                         Misdeed{bad_allocate, "allocate", Kind::crashed, "SIGABRT"},
                                         Misdeed{bad_allocate_touch, "allocate_touch", Kind::crashed, "SIGABRT"},
                                         Misdeed{bad_fake_done, "fake_done", Kind::wrong_sizes, "miscounts"},
                                         Misdeed{bad_fake_failure, "fake_failure", Kind::failed, "???"},
                                         Misdeed{bad_fake_size, "fake_size", Kind::wrong_sizes, "too many bytes"},
                                         Misdeed{bad_open_file, "open_file", Kind::crashed, "SIGSYS"},
                                         Misdeed{bad_remove_file, "remove_file", Kind::crashed, "SIGSYS"},
                                         Misdeed{bad_open_socket, "open_socket", Kind::crashed, "SIGSYS"},
                                         Misdeed{bad_call_fork, "call_fork", Kind::crashed, "SIGSYS"},
                                         Misdeed{bad_start_thread, "start_thread", Kind::crashed, "SIGSYS"},
                                         Misdeed{bad_call_execve, "call_execve", Kind::crashed, "SIGSYS"},
                                         Misdeed{bad_kill_owner, "kill_owner", Kind::crashed, "SIGSYS"},
                                         Misdeed{bad_trace_owner, "trace_owner", Kind::crashed, "SIGSYS"},
                                         Misdeed{bad_read_owner, "read_owner", Kind::crashed, "SIGSYS"},
                                         Misdeed{bad_read_channel_file, "read_channel_file", Kind::crashed, "SIGSYS"},
                                         Misdeed{bad_close_lifeline, "close_lifeline", Kind::crashed, "SIGSYS"}),
                         [](const auto& test) { return test.param.name; });

TEST_P(Attacks, AreSurvived) { expect_failure(Place::worker, GetParam()); }

// Who writes over everything gets one of two answers, depending on who is faster.
TEST(BadComponents, WritingOverTheWholeSharedMemoryIsSurvived) {
  for (int i = 0; i < 20; ++i) {
    try {
      use(Place::worker, bad_scribble);
      FAIL();
    } catch (const ComponentFailure& failure) {
      EXPECT_THAT(failure.kind(), testing::AnyOf(Kind::broken_numbers, Kind::failed)) << failure.what();
    }
  }
  EXPECT_NO_THROW(use(Place::worker, bad_mode_none));
}

TEST(BadComponents, PrintingIsAllowedAndNotSeen) {
  testing::internal::CaptureStdout();
  EXPECT_NO_THROW(use(Place::worker, bad_print));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(BadComponents, AHangTakesNoLongerThanItsDeadline) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THROW(use(Place::worker, bad_hang), ComponentFailure);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST(BadComponents, ADeadWorkerStaysDead) {
  const auto body = mount(Place::worker, "bad_body", settings_for(bad_crash), short_limits());
  start(*body);
  Batch batch;
  batch.add(GELENK_LOAD, 0, 0, {0.0}, kLoadNumbers);
  for (int i = 0; i < 3; ++i) {
    try {
      body->perform(batch.commands());
      FAIL();
    } catch (const ComponentFailure& failure) {
      EXPECT_EQ(failure.kind(), Kind::crashed);
    }
  }
}

void expect_not_loaded(Place place, const std::string& bytes, const char* text,
                       const WorkerLimits& limits = short_limits()) {
  try {
    if (place == Place::worker) {
      host_in_worker(bytes, free_body_manifest(), free_body_settings(), limits);
    } else {
      host_in_process(bytes, free_body_manifest(), free_body_settings());
    }
    FAIL();
  } catch (const ComponentFailure& failure) {
    EXPECT_EQ(failure.kind(), Kind::not_loaded) << failure.what();
    EXPECT_THAT(failure.what(), HasSubstr(text));
  }
}

TEST(BadComponents, WhatIsNoComponentIsNotLoaded) {
  for (const Place place : {Place::in_process, Place::worker}) {
    expect_not_loaded(place, "rubbish", "cannot be loaded: file too short");
    expect_not_loaded(place, "", "cannot be loaded");
    expect_not_loaded(place, library("newer_body"), "does not support version 1");
  }
}

TEST(BadComponents, AMissingLibraryIsNamed) {
  for (const Place place : {Place::in_process, Place::worker}) {
    expect_not_loaded(place, library("needy_body"), "libgelenk_nowhere.so: cannot open shared object file");
  }
}

// The loader itself stumbles over it.
TEST(BadComponents, HalfALibraryIsSurvivedInTheWorker) {
  const std::string whole = library("free_body");
  for (const std::size_t size : {whole.size() / 4, whole.size() / 2}) {
    EXPECT_THROW(host_in_worker(whole.substr(0, size), free_body_manifest(), free_body_settings(), short_limits()),
                 ComponentFailure);
  }
}

TEST(BadComponents, ConstructorsRunInTheSandbox) {
  // It reads a file while it is loaded, and has no functions when it could.
  expect_not_loaded(Place::in_process, library("reading_body"), "does not support");
  EXPECT_NO_THROW(mount(Place::worker, "reading_body", settings_for(bad_mode_none)));
  try {
    mount(Place::worker, "forking_body", settings_for(bad_mode_none));
    FAIL();
  } catch (const ComponentFailure& failure) {
    EXPECT_EQ(failure.kind(), Kind::crashed);
    EXPECT_THAT(failure.what(), HasSubstr("SIGSYS"));
  }
}

TEST(BadComponents, AMissingWorkerIsNamed) {
  WorkerLimits limits = short_limits();
  limits.program = "/no/such/gelenk-worker";
  expect_not_loaded(Place::worker, library("free_body"), "/no/such/gelenk-worker", limits);
  limits.program = "/bin/true";
  EXPECT_THROW(mount(Place::worker, "free_body", free_body_settings(), limits), ComponentFailure);
}

// The process whose parent we are, by its number; empty when there is none or another one beside it.
std::string only_child() {
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream status(entry.path() / "status");
    for (std::string line; std::getline(status, line);) {
      if (line != "PPid:\t" + std::to_string(::getpid())) continue;
      if (!found.empty()) return {};
      found = entry.path().filename().string();
    }
  }
  return found;
}

// What the worker got from its owner, as the system sees it.
TEST(BadComponents, AWorkerKnowsNothingOfItsOwner) {
  ASSERT_EQ(::setenv("GELENK_SECRET", "x", 1), 0);
  const int open_file = ::open("/etc/passwd", O_RDONLY);  // inherited by every child that does not close it
  const auto ball = mount(Place::worker, "free_body");
  const std::string worker = only_child();
  ASSERT_NE(worker, "");
  std::size_t descriptors = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + worker + "/fd")) {
    const std::string target = std::filesystem::read_symlink(entry.path()).string();
    EXPECT_THAT(target, testing::AnyOf("/dev/null", HasSubstr("pipe:"), HasSubstr("/memfd:gelenk")));
    ++descriptors;
  }
  EXPECT_LE(descriptors, 6u);
  std::ifstream environment("/proc/" + worker + "/environ");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(environment), {}), "");
  std::ifstream status("/proc/" + worker + "/status");
  const std::string text(std::istreambuf_iterator<char>(status), {});
  EXPECT_THAT(text, HasSubstr("NoNewPrivs:\t1"));
  EXPECT_THAT(text, HasSubstr("Seccomp:\t2"));
  ::close(open_file);
}

// In a process of its own, in which `work` says whether all is well.
template <class Work>
int exit_code_of(Work&& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work() ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// From now on as on a system without seccomp.
void lose_seccomp() {
  sock_filter code[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                        {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_seccomp},
                        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
                        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  sock_fprog program{sizeof code / sizeof code[0], code};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

TEST(BadComponents, WithoutASandboxNothingRunsUnlessItIsAllowed) {
  EXPECT_EQ(exit_code_of([] {
              lose_seccomp();
              try {
                mount(Place::worker, "free_body");
              } catch (const ComponentFailure& failure) {
                return failure.kind() == Kind::not_loaded &&
                       std::string(failure.what()).find("--trust-once") != std::string::npos;
              }
              return false;
            }),
            0);
  EXPECT_EQ(exit_code_of([] {
              lose_seccomp();
              WorkerLimits limits = worker_limits();
              limits.allows_no_sandbox = true;
              return start(*mount(Place::worker, "free_body", free_body_settings(), limits));
            }),
            0);
}

// The worker is left to us when its owner is killed; it must be dead, too.
TEST(BadComponents, AWorkerDiesWithItsOwner) {
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
  for (const BadMode mode : {bad_mode_none, bad_hang}) {
    EXPECT_EQ(exit_code_of([mode] {
                WorkerLimits limits = worker_limits();
                const auto body = mount(Place::worker, "bad_body", settings_for(mode), limits);
                start(*body);
                Batch batch;
                add_stage(batch, 0, 0);
                ::alarm(1);  // in the middle of the call when it hangs
                if (mode == bad_hang) body->perform(batch.commands());
                ::raise(SIGALRM);
                return false;
              }),
              -SIGALRM);
    int status = 0;
    EXPECT_GT(::waitpid(-1, &status, 0), 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}

}  // namespace
}  // namespace gelenk::component::test::bad_components_test
