#include "python/src/simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gelenk/analysis/run_integrator.h"
#include "gelenk/base/text.h"

namespace gelenk::python {
namespace {

using integrate::Outcome;

results::Layout layout_of(const model::Machine& machine, const std::vector<std::string>& names) {
  results::Selection selection;
  for (const std::string& name : names) {
    selection.patterns.push_back(name);
    selection.patterns.push_back(name + ".*");
  }
  return results::make_layout(machine, selection);
}

}  // namespace

Simulator::Simulator(std::shared_ptr<const Machine> machine, const analysis::RunOptions& options)
    : machine_(std::move(machine)),
      options_(analysis::endless(options)),
      params_(machine_->params()),
      simulation_(machine_->system(), params_, machine_->assembly(), options_) {
  if (!simulation_.start()) fail();
  start_ = simulation_.save();
}

void Simulator::fail() {
  const Diagnostic failure = simulation_.failure();
  const Message message = message_of(failure, machine_->sources());
  std::string text = message.element.empty()
                         ? message.message
                         : fmt::format("{} '{}': {}", message.element_kind, message.element, message.message);
  if (!message.hint.empty()) text += fmt::format(" ({})", message.hint);
  throw Failure(Failure::Kind::simulation, std::string(trim(text)), {message});
}

void Simulator::advance(double until, const std::function<bool()>& goes_on) {
  if (!std::isfinite(until)) throw Failure(Failure::Kind::usage, "the time to advance to must be finite");
  const auto stop = [&] { return !goes_on(); };
  if (simulation_.advance(until, stop) == Outcome::failed) fail();
}

void Simulator::step() {
  if (simulation_.step() == Outcome::failed) fail();
}

void Simulator::set_input(std::size_t index, double value) {
  if (!std::isfinite(value)) {
    throw Failure(Failure::Kind::usage,
                  fmt::format("input '{}' must be finite, not {}", machine_->machine().inputs.at(index).name, value));
  }
  // Held as it was: nothing has to start anew.
  if (params_.inputs.at(index) == value) return;
  params_.inputs[index] = value;
  simulation_.note_inputs();
}

void Simulator::load(std::string_view bytes) {
  if (simulation_.load(bytes, params_.inputs)) return;
  throw Failure(Failure::Kind::usage,
                "these bytes are not a state of this machine, saved with this method: nothing was changed");
}

Watch::Watch(std::shared_ptr<Simulator> simulator, const std::vector<std::string>& names)
    : simulator_(std::move(simulator)),
      layout_(layout_of(simulator_->machine().machine(), names)),
      places_(layout_),
      row_(layout_.blocks.size()) {
  for (std::size_t b = 0; b < row_.size(); ++b) row_[b].resize(layout_.blocks[b].width);
  for (const std::string& name : names) pick(name);
  values_.assign(picks_.size(), std::numeric_limits<double>::quiet_NaN());
}

void Watch::add(const std::string& name, std::size_t block, std::size_t column, bool is_magnitude) {
  names_.push_back(name);
  picks_.push_back({block, column, is_magnitude});
}

void Watch::pick(const std::string& name) {
  for (const results::Channel& channel : layout_.channels) {
    if (!name.starts_with(channel.name)) continue;
    const std::string rest = name.substr(channel.name.size());
    const std::vector<results::BlockId> ids = layout_.ids();
    const auto block = static_cast<std::size_t>(std::ranges::find(ids, channel.block) - ids.begin());
    const std::vector<std::string_view> components = channel.components();
    if (rest == ".magnitude" && components.size() == 3) return add(name, block, channel.column, true);
    if (rest.empty()) {
      std::size_t column = channel.column;
      for (const std::string_view component : components) add(name + std::string(component), block, column++, false);
      return;
    }
    const auto found = std::ranges::find(components, rest);
    if (found == components.end()) continue;
    return add(name, block, channel.column + static_cast<std::size_t>(found - components.begin()), false);
  }
  std::vector<std::string> known;
  for (const results::Channel& channel : results::make_layout(simulator_->machine().machine()).channels) {
    for (const std::string_view component : channel.components())
      known.push_back(channel.name + std::string(component));
  }
  const std::string hint = did_you_mean(name, known);
  throw Failure(Failure::Kind::usage,
                fmt::format("there is no channel {}{}", shown(name), hint.empty() ? "" : ": " + hint));
}

void Watch::update() {
  const auto place = [this](std::size_t block) { return std::span<double>(row_[block]); };
  if (!simulator_->simulation().observe(places_.begin(place))) {
    throw Failure(Failure::Kind::simulation, "a value that is watched is not finite");
  }
  places_.finish(place);
  for (std::size_t i = 0; i < picks_.size(); ++i) {
    const double* const from = &row_[picks_[i].block][picks_[i].column];
    values_[i] = picks_[i].is_magnitude ? std::hypot(from[0], from[1], from[2]) : from[0];
  }
}

}  // namespace gelenk::python
