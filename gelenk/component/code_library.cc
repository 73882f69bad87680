#include "gelenk/component/code_library.h"

#include <array>
#include <cstring>

#include "gelenk/component/host.h"

namespace gelenk::component {
namespace {

using Kind = ComponentFailure::Kind;

// Motions and wrenches of the machine have the same numbers in the same order.
static_assert(sizeof(gelenk_code_motion) == system::kCodeMotion * sizeof(double) &&
              sizeof(gelenk_code_wrench) == 6 * sizeof(double));

// Of version 1.0.
constexpr std::size_t kFirstSize = offsetof(gelenk_code_api, next);

}  // namespace

CodeCounts count_code(const system::NativeCode& code) {
  return {code.frames.size(), code.state_count, code.inputs.size(), code.output_count, code.parameter_count};
}

CodeCounts count_code(const gelenk_code_api& api) {
  return {api.frame_count, api.state_count, api.input_count, api.output_count, api.parameter_count};
}

std::optional<CodeMismatch> compare_code(const CodeCounts& named, const CodeCounts& known) {
  const std::array all{
      CodeMismatch{"frames", named.frames, known.frames}, CodeMismatch{"states", named.states, known.states},
      CodeMismatch{"inputs", named.inputs, known.inputs}, CodeMismatch{"outputs", named.outputs, known.outputs},
      CodeMismatch{"parameters", named.parameters, known.parameters}};
  for (const CodeMismatch& count : all) {
    if (count.named != count.known) return count;
  }
  return std::nullopt;
}

const gelenk_code_api* code_in(const SharedLibrary& library) {
  auto* get_api = library.find<decltype(gelenk_code_get_api)>("gelenk_code_get_api");
  if (get_api == nullptr) throw ComponentFailure(Kind::not_loaded, "has code without a function gelenk_code_get_api");
  const gelenk_code_api* const first = get_api(GELENK_CODE_MAJOR);
  if (first == nullptr || first->size < kFirstSize || first->major != GELENK_CODE_MAJOR) {
    throw ComponentFailure(Kind::not_loaded, "has code that does not support version " +
                                                 std::to_string(GELENK_CODE_MAJOR) + " of gelenk_code.h");
  }
  for (const gelenk_code_api* api = first; api != nullptr; api = next_code(*api)) {
    if (api->evaluate == nullptr) throw ComponentFailure(Kind::not_loaded, "has code without a function to evaluate");
  }
  return first;
}

const gelenk_code_api* next_code(const gelenk_code_api& api) {
  return api.size >= sizeof(gelenk_code_api) ? api.next : nullptr;
}

system::CodeFunction code_function(const gelenk_code_api& api) {
  return [evaluate = api.evaluate, motions = std::vector<gelenk_code_motion>(api.frame_count),
          wrenches = std::vector<gelenk_code_wrench>(api.frame_count)](const system::CodeCall& call) mutable {
    // Copied: a row of numbers is not a row of structures.
    std::memcpy(motions.data(), call.motions.data(), call.motions.size_bytes());
    std::memcpy(wrenches.data(), call.wrenches.data(), call.wrenches.size_bytes());
    const gelenk_code_in in{sizeof in,          call.time,          motions.data(),
                            call.states.data(), call.inputs.data(), call.parameters.data()};
    gelenk_code_out out{sizeof out, wrenches.data(), call.rates.data(), call.outputs.data()};
    const int status = evaluate(&in, &out);
    std::memcpy(call.wrenches.data(), wrenches.data(), call.wrenches.size_bytes());
    return status == 0 ? system::CodeOutcome::good : system::CodeOutcome::no_answer;
  };
}

}  // namespace gelenk::component
