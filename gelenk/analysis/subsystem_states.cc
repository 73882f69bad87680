#include "gelenk/analysis/subsystem_states.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace gelenk::analysis {

using subsystem::Subsystem;

void SubsystemStates::reserve(int states, int rates, integrate::Chart chart, bool has_stages) {
  for (Subsystem* const one : all_) one->states().reserve(states, rates, chart, has_stages);
}

void SubsystemStates::start(int slot, std::span<const std::string> bytes) {
  for (Subsystem* const one : all_) one->states().start(slot);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    all_[i]->states().write(subsystem::States::Kept::state, slot, bytes[i]);
  }
}

std::vector<std::string> SubsystemStates::read_states(int slot) const {
  std::vector<std::string> bytes;
  for (Subsystem* const one : all_) bytes.push_back(one->states().read(subsystem::States::Kept::state, slot));
  return bytes;
}

void SubsystemStates::copy(int from, int to) {
  for (Subsystem* const one : all_) one->states().copy(from, to);
}

void SubsystemStates::combine(int from, double time, std::span<const integrate::Term> terms, int to) {
  for (Subsystem* const one : all_) one->states().combine(from, time, terms, to);
}

void SubsystemStates::combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to) {
  for (Subsystem* const one : all_) one->states().combine_stage(from, time, terms, to);
}

void SubsystemStates::combine_rates(std::span<const integrate::Term> terms, int to) {
  for (Subsystem* const one : all_) one->states().combine_rates(terms, to);
}

integrate::Norm SubsystemStates::error_norm(std::size_t which, int from, int to,
                                            std::span<const integrate::Term> error) {
  if (which == 0) {  // the others are asked next
    for (Subsystem* const one : all_) {
      if (subsystem::Ahead* const ahead = one->ahead()) ahead->begin_error_norm(from, to, error);
    }
  }
  return all_[which]->states().error_norm(from, to, error);
}

bool SubsystemStates::can_be_implicit() const {
  return std::all_of(all_.begin(), all_.end(), [](Subsystem* one) { return one->newton() != nullptr; });
}

double SubsystemStates::next_jump(double time) {
  double first = std::numeric_limits<double>::infinity();
  for (Subsystem* const one : all_) first = std::min(first, one->events().next_jump(time));
  return first;
}

void SubsystemStates::cross(int slot) {
  for (Subsystem* const one : all_) one->events().cross(slot);
}

void SubsystemStates::set_all_sides(int slot) {
  for (Subsystem* const one : all_) one->events().set_all_sides(slot);
}

std::size_t SubsystemStates::switch_count() const {
  std::size_t count = 0;
  for (const Subsystem* const one : all_) count += one->shape().switches;
  return count;
}

void SubsystemStates::slacks(int slot, std::span<double> values) {
  for (Subsystem* const one : all_) {
    subsystem::Ahead* const ahead = one->ahead();
    if (ahead != nullptr && one->shape().switches > 0) ahead->begin_slacks(slot);
  }
  for (Subsystem* const one : all_) {
    const std::size_t count = one->shape().switches;
    if (count == 0) continue;
    one->events().slacks(slot, values.first(count));
    values = values.subspan(count);
  }
}

void SubsystemStates::flip(int slot, std::size_t which) {
  std::size_t first = 0;
  for (Subsystem* const one : all_) {
    const std::size_t end = first + one->shape().switches;
    if (which >= first && which < end) {
      one->events().flip(slot, which - first);
    } else {
      one->events().mark_event(slot);
    }
    first = end;
  }
}

void SubsystemStates::mark_event(int slot) {
  for (Subsystem* const one : all_) one->events().mark_event(slot);
}

void SubsystemStates::read_outputs(int slot, Report& report) {
  report = {};
  for (Subsystem* const one : all_) {
    const std::size_t first = report.outputs.size();
    report.outputs.resize(first + one->shape().outputs);
    const subsystem::Books books = one->outputs().read(slot, std::span(report.outputs).subspan(first));
    report.received += books.received;
    report.exchanged += std::abs(books.received);
    report.error += std::abs(books.error);
  }
}

void SubsystemStates::save(subsystem::States::Kept what, int slot, ByteWriter& out) const {
  for (Subsystem* const one : all_) out.put(one->states().read(what, slot));
}

void SubsystemStates::load(subsystem::States::Kept what, int slot, ByteReader& in) {
  for (Subsystem* const one : all_) {
    std::string bytes;
    in.get(bytes);
    if (in.is_good() && !one->states().write(what, slot, bytes)) in.fail();
  }
}

}  // namespace gelenk::analysis
