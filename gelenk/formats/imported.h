#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/geometry/bounds.h"
#include "gelenk/geometry/mesh.h"
#include "gelenk/math/mass_properties.h"

// What an importer found in a file of another program: pure data, SI units. Readers of STEP (and later of other
// formats) fill it in, imported_writer.h makes model files of it.
namespace gelenk::formats {

using Color = std::array<double, 3>;  // red, green, blue from 0 to 1, sRGB

// Where a value comes from: the file; found by looking at the geometry; taken because nothing better was known; said by
// the user.
enum class Origin { cad, inferred, assumed, user };
std::string_view origin_name(Origin origin);

// What can be placed several times: one piece in its own axes P.
struct ImportedPart {
  std::string name;      // fit for a model, unique among the parts
  std::string product;   // as the file calls it
  std::string material;  // as the file calls it, or what was chosen; may be empty
  double density = 0.0;  // kg/m³
  Origin density_origin = Origin::assumed;
  bool is_mass_given = false;  // by the user: the mass is not volume times density
  std::size_t solids = 0;
  double volume = 0.0;  // m³; 0: unknown, the mass is that of the file
  MassProperties mass;  // with the density, or the given mass
  std::optional<Color> color;
  geometry::TriangleMesh mesh;  // for a picture
};

// A part or an assembly in its place X_AC, in the axes of the assembly A that owns it.
struct ImportedChild {
  std::string name;    // fit for a model, unique in its assembly
  std::string source;  // as the file calls it
  bool is_part = true;
  std::size_t index = 0;  // into the parts or the assemblies
  Pose placement;
};

struct ImportedAssembly {
  std::string name;     // fit for a model, unique among the assemblies
  std::string product;  // as the file calls it
  std::vector<ImportedChild> children;
};

// A part as reached from the root: numbers of children, the last of which is a part.
using ImportedPath = std::vector<std::size_t>;

struct ImportedEnd {
  ImportedPath path;
  Pose frame;             // X_PF in the axes of the part; z is the axis of the joint
  std::string name = {};  // of the frame; empty until name_frames() has chosen one
};

// A frame of a part beside those of the joints: it was there before, and somebody may use it.
struct ImportedFrame {
  ImportedPath path;
  std::string name;
  Pose frame;  // X_PF
};

struct ImportedLimits {
  std::string coordinate;  // "angle"
  std::optional<double> min, max;
};

struct ImportedJoint {
  std::string name;
  std::string type;  // as the model format calls it
  std::array<ImportedEnd, 2> ends;
  Origin origin = Origin::cad;
  double score = 1.0;  // how sure it is, from 0 to 1
  bool is_enabled = true;
  std::vector<ImportedLimits> limits;
  std::string reason;  // "bore and shaft, 12 mm; 2 touching planes"
  // What the file says and the model has no place for: "damping", "0.1 N*m*s/rad".
  std::vector<std::pair<std::string, std::string>> details = {};
};

// A joint coordinate that follows another one: second = ratio * first + offset.
struct ImportedCoupler {
  std::string name;
  std::string first, second;  // "finger_1.travel"
  double ratio = 1.0, offset = 0.0;
};

struct ImportedModel {
  std::string source;  // the file
  geometry::Bounds size;
  std::vector<ImportedPart> parts;
  std::vector<ImportedAssembly> assemblies;  // the first is the root
  std::vector<ImportedJoint> joints;         // between children of the root
  std::vector<ImportedCoupler> couplers;
  std::vector<ImportedFrame> frames;
  std::vector<std::string> notes;  // what was left out or assumed, sentences
};

// A placed part with its place in the world.
struct ImportedLeaf {
  ImportedPath path;
  std::size_t part = 0;
  Pose X_WP;
};

// All placed parts, in the order of the tree.
std::vector<ImportedLeaf> leaves(const ImportedModel& model);
const ImportedChild& child_at(const ImportedModel& model, const ImportedPath& path);
// "crank_group.pin"
std::string path_text(const ImportedModel& model, const ImportedPath& path);
// The assembly that owns the last child of the path.
std::size_t assembly_of(const ImportedModel& model, const ImportedPath& path);

}  // namespace gelenk::formats
