#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/component/checked_host.h"
#include "gelenk/component/command_store.h"
#include "gelenk/component/host.h"
#include "gelenk/component/instance.h"
#include "gelenk/component/worker_link.h"

namespace gelenk::component {
namespace {

using Kind = ComponentFailure::Kind;

// Of the shared memory, which cannot grow: nobody knows yet where the component will be mounted, and in its sandbox it
// can attach to no other. Pages that are not used take no place.
constexpr std::size_t kBodySize = std::size_t{256} << 20;
// As much of it is used for messages of many small commands.
constexpr std::size_t kLeastRoom = std::size_t{1} << 20;

class WorkerHost final : public CheckedHost {
 public:
  WorkerHost(std::string_view library, const Manifest& manifest, const HostSettings& settings,
             const WorkerLimits& limits)
      : CheckedHost(manifest),
        limits_(limits),
        link_(limits, kBodySize, [this](Kind kind, std::string_view text) { checks().fail(kind, text); }) {
    link_.start(library, settings.code);
    send_store(encode(settings));
    learn(fetch_description(link_.ask({.request = Request::create})));
  }

  bool works_ahead() const override { return true; }

  std::string read(gelenk_bytes what, std::int32_t slot) override {
    perform_there({});
    link_.set_deadline(limits_.call_seconds);
    const AnswerHead answer = link_.ask({.request = Request::read, .what = what, .slot = slot});
    checks().check_status(answer.status, answer.message);
    return fetch_store(answer.size);
  }

  void write(gelenk_bytes what, std::int32_t slot, std::string_view bytes) override {
    perform_there({});
    link_.set_deadline(limits_.call_seconds);
    send_store(bytes);
    const AnswerHead answer = link_.ask({.request = Request::write, .what = what, .slot = slot});
    checks().check_status(answer.status, answer.message);
  }

 private:
  Description mount_there(const HostMounting& mounting) override {
    ComponentSizes sizes = checks().with_mounts(this->sizes(), mounting);
    sizes.switches = kMostSwitches;
    const std::size_t room = kLeastRoom + sizeof(double) * most_numbers(sizes);
    if (room > kBodySize) checks().fail(Kind::wrong_sizes, "is mounted at too many frames for a process of its own");
    link_.set_deadline(limits_.start_seconds);
    send_store(encode(mounting));
    const AnswerHead answer = link_.ask({.request = Request::mount});
    checks().check_status(answer.status, answer.message);
    room_ = room;
    return fetch_description(answer);
  }

  // What was posted goes along.
  bool perform_there(std::span<const gelenk_command> commands) override {
    collect();
    if (commands.size() == 1 && ahead_.take(commands.front())) {
      checks().check_answer(commands.front(), sizes());
      return true;
    }
    ahead_.clear();
    const std::size_t posted = posted_.size();
    batch_.assign(posted_.commands().begin(), posted_.commands().end());
    batch_.insert(batch_.end(), commands.begin(), commands.end());
    const std::size_t done = perform_all(batch_);
    posted_.clear();
    if (done < posted) fail_sent();
    return done == batch_.size();
  }

  void send_there(const gelenk_command& command) override {
    collect();
    ahead_.clear();
    posted_.add(command);
  }

  // The worker gets what was posted and what comes next, and nobody waits for it yet.
  void begin_there(std::span<const gelenk_command> commands) override {
    collect();
    ahead_.clear();
    const std::size_t posted = posted_.size();
    for (const gelenk_command& command : commands) posted_.add(command);
    if (place(posted_.commands()) < posted_.size()) {
      posted_.shorten(posted);
      return;
    }
    std::swap(posted_, ahead_);
    posted_.clear();
    posted_ahead_ = posted;
    link_.set_deadline(limits_.call_seconds);
    link_.send({.request = Request::perform, .count = ahead_.size()});
    is_under_way_ = true;
  }

  // Waits for what was begun. Answers are looked at when somebody asks for them.
  void collect() {
    if (!is_under_way_) return;
    is_under_way_ = false;
    const std::size_t done = copy_answers(ahead_.commands(), link_.receive());
    if (done < posted_ahead_) fail_sent();
    ahead_.shorten(done);
    ahead_.skip(posted_ahead_);
  }

  // How many were done; all but those behind one that was not solvable. One round trip, unless the numbers have no
  // room.
  std::size_t perform_all(std::span<const gelenk_command> commands) {
    link_.set_deadline(limits_.call_seconds);
    std::size_t done = 0;
    while (done < commands.size()) {
      const std::size_t count = place(commands.subspan(done));
      const std::span<const gelenk_command> placed = commands.subspan(done, count);
      const std::size_t now = copy_answers(placed, link_.ask({.request = Request::perform, .count = count}));
      for (const gelenk_command& command : placed.first(now)) checks().check_answer(command, sizes());
      done += now;
      if (now < count) break;
    }
    return done;
  }

