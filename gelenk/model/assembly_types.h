#pragma once

#include <vector>

#include "gelenk/model/common_fields.h"

// Assemblies and model files, and what ties parts together in them.
namespace gelenk::model {

// The version of the file format that this program reads and writes: `gelenk: 1`.
inline constexpr int kFormatVersion = 1;

extern const ObjectType kFileType;      // a whole model file
extern const ObjectType kAssemblyType;  // an entry of `definitions:`
extern const ObjectType kInstanceType;  // an entry of `assemblies:`
extern const ObjectType kParameterType;
extern const ObjectType kInputType;
extern const ObjectType kPortType;
extern const ObjectType kDriverType;
extern const ObjectType kStateType;
extern const ObjectType kOutputType;
extern const ObjectType kTableType;         // {of, x, y, interpolation}
extern const ObjectType kPointGravityType;  // {at, strength}
extern const ObjectType kSimulationType;
extern const ObjectType kAboutType;
extern const ObjectType kCodeType;  // {frames, states, inputs, parameters, outputs}
extern const Family kJointFamily;
extern const Family kForceFamily;
extern const Family kAttachFamily;  // joints of `attach:`: `to` instead of `between`

// Keys of `display:` with the quantities they set the unit of.
struct DisplayKey {
  std::string_view key;
  Quantity quantity;
};
std::span<const DisplayKey> display_keys();

// What formulas may read of a force beside what it records: the power that it gives to the machine, and the energy that
// it stores where its type knows that.
std::vector<Channel> force_energies(const ObjectType& type);

}  // namespace gelenk::model
