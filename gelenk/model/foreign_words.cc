#include "gelenk/model/foreign_words.h"

#include <fmt/format.h>

#include <array>

#include "gelenk/model/assembly_types.h"

namespace gelenk::model {
namespace {

struct ForeignKey {
  std::string_view owners, words;
  std::string_view hint;  // '{}': the word
};

constexpr std::array kForeignKeys{
    ForeignKey{"model", "units unit unit_system",
               "every number has a unit of its own; `display:` sets the units of plots and reports"},
    ForeignKey{"model", "solver settings options time integrator experiment", "write `simulation: {{duration: 1 s}}`"},
    ForeignKey{"model", "duration method step output_every tolerance max_step end_time stop_time dt timestep",
               "it is part of `simulation: {{...}}`"},
    ForeignKey{"part", "mesh box cylinder sphere tube capsule cone", "shapes are written `shape: {{{}: {{...}}}}`"},
    ForeignKey{"part", "geometry visual collision", "shapes are written `shape: {{box: {{...}}}}`"},
    ForeignKey{"part", "rotation rpy euler quaternion quat", "places are written `at: {{orientation: ...}}`"},
    ForeignKey{"cylinder tube sphere capsule cone", "diameter dia d", "write `radius`: half of the diameter"},
    ForeignKey{"joint", "damping friction stiffness spring damper",
               "springs, dampers and friction in a joint are `forces:`, such as {{type: joint_friction, ...}}"},
    ForeignKey{"joint", "motor drive rate speed velocity position",
               "a joint is driven in `drivers:`, such as {{drives: hinge.angle, rate: 60 rpm}}"},
    ForeignKey{"driver", "torque force effort",
               "a driver prescribes a motion; a given torque or force is a force of type `actuator`"},
};

constexpr std::array kForeignTypes{
    ForeignKey{"joint", "motor drive servo motion",
               "motion is prescribed in `drivers:`; a torque or force is one of `forces:`"},
    ForeignKey{"joint force", "contact collision impact",
               "parts touch where they have `contours:` that `contacts:` name; "
               "the force `stop` limits a joint coordinate"},
    ForeignKey{"force", "gravity weight", "gravity is a key of the model: `gravity: earth`"},
};

// Of integrators elsewhere, with the method here that does the same.
struct ForeignMethod {
  std::string_view name, words;
};
constexpr std::array kForeignMethods{
    ForeignMethod{"dopri5", "rk45 ode45 rkf45 dopri dopri54 dp45 runge_kutta_45 tsit5 dormand_prince"},
    ForeignMethod{"rk4", "rk runge_kutta runge_kutta_4 ode4 rungekutta"},
    ForeignMethod{"adams", "abam ode113 lsode adams_bashforth adams_moulton"},
    ForeignMethod{"bdf", "dassl daskr ida ode15s gstiff wstiff gear backward_euler implicit_euler stiff"},
    ForeignMethod{"generalized_alpha", "hht hht_alpha newmark alpha gen_alpha"},
    ForeignMethod{"cvode", "sundials cvodes"},
    ForeignMethod{"moreau", "moreau_jean time_stepping timestepping nsc nonsmooth"},
};

std::string name_here(std::string_view word, std::string_view name) {
  return fmt::format("'{}' is called '{}' here", word, name);
}

template <class Words>
std::string foreign_hint(const Words& all, std::string_view owner, std::string_view word) {
  for (const ForeignKey& one : all) {
    if (is_also_called(one.owners, owner) && is_also_called(one.words, word)) {
      return fmt::format(fmt::runtime(one.hint), word);
    }
  }
  return {};
}

const ObjectType* type_called(const Family& family, std::string_view word) {
  for (const ObjectType* known : family.types) {
    if (is_also_called(known->name, word) || is_also_called(known->also_called, word)) return known;
  }
  return nullptr;
}

// "RevoluteJoint", "joint_hinge" -> "Revolute", "hinge"
std::string without_joint(std::string_view word) {
  for (const std::string_view joint : {"_joint", "Joint", "joint_", "JOINT_", "joint", "JOINT"}) {
    const std::size_t at = word.find(joint);
    if (at == std::string_view::npos || word.size() == joint.size()) continue;
    return std::string(word.substr(0, at)) + std::string(word.substr(at + joint.size()));
  }
  return std::string(word);
}

}  // namespace

std::string hint_for_key(std::string_view owner, std::string_view key) {
  return foreign_hint(kForeignKeys, owner, key);
}

std::string hint_for_type(const Family& family, const std::string& word) {
  const bool is_joint = &family == &kJointFamily || &family == &kAttachFamily;
  if (is_joint) {
    const std::string bare = without_joint(word);
    if (const ObjectType* known = bare == word ? nullptr : type_called(family, bare))
      return name_here(word, known->name);
  }
  const std::string_view owner = is_joint ? "joint" : family.name;
  if (std::string hint = foreign_hint(kForeignTypes, owner, word); !hint.empty()) return hint;
  const bool is_force = &family == &kForceFamily;
  if (!is_joint && !is_force) return {};
  if (const ObjectType* other = type_called(is_joint ? kForceFamily : kJointFamily, word)) {
    return is_joint ? fmt::format("'{}' is a force: write it in `forces:`", other->name)
                    : fmt::format("'{}' is a joint: write it in `joints:`", other->name);
  }
  return {};
}

std::string hint_for_method(std::string_view word) {
  for (const ForeignMethod& one : kForeignMethods) {
    if (is_also_called(one.words, word) || is_also_called(one.name, word)) return name_here(word, one.name);
  }
  return {};
}

std::string hint_for_frame(std::string_view word) {
  return is_also_called("world inertial base_frame origin earth global", word) ? name_here(word, "ground") : "";
}

}  // namespace gelenk::model
