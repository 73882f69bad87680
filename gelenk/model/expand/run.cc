// The order of the expansion, and what concerns the machine as a whole.
#include <fmt/format.h>

#include "gelenk/base/text.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/expand/scope.h"

namespace gelenk::model {
namespace expanding {
namespace {

constexpr double kStandardGravity = 9.80665;  // m/s², CGPM 1901

Vector3 signed_axis(const std::string& name) {
  const Vector3 axis = Vector3::Unit(name.back() - 'x');
  return name.front() == '-' ? Vector3(-axis) : axis;
}

}  // namespace

void Expansion::read_gravity(Machine& machine) {
  const Object& root = model_.root().object;
  if (const std::string* up = root.text("up")) machine.up = signed_axis(*up);
  machine.gravity = UniformGravity{-kStandardGravity * machine.up};
  const Value* value = root.value("gravity");
  if (value == nullptr) return;
  Instance& scope = instances_.front();
  if (value->get<std::string>() != nullptr) {
    machine.gravity = NoGravity{};
  } else if (value->get<Value::List>() != nullptr) {
    const std::optional<Vector3> g = vector(*value, field_of(root, "gravity"), scope);
    if (g) machine.gravity = UniformGravity{*g};
  } else if (const Object* point = root.object("gravity")) {
    PointGravity gravity{Vector3::Zero(), number_or(*point, "strength", 0.0, scope).value_or(0.0)};
    if (const Value* at = point->value("at")) {
      gravity.center = vector(*at, field_of(*point, "at"), scope).value_or(Vector3::Zero());
    }
    machine.gravity = gravity;
  }
}

void Expansion::read_simulation(Machine& machine) {
  const Object* settings = model_.root().object.object("simulation");
  if (settings == nullptr) return;
  Instance& scope = instances_.front();
  const auto read = [&](std::string_view key) -> std::optional<double> {
    const Value* value = settings->value(key);
    return value == nullptr ? std::nullopt : number(*value, field_of(*settings, key), scope);
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

void Expansion::read_world(Machine& machine) {
  const Object& root = model_.root().object;
  read_gravity(machine);
  read_simulation(machine);
  for (const Object& entry : root.section("display")) {
    for (const DisplayKey& key : display_keys()) {
      if (key.key == entry.name) machine.display.emplace_back(key.quantity, *entry.text("value"));
    }
  }
}

Machine Expansion::run() {
  machine_.name = model_.name;
  for (const Definition& definition : model_.definitions) definitions_.emplace(definition.name, &definition);
  Instance* root = add_instance(index_of(model_.root()), nullptr, nullptr, model_.name, 0);
  if (root == nullptr || is_too_large_) return std::move(machine_);

  machine_.inputs.resize(root->inputs.size());
  for (Instance& instance : instances_) evaluate_all_parameters(instance);
  declare_code(*root);
  add_sealed();
  for (Instance& instance : instances_) {
    // Owners come before what they own: the coordinates as written, through all mirrors, to the world.
    AssemblyNode& node = machine_.assemblies[instance.id.index()];
    if (instance.owner == nullptr) {
      node.X_WA = options_.standing.X_WA;
      node.mirror = options_.standing.mirror;
      node.world_mirror = options_.standing.world_mirror;
      node.is_mirrored = node.mirror.determinant() < 0.0;
    }
    if (instance.owner == nullptr || !drawn_pose(instance)) continue;
    const AssemblyNode& owner = machine_.assemblies[instance.owner->id.index()];
    const Matrix3& S = instance.plan->mirror;
    node.X_WA = owner.X_WA * mirrored(pose_in_owner(instance), owner.mirror);
    node.mirror = owner.mirror * S;
    node.is_mirrored = node.mirror.determinant() < 0.0;
    // R_WO H S Hᵀ R_WOᵀ is this mirror in world axes.
    const Matrix3 to_world = owner.X_WA.rotation * owner.mirror;
    node.world_mirror = to_world * S * to_world.transpose() * owner.world_mirror;
  }
  for (SealedNode& sealed : machine_.sealed) {
    const AssemblyNode& node = machine_.assemblies[sealed.assembly.index()];
    sealed.standing = {node.X_WA, node.mirror, node.world_mirror};
  }
  for (Instance& instance : instances_) add_parts(instance);
  for (Instance& instance : instances_) {
    const std::size_t count = instance.part_ids.size();
    for (std::size_t i = 0; i < count; ++i) fill_part(instance, i);
    const AssemblyNode& node = machine_.assemblies[instance.id.index()];
    if (const Object* ground = instance.object().object("ground")) {
      for (geometry::Shape shape_on_ground : shapes(*ground, instance, std::nullopt)) {
        shape_on_ground = geometry::mirrored(shape_on_ground, node.mirror);
        shape_on_ground.X_PS = node.X_WA * shape_on_ground.X_PS;
        machine_.ground_shapes.push_back(shape_on_ground);
      }
      for (const Object& frame : ground->section("frames")) {
        const auto place = frame_of_ground(instance, {"ground", frame.name}, frame.name_range);
        if (!place) continue;
        machine_.frames.push_back(
            {element_path(instance, "ground." + frame.name), frame_on_machine(*place, instance), frame.name_range});
      }
    }
    const std::vector<Object>& frames = instance.object().section("frames");
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const std::optional<Pose> X_AF = assembly_frame(instance, i);
      if (!X_AF) continue;
      FrameInAssembly place;
      place.X_AF = *X_AF;
      machine_.frames.push_back(
          {element_path(instance, frames[i].name), frame_on_machine(place, instance), frames[i].name_range});
    }
    // Ports are checked even when nobody uses them yet.
    for (const Object& port : instance.object().section("ports")) {
      if (!instance.index->definition->sealed.empty()) continue;
      const ElementScope element(diagnostics_, element_path(instance, port.name), "port");
      const std::string* target = port.text("frame");
      if (target == nullptr) continue;
      const std::optional<FrameInAssembly> place = resolve_frame(*target, instance, port.range_of("frame"));
      if (!place || instance.owner != nullptr) continue;
      // A port of a port is that port: an owner of both finds the same frame.
      FrameOnPart frame = place->port ? place->port->frame : frame_on_machine(*place, instance);
      if (place->sealed.is_set()) frame.X_PF = Pose{};
      machine_.ports.push_back({port.name, frame, place->X_AF, port.name_range});
    }
  }
  for (Instance& instance : instances_) add_joints(instance);
  check_blades();
  for (Instance& instance : instances_) add_drivers(instance);
  for (Instance& instance : instances_) add_forces(instance);
  add_states();
  bind_drivers();
  bind_forces();
  bind_states();
  for (Instance& instance : instances_) add_inputs(instance);
  bind_code(*root);
  for (Instance& instance : instances_) add_outputs(instance);
  read_world(machine_);
  if (machine_.parts.empty() && machine_.sealed.empty() && !diagnostics_.has_errors()) {
    diagnostics_.error(Code::no_parts, model_.root().object.range, "the model has no parts",
                       "describe at least one under `parts:`");
  }
  for (const ParameterSetting& setting : options_.settings) {
    const std::optional<ValuePlace> place = find_value(*root, split(setting.path, '.'));
    if (!place || place->section == Section::output) report_unknown_setting(setting);
  }
  return std::move(machine_);
}

}  // namespace expanding

bool Signal::is_constant() const {
  for (const SymbolUse& use : symbols) {
    if (use.kind != SymbolUse::Kind::constant) return false;
  }
  return true;
}

Machine expand(const Model& model, const ExpandOptions& options, Diagnostics& diagnostics) {
  return expanding::Expansion(model, options, diagnostics).run();
}

}  // namespace gelenk::model
