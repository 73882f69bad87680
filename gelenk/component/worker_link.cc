#include "gelenk/component/worker_link.h"

#include <atomic>
#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

#include "gelenk/base/helper_files.h"
#include "gelenk/base/memory_file.h"
#include "gelenk/base/platform.h"

namespace gelenk::component {
namespace {

using Kind = ComponentFailure::Kind;

// How long the death of a worker stays unnoticed at most
constexpr std::chrono::milliseconds kSlice{5};

std::string text_of(const ProcessEnd& end) {
  if (end.signal == SIGSYS) return "was stopped: it made a system call that is not allowed (SIGSYS)";
  if (end.signal != 0) return "crashed (" + signal_name(end.signal) + ")";
  return "exited with code " + std::to_string(end.exit_code);
}

}  // namespace

WorkerLink::WorkerLink(const WorkerLimits& limits, std::size_t body_size, Fail fail)
    : limits_(limits), body_size_(body_size), fail_(std::move(fail)) {}

AnswerHead WorkerLink::start(std::string_view library, std::string_view code) {
  set_deadline(limits_.start_seconds);
  std::string error;
  std::vector<Descriptor> files;
  channel_ = Channel::create(body_size_, error);
  bool is_ready = channel_.has_value();
  for (const std::string_view bytes : {library, code}) {
    if (bytes.empty() || !is_ready) continue;
    files.push_back(make_memory_file(bytes, error));
    is_ready = files.back().is_open();
  }
  if (!is_ready) fail_(Kind::not_loaded, "cannot be loaded: " + error);
  std::vector<int> given{channel_->descriptor()};
  for (const Descriptor& file : files) given.push_back(file.get());
  worker_ = ChildProcess::start(limits_.program, given, error);
  if (worker_ == nullptr) fail_(Kind::not_loaded, "cannot be loaded: " + limits_.program + ": " + error);

  LoadRequest order;
  order.memory = limits_.memory;
  order.allows_no_sandbox = limits_.allows_no_sandbox ? 1 : 0;
  order.has_component = library.empty() ? 0 : 1;
  order.has_code = code.empty() ? 0 : 1;
  std::memcpy(body().data(), &order, sizeof order);
  return ask({.request = Request::load});
}

void WorkerLink::set_deadline(double seconds) {
  deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void WorkerLink::send(const RequestHead& request) {
  if (lost_) throw ComponentFailure(*lost_);
  ChannelHead& head = channel_->head();
  ++number_;
  head.request = request;
  set_event(head.asked, number_);
}

AnswerHead WorkerLink::receive() {
  wait_for_answer(number_ - 1);
  AnswerHead answer = channel_->head().answer;
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the compiler must not read there once more
  answer.message[kMessageSize - 1] = '\0';
  if (answer.failure != AnswerHead().failure) {
    const bool is_known = answer.failure >= 0 && answer.failure <= static_cast<int>(Kind::wrong_sizes);
    fail_(is_known ? static_cast<Kind>(answer.failure) : Kind::failed, answer.message);
  }
  return answer;
}

void WorkerLink::wait_for_answer(std::uint32_t before) {
  FutexEvent& event = channel_->head().answered;
  if (lookout_.look(event, before)) return check_number(event);
  while (!sleep_on(event, before, kSlice)) {
    if (const std::optional<ProcessEnd> end = worker_->end()) lose(Kind::crashed, text_of(*end));
    if (Clock::now() > deadline_) lose(Kind::late, "does not answer");
  }
  check_number(event);
}

void WorkerLink::check_number(const FutexEvent& event) {
  if (event.has_changed_since(number_)) lose(Kind::failed, "broke the protocol with its owner");
}

void WorkerLink::lose(Kind kind, const std::string& text) {
  worker_->kill();
  try {
    fail_(kind, text);
  } catch (const ComponentFailure& failure) {
    lost_ = failure;
    throw;
  }
  throw ComponentFailure(kind, text);
}

std::string worker_program(const WorkerLimits& limits, std::string_view subject) {
  if (!limits.program.empty()) return limits.program;
  std::string program = installed_file(std::string(kWorkerProgram.name));
  if (!program.empty()) return program;
  const MissingHelper missing = missing_helper(kWorkerProgram);
  throw ComponentFailure(Kind::not_loaded,
                         std::string(subject) + "cannot be loaded: " + missing.message + "; " + missing.hint);
}

}  // namespace gelenk::component
