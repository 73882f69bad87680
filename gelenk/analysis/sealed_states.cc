#include "gelenk/analysis/sealed_states.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace gelenk::analysis {

void SealedStates::tell_all(const gelenk_command& command) {
  for (component::Carrier* const carrier : carriers_) carrier->tell(command);
}

void SealedStates::put_terms(std::span<const integrate::Term> terms) {
  terms_.clear();
  for (const integrate::Term& term : terms) {
    terms_.push_back(term.coefficient);
    terms_.push_back(static_cast<double>(term.rate));
  }
}

void SealedStates::reserve(int states, int rates, integrate::Chart chart, bool has_stages) {
  unsigned kind = chart == integrate::Chart::linear ? GELENK_LINEAR : GELENK_EXPONENTIAL;
  if (has_stages) kind |= GELENK_STAGES;
  tell_all({GELENK_RESERVE, kind, states, rates, 0.0, nullptr, nullptr, 0, 0});
}

void SealedStates::start(int slot, std::span<const std::string> bytes) {
  tell_all({GELENK_START, 0, slot, 0, 0.0, nullptr, nullptr, 0, 0});
  for (std::size_t c = 0; c < bytes.size(); ++c) carriers_[c]->write(GELENK_STATE, slot, bytes[c]);
}

std::vector<std::string> SealedStates::read_states(int slot) const {
  std::vector<std::string> bytes;
  for (component::Carrier* const carrier : carriers_) bytes.push_back(carrier->read(GELENK_STATE, slot));
  return bytes;
}

void SealedStates::copy(int from, int to) { tell_all({GELENK_COPY, 0, from, to, 0.0, nullptr, nullptr, 0, 0}); }

void SealedStates::combine(int from, double time, std::span<const integrate::Term> terms, int to) {
  if (carriers_.empty()) return;
  put_terms(terms);
  tell_all({GELENK_COMBINE, 0, from, to, time, terms_.data(), nullptr, terms_.size(), 0});
}

void SealedStates::combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to) {
  if (carriers_.empty()) return;
  terms_.clear();
  integrate::append_terms(terms, terms_);
  tell_all({GELENK_COMBINE_STAGE, 0, from, to, time, terms_.data(), nullptr, terms_.size(), 0});
}

void SealedStates::combine_rates(std::span<const integrate::Term> terms, int to) {
  if (carriers_.empty()) return;
  put_terms(terms);
  tell_all({GELENK_COMBINE_RATES, 0, 0, to, 0.0, terms_.data(), nullptr, terms_.size(), 0});
}

integrate::Norm SealedStates::error_norm(std::size_t component, int from, int to,
                                         std::span<const integrate::Term> error) {
  put_terms(error);
  double answer[2] = {};
  const gelenk_command command{GELENK_ERROR_NORM, 0, from, to, 0.0, terms_.data(), answer, terms_.size(), 2};
  if (component == 0) {  // the others are asked next
    for (component::Carrier* const carrier : carriers_) carrier->begin({&command, 1});
  }
  carriers_[component]->perform({&command, 1});
  return {answer[0], static_cast<std::size_t>(answer[1])};
}

double SealedStates::next_jump(double time) {
  double first = std::numeric_limits<double>::infinity();
  for (component::Carrier* const carrier : carriers_) {
    double jump = first;
    const gelenk_command command{GELENK_NEXT_JUMP, 0, 0, 0, time, nullptr, &jump, 0, 1};
    carrier->perform({&command, 1});
    first = std::min(first, jump);
  }
  return first;
}

void SealedStates::cross(int slot) { tell_all({GELENK_CROSS, 0, slot, 0, 0.0, nullptr, nullptr, 0, 0}); }

void SealedStates::start_sides(int slot) {
  tell_all({GELENK_CROSS, GELENK_ALL_SIDES, slot, 0, 0.0, nullptr, nullptr, 0, 0});
}

std::size_t SealedStates::switch_count() const {
  std::size_t count = 0;
  for (const component::Carrier* const carrier : carriers_) count += carrier->sizes().switches;
  return count;
}

void SealedStates::slacks(int slot, std::span<double> values) {
  for (component::Carrier* const carrier : carriers_) {
    const std::size_t count = carrier->sizes().switches;
    const gelenk_command command{GELENK_SLACKS, 0, slot, 0, 0.0, nullptr, values.data(), 0, count};
    if (count > 0) carrier->begin({&command, 1});
  }
  for (component::Carrier* const carrier : carriers_) {
    const std::size_t count = carrier->sizes().switches;
    if (count == 0) continue;
    const gelenk_command command{GELENK_SLACKS, 0, slot, 0, 0.0, nullptr, values.data(), 0, count};
    carrier->perform({&command, 1});
    values = values.subspan(count);
  }
}

void SealedStates::flip(int slot, int which) {
  for (component::Carrier* const carrier : carriers_) {
    const int count = static_cast<int>(carrier->sizes().switches);
    const int own = which >= 0 && which < count ? which : -1;
    carrier->tell({GELENK_FLIP, 0, slot, own, 0.0, nullptr, nullptr, 0, 0});
    which = which < count ? -1 : which - count;
  }
}

void SealedStates::tell(int slot, Told& told) {
  told = {};
  for (component::Carrier* const carrier : carriers_) {
    std::vector<double> answer(carrier->sizes().outputs + 2);
    const gelenk_command command{GELENK_OUTPUTS, 0, slot, 0, 0.0, nullptr, answer.data(), 0, answer.size()};
    carrier->perform({&command, 1});
    told.outputs.insert(told.outputs.end(), answer.begin(), answer.end() - 2);
    told.received += answer[answer.size() - 2];
    told.exchanged += std::abs(answer[answer.size() - 2]);
    told.error += std::abs(answer.back());
  }
}

void SealedStates::save(gelenk_bytes what, int slot, ByteWriter& out) const {
  for (component::Carrier* const carrier : carriers_) out.put(carrier->read(what, slot));
}

void SealedStates::load(gelenk_bytes what, int slot, ByteReader& in) {
  for (component::Carrier* const carrier : carriers_) {
    std::string bytes;
    in.get(bytes);
    if (in.is_good()) carrier->write(what, slot, bytes);
  }
}

}  // namespace gelenk::analysis
