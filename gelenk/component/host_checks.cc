#include "gelenk/component/host_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/component/command_sizes.h"

namespace gelenk::component {
namespace {

using Kind = ComponentFailure::Kind;

constexpr std::size_t kMostMounts = 100'000;
constexpr std::size_t kLongestReason = 200;

std::uint32_t raw_kind(PortKind kind) {
  switch (kind) {
    case PortKind::frame:
      return GELENK_FRAME;
    case PortKind::signal_in:
      return GELENK_SIGNAL_IN;
    case PortKind::signal_out:
      return GELENK_SIGNAL_OUT;
    case PortKind::rotational:
      return GELENK_ROTATIONAL;
    case PortKind::translational:
      return GELENK_TRANSLATIONAL;
  }
  return GELENK_FRAME;
}

bool is_same(const Port& port, const DescribedPort& other) {
  return port.name == other.name && port.unit == other.unit && raw_kind(port.kind) == other.kind &&
         static_cast<std::uint32_t>(port.width) == other.width;
}

bool is_same(const Parameter& parameter, const DescribedParameter& other) {
  return parameter.name == other.name && parameter.unit == other.unit &&
         parameter.default_value == other.default_value && parameter.min == other.min && parameter.max == other.max;
}

bool is_same(const Output& output, const DescribedOutput& other) {
  return output.name == other.name && output.unit == other.unit;
}

// The first name of the manifest that the component describes in another way; empty when all agree.
template <class Entry, class Described>
std::string find_difference(const std::vector<Entry>& entries, const std::vector<Described>& others,
                            std::string_view what) {
  if (entries.size() != others.size()) {
    return "has " + std::to_string(others.size()) + " " + std::string(what) + "s, but its manifest lists " +
           std::to_string(entries.size());
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!is_same(entries[i], others[i])) {
      return "differs from its manifest in the " + std::string(what) + " " + shown(entries[i].name);
    }
  }
  return {};
}

ComponentSizes sizes_of(const Manifest& manifest) {
  ComponentSizes sizes;
  for (const Port& port : manifest.ports) {
    const auto width = static_cast<std::size_t>(port.width);
    if (port.kind == PortKind::signal_in) {
      sizes.inputs += width;
    } else if (port.kind == PortKind::signal_out) {
      sizes.signals += width;
    }
  }
  sizes.outputs = manifest.outputs.size();
  return sizes;
}

}  // namespace

std::string cleaned(std::string_view text) {
  std::string result(text.substr(0, kLongestReason));
  if (is_printable(result, false)) return result;
  for (char& letter : result) {
    if (letter < ' ' || letter > '~') letter = '?';
  }
  return result;
}

HostChecks::HostChecks(const Manifest& manifest) : manifest_(&manifest) {}

void HostChecks::fail(Kind kind, std::string_view text) const {
  throw ComponentFailure(kind, "component " + shown(manifest_->about.name) + " " + cleaned(text));
}

ComponentSizes HostChecks::check_description(const Description& description) const {
  for (const std::string& difference : {find_difference(manifest_->ports, description.ports, "port"),
                                        find_difference(manifest_->parameters, description.parameters, "parameter"),
                                        find_difference(manifest_->outputs, description.outputs, "output")}) {
    if (!difference.empty()) fail(Kind::wrong_sizes, difference);
  }
  const ComponentSizes sizes = sizes_of(*manifest_);
  if (description.input_size != sizes.inputs || description.signal_size != sizes.signals) {
    fail(Kind::wrong_sizes, "describes sizes that do not follow from its ports");
  }
  for (const DescribedPort& port : description.ports) {
    if (port.kind == GELENK_FRAME) check_place(port);
  }
  // Lengths are scaled by it, which must not round.
  int exponent = 0;
  const bool is_power = std::isfinite(description.length) && std::frexp(description.length, &exponent) == 0.5;
  if (!is_power) fail(Kind::broken_numbers, "has a length that is not a power of two");
  return sizes;
}

void HostChecks::check_place(const DescribedPort& port) const {
  constexpr double kRounding = 1e-9;
  const std::array<double, 9>& R = port.rotation;
  bool is_good = std::all_of(port.position.begin(), port.position.end(), [](double x) { return std::isfinite(x); });
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double dot = R[3 * i] * R[3 * j] + R[3 * i + 1] * R[3 * j + 1] + R[3 * i + 2] * R[3 * j + 2];
      is_good = is_good && std::abs(dot - (i == j ? 1.0 : 0.0)) <= kRounding;  // false for no-numbers, too
    }
  }
  const double determinant =
      R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
  if (!is_good || determinant < 0.0) {
    fail(Kind::broken_numbers, "has a port " + shown(port.name) + " whose pose is not valid");
  }
}

void HostChecks::check_mounting(const HostMounting& mounting) const {
  if (mounting.mounts.size() > kMostMounts) fail(Kind::wrong_sizes, "is mounted at too many frames");
  bool has_shaft = false;
  for (const gelenk_mount& mount : mounting.mounts) {
    const Port* const port = mount.port < manifest_->ports.size() ? &manifest_->ports[mount.port] : nullptr;
    if (port == nullptr || !(port->kind == PortKind::frame || is_shaft(port->kind))) {
      fail(Kind::wrong_sizes, "is mounted at a port that is neither a frame nor a shaft");
    }
    if (has_shaft && !is_shaft(port->kind)) fail(Kind::wrong_sizes, "is mounted at a frame after a shaft");
    has_shaft = is_shaft(port->kind);
  }
}

