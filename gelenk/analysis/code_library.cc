#include "gelenk/analysis/code_library.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <vector>

namespace gelenk::analysis {

// Motions and wrenches of the machine have the same numbers in the same order.
static_assert(sizeof(gelenk_code_motion) == system::kCodeMotion * sizeof(double) &&
              sizeof(gelenk_code_wrench) == 6 * sizeof(double));

CodeCounts count_code(const system::System& system) {
  if (!system.code) return {};
  const system::NativeCode& code = *system.code;
  return {true, code.frames.size(), code.state_count, code.inputs.size(), code.output_count, code.parameter_count};
}

std::string compare_code(const CodeCounts& counts, const gelenk_code_api* api) {
  if (!counts.is_there) return api == nullptr ? "" : "it has code, but its model has no section `code:`";
  if (api == nullptr) return "its model has a section `code:`, but its code is missing";
  struct Count {
    const char* what;
    std::size_t named, known;
  };
  const std::array all{
      Count{"frames", counts.frames, api->frame_count}, Count{"states", counts.states, api->state_count},
      Count{"inputs", counts.inputs, api->input_count}, Count{"outputs", counts.outputs, api->output_count},
      Count{"parameters", counts.parameters, api->parameter_count}};
  for (const Count& count : all) {
    if (count.named == count.known) continue;
    return fmt::format("its code has {} {}, but the section `code:` of its model lists {}", count.known, count.what,
                       count.named);
  }
  return {};
}

system::CodeFunction code_function(const gelenk_code_api& api) {
  return [evaluate = api.evaluate, motions = std::vector<gelenk_code_motion>(api.frame_count),
          wrenches = std::vector<gelenk_code_wrench>(api.frame_count)](const system::CodeCall& call) mutable {
    // Copied: a row of numbers is no row of structures.
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

}  // namespace gelenk::analysis
