#include "apps/gelenk/seal_disclosure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gelenk/analysis/sealed_interior.h"
#include "gelenk/base/index.h"
#include "gelenk/base/text.h"
#include "gelenk/component/command_sizes.h"
#include "gelenk/math/principal_axes.h"

namespace gelenk::app {
namespace {

// A direction that a load moves so much less than the bare masses would let it is one that it does not move.
constexpr double kNothing = 1e-9;
// And what is left of a difference is rounding.
constexpr double kRoundingOfInertia = 1e-12;

// Blocks of the mobility of one port: accelerations for loads, motions along before those about.
struct PortMobility {
  Matrix3 along_along, along_about, about_about;
};

double least_of(const PrincipalAxes& principal, double scale) {
  return std::max(kNothing * scale, kRoundingOfInertia * principal.values[2]);
}

// Who pushes along a unit vector n feels the mass 1 / (nᵀ D n).
Felt felt(const Matrix3& D, double scale) {
  const PrincipalAxes principal = principal_axes(D);
  const double least = least_of(principal, scale);
  Felt result;
  result.smallest = result.largest = std::numeric_limits<double>::infinity();
  for (int i = 2; i >= 0; --i) {
    if (principal.values[i] <= least) {
      result.immovable.emplace_back(principal.axes.col(i));
      continue;
    }
    const double inverse = 1.0 / principal.values[i];
    if (i == 2) result.smallest = inverse;
    result.largest = inverse;
  }
  return result;
}

// The mobility along when whoever pushes also adds the torques that keep it from turning.
Matrix3 steered(const PortMobility& D, double turn_scale) {
  const PrincipalAxes turning = principal_axes(D.about_about);
  const double least = least_of(turning, turn_scale);
  Matrix3 result = D.along_along;
  for (int i = 0; i < 3; ++i) {
    if (turning.values[i] <= least) continue;
    const Vector3 lever = D.along_about * turning.axes.col(i);
    result -= lever * lever.transpose() / turning.values[i];
  }
  return result;
}

void put_matrix(const Matrix3& from, double* by_row) {
  for (int i = 0; i < 9; ++i) by_row[i] = from(i / 3, i % 3);
}

component::HostMounting alone_at(std::uint32_t port, double length, double rank_tolerance) {
  component::HostMounting mounting;
  gelenk_mount& mount = mounting.mounts.emplace_back();
  mount.port = port;
  mount.has_joint = 1;
  gelenk_mounting& rest = mounting.rest;
  rest.size = sizeof rest;
  for (double* axes : {mount.rotation, rest.rotation, rest.mirror, rest.world_mirror}) {
    put_matrix(Matrix3::Identity(), axes);
  }
  rest.length = length;
  rest.rank_tolerance = rank_tolerance;
  rest.tolerance = 1.0;
  return mounting;
}

// Of the numbers row by row.
PortMobility blocks_of(std::span<const double> D) {
  PortMobility result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const auto number = [&](int row, int column) { return D[at(6 * row + column)]; };
      result.along_along(i, j) = number(i, j);
      result.along_about(i, j) = number(i, j + 3);
      result.about_about(i, j) = number(i + 3, j + 3);
    }
  }
  return result;
}

// Row by row.
std::optional<std::vector<double>> mobility_at(analysis::SealedInterior& machine, std::uint32_t port,
                                               double rank_tolerance) {
  if (!machine.mount(alone_at(port, machine.length(), rank_tolerance))) return std::nullopt;
  const component::ComponentSizes sizes = machine.sizes();
  std::vector<double> answer(component::find_row(GELENK_DRAWN)->out(sizes));
  gelenk_command command{};
  command.code = GELENK_DRAWN;
  command.out = answer.data();
  command.out_count = answer.size();
  std::size_t done = 0;
  if (machine.perform(std::span(&command, 1), done) != GELENK_OK) return std::nullopt;
  return std::vector<double>(answer.end() - 36, answer.end());
}

