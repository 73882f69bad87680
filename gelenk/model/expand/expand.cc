// The passes of the expansion, in order. Each says in its header what it reads and what it makes.
#include "gelenk/model/expand.h"

#include "gelenk/model/expand/channels.h"
#include "gelenk/model/expand/code.h"
#include "gelenk/model/expand/contacts.h"
#include "gelenk/model/expand/couplings.h"
#include "gelenk/model/expand/drivers.h"
#include "gelenk/model/expand/forces.h"
#include "gelenk/model/expand/joints.h"
#include "gelenk/model/expand/nodes.h"
#include "gelenk/model/expand/outputs.h"
#include "gelenk/model/expand/parts.h"
#include "gelenk/model/expand/ports.h"
#include "gelenk/model/expand/sealed.h"
#include "gelenk/model/expand/settings.h"
#include "gelenk/model/expand/standing.h"
#include "gelenk/model/expand/states.h"
#include "gelenk/model/expand/tree.h"
#include "gelenk/model/expand/world.h"

namespace gelenk::model {

bool Signal::is_constant() const {
  for (const SymbolUse& use : symbols) {
    if (use.kind != SymbolUse::Kind::constant) return false;
  }
  return true;
}

Machine expand(const Model& model, const ExpandOptions& options, Diagnostics& diagnostics) {
  using namespace expanding;
  Machine machine;
  machine.name = model.name;
  Reports reports(diagnostics);
  Numbers numbers(options, machine.sealed, reports);

  Definitions definitions(model, options.max_elements, reports);
  Tree tree(definitions, numbers, options.max_elements, machine, diagnostics);
  if (!tree.build(model)) return machine;
  Instances& instances = tree.instances();
  Instance& root = instances.front();
  machine.inputs.resize(root.inputs.size());
  add_parameters(instances, numbers, machine.assemblies, reports);
  machine.codes = declared_codes(model, instances, numbers, diagnostics);
  machine.sealed = sealed_components(instances, machine.assemblies, options.draw_sealed, diagnostics);

  Places places(numbers, machine, reports);
  place_assemblies(instances, options.standing, places, machine);

  list_nodes(instances, places, machine, diagnostics);

  Elements elements;
  Shapes shapes(model, options, numbers, places, diagnostics);
  list_parts(instances, machine, elements);
  for (Instance& instance : instances) {
    fill_parts(instance, numbers, places, shapes, machine, diagnostics);
    add_ground(instance, places, shapes, machine);
    add_frames(instance, places, machine);
    add_ports(instance, places, machine, diagnostics);
  }
  add_contours(instances, numbers, places, shapes, machine, diagnostics);
  add_contacts(instances, numbers, machine, reports);
  add_joints(instances, numbers, places, machine, elements, diagnostics);
  check_blades(machine, diagnostics);
  const std::vector<Pending> laws = add_couplings(instances, numbers, machine, elements, reports);

  // Everything that has channels is listed first, then bound: a formula may read any of them.
  const std::vector<Pending> drivers = list_drivers(instances, machine, elements);
  list_contacts(machine, elements);
  const std::vector<Pending> forces = list_forces(instances, machine, elements, reports);
  FrameChannels frame_channels(places, elements, machine, reports);
  Channels channels(frame_channels, forces, elements, machine, reports);
  Signals signals(options, numbers, frame_channels, channels, machine, diagnostics);
  const std::vector<PendingState> states =
      list_states(instances, forces, numbers, signals, machine, elements, diagnostics);
  bind_coupling_laws(laws, signals, machine, diagnostics);
  bind_drivers(drivers, signals, elements, machine, reports);
  bind_forces(forces, numbers, places, signals, machine, diagnostics);
  bind_states(states, signals, elements, machine, diagnostics);
  bind_nodes(machine, diagnostics);
  add_inputs(instances, signals, machine, reports);
  bind_codes(instances, places, signals, machine.codes, diagnostics);
  add_outputs(instances, signals, machine, diagnostics);

  read_world(root, numbers, machine);
  if (machine.parts.empty() && machine.sealed.empty() && !diagnostics.has_errors()) {
    diagnostics.error(Code::no_parts, model.root().object.range, "the model has no parts",
                      "describe at least one under `parts:`");
  }
  check_outer_settings(options.settings, root, machine, diagnostics);
  return machine;
}

}  // namespace gelenk::model
