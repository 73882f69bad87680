#include "gelenk/formats/imported_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "gelenk/base/glob.h"
#include "gelenk/base/text.h"
#include "gelenk/formats/imported_names.h"
#include "gelenk/model/materials.h"

namespace gelenk::formats {
namespace {

// Parts by their own name, by that of their product, or by that of one of their places.
std::vector<std::size_t> fitting_parts(const ImportedModel& model, const std::string& pattern) {
  std::vector<bool> fits(model.parts.size(), false);
  const std::string plain = is_glob(pattern) ? pattern : model_name(pattern, "part");
  const auto matches = [&](const std::string& name) {
    return matches_glob(pattern, name) || matches_glob(plain, name);
  };
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    fits[i] = matches(model.parts[i].name) || matches(model.parts[i].product);
  }
  for (const ImportedAssembly& assembly : model.assemblies) {
    for (const ImportedChild& child : assembly.children) {
      if (child.is_part && (matches(child.name) || matches(child.source))) fits[child.index] = true;
    }
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    if (fits[i]) found.push_back(i);
  }
  return found;
}

std::string nothing_fits(const ImportedModel& model, const std::string& pattern) {
  std::vector<std::string> names;
  for (const ImportedPart& part : model.parts) names.push_back(part.name);
  const std::string near = did_you_mean(pattern, names);
  return fmt::format("no part is called {}{}{}", shown(pattern), near.empty() ? "" : "; ", near);
}

}  // namespace

std::string choose_material(ImportedModel& model, const MaterialChoice& choice) {
  std::string name = choice.material;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const model::Material* material = model::find_built_in_material(name);
  if (material == nullptr) {
    std::vector<std::string> names;
    for (const model::Material& known : model::built_in_materials()) names.emplace_back(known.name);
    const std::string near = did_you_mean(choice.material, names);
    return fmt::format("there is no material {}; {}", shown(choice.material),
                       near.empty() ? "`gelenk help materials` lists them" : near);
  }
  const std::vector<std::size_t> found = fitting_parts(model, choice.pattern);
  if (found.empty()) return nothing_fits(model, choice.pattern);
  for (const std::size_t i : found) {
    if (model.parts[i].volume > 0.0) continue;
    return fmt::format("the volume of {} is not known, only its mass: use --mass instead", shown(model.parts[i].name));
  }
  for (const std::size_t i : found) {
    ImportedPart& part = model.parts[i];
    part.mass = scaled(part.mass, material->density * part.volume / part.mass.mass);
    part.density = material->density;
    part.material = material->name;
    part.density_origin = Origin::cad;
    part.is_mass_given = false;
  }
  return "";
}

std::string choose_mass(ImportedModel& model, const MassChoice& choice) {
  if (!(choice.mass > 0.0)) return fmt::format("the mass of {} must be greater than 0", shown(choice.pattern));
  const std::vector<std::size_t> found = fitting_parts(model, choice.pattern);
  if (found.empty()) return nothing_fits(model, choice.pattern);
  for (const std::size_t i : found) {
    ImportedPart& part = model.parts[i];
    part.mass = scaled(part.mass, choice.mass / part.mass.mass);
    part.density = choice.mass / part.volume;
    part.is_mass_given = true;
  }
  return "";
}

std::optional<GroundChoice> named_ground(const ImportedModel& model, const std::string& name, std::string& error) {
  const std::vector<ImportedChild>& children = model.assemblies.front().children;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children[i].name == name || children[i].source == name) return GroundChoice{i, "given by --ground", {}};
    names.push_back(children[i].name);
  }
  // A part inside stands for the rigid sub-assembly that it belongs to.
  for (const ImportedLeaf& leaf : leaves(model)) {
    const ImportedChild& part = child_at(model, leaf.path);
    const std::string path = path_text(model, leaf.path);
    if (path == name || part.name == name || part.source == name) {
      return GroundChoice{leaf.path.front(), "given by --ground", {}};
    }
    names.push_back(path);
  }
  const std::string near = did_you_mean(name, names);
  error =
      fmt::format("--ground: no part or sub-assembly is called {}{}{}", shown(name), near.empty() ? "" : "; ", near);
  return std::nullopt;
}

ImportedMass mass_of(const ImportedModel& model, const ImportedChild& child) {
  if (child.is_part) {
    const ImportedPart& part = model.parts[child.index];
    const bool is_assumed = !part.is_mass_given && part.volume > 0.0 && part.density_origin == Origin::assumed;
    return {part.mass.mass, is_assumed ? part.mass.mass : 0.0};
  }
  ImportedMass sum;
  for (const ImportedChild& inside : model.assemblies[child.index].children) {
    const ImportedMass one = mass_of(model, inside);
    sum.mass += one.mass;
    sum.assumed += one.assumed;
  }
  return sum;
}

ImportedMass mass_of(const ImportedModel& model) {
  return mass_of(model, ImportedChild{.name = "", .source = "", .is_part = false, .index = 0, .placement = {}});
}

}  // namespace gelenk::formats