ComponentSizes HostChecks::with_mounts(ComponentSizes sizes, const HostMounting& mounting) const {
  sizes.mounts = sizes.shafts = 0;
  for (const gelenk_mount& mount : mounting.mounts) {
    ++(is_shaft(manifest_->ports[mount.port].kind) ? sizes.shafts : sizes.mounts);
  }
  return sizes;
}

ComponentSizes HostChecks::check_mounted(const Description& before, Description after) const {
  ComponentSizes sizes = sizes_of(*manifest_);
  sizes.switches = after.switch_count;
  if (after.switch_count > kMostSwitches) fail(Kind::wrong_sizes, "has too many switches");
  after.switch_count = before.switch_count;
  if (encode(after) != encode(before)) fail(Kind::wrong_sizes, "changes its description once it is mounted");
  return sizes;
}

void HostChecks::check_request(const gelenk_command& command, const ComponentSizes& sizes) const {
  const CommandRow* row = find_row(command.code);
  if (row == nullptr) fail(Kind::wrong_sizes, "was given an unknown command");
  if (!has_right_sizes(*row, command, sizes)) fail(Kind::wrong_sizes, "was called with buffers of the wrong size");
}

bool HostChecks::check_outcome(std::uint32_t status, std::size_t done, std::size_t count,
                               std::string_view last_error) const {
  const bool is_ok = status == GELENK_OK;
  if (done > count || is_ok != (done == count)) fail(Kind::wrong_sizes, "miscounts the commands it has done");
  if (status != GELENK_NOT_SOLVABLE) check_status(status, last_error);
  return is_ok;
}

void HostChecks::check_status(std::uint32_t status, std::string_view last_error) const {
  const std::string reason = last_error.empty() ? std::string() : ": " + std::string(last_error);
  switch (status) {
    case GELENK_OK:
      return;
    case GELENK_REFUSED:
      fail(Kind::refused, "refuses a command" + reason);
    case GELENK_UNKNOWN:
      fail(Kind::refused, "does not know a command" + reason);
    case GELENK_NOT_SOLVABLE:
    case GELENK_FAILED:
      fail(Kind::failed, "cannot continue" + reason);
    default:
      fail(Kind::failed, "returns an unknown status");
  }
}

void HostChecks::check_answer(const gelenk_command& command, const ComponentSizes& sizes) const {
  if (command.out == nullptr) return;
  const CommandRow* row = find_row(command.code);
  const std::span<const double> numbers(command.out, command.out_count);
  // 0 x is no zero where x is not finite: all at once, which is the rule.
  double sums[4] = {};
  std::size_t next = 0;
  for (; next + 4 <= numbers.size(); next += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += 0.0 * numbers[next + k];
  }
  for (; next < numbers.size(); ++next) sums[0] += 0.0 * numbers[next];
  const bool is_finite = sums[0] + sums[1] + sums[2] + sums[3] == 0.0;
  const bool is_good = is_finite || (row->may_be_infinite && std::all_of(numbers.begin(), numbers.end(),
                                                                         [](double number) { return number > 0.0; }));
  if (!is_good) fail(Kind::broken_numbers, "returns values that are not finite");
  if (row->mobility_at != nullptr) check_mobility(command.out + row->mobility_at(sizes), sizes.motions());
}

// Positive semidefinite up to rounding: no pivot of D + diag(e) is negative, where e_i is what rounding may make of
// D_ii. n^3/6 multiplications, less than it takes to compute D, and no indefinite D gets through.
void HostChecks::check_mobility(const double* D, std::size_t size) const {
  // Relative to the own direction, and to the largest of all: lengths and angles are mixed, and a direction that is
  // held has nothing but rounding.
  constexpr double kOwnRounding = 1e-8, kLargestRounding = 1e-12;
  double largest = 0.0;
  for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, std::abs(D[i * size + i]));
  const double least = kLargestRounding * largest;
  const auto fail_against_itself = [&] {
    fail(Kind::broken_numbers, "returns a mobility that no machine has: it moves against a load");
  };

  // This is done in every stage: L D Lᵀ by rows of the upper triangle, without roots inside.
  thread_local std::vector<double> room;
  room.resize((size + 1) * size);
  double* const rest = room.data();
  double* const own = rest + size * size;
  for (std::size_t i = 0; i < size; ++i) own[i] = std::sqrt(std::max(D[i * size + i], 0.0));
  for (std::size_t i = 0; i < size; ++i) {
    const double scale = kOwnRounding * own[i];
    for (std::size_t j = i; j < size; ++j) {
      const double upper = D[i * size + j], lower = D[j * size + i];
      if (std::abs(lower - upper) > scale * own[j] + least)
        fail(Kind::broken_numbers, "returns a mobility that is not symmetric");
      rest[i * size + j] = 0.5 * lower + 0.5 * upper;
    }
    rest[i * size + i] += scale * own[i] + least;
  }
  for (std::size_t k = 0; k < size; ++k) {
    const double* const row = rest + k * size;
    if (row[k] < 0.0) fail_against_itself();
    const double inverse = row[k] == 0.0 ? 0.0 : 1.0 / row[k];
    for (std::size_t i = k + 1; i < size; ++i) {
      if (row[i] == 0.0) continue;
      if (inverse == 0.0) fail_against_itself();
      const double factor = row[i] * inverse;
      double* const next = rest + i * size;
      for (std::size_t j = i; j < size; ++j) next[j] -= factor * row[j];
    }
  }
}

std::size_t most_numbers(const ComponentSizes& sizes) {
  std::size_t most = 0;
  for (const CommandRow& row : command_rows()) most = std::max(most, row.in(sizes).count + row.out(sizes));
  return most;
}

}  // namespace gelenk::component
