#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/source.h"
#include "gelenk/base/units.h"
#include "gelenk/model/machine.h"

namespace gelenk::view {

// A unit with its name: "mm".
struct NamedUnit {
  std::string symbol;  // empty for pure numbers
  Unit unit;
};

// A number of the model that the page may give another value for a run: a parameter, or a start value.
struct Setting {
  std::string path;  // "front_left.stiffness", "main_bearing.angle"
  std::string doc{};
  std::optional<double> value{};       // SI; none: a start value that the model leaves open
  std::optional<double> min{}, max{};  // SI
  NamedUnit shown{};                   // in which people read and write it
  Unit bare{};                         // of a number without a unit on the command line
  bool is_set = false;                 // by the page, to this value
};

// What the page may change of a model before it runs it.
struct ModelSettings {
  std::vector<Setting> parameters, starts;
  double duration = 0.0;                 // s, of the model
  std::optional<double> own_duration{};  // chosen on the page
};

// Parameters of all assemblies, those of the machine itself first, and coordinates and rates of joints that no driver
// decides; the first kMostSettings of each. `duration`: when the model does not say how long.
constexpr std::size_t kMostSettings = 500;
ModelSettings settings_of(const model::Machine& machine, const SourceMap& sources, double duration);

// The value in the unit that is shown: "700 rpm".
std::string shown_text(const Setting& setting, double value);

// The JSON of a scene without its last bracket, so that a member can follow.
std::string open_scene(std::string scene);
// That member, "model", and the bracket; see viewer/PROTOCOL.md. `version`: which scene of the model it is.
std::string model_member(const ModelSettings& settings, std::string_view file, std::size_t version);

}  // namespace gelenk::view
