#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/gelenk/model_input.h"
#include "gelenk/component/container.h"
#include "gelenk/math/pose.h"

// What a sealed component reveals to everybody who mounts it, whatever its maker publishes.
namespace gelenk::app {

// How a port answers to a load along or about each direction: the smallest and the largest that is felt, kg or kg m².
struct Felt {
  double smallest = 0.0, largest = 0.0;
  std::vector<Vector3> immovable;  // directions in which no load moves it; orthonormal, axes of the component
  bool is_immovable() const { return immovable.size() == 3; }
};

// Of a component that hangs at this port alone, as it is drawn.
struct PortDisclosure {
  std::string port;
  Felt mass;          // it may turn as it likes
  Felt steered_mass;  // it is kept from turning
  Felt inertia;
};

struct Disclosure {
  std::vector<PortDisclosure> ports;
  std::size_t parts = 0, joints = 0, forces = 0, drivers = 0, states = 0, parameters = 0;  // that stay inside
};

// What counts as moving: the mobility of what hangs there if it were one body.
struct MobilityScales {
  double along = 1.0;  // 1/kg
  double about = 1.0;  // 1/(kg m²)
};

// Of its mobility there, six by six numbers row by row.
PortDisclosure disclose_port(const std::string& port, std::span<const double> mobility, const MobilityScales& scales);
std::string port_text(const PortDisclosure& port);
void write_port_json(JsonWriter& json, const PortDisclosure& port);

// The machine is one that was checked. Nothing with a sentence in `error`.
std::optional<Disclosure> disclose(const ModelInput& input, const component::Manifest& manifest, double rank_tolerance,
                                   std::string& error);

std::string disclosure_text(const component::ContainerDraft& draft, const Disclosure& disclosure);
// The members of an open object.
void write_disclosure_json(JsonWriter& json, const Disclosure& disclosure);

}  // namespace gelenk::app
