#include "gelenk/model/expand/world.h"

#include <string>

#include "gelenk/model/assembly_types.h"

namespace gelenk::model::expanding {
namespace {

constexpr double kStandardGravity = 9.80665;  // m/s², CGPM 1901

Vector3 signed_axis(const std::string& name) {
  const Vector3 axis = Vector3::Unit(name.back() - 'x');
  return name.front() == '-' ? Vector3(-axis) : axis;
}

void read_gravity(Instance& scope, Numbers& numbers, Machine& machine) {
  const Object& root = scope.object();
  if (const std::string* up = root.text("up")) machine.up = signed_axis(*up);
  machine.gravity = UniformGravity{-kStandardGravity * machine.up};
  const Value* value = root.value("gravity");
  if (value == nullptr) return;
  if (const auto* word = value->get<std::string>()) {
    if (*word == "none") machine.gravity = NoGravity{};  // the other word is `earth`
  } else if (value->get<Value::List>() != nullptr) {
    const std::optional<Vector3> g = numbers.vector(*value, field_of(root, "gravity"), scope);
    if (g) machine.gravity = UniformGravity{*g};
  } else if (const Object* point = root.object("gravity")) {
    PointGravity gravity{Vector3::Zero(), numbers.number_or(*point, "strength", 0.0, scope).value_or(0.0)};
    if (const Value* at = point->value("at")) {
      gravity.center = numbers.vector(*at, field_of(*point, "at"), scope).value_or(Vector3::Zero());
    }
    machine.gravity = gravity;
  }
}

void read_simulation(Instance& scope, Numbers& numbers, Machine& machine) {
  const Object* settings = scope.object().object("simulation");
  if (settings == nullptr) return;
  const auto read = [&](std::string_view key) -> std::optional<double> {
    const Value* value = settings->value(key);
    return value == nullptr ? std::nullopt : numbers.number(*value, field_of(*settings, key), scope);
  };
  machine.simulation = {.duration = read("duration"),
                        .step = read("step"),
                        .output_every = read("output_every"),
                        .tolerance = read("tolerance"),
                        .max_step = read("max_step"),
                        .spectral_radius = read("spectral_radius"),
                        .method = std::nullopt,
                        .reactions = std::nullopt};
  if (const std::string* method = settings->text("method")) machine.simulation.method = *method;
  if (const std::string* split = settings->text("reactions")) machine.simulation.reactions = *split;
}

}  // namespace

void read_world(Instance& root, Numbers& numbers, Machine& machine) {
  read_gravity(root, numbers, machine);
  read_simulation(root, numbers, machine);
  for (const Object& entry : root.object().section("display")) {
    for (const DisplayKey& key : display_keys()) {
      if (key.key == entry.name) machine.display.emplace_back(key.quantity, *entry.text("value"));
    }
  }
}

}  // namespace gelenk::model::expanding
