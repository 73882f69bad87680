#include "gelenk/component/worker_server.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gelenk/base/child_process.h"
#include "gelenk/base/descriptor.h"
#include "gelenk/base/sandbox.h"
#include "gelenk/base/shared_library.h"
#include "gelenk/component/code_library.h"
#include "gelenk/component/instance.h"
#include "gelenk/component/worker_channel.h"

namespace gelenk::component {
namespace {

using Kind = ComponentFailure::Kind;

static_assert(kChannelDescriptor == kFirstGivenDescriptor && kLibraryDescriptor == kChannelDescriptor + 1 &&
              kSecondLibraryDescriptor == kLibraryDescriptor + 1);

class Server {
 public:
  explicit Server(Channel channel) : channel_(std::move(channel)) {}

  [[noreturn]] void run() {
    Lookout lookout;
    for (std::uint32_t seen = 0;;) {
      ChannelHead& head = channel_.head();
      bool is_asked = lookout.look(head.asked, seen);
      while (!is_asked) is_asked = sleep_on(head.asked, seen, std::chrono::seconds(1));
      seen = head.asked.number.load(std::memory_order_acquire);
      head.answer = answer(head.request);
      set_event(head.answered, seen);
    }
  }

 private:
  AnswerHead answer(const RequestHead& request) {
    AnswerHead result;
    try {
      perform(request, result);
      if (result.status != GELENK_OK && result.status != GELENK_NOT_SOLVABLE)
        set_message(result, instance_->last_error());
    } catch (const ComponentFailure& failure) {
      result.failure = static_cast<std::int32_t>(failure.kind());
      set_message(result, failure.what());
    } catch (const std::bad_alloc&) {
      result.failure = static_cast<std::int32_t>(Kind::failed);
      set_message(result, "needs more memory than is allowed");
    }
    return result;
  }

  void perform(const RequestHead& request, AnswerHead& result) {
    switch (request.request) {
      case Request::load:
        load();
        break;
      case Request::put:
        store_.append(reinterpret_cast<const char*>(channel_.body().data()), request.count);
        break;
      case Request::create:
        create();
        break;
      case Request::mount:
        mount(result);
        break;
      case Request::perform:
        perform_commands(request.count, result);
        break;
      case Request::read:
        result.status = instance_->read(request.what, request.slot, store_);
        break;
      case Request::write:
        result.status = instance_->write(request.what, request.slot, store_);
        store_.clear();
        break;
      case Request::call:
        result.status = call_code() ? GELENK_OK : GELENK_NOT_SOLVABLE;
        break;
      case Request::fetch:
        std::memcpy(channel_.body().data(), store_.data() + request.offset, request.count);
        if (request.offset + request.count == store_.size()) store_.clear();
        break;
    }
    result.size = store_.size();
  }

  void load() {
    LoadRequest order;
    std::memcpy(&order, channel_.body().data(), sizeof order);
    if (order.version != kChannelVersion) {
      throw ComponentFailure(Kind::not_loaded, "cannot be loaded: the program gelenk-worker has a different version");
    }
    const bool has_component = order.has_component != 0;
    const bool has_code = order.has_code != 0;
    const std::size_t count = has_component && has_code ? 2 : 1;
    if (count == 1) close_descriptors_from(kSecondLibraryDescriptor);
    constexpr std::array kFiles{kLibraryDescriptor, kSecondLibraryDescriptor};
    std::string missing = enter_loading_sandbox(std::span(kFiles).first(count), order.memory);
    const bool is_sandboxed = missing.empty();
    if (!is_sandboxed && order.allows_no_sandbox == 0) {
      throw ComponentFailure(Kind::not_loaded, "is not run, because this system cannot sandbox it (" + missing +
                                                   "); --trust-once runs it anyway");
    }
    std::string error;
    std::optional<SharedLibrary> first = SharedLibrary::load(Descriptor(kFiles[0]), error);
    std::optional<SharedLibrary> second =
        first && count == 2 ? SharedLibrary::load(Descriptor(kFiles[1]), error) : std::nullopt;
    if (is_sandboxed) missing = enter_sandbox();
    if (is_sandboxed && !missing.empty()) throw ComponentFailure(Kind::not_loaded, "cannot be sandboxed: " + missing);
    if (!first) throw ComponentFailure(Kind::not_loaded, "cannot be loaded: " + error);
    // Kept before anything is thrown: the sandbox has no way to unload them.
    (has_component ? library_ : code_).emplace(*std::move(first));
    if (count == 2) {
      if (!second) throw ComponentFailure(Kind::not_loaded, "has code that cannot be loaded: " + error);
      code_.emplace(*std::move(second));
    }
    if (has_component) {
      instance_.emplace(*library_, code_ ? &*code_ : nullptr);
    } else {
      prepare_code();
    }
  }

