#include "gelenk/formats/imported.h"

namespace gelenk::formats {
namespace {

void collect(const ImportedModel& model, std::size_t assembly, const ImportedPath& path, const Pose& X_WA,
             std::vector<ImportedLeaf>& found) {
  const std::vector<ImportedChild>& children = model.assemblies[assembly].children;
  for (std::size_t i = 0; i < children.size(); ++i) {
    ImportedPath inside = path;
    inside.push_back(i);
    const Pose X_WC = X_WA * children[i].placement;
    if (children[i].is_part) {
      found.push_back({std::move(inside), children[i].index, X_WC});
    } else {
      collect(model, children[i].index, inside, X_WC, found);
    }
  }
}

}  // namespace

std::string_view origin_name(Origin origin) {
  switch (origin) {
    case Origin::cad:
      return "cad";
    case Origin::inferred:
      return "inferred";
    case Origin::user:
      return "user";
    case Origin::assumed:
      break;
  }
  return "assumed";
}

std::vector<ImportedLeaf> leaves(const ImportedModel& model) {
  std::vector<ImportedLeaf> found;
  if (!model.assemblies.empty()) collect(model, 0, {}, Pose{}, found);
  return found;
}

std::size_t assembly_of(const ImportedModel& model, const ImportedPath& path) {
  std::size_t assembly = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) assembly = model.assemblies[assembly].children[path[i]].index;
  return assembly;
}

const ImportedChild& child_at(const ImportedModel& model, const ImportedPath& path) {
  return model.assemblies[assembly_of(model, path)].children[path.back()];
}

std::string path_text(const ImportedModel& model, const ImportedPath& path) {
  std::string text;
  std::size_t assembly = 0;
  for (const std::size_t number : path) {
    const ImportedChild& child = model.assemblies[assembly].children[number];
    text += (text.empty() ? "" : ".") + child.name;
    if (!child.is_part) assembly = child.index;
  }
  return text;
}

}  // namespace gelenk::formats
