#include "gelenk/formats/edit_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/text.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/edit.h"
#include "gelenk/model/part_types.h"

namespace gelenk::formats {
namespace {

using model::Definition;
using model::ElementAddress;
using model::Field;
using model::FieldKind;
using model::find_field;
using model::Object;
using model::Property;
using model::Value;

bool is_section(const Field* field) {
  return field != nullptr && (field->kind == FieldKind::section || field->kind == FieldKind::typed_section);
}

// The definition that people know by this name: what the root calls so, else the name it has in the model, which for a
// used file is that of the file.
const Definition* find_definition(const LoadedModel& loaded, const std::string& name) {
  constexpr std::int32_t kRootFile = 0;
  for (const Definition& definition : loaded.model.definitions) {
    const SourceRange& where = definition.object.name_range;
    if (where.file == kRootFile && loaded.sources.text(where) == name) return &definition;
  }
  return loaded.model.find(name);
}

// Elements with this bare name: those of the definition, else those of all others. Copies of the same text count once.
std::vector<ElementAddress> find_bare(const LoadedModel& loaded, const Definition& definition, bool is_anywhere,
                                      const std::string& name) {
  std::vector<ElementAddress> here;
  std::vector<ElementAddress> elsewhere;
  std::vector<SourceRange> places;
  for (const ElementAddress& address : model::list_elements(loaded.model)) {
    if (address.name != name || !address.owner.empty() || address.section.empty()) continue;
    const SourceRange where = model::find_element(loaded.model, address)->name_range;
    if (std::find(places.begin(), places.end(), where) != places.end()) continue;
    places.push_back(where);
    (address.definition == definition.name ? here : elsewhere).push_back(address);
  }
  return here.empty() && is_anywhere ? elsewhere : here;
}

// `parts.crank.pin` is `parts.crank.frames.pin`.
void complete_frame(EditPath& path) {
  if (path.keys.size() < 3 || path.keys[0] != "parts" || find_field(model::kPartType, path.keys[2]) != nullptr) return;
  const Object* part = model::find_named(path.definition->object.section("parts"), path.keys[1]);
  if (part == nullptr || model::find_named(part->section("frames"), path.keys[2]) == nullptr) return;
  path.keys.insert(path.keys.begin() + 2, "frames");
}

// An instance has nothing of its own inside: what it is made from must be edited.
bool leads_into_instance(const EditPath& path, Diagnostics& diagnostics) {
  if (path.keys.size() < 3 || path.keys[0] != "assemblies") return false;
  if (find_field(model::kInstanceType, path.keys[2]) != nullptr) return false;
  const Object* instance = model::find_named(path.definition->object.section("assemblies"), path.keys[1]);
  if (instance == nullptr) return false;
  const std::string* used = instance->text("use");
  std::string hint;
  if (used != nullptr) {
    const std::vector<std::string> inner(path.keys.begin() + 2, path.keys.end());
    hint = fmt::format("edit it for all of them at 'definitions.{}.{}', or add to `modify` of '{}'", *used,
                       join(inner, "."), path.keys[1]);
  }
  diagnostics.error(Code::edit_target_missing, {},
                    fmt::format("'{}' is inside the assembly that '{}' is made from", path.text, path.keys[1]), hint);
  return true;
}

struct Mark {
  SourceRange range;
  bool is_key = false;
};

std::optional<TextPlace> make_place(const Mark& mark, const SourceDocuments& documents) {
  const std::optional<NodePath> place = mark.is_key ? documents.find_key(mark.range) : documents.find_value(mark.range);
  if (!place) return std::nullopt;
  return TextPlace{documents.first_copy(mark.range).file, *place, {}, {}};
}

Mark mark_of(const Definition& definition) {
  const Object& object = definition.object;
  return object.name_range.is_known() ? Mark{object.name_range, true} : Mark{object.range, false};
}

}  // namespace

std::optional<ElementAddress> EditPath::element(std::size_t& key_count) const {
  key_count = 0;
  if (keys.empty()) return ElementAddress{definition->name, "", ""};
  if (keys[0] == "ground" && keys.size() >= 3 && keys[1] == "frames") {
    key_count = 3;
    return ElementAddress{definition->name, "frames", keys[2], "ground"};
  }
  const Field* field = find_field(*definition->object.type, keys[0]);
  if (!is_section(field) || keys.size() < 2 || keys[0] == "definitions") return std::nullopt;
  if (keys[0] == "parts" && keys.size() >= 4 && keys[2] == "frames") {
    key_count = 4;
    return ElementAddress{definition->name, "frames", keys[3], keys[1]};
  }
  key_count = 2;
  return ElementAddress{definition->name, keys[0], keys[1]};
}

std::optional<ElementAddress> EditPath::exact_element() const {
  std::size_t count = 0;
  std::optional<ElementAddress> found = element(count);
  if (!found || count != keys.size()) return std::nullopt;
  return found;
}

std::optional<EditPath> resolve_edit_path(const LoadedModel& loaded, const std::string& path,
                                          Diagnostics& diagnostics) {
  const auto refuse = [&]() -> std::optional<EditPath> {
    model::report_missing(loaded.model, path, diagnostics);
    return std::nullopt;
  };
  EditPath result;
  result.text = path;
  result.keys = split(path, '.');
  result.definition = &loaded.model.root();
  const bool has_empty = std::any_of(result.keys.begin(), result.keys.end(), [](const auto& k) { return k.empty(); });
  if (has_empty) return refuse();
  bool is_in_definition = false;
  if (result.keys[0] == "definitions" && result.keys.size() >= 2) {
    const Definition* definition = find_definition(loaded, result.keys[1]);
    if (definition == nullptr && result.keys.size() == 2) return result;  // a new definition
    if (definition == nullptr) return refuse();
    result.definition = definition;
    result.keys.erase(result.keys.begin(), result.keys.begin() + 2);
    is_in_definition = true;
    if (result.keys.empty()) return result;
  }
  if (find_field(*result.definition->object.type, result.keys[0]) == nullptr) {
    const std::vector<ElementAddress> found = find_bare(loaded, *result.definition, !is_in_definition, result.keys[0]);
    if (found.size() > 1) {
      std::vector<std::string> paths;
      for (const ElementAddress& address : found) paths.push_back(model::path_of(loaded.model, address));
      diagnostics.error(Code::edit_target_missing, {}, fmt::format("several elements are called '{}'", result.keys[0]),
                        "say which: " + join(paths, ", "));
      return std::nullopt;
    }
    if (found.empty()) return refuse();
    result.definition = loaded.model.find(found.front().definition);
    result.keys.insert(result.keys.begin(), found.front().section);
  }
  complete_frame(result);
  if (leads_into_instance(result, diagnostics)) return std::nullopt;
  return result;
}

std::optional<TextPlace> find_place(const EditPath& path, const SourceDocuments& documents) {
  const Object* object = &path.definition->object;
  Mark mark = mark_of(*path.definition);
  std::string_view shorthand;
  std::size_t used = 0;
  while (used < path.keys.size()) {
    const Property* property = object->find(path.keys[used]);
    const bool is_short = property != nullptr && property->key_range == object->range;
    if (property == nullptr || is_short) break;
    mark = {property->key_range, true};
    shorthand = {};
    ++used;
    if (property->field->kind == FieldKind::object && object->object(property->field->key) != nullptr) {
      object = object->object(property->field->key);
      continue;
    }
    if (!is_section(property->field) || used == path.keys.size()) break;
    const Object* element = model::find_named(object->section(property->field->key), path.keys[used]);
    if (element == nullptr) break;
    mark = {element->name_range, true};
    shorthand = element->type->shorthand;
    object = element;
    ++used;
  }
  std::optional<TextPlace> result = make_place(mark, documents);
  if (!result) return std::nullopt;
  result->rest.assign(path.keys.begin() + static_cast<std::ptrdiff_t>(used), path.keys.end());
  result->shorthand = shorthand;
  return result;
}

std::optional<TextPlace> find_place_for_new(const EditPath& path, const SourceDocuments& documents) {
  // The last two keys are a section and a name; what comes before them holds the section.
  EditPath holder = path;
  const std::size_t kept = path.keys.size() < 2 ? 0 : path.keys.size() - 2;
  holder.keys.resize(kept);
  std::optional<TextPlace> result =
      kept == 0 ? make_place(mark_of(*path.definition), documents) : find_place(holder, documents);
  if (!result) return std::nullopt;
  result->rest.insert(result->rest.end(), path.keys.begin() + static_cast<std::ptrdiff_t>(kept), path.keys.end());
  return result;
}

}  // namespace gelenk::formats
