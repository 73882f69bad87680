#include "gelenk/cad/solid_part.h"

#include <fmt/format.h>

#include <TopoDS_Shape.hxx>
#include <new>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/cad/shape_edges.h"
#include "gelenk/cad/shape_facts.h"
#include "gelenk/model/materials.h"

namespace gelenk::cad {
namespace {

// Densities of solids, from foam to osmium, kg/m³.
constexpr double kLightest = 5.0, kHeaviest = 23e3;

}  // namespace

std::optional<std::size_t> add_part(const TopoDS_Shape& shape, const SolidPart& about, formats::NameRegister& names,
                                    StepContent& content) {
  std::vector<std::string>& notes = content.model.notes;
  const SolidFacts facts = shape.IsNull() ? SolidFacts{} : solid_facts(shape);
  const bool has_name = formats::is_telling_name(about.product);
  const std::string called = has_name ? shown(about.product) : "without a name";
  if (facts.solids == 0 || !(facts.volume > 0.0)) {
    const std::size_t faces = shape.IsNull() ? 0 : count_faces(shape);
    notes.push_back(faces == 0
                        ? fmt::format("left out: part {} is empty", called)
                        : fmt::format("left out: part {} has {} faces but no solid, so it has no mass", called, faces));
    return std::nullopt;
  }
  if (facts.is_turned) notes.push_back(fmt::format("part {} was inside out and has been reversed", called));
  formats::ImportedPart part;
  part.product = about.product;
  part.name = names.unique(formats::model_name(has_name ? about.product : std::string(), "part"));
  part.solids = facts.solids;
  part.volume = facts.volume;
  part.material = about.material;
  const bool is_known = about.density >= kLightest && about.density <= kHeaviest;
  if (about.density > 0.0 && !is_known) {
    notes.push_back(fmt::format("the density of part {}, {} kg/m^3, is not that of a solid: steel is assumed", called,
                                format_rounded(about.density)));
  }
  part.density = is_known ? about.density : model::kAssumedDensity;
  part.density_origin = is_known ? formats::Origin::cad : formats::Origin::assumed;
  part.mass = scaled(facts.unit, part.density);
  part.color = about.color;
  SolidTriangles triangles = triangles_of(shape);
  // The mesher keeps it to itself when memory runs out.
  if (triangles.mesh.triangles.empty()) throw std::bad_alloc();
  if (triangles.missing_faces > 0) {
    notes.push_back(
        fmt::format("{} of {} faces of part {} cannot be meshed: they are not drawn, and not used to find joints",
                    triangles.missing_faces, count_faces(shape), called));
  }
  part.mesh = std::move(triangles.mesh);
  content.features.push_back(surface_features(shape));
  content.edges.push_back(sharp_edges(shape));
  content.shapes.push_back(std::make_shared<const TopoDS_Shape>(shape));
  content.model.parts.push_back(std::move(part));
  return content.model.parts.size() - 1;
}

void measure(formats::ImportedModel& model) {
  for (const formats::ImportedLeaf& leaf : formats::leaves(model)) {
    model.size.add(geometry::bounds(model.parts[leaf.part].mesh, leaf.X_WP));
  }
}

}  // namespace gelenk::cad
