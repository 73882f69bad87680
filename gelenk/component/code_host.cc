#include "gelenk/component/code_host.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "gelenk/component/host_checks.h"
#include "gelenk/component/worker_link.h"

namespace gelenk::component {
namespace {

using Kind = ComponentFailure::Kind;

class InProcessCode final : public CodeHost {
 public:
  explicit InProcessCode(std::string_view library) {
    std::string error;
    std::optional<SharedLibrary> loaded = SharedLibrary::load(library, error);
    if (!loaded) throw ComponentFailure(Kind::not_loaded, "cannot be loaded: " + error);
    library_.emplace(*std::move(loaded));
    const gelenk_code_api* const api = code_in(*library_);
    counts_ = count_code(*api);
    function_ = code_function(*api);
  }

  system::CodeOutcome evaluate(const system::CodeCall& call) override { return function_(call); }

 private:
  std::optional<SharedLibrary> library_;
  system::CodeFunction function_;
};

class WorkerCode final : public CodeHost {
 public:
  WorkerCode(std::string_view library, const WorkerLimits& limits)
      : limits_(limits), link_(limits, kBodySize, [](Kind kind, std::string_view text) {
          throw ComponentFailure(kind, cleaned(text));
        }) {
    link_.start({}, library);
    std::memcpy(&counts_, link_.body().data(), sizeof counts_);
    constexpr std::size_t kMost = kBodySize / sizeof(double) / 64;
    for (const std::size_t count :
         {counts_.frames, counts_.states, counts_.inputs, counts_.outputs, counts_.parameters}) {
      if (count > kMost) throw ComponentFailure(Kind::wrong_sizes, "has too many frames, states or other numbers");
    }
    answer_.resize(counts_.numbers_out());
  }

  system::CodeOutcome evaluate(const system::CodeCall& call) override {
    auto* const numbers = reinterpret_cast<double*>(link_.body().data());
    double* next = numbers;
    *next++ = call.time;
    for (const std::span<const double> part : {call.parameters, call.motions, call.states, call.inputs}) {
      next = std::copy(part.begin(), part.end(), next);
    }
    // What is not written must not look like an answer.
    std::fill_n(next, answer_.size(), std::numeric_limits<double>::quiet_NaN());
    link_.set_deadline(limits_.call_seconds);
    const AnswerHead head = link_.ask({.request = Request::call});
    // Copied first, looked at then: nobody can change it in between.
    std::copy_n(next, answer_.size(), answer_.begin());
    std::atomic_signal_fence(std::memory_order_seq_cst);
    auto from = answer_.begin();
    for (const std::span<double> part : {call.wrenches, call.rates, call.outputs}) {
      std::copy_n(from, part.size(), part.begin());
      from += static_cast<std::ptrdiff_t>(part.size());
    }
    return head.status == GELENK_OK ? system::CodeOutcome::good : system::CodeOutcome::no_answer;
  }

 private:
  static constexpr std::size_t kBodySize = std::size_t{16} << 20;

  WorkerLimits limits_;
  WorkerLink link_;
  std::vector<double> answer_;
};

}  // namespace

std::unique_ptr<CodeHost> code_in_process(std::string_view library) { return std::make_unique<InProcessCode>(library); }

std::unique_ptr<CodeHost> code_in_worker(std::string_view library, const WorkerLimits& limits) {
  WorkerLimits complete = limits;
  complete.program = worker_program(limits, "");
  return std::make_unique<WorkerCode>(library, complete);
}

}  // namespace gelenk::component
