#include "gelenk/analysis/sealed_ends.h"

#include <algorithm>
#include <limits>

#include "gelenk/base/index.h"
#include "gelenk/component/command_sizes.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::analysis {
namespace {

constexpr unsigned kMotionOfEnds = GELENK_POSITIONS | GELENK_VELOCITIES | GELENK_JOINTS;
constexpr int kDrawn = -1;

gelenk_command command(gelenk_code code, unsigned flags, int slot, int other, std::span<const double> in,
                       std::span<double> out) {
  return {.code = static_cast<std::uint32_t>(code),
          .flags = flags,
          .slot = slot,
          .other = other,
          .time = 0.0,
          .in = in.data(),
          .out = out.data(),
          .in_count = in.size(),
          .out_count = out.size()};
}

unsigned flags_of(const solve::RankRule& rule) { return rule.decides ? GELENK_DECIDE_RANK : GELENK_KEEP_RANK; }

}  // namespace

SealedEnds::SealedEnds(const system::System& system, const mechanics::Ports& ports,
                       std::span<component::Carrier* const> carriers) {
  for (component::Carrier* const carrier : carriers) {
    End& end = *ends_.emplace_back(std::make_unique<End>());
    end.carrier = carrier;
    const system::SealedComponent& component = system.sealed[ends_.size() - 1];
    end.first_signal = at(component.first_signal);
    end.inputs.resize(component.inputs.size());
    has_inputs_ = has_inputs_ || !component.inputs.empty();
    works_ahead_ = works_ahead_ || carrier->works_ahead();
    const component::CarrierSizes& sizes = carrier->sizes();
    end.answer.resize(
        std::max(mechanics::kPortMotion * sizes.mounts + sizes.signals, sizes.motions() * sizes.motions() + 3));
    functions_.push_back(functions_of(end));
    implicit_functions_.push_back(implicit_functions_of(end));
  }
  for (std::size_t p = 0; p < ports.size() && !ends_.empty(); ++p) {
    const model::SealedPort& port = system.frames[at(ports.list[p].frame)].port;
    if (port.is_set()) ends_[at(port.component)]->ports.push_back(p);
  }
}

std::vector<SealedMobility> SealedEnds::drawn(std::span<component::Carrier* const> carriers) {
  std::vector<SealedMobility> result(carriers.size());
  for (std::size_t c = 0; c < carriers.size(); ++c) {
    const std::size_t mounts = carriers[c]->sizes().mounts;
    const std::size_t size = carriers[c]->sizes().motions();
    std::vector<double> answer((mechanics::kPortMotion + 2) * mounts + size * size);
    const gelenk_command ask = command(GELENK_DRAWN, 0, kDrawn, 0, {}, answer);
    carriers[c]->perform({&ask, 1});
    const auto references = answer.begin() + static_cast<std::ptrdiff_t>(mechanics::kPortMotion * mounts);
    const auto D = references + static_cast<std::ptrdiff_t>(2 * mounts);
    result[c] = {{answer.begin(), references}, {references, D}, {D, answer.end()}};
  }
  return result;
}

bool SealedEnds::End::perform(gelenk_code code, unsigned flags, int other, std::span<const double> in,
                              std::span<double> out) {
  const gelenk_command one = command(code, flags, slot, other, in, out);
  if (carrier->perform({&one, 1})) return true;
  has_failed = true;
  std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
  return false;
}

void SealedEnds::End::tell(gelenk_code code, unsigned flags) { carrier->tell(command(code, flags, slot, 0, {}, {})); }

void SealedEnds::End::begin(gelenk_code code, int other, std::span<const double> in, std::span<double> out) {
  const gelenk_command one = command(code, 0, slot, other, in, out);
  carrier->begin({&one, 1});
}

void SealedEnds::begin_all(std::span<const Next> next, const solve::RankRule& rule) {
  for (const std::unique_ptr<End>& end : ends_) {
    const component::CarrierSizes& sizes = end->carrier->sizes();
    end->next.clear();
    for (const Next& one : next) {
      unsigned flags = one.flags;
      // Forces wait for the inputs.
      if (!end->inputs.empty()) {
        if (one.code == GELENK_LOAD) flags &= ~static_cast<unsigned>(GELENK_FORCES);
        if (one.code == GELENK_RIGHT_SIDE && flags == GELENK_ACCELERATIONS) break;
      }
      const bool is_factor = one.code == GELENK_FACTOR;
      if (is_factor) flags = flags_of(rule);
      const std::span<const double> in = is_factor ? std::span(&rule.tolerance, 1) : std::span<const double>();
      end->next.push_back(command(one.code, flags, end->slot, 0, in,
                                  std::span(end->answer).first(component::find_row(one.code)->out(sizes))));
    }
    end->carrier->begin(end->next);
  }
}

void SealedEnds::load_drawn() {
  set_slot(kDrawn);
  for (const std::unique_ptr<End>& end : ends_) end->perform(GELENK_LOAD, kMotionOfEnds, 0, {}, {});
}

void SealedEnds::load_all(unsigned parts, mechanics::Workspace& workspace) {
  for (const std::unique_ptr<End>& end : ends_) {
    const std::size_t motions = mechanics::kPortMotion * end->ports.size();
    const std::size_t signals = end->carrier->sizes().signals;
    // Forces wait for the inputs.
    const unsigned now = end->inputs.empty() ? parts : parts & ~static_cast<unsigned>(GELENK_FORCES);
    if (!end->perform(GELENK_LOAD, now, 0, {}, std::span(end->answer).first(motions + signals))) continue;
    std::copy_n(&end->answer[motions], signals, workspace.sealed_signals.begin() + std::ptrdiff_t(end->first_signal));
    for (std::size_t i = 0; i < end->ports.size(); ++i) {
      mechanics::take_port_motion(&end->answer[mechanics::kPortMotion * i], end->ports[i], workspace);
    }
  }
}