// "x", or "[0.6, 0, 0.8]": along a line, so the sign is free.
std::string line_text(Vector3 direction) {
  constexpr double kAligned = 1e-6;
  int largest = 0;
  direction.cwiseAbs().maxCoeff(&largest);
  if (direction[largest] < 0.0) direction = -direction;
  if (1.0 - direction[largest] < kAligned) return std::string(1, "xyz"[largest]);
  const auto number = [](double value) { return format_rounded(std::abs(value) < kAligned ? 0.0 : value, 3); };
  return fmt::format("[{}, {}, {}]", number(direction[0]), number(direction[1]), number(direction[2]));
}

std::string felt_text(const Felt& felt, std::string_view unit, std::string_view along, std::string_view fixed) {
  if (felt.is_immovable()) return std::string(fixed);
  const std::string low = format_rounded(felt.smallest, 3), high = format_rounded(felt.largest, 3);
  const std::string range = low == high ? fmt::format("{} {}", low, unit) : fmt::format("{} to {} {}", low, high, unit);
  if (felt.immovable.empty()) return range;
  if (felt.immovable.size() == 1) return fmt::format("{}, {} {} {}", range, fixed, along, line_text(felt.immovable[0]));
  return fmt::format("{} {} {}, {} otherwise", range, along, line_text(felt.immovable[0].cross(felt.immovable[1])),
                     fixed);
}

void write_felt(JsonWriter& json, std::string_view key, const Felt& felt) {
  json.key(key).begin_object().member("smallest", felt.smallest).member("largest", felt.largest);
  json.key("immovable").begin_array();
  for (const Vector3& direction : felt.immovable) {
    json.begin_array().value(direction[0]).value(direction[1]).value(direction[2]).end_array();
  }
  json.end_array().end_object();
}

std::string hidden_text(const Disclosure& d) {
  std::vector<std::string> counts;
  const std::pair<std::size_t, std::string_view> all[] = {{d.parts, "part"},     {d.joints, "joint"},
                                                          {d.drivers, "driver"}, {d.forces, "force"},
                                                          {d.states, "state"},   {d.parameters, "parameter"}};
  for (const auto& [count, noun] : all) {
    if (count > 0) counts.push_back(counted(count, noun));
  }
  return join(counts, ", ");
}

std::string disclosed_names(std::string_view what, const std::vector<std::string>& names) {
  return fmt::format("  {}: {}\n", what, names.empty() ? "none" : join(names, ", "));
}

}  // namespace

PortDisclosure disclose_port(const std::string& port, std::span<const double> mobility, const MobilityScales& scales) {
  const PortMobility D = blocks_of(mobility);
  return {port, felt(D.along_along, scales.along), felt(steered(D, scales.about), scales.along),
          felt(D.about_about, scales.about)};
}

std::string port_text(const PortDisclosure& port) {
  const std::string free = felt_text(port.mass, "kg", "along", "immovable");
  const std::string steered = felt_text(port.steered_mass, "kg", "along", "immovable");
  std::string text = fmt::format("  apparent mass at '{}': {}", port.port, free);
  if (steered != free) text += fmt::format("; if kept from turning: {}", steered);
  return text + fmt::format("\n  apparent inertia at '{}': {}\n", port.port,
                            felt_text(port.inertia, "kg*m^2", "about", "cannot be turned"));
}

void write_port_json(JsonWriter& json, const PortDisclosure& port) {
  json.begin_object().member("name", port.port);
  write_felt(json, "mass", port.mass);
  write_felt(json, "massKeptFromTurning", port.steered_mass);
  write_felt(json, "inertia", port.inertia);
  json.end_object();
}