  void prepare_code() {
    const gelenk_code_api* const api = code_in(*code_);
    counts_ = count_code(*api);
    function_ = code_function(*api);
    std::memcpy(channel_.body().data(), &counts_, sizeof counts_);
  }

  bool call_code() {
    const auto* next = reinterpret_cast<const double*>(channel_.body().data());
    const auto take = [&](std::size_t count) { return std::span(std::exchange(next, next + count), count); };
    system::CodeCall call;
    call.time = take(1).front();
    call.parameters = take(counts_.parameters);
    call.motions = take(system::kCodeMotion * counts_.frames);
    call.states = take(counts_.states);
    call.inputs = take(counts_.inputs);
    auto* answer = reinterpret_cast<double*>(channel_.body().data()) + counts_.numbers_in();
    const auto give = [&](std::size_t count) { return std::span(std::exchange(answer, answer + count), count); };
    call.wrenches = give(6 * counts_.frames);
    call.rates = give(counts_.states);
    call.outputs = give(counts_.outputs);
    return function_(call) == system::CodeOutcome::good;
  }

  void create() {
    HostSettings settings;
    if (!decode(std::exchange(store_, {}), settings)) {
      throw ComponentFailure(Kind::not_loaded, "cannot be created: its settings did not arrive");
    }
    instance_->create(settings);
    store_ = encode(instance_->describe());
  }

  void mount(AnswerHead& result) {
    HostMounting mounting;
    if (!decode(std::exchange(store_, {}), mounting)) {
      throw ComponentFailure(Kind::failed, "cannot be mounted: its mounting did not arrive");
    }
    result.status = instance_->mount(mounting);
    if (result.status == GELENK_OK) store_ = encode(instance_->describe());
  }

  void perform_commands(std::size_t count, AnswerHead& result) {
    std::byte* body = channel_.body().data();
    const auto numbers_at = [&](std::uint64_t place) {
      return place == 0 ? nullptr : reinterpret_cast<double*>(body + place);
    };
    commands_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      PlacedCommand placed;
      std::memcpy(&placed, body + i * sizeof placed, sizeof placed);
      commands_.push_back({placed.code, placed.flags, placed.slot, placed.other, placed.time, numbers_at(placed.in_at),
                           numbers_at(placed.out_at), placed.in_count, placed.out_count});
    }
    const Instance::Outcome outcome = instance_->perform(commands_);
    result.status = outcome.status;
    result.done = outcome.done;
  }

  static void set_message(AnswerHead& answer, const std::string& text) {
    std::strncpy(answer.message, text.c_str(), sizeof answer.message - 1);
  }

  Channel channel_;
  // Never unloaded: the sandbox has no way to close their files.
  std::optional<SharedLibrary> library_, code_;
  std::optional<Instance> instance_;
  CodeCounts counts_;  // of forces in C alone
  system::CodeFunction function_;
  std::vector<gelenk_command> commands_;
  std::string store_;
};

}  // namespace

int serve_component() {
  constexpr int kNotAWorker = 2;
  // What the owner had open and did not mean to give away
  close_descriptors_from(kSecondLibraryDescriptor + 1);
  if (!die_with_owner()) return kNotAWorker;
  std::string error;
  std::optional<Channel> channel = Channel::attach(Descriptor(kChannelDescriptor), error);
  if (!channel) return kNotAWorker;
  Server(std::move(*channel)).run();
}

}  // namespace gelenk::component