void SealedEnds::give_all_inputs(const mechanics::Context& context, unsigned parts, mechanics::Workspace& workspace) {
  const mechanics::View<double> now = mechanics::view(context, workspace);
  for (std::size_t c = 0; c < ends_.size(); ++c) {
    End& end = *ends_[c];
    const std::vector<std::int32_t>& signals = context.system.sealed[c].inputs;
    if (signals.empty()) continue;
    for (std::size_t i = 0; i < signals.size(); ++i) end.inputs[i] = now.signal(signals[i]);
    end.next = {command(GELENK_LOAD, parts, end.slot, 0, end.inputs, {})};
    // What follows forces.
    if (parts == GELENK_FORCES) {
      const std::span<double> answer = end.answer;
      end.next.push_back(command(GELENK_RIGHT_SIDE, GELENK_ACCELERATIONS, end.slot, 0, {}, answer.first(2)));
      end.next.push_back(
          command(GELENK_UP, GELENK_GIVEN, end.slot, 0, {}, answer.first(end.carrier->sizes().motions())));
    }
    end.carrier->begin(end.next);
  }
  for (const std::unique_ptr<End>& end : ends_) {
    if (!end->inputs.empty()) end->perform(GELENK_LOAD, parts, 0, end->inputs, {});
  }
}

void SealedEnds::put_all_right_sides(gelenk_right_side kind) {
  gap_ = dropped_gap_ = 0.0;
  for (const std::unique_ptr<End>& end : ends_) {
    double gaps[2] = {};
    end->perform(GELENK_RIGHT_SIDE, static_cast<unsigned>(kind), 0, {}, gaps);
    gap_ = std::max(gap_, gaps[0]);
    dropped_gap_ = std::max(dropped_gap_, gaps[1]);
  }
}

void SealedEnds::take(gelenk_right_side kind) {
  for (const std::unique_ptr<End>& end : ends_) end->tell(GELENK_TAKE, static_cast<unsigned>(kind));
}

void SealedEnds::take_accelerations(int rate) {
  for (const std::unique_ptr<End>& end : ends_) end->perform(GELENK_TAKE, GELENK_ACCELERATIONS, rate, {}, {});
}

void SealedEnds::settle() {
  for (const std::unique_ptr<End>& end : ends_) end->tell(GELENK_SETTLE);
}

bool SealedEnds::has_failed() {
  bool result = false;
  for (const std::unique_ptr<End>& end : ends_) {
    result = result || end->has_failed;
    end->has_failed = false;
  }
  return result;
}

solve::NodeFunctions SealedEnds::functions_of(End& end) {
  solve::NodeFunctions functions;
  functions.self = &end;
  functions.factor = [](void* self, const solve::RankRule& rule, double* D) {
    End& one = *static_cast<End*>(self);
    const std::size_t size = one.carrier->sizes().motions();
    solve::NodeReport report;
    const std::span<double> answer = std::span(one.answer).first(size * size + 3);
    if (!one.perform(GELENK_FACTOR, flags_of(rule), 0, {&rule.tolerance, 1}, answer)) {
      std::fill_n(D, size * size, 0.0);
      return report;
    }
    std::copy_n(answer.data(), size * size, D);
    report.chosen_again = answer[size * size] != 0.0 ? 1 : 0;
    report.smallest = answer[size * size + 1];
    return report;
  };
  functions.up = [](void* self, solve::NodeLoad load, double* r) {
    End& one = *static_cast<End*>(self);
    one.perform(GELENK_UP, static_cast<unsigned>(load), 0, {}, {r, one.carrier->sizes().motions()});
  };
  functions.down = [](void* self, solve::NodeLoad load, const double* tau, double* a) {
    End& one = *static_cast<End*>(self);
    const std::size_t size = one.carrier->sizes().motions();
    one.perform(GELENK_DOWN, static_cast<unsigned>(load), 0, {tau, size}, {a, size});
  };
  if (end.carrier->works_ahead()) {
    functions.begin_down = [](void* self, solve::NodeLoad load, const double* tau) {
      End& one = *static_cast<End*>(self);
      const std::size_t size = one.carrier->sizes().motions();
      one.next = {command(GELENK_DOWN, static_cast<unsigned>(load), one.slot, 0, {tau, size},
                          std::span(one.answer).first(size))};
      if (one.expected_rate >= 0) {
        one.next.push_back(command(GELENK_TAKE, GELENK_ACCELERATIONS, one.slot, one.expected_rate, {}, {}));
      }
      one.carrier->begin(one.next);
    };
  }
  functions.residual = [](void* self) {
    double left[6] = {};
    static_cast<End*>(self)->perform(GELENK_RESIDUAL, 0, 0, {}, left);
    solve::NodeResidual residual;
    residual.forces = left[0];
    residual.inertial_forces = left[1];
    residual.rows = left[2];
    residual.dropped = left[3];
    residual.change = left[4];
    residual.motion = left[5];
    return residual;
  };
  functions.make_test_load = [](void* self, std::int32_t which, double* a) {
    End& one = *static_cast<End*>(self);
    one.perform(GELENK_TEST_LOAD, 0, which, {}, {a, one.carrier->sizes().motions()});
  };
  functions.forget = [](void* self) { static_cast<End*>(self)->tell(GELENK_FORGET); };
  return functions;
}

}  // namespace gelenk::analysis