std::optional<Disclosure> disclose(const ModelInput& input, const component::Manifest& manifest, double rank_tolerance,
                                   std::string& error) {
  const model::Machine& machine = *input.machine;
  Disclosure result;
  result.parts = machine.parts.size();
  result.joints = machine.joints.size();
  result.forces = machine.forces.size();
  result.drivers = machine.drivers.size();
  result.states = machine.states.size();
  std::vector<double> parameters;
  for (const model::AssemblyNode& assembly : machine.assemblies) result.parameters += assembly.parameters.size();
  result.parameters -= manifest.parameters.size();
  for (const model::ParameterValue& value : machine.assemblies.front().parameters) parameters.push_back(value.value);

  const auto carry = [&](const model::SealedNode& node, model::SealedDrawing& drawing) {
    return input.sealed->carry(node, drawing);
  };
  analysis::SealedInterior led(input.loaded.model, std::move(parameters), read_file, carry);
  double mass = 0.0;
  for (const model::PartNode& part : machine.parts) mass += part.mass_properties.mass;
  MobilityScales scales{1.0 / mass, 1.0 / (mass * led.length() * led.length())};
  std::vector<std::string> names;
  std::vector<std::vector<double>> mobilities;
  for (std::size_t i = 0; i < manifest.ports.size(); ++i) {
    if (manifest.ports[i].kind != component::PortKind::frame) continue;
    const std::optional<std::vector<double>> D = mobility_at(led, static_cast<std::uint32_t>(i), rank_tolerance);
    if (!D) {
      error = led.error();
      return std::nullopt;
    }
    names.push_back(manifest.ports[i].name);
    mobilities.push_back(*D);
  }
  if (machine.parts.empty()) {  // all masses are in sealed components: the port that moves most easily is the scale
    scales = {0.0, 0.0};
    const auto trace = [](const std::vector<double>& D, std::size_t first) {
      return D[7 * first] + D[7 * (first + 1)] + D[7 * (first + 2)];
    };
    for (const std::vector<double>& D : mobilities) {
      scales.along = std::max(scales.along, trace(D, 0));
      scales.about = std::max(scales.about, trace(D, 3));
    }
  }
  for (std::size_t i = 0; i < mobilities.size(); ++i) {
    result.ports.push_back(disclose_port(names[i], mobilities[i], scales));
  }
  return result;
}

std::string disclosure_text(const component::ContainerDraft& draft, const Disclosure& disclosure) {
  const component::Manifest& manifest = draft.manifest;
  std::vector<std::string> ports, inputs, signals, parameters, outputs, files;
  for (const component::Port& port : manifest.ports) {
    const bool is_input = port.kind == component::PortKind::signal_in;
    (port.kind == component::PortKind::frame ? ports : is_input ? inputs : signals).push_back(port.name);
  }
  for (const component::Parameter& parameter : manifest.parameters) parameters.push_back(parameter.name);
  for (const component::Output& output : manifest.outputs) outputs.push_back(output.name);
  for (const ZipEntry& file : draft.files) files.push_back(file.path);
  std::string text = "What anyone who has this component can see:\n";
  text += disclosed_names("ports", ports) + disclosed_names("parameters", parameters);
  if (!inputs.empty()) text += disclosed_names("inputs", inputs);
  text += disclosed_names("outputs", outputs);
  if (!signals.empty()) text += disclosed_names("known at every instant", signals);
  text += disclosed_names("files", files);
  text += "What loads reveal at a port with nothing else attached, as drawn:\n";
  for (const PortDisclosure& port : disclosure.ports) text += port_text(port);
  return text + fmt::format("What stays inside: {}\n", hidden_text(disclosure));
}

void write_disclosure_json(JsonWriter& json, const Disclosure& disclosure) {
  json.key("ports").begin_array();
  for (const PortDisclosure& port : disclosure.ports) write_port_json(json, port);
  json.end_array().key("hidden").begin_object();
  json.member("parts", disclosure.parts).member("joints", disclosure.joints).member("drivers", disclosure.drivers);
  json.member("forces", disclosure.forces)
      .member("states", disclosure.states)
      .member("parameters", disclosure.parameters);
  json.end_object();
}

}  // namespace gelenk::app
