#include "gelenk/formats/model_writer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/formats/yaml_writer.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/part_types.h"
#include "gelenk/model/writer.h"

namespace gelenk::formats {
namespace {

using model::Definition;
using model::find_field;
using model::Model;
using model::Object;
using model::Property;
using model::Value;

// A used file as an entry of `definitions:`.
void make_assembly(Object& object) {
  object.type = &model::kAssemblyType;
  std::erase_if(object.properties, [](Property& property) {
    property.field = find_field(model::kAssemblyType, property.field->key);
    return property.field == nullptr;
  });
}

// `gelenk` and `name` come first. The name is always written: without it the model would take that of the new file.
void complete_root(Object& root, const std::string& name) {
  const std::array<std::pair<std::string_view, std::string>, 2> head{
      {{"name", name}, {"gelenk", std::to_string(model::kFormatVersion)}}};
  for (const auto& [key, text] : head) {
    Property property{find_field(model::kFileType, key), {}, {}};
    property.value.data = text;
    if (const Property* written = root.find(key)) property = *written;
    std::erase_if(root.properties, [&](const Property& other) { return other.field == property.field; });
    root.properties.insert(root.properties.begin(), std::move(property));
  }
}

enum class FileUse : std::uint8_t { mesh, picture, code };

class PathRewriter {
 public:
  explicit PathRewriter(const Model& model) : model_(model) {
    if (!model.folders.empty()) root_ = model.folders.front();
  }

  void rewrite(Object& object) const {
    each_file(object, [&](std::string& path, const SourceRange& where, FileUse) {
      path = from_root(model_.resolve_path(path, where));
    });
  }

  // Calls it with each path that the object names, which it may change, and where it is written.
  template <class Visit>
  void each_file(Object& object, const Visit& visit) const {
    for (Property& property : object.properties) {
      const bool is_mesh = model::names_mesh_file(object.type, *property.field);
      const bool is_code = object.type == &model::kCodeType && property.field->key == "source";
      if (auto* path = is_mesh || is_code ? property.value.get<std::string>() : nullptr) {
        visit(*path, property.value.range, is_mesh ? FileUse::mesh : FileUse::code);
      }
      auto* meta = property.field->key == "meta" ? property.value.get<Node>() : nullptr;
      if (Node* const picture = meta == nullptr ? nullptr : picture_of(*meta)) {
        visit(picture->text, picture->range, FileUse::picture);
      }
      if (auto* nested = property.value.get<Value::Objects>()) {
        for (Object& inner : *nested) each_file(inner, visit);
      }
    }
  }

  // Both paths are seen from the working directory; only their texts are compared.
  std::string from_root(const std::string& path) const {
    const std::filesystem::path file(path);
    if (file.is_absolute()) return path;
    const std::filesystem::path relative = file.lexically_normal().lexically_relative(root_.lexically_normal());
    return relative.empty() ? path : relative.generic_string();
  }

  // Instances of sealed components use their files, whose content cannot be written.
  void use_sealed(Object& object) const {
    for (Property& property : object.properties) {
      if (auto* name = property.field->key == "use" ? property.value.get<std::string>() : nullptr) {
        const Definition* const used = model_.find(*name);
        if (used != nullptr && !used->sealed.empty()) *name = from_root(used->sealed);
      }
      if (auto* nested = property.value.get<Value::Objects>()) {
        for (Object& inner : *nested) use_sealed(inner);
      }
    }
  }

 private:
  // `meta: {shape: NAME.glb}`, what a part looks like.
  static Node* picture_of(Node& meta) {
    Node::Entry* const shape = meta.find("shape");
    const bool is_file = shape != nullptr && shape->value.is_scalar() && shape->value.text.ends_with(".glb");
    return is_file ? &shape->value : nullptr;
  }

  const Model& model_;
  std::filesystem::path root_ = ".";
};

Node definitions_node(const std::vector<Definition>& definitions) {
  Node result;
  result.kind = Node::Kind::map;
  for (std::size_t i = 1; i < definitions.size(); ++i) {
    if (!definitions[i].sealed.empty()) continue;
    result.entries.push_back({definitions[i].name, {}, model::write_object(definitions[i].object)});
  }
  return result;
}

}  // namespace

Model self_contained(const Model& model) {
  Model result = model;
  const PathRewriter paths(model);
  for (Definition& definition : result.definitions) {
    paths.rewrite(definition.object);
    if (&definition != &result.definitions.front()) make_assembly(definition.object);
  }
  if (result.definitions.empty()) return result;
  complete_root(result.definitions.front().object, result.name);
  std::fill(result.folders.begin(), result.folders.end(), result.folders.empty() ? "" : result.folders.front());
  return result;
}

std::vector<ShapeFile> shape_files(const Model& model) {
  std::vector<ShapeFile> result;
  std::set<std::string> known;
  const PathRewriter paths(model);
  for (Definition definition : model.definitions) {
    paths.each_file(definition.object, [&](const std::string& path, const SourceRange& where, FileUse use) {
      const std::string file = use == FileUse::code ? std::string() : model.resolve_path(path, where);
      const std::string name = paths.from_root(file);
      if (use != FileUse::code && known.insert(name).second) result.push_back({name, file});
    });
  }
  return result;
}

std::string write_model(const Model& model) {
  Model whole = self_contained(model);
  if (whole.definitions.empty()) return "";
  const PathRewriter paths(model);
  for (Definition& definition : whole.definitions) paths.use_sealed(definition.object);
  Node root = model::write_object(whole.definitions.front().object);
  Node definitions = definitions_node(whole.definitions);
  if (!definitions.entries.empty()) root.entries.push_back({"definitions", {}, std::move(definitions)});
  return write_yaml(root);
}

}  // namespace gelenk::formats