  Description fetch_description(const AnswerHead& answer) {
    Description description;
    if (!decode(fetch_store(answer.size), description))
      checks().fail(Kind::wrong_sizes, "gives no description of itself");
    return description;
  }

  // The part of the shared memory that is in use.
  std::span<std::byte> body() const { return link_.body().first(room_); }

  void send_store(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::string_view piece = bytes.substr(0, body().size());
      std::memcpy(body().data(), piece.data(), piece.size());
      link_.ask({.request = Request::put, .count = piece.size()});
      bytes.remove_prefix(piece.size());
    }
  }

  std::string fetch_store(std::uint64_t size) {
    if (size > kMostBytes) checks().fail(Kind::wrong_sizes, "has too many bytes of state to store");
    std::string bytes;
    while (bytes.size() < size) {
      const std::size_t piece = std::min<std::size_t>(size - bytes.size(), body().size());
      link_.ask({.request = Request::fetch, .count = piece, .offset = bytes.size()});
      bytes.append(reinterpret_cast<const char*>(body().data()), piece);
    }
    return bytes;
  }

  // Puts as many commands into the body as there is room for, and remembers where their answers will be.
  std::size_t place(std::span<const gelenk_command> commands) {
    const auto numbers_of = [](const gelenk_command& command) {
      return command.in_count + (command.out == nullptr ? 0 : command.out_count);
    };
    const std::span<std::byte> body = this->body();
    std::size_t count = 0;
    for (std::size_t used = 0; count < commands.size(); ++count) {
      const std::size_t numbers = numbers_of(commands[count]);
      if (numbers > body.size() / sizeof(double)) break;
      used += sizeof(PlacedCommand) + numbers * sizeof(double);
      if (used > body.size()) break;
    }
    if (count == 0) checks().fail(Kind::wrong_sizes, "was called with more values than there is room for");

    places_.clear();
    std::size_t end = count * sizeof(PlacedCommand);
    for (std::size_t i = 0; i < count; ++i) {
      const gelenk_command& command = commands[i];
      PlacedCommand placed{command.code, command.flags, command.slot, command.other, command.time};
      if (command.in != nullptr) {
        placed.in_at = end;
        placed.in_count = command.in_count;
        std::memcpy(body.data() + end, command.in, command.in_count * sizeof(double));
        end += command.in_count * sizeof(double);
      }
      if (command.out != nullptr) {
        placed.out_at = end;
        placed.out_count = command.out_count;
        // What the component does not write must not look like an answer.
        std::fill_n(reinterpret_cast<double*>(body.data() + end), command.out_count,
                    std::numeric_limits<double>::quiet_NaN());
        end += command.out_count * sizeof(double);
      }
      std::memcpy(body.data() + i * sizeof placed, &placed, sizeof placed);
      places_.push_back(placed.out_at);
    }
    return count;
  }

  // Returns how many commands were done. Copied first, looked at then: nobody can change it in between.
  std::size_t copy_answers(std::span<const gelenk_command> commands, const AnswerHead& answer) {
    checks().check_outcome(answer.status, answer.done, commands.size(), answer.message);
    for (std::size_t i = 0; i < answer.done; ++i) {
      const gelenk_command& command = commands[i];
      if (command.out == nullptr) continue;
      std::memcpy(command.out, body().data() + places_[i], command.out_count * sizeof(double));
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return answer.done;
  }

  WorkerLimits limits_;
  WorkerLink link_;
  std::size_t room_ = kLeastRoom;
  std::vector<std::size_t> places_;  // of answers in the body
  CommandStore posted_;              // not sent yet
  CommandStore ahead_;               // sent, and not asked for yet
  std::size_t posted_ahead_ = 0;     // the first ones of them, which nobody will ask for
  bool is_under_way_ = false;
  std::vector<gelenk_command> batch_;
};

}  // namespace

std::unique_ptr<Host> host_in_worker(std::string_view library, const Manifest& manifest, const HostSettings& settings,
                                     const WorkerLimits& limits) {
  WorkerLimits complete = limits;
  // The message is ours and not the component's, so that it may be as long as its paths.
  complete.program = worker_program(limits, "component " + shown(manifest.about.name) + " ");
  return std::make_unique<WorkerHost>(library, manifest, settings, complete);
}

}  // namespace gelenk::component
