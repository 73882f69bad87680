#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gelenk/model/expand/quantified.h"
#include "gelenk/model/machine.h"
#include "gelenk/model/model.h"

// Working data of the expansion: definitions with their names indexed, and instances whose parameters and placements
// are evaluated on demand, so that they may depend on each other in any order and circles are found.
namespace gelenk::model::expanding {

// Parameters that need parameters that need parameters, places likewise: each one costs stack.
inline constexpr std::size_t kMaxChain = 500;

enum class Section : std::uint8_t {
  parameter,
  input,
  frame,
  part,
  joint,
  driver,
  force,
  contact,
  state,
  output,
  assembly
};
std::string_view section_word(Section section);

struct NamedElement {
  Section section;
  const Object* object;
  std::size_t index;  // in its section
};

// An entry of `assemblies:` after `copy_of` and `mirror_of` are followed to what they stand for.
struct InstancePlan {
  const Object* written = nullptr;
  Object effective;                        // its properties, those of the source included
  Matrix3 mirror = Matrix3::Identity();    // in the owner's axes; identity when it is no mirror image
  const Definition* definition = nullptr;  // null when it could not be found: already reported
};

// A part that is the mirror image of another one: everything of it comes from there.
struct PartPlan {
  std::size_t source = 0;                // number of the part that is written out
  Matrix3 mirror = Matrix3::Identity();  // in the axes of the assembly
  bool is_mirror = false;
  // Likewise, of the velocities in `start`: identity when they are its own.
  Matrix3 start_mirror = Matrix3::Identity();
};

// The reflection at a plane of `plane:`.
Matrix3 reflection(const std::string& plane);
// The properties of `own`, and those of `source` that `own` does not have.
Object overlaid(const Object& source, const Object& own);

// The names of one definition.
struct ScopeIndex {
  const Definition* definition = nullptr;
  std::unique_ptr<const Object> resolved;  // the definition with copies of parts written out; null: it has none
  std::vector<PartPlan> part_plans;        // in the order of `parts:`; empty likewise
  std::unordered_map<std::string_view, NamedElement> names;
  std::unordered_set<std::string_view> shared;  // names that several elements have: which one is meant, nobody knows
  std::vector<InstancePlan> plans;              // in the order of `assemblies:`
  // What one instance costs, sub-assemblies not counted.
  std::size_t element_count = 0;
  std::size_t value_count = 0;

  const Object& object() const { return resolved != nullptr ? *resolved : definition->object; }
  PartPlan part_plan(std::size_t number) const {
    if (part_plans.empty()) return {.source = number, .mirror = Matrix3::Identity()};
    return part_plans[number];
  }
  const NamedElement* find(std::string_view name) const {
    const auto it = names.find(name);
    return it == names.end() ? nullptr : &it->second;
  }
};

// A value that is computed when it is first needed.
template <class T>
struct Lazy {
  enum class State : std::uint8_t { untouched, running, done, failed };
  State state = State::untouched;
  T value{};
};

struct Instance {
  AssemblyId id;
  const ScopeIndex* index = nullptr;
  const InstancePlan* plan = nullptr;  // null for the root
  Instance* owner = nullptr;
  std::string path;
  std::optional<std::size_t> repeat_index;
  Instance* previous = nullptr;  // in a row of repeated instances
  // Children by plan, in order of repetition.
  std::vector<std::vector<Instance*>> children;

  Lazy<Pose> drawn;  // X_OA in the owner's coordinates as written, before this instance is mirrored
  std::vector<Lazy<Quantified>> parameters;
  std::vector<Lazy<Signal>> inputs, outputs;
  std::vector<Lazy<Pose>> parts;                                  // X_AP, coordinates as written
  std::vector<Lazy<Pose>> frames;                                 // X_AF
  std::unordered_map<std::size_t, std::int32_t> nodes;            // of Machine::nodes, by the number of the frame
  std::unordered_map<const Object*, Lazy<Pose>> frames_on_parts;  // X_PF, of the ground X_AF
  std::vector<PartId> part_ids;                                   // unset: disabled

  const Object& object() const { return index->object(); }
};

// Owners come before what they own.
using Instances = std::deque<Instance>;

// Of an element of this scope: "front_left.rod".
std::string element_path(const Instance& scope, const std::string& name);
// An element of this name was written, but could not be read: that is reported already.
bool is_left_out(const Object& owner, std::string_view name);
// That, or several have this name, which is reported, too: nothing more is said about what refers to it.
bool is_unclear(const Instance& scope, std::string_view name);
// X_OA in the owner's coordinates, after mirroring; its place as drawn must be known.
Pose pose_in_owner(const Instance& instance);

// "width > height > width": the part of a chain that closes at `path`.
std::string circle_text(const std::vector<std::string>& chain, const std::string& path);
// A few names for a hint, "..." for the others.
std::string some_of(const std::vector<std::string>& names);
// Which field of an object's type this is.
const Field& field_of(const Object& object, std::string_view key);

}  // namespace gelenk::model::expanding
