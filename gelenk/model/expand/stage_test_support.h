#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gelenk/model/expand/joints.h"
#include "gelenk/model/expand/parts.h"
#include "gelenk/model/expand/ports.h"
#include "gelenk/model/expand/sealed.h"
#include "gelenk/model/expand/standing.h"
#include "gelenk/model/expand/tree.h"
#include "gelenk/model/flow_test_support.h"

// A model from texts, and the working data of its expansion up to the pass that a test wants to look at.
namespace gelenk::model::expanding {

inline const std::string kOneKilogram = "mass: 1, inertia: {xx: 1, yy: 1, zz: 1}";

struct Stage {
  using Texts = std::vector<std::pair<std::string, std::string>>;  // name and text of each definition, the root first

  TextModel text;
  ExpandOptions options;
  Machine machine;
  Elements elements;
  Reports reports{text.diagnostics};
  Numbers numbers{options, machine.sealed, reports};
  Definitions definitions;
  Tree tree{definitions, numbers, options.max_elements, machine, text.diagnostics};
  Places places{numbers, machine, reports};
  Shapes shapes{text.model, options, numbers, places, text.diagnostics};

  explicit Stage(const Texts& texts, ExpandOptions given = {})
      : text(read(texts)), options(std::move(given)), definitions(text.model, options.max_elements, reports) {}
  explicit Stage(const std::string& root) : Stage(Texts{{"machine", root}}) {}
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  Instances& instances() { return tree.instances(); }
  Instance& root() { return tree.instances().front(); }
  Diagnostics& diagnostics() { return text.diagnostics; }

  // Each does what those before it do, too.
  Stage& build_tree() {
    if (tree.build(text.model)) machine.inputs.resize(root().inputs.size());
    return *this;
  }
  Stage& stand() {
    build_tree();
    add_parameters(instances(), numbers, machine.assemblies, reports);
    machine.sealed = sealed_components(instances(), machine.assemblies, options.draw_sealed, diagnostics());
    place_assemblies(instances(), options.standing, places, machine);
    return *this;
  }
  Stage& add_all_parts() {
    stand();
    list_parts(instances(), machine, elements);
    for (Instance& instance : instances()) {
      fill_parts(instance, numbers, places, shapes, machine, diagnostics());
      add_ground(instance, places, shapes, machine);
      add_frames(instance, places, machine);
      add_ports(instance, places, machine, diagnostics());
    }
    return *this;
  }
  Stage& add_all_joints() {
    add_all_parts();
    add_joints(instances(), numbers, places, machine, elements, diagnostics());
    return *this;
  }

  // "path: message" of everything that was reported.
  std::vector<std::string> messages() const {
    std::vector<std::string> result;
    for (const Diagnostic& d : text.diagnostics.all()) result.push_back(d.element + ": " + d.message);
    return result;
  }

 private:
  static TextModel read(const Texts& texts) {
    TextModel result;
    for (const auto& [name, content] : texts) result.add(name, content);
    return result;
  }
};

}  // namespace gelenk::model::expanding
