#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gelenk/base/child_process.h"
#include "gelenk/base/futex_event.h"
#include "gelenk/component/host.h"
#include "gelenk/component/worker_channel.h"

namespace gelenk::component {

// A worker process and the questions to it. Believes nothing that the worker writes.
class WorkerLink {
 public:
  // Throws a ComponentFailure of this kind, with this text where the name ends. The text is untrusted.
  using Fail = std::function<void(ComponentFailure::Kind kind, std::string_view text)>;

  // Room for so many bytes in the shared memory; pages that are not used take no place.
  WorkerLink(const WorkerLimits& limits, std::size_t body_size, Fail fail);

  // Starts the worker, in its sandbox, and loads the libraries there: that of a component (empty: none) and that of
  // forces in C (empty: none).
  AnswerHead start(std::string_view library, std::string_view code);

  // Until when the next answers must be here.
  void set_deadline(double seconds);
  // Our own copy of the answer; a failure in it is passed on.
  AnswerHead ask(const RequestHead& request) {
    send(request);
    return receive();
  }
  void send(const RequestHead& request);
  AnswerHead receive();

  std::span<std::byte> body() const { return channel_->body(); }

 private:
  using Clock = std::chrono::steady_clock;

  void wait_for_answer(std::uint32_t before);
  void check_number(const FutexEvent& event);
  // The end of the worker, and of every call to come.
  [[noreturn]] void lose(ComponentFailure::Kind kind, const std::string& text);

  WorkerLimits limits_;
  std::size_t body_size_;
  Fail fail_;
  std::optional<Channel> channel_;
  std::unique_ptr<ChildProcess> worker_;
  Lookout lookout_;
  std::uint32_t number_ = 0;  // of the last question
  Clock::time_point deadline_;
  std::optional<ComponentFailure> lost_;
};

// The program of WorkerLimits, or the one that is installed with this one. Throws ComponentFailure; the message begins
// with the subject.
std::string worker_program(const WorkerLimits& limits, std::string_view subject);

}  // namespace gelenk::component
