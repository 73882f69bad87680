#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/formats/imported.h"

// What a user says, or would say, about an imported machine.
namespace gelenk::formats {

// "cover*" = abs: of all parts that are called so, in the model or in the file.
struct MaterialChoice {
  std::string pattern, material;
  bool operator==(const MaterialChoice&) const = default;
};
struct MassChoice {
  std::string pattern;
  double mass = 0.0;  // kg
  bool operator==(const MassChoice&) const = default;
};

// Gives parts another density or mass; the shape of the inertia stays. Returns what is wrong with the choices, or
// nothing; then the model is unchanged.
std::string choose_material(ImportedModel& model, const MaterialChoice& choice);
std::string choose_mass(ImportedModel& model, const MassChoice& choice);

struct GroundChoice {
  std::size_t child = 0;                 // of the root
  std::string reason;                    // "it has the most joints"
  std::vector<std::size_t> others = {};  // children about as likely
};

// The child of the root with this name in the model or in the file, or that has a part of this name or path inside.
// Nothing, with a sentence in `error`.
std::optional<GroundChoice> named_ground(const ImportedModel& model, const std::string& name, std::string& error);
// What most likely stands still: by its name (frame, base ...), mass, number of joints, and how low it is along the
// upward axis (x, -y ...).
GroundChoice proposed_ground(const ImportedModel& model, std::string_view up);

// Mass of a child of an assembly with all that is inside, and how much of it is from an assumed density.
struct ImportedMass {
  double mass = 0.0, assumed = 0.0;
};
ImportedMass mass_of(const ImportedModel& model, const ImportedChild& child);
ImportedMass mass_of(const ImportedModel& model);

}  // namespace gelenk::formats
