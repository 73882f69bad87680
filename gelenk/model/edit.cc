#include "gelenk/model/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/part_types.h"
#include "gelenk/model/reader.h"
#include "gelenk/model/references.h"
#include "gelenk/model/writer.h"

namespace gelenk::model {
namespace {

constexpr std::size_t kMaxUsersShown = 5;

void append(Diagnostics& diagnostics, const Diagnostics& found) {
  for (const Diagnostic& d : found.all()) {
    Diagnostic& copy = d.severity == Severity::error ? diagnostics.error(d.code, d.where, d.message, d.hint)
                                                     : diagnostics.warning(d.code, d.where, d.message, d.hint);
    copy = d;
  }
}

// Descriptions from programs have no place in a file that messages could point to.
Node without_ranges(Node node) {
  node.range = {};
  for (Node& item : node.items) item = without_ranges(std::move(item));
  for (Node::Entry& entry : node.entries) {
    entry.key_range = {};
    entry.value = without_ranges(std::move(entry.value));
  }
  return node;
}

Node map_with(const std::string& key, Node value) {
  Node map;
  map.kind = Node::Kind::map;
  map.entries.push_back({key, {}, std::move(value)});
  return map;
}

// An element of a section. Frames of parts and of the ground are described like those of assemblies.
std::optional<Object> read_element(const std::string& section, const std::string& name, const Node& description,
                                   Diagnostics& diagnostics) {
  Diagnostics found;
  const Node wrapped = map_with(section, map_with(name, without_ranges(description)));
  const Object holder = read_object(wrapped, kAssemblyType, SourceMap{}, found);
  append(diagnostics, found);
  const Object* element = find_named(holder.section(section), name);
  if (found.has_errors() || element == nullptr) return std::nullopt;
  return *element;
}

const Field* field_of(const ObjectType& type, std::string_view key) {
  const auto it = std::find_if(type.fields.begin(), type.fields.end(), [&](const Field& f) { return f.key == key; });
  return it == type.fields.end() ? nullptr : &*it;
}

bool is_named_section(const Field* field) {
  return field != nullptr && field->key != "definitions" &&
         (field->kind == FieldKind::section || field->kind == FieldKind::typed_section);
}

// The objects under a key, made when it is not there yet; null when the object cannot have the key.
Value::Objects* objects_at(Object& holder, std::string_view key) {
  const Field* field = field_of(*holder.type, key);
  if (field == nullptr) return nullptr;
  Property* property = holder.find(key);
  if (property == nullptr) {
    holder.properties.push_back({field, {}, {}});
    property = &holder.properties.back();
    property->value.data = Value::Objects{};
  }
  return property->value.get<Value::Objects>();
}

Value::Objects* section_at(Model& model, const ElementAddress& address) {
  Object* holder = find_element(model, {address.definition, "", ""});
  if (holder == nullptr) return nullptr;
  if (!address.owner.empty() && address.owner != "ground") {
    holder = find_element(model, {address.definition, "parts", address.owner});
  } else if (address.owner == "ground") {
    Value::Objects* ground = objects_at(*holder, "ground");
    if (ground == nullptr) return nullptr;
    if (ground->empty()) {
      Object& made = ground->emplace_back();
      made.type = &kGroundType;
    }
    holder = &ground->front();
  }
  if (holder == nullptr || !is_named_section(field_of(*holder->type, address.section))) return nullptr;
  return objects_at(*holder, address.section);
}

// The objects that hold an element's section, outermost first.
std::vector<Object*> holders(Model& model, const ElementAddress& address) {
  std::vector<Object*> result;
  Object* definition = find_element(model, {address.definition, "", ""});
  if (definition == nullptr) return result;
  result.push_back(definition);
  Object* owner = address.owner == "ground" ? const_cast<Object*>(std::as_const(*definition).object("ground"))
                                            : find_element(model, {address.definition, "parts", address.owner});
  if (owner != nullptr && !address.owner.empty()) result.push_back(owner);
  return result;
}

// section_at() appends what is missing, so that a refused edit is undone by cutting: copying the model for every new
// element would make importers slow.
std::vector<std::size_t> property_counts(Model& model, const ElementAddress& address) {
  std::vector<std::size_t> counts;
  for (const Object* holder : holders(model, address)) counts.push_back(holder->properties.size());
  return counts;
}

void drop_new_properties(Model& model, const ElementAddress& address, const std::vector<std::size_t>& counts) {
  const std::vector<Object*> objects = holders(model, address);
  for (std::size_t i = std::min(counts.size(), objects.size()); i-- > 0;) objects[i]->properties.resize(counts[i]);
}

// Frames count to what they belong to.
ElementAddress user_for(const ElementAddress& address) {
  if (address.owner.empty()) return address;
  if (address.owner == "ground") return {address.definition, "ground", ""};
  return {address.definition, "parts", address.owner};
}

// Paths that lead nowhere, with who uses them.
std::vector<Reference> dangling(std::vector<Reference> all) {
  std::erase_if(all, [](const Reference& r) { return r.is_resolved; });
  return all;
}

bool leads_nowhere_new(const Model& model, const std::vector<Reference>& now, const std::vector<Reference>& before,
                       Diagnostics& diagnostics) {
  for (const Reference& reference : now) {
    const bool is_old = std::any_of(before.begin(), before.end(), [&](const Reference& r) {
      return r.path == reference.path && r.user == reference.user && r.segment == reference.segment;
    });
    if (is_old) continue;
    diagnostics.error(
        Code::unknown_reference, reference.where,
        fmt::format("'{}' would refer to '{}', which does not exist", path_of(model, reference.user), reference.path),
        "create what it refers to first");
    return true;
  }
  return false;
}

bool is_part_of(const ElementAddress& address, const ElementAddress& outer) {
  if (address.definition != outer.definition) return false;
  if (outer.section.empty() || address == outer) return true;
  return outer.section == "parts" && outer.owner.empty() && address.owner == outer.name;
}

bool is_inside_any(const ElementAddress& address, std::span<const ElementAddress> outer) {
  return std::any_of(outer.begin(), outer.end(), [&](const ElementAddress& o) { return is_part_of(address, o); });
}

std::vector<std::string> all_paths(const Model& model) {
  std::vector<std::string> paths;
  for (const ElementAddress& address : list_elements(model)) paths.push_back(path_of(model, address));
  return paths;
}

// Properties that say the same keep the place where they were written.
void keep_places(Object& changed, const Object& old) {
  changed.name_range = old.name_range;
  changed.range = old.range;
  for (Property& property : changed.properties) {
    const Property* before = old.find(property.field->key);
    if (before != nullptr && same(before->value, property.value)) property = *before;
  }
}

void apply_changes(Node& description, const Node& changes) {
  for (const Node::Entry& change : changes.entries) {
    Node::Entry* known = description.find(change.key);
    if (change.value.is_null()) {
      std::erase_if(description.entries, [&](const Node::Entry& e) { return e.key == change.key; });
    } else if (known != nullptr) {
      known->value = change.value;
    } else {
      description.entries.push_back(change);
    }
  }
}

}  // namespace

void report_missing(const Model& model, std::string_view path, Diagnostics& diagnostics) {
  const std::vector<std::string> paths = all_paths(model);
  std::string hint = did_you_mean(path, paths);
  if (hint.empty()) {
    // A bare name, or the right name in the wrong section.
    const std::string last = split(path, '.').back();
    for (const std::string& known : paths) {
      if (split(known, '.').back() == last) hint = fmt::format("did you mean '{}'?", known);
    }
  }
  diagnostics.error(Code::edit_target_missing, {}, fmt::format("there is nothing at '{}'", path), hint);
}

bool is_free_name(const Model& model, const ElementAddress& address, Diagnostics& diagnostics) {
  const bool is_definition = address.section.empty();
  const std::string& name = is_definition ? address.definition : address.name;
  if (!is_valid_name(name)) {
    diagnostics.error(Code::bad_name, {}, fmt::format("{} cannot be a name", shown(name)),
                      "names begin with a letter or '_' and contain only letters, digits, '_' and '-'");
    return false;
  }
  if (is_reserved_name(name) ||
      ((address.section == "parameters" || address.section == "inputs") && expression::is_reserved_word(name))) {
    diagnostics.error(Code::bad_name, {}, fmt::format("'{}' is reserved and cannot be a name", name));
    return false;
  }
  ElementAddress taken = address;
  const Object* other = find_element(model, taken);
  if (shares_names(address.section) && address.owner.empty()) {
    for (const std::string_view section : sections_sharing_names()) {
      if (other != nullptr) break;
      taken.section = section;
      other = find_element(model, taken);
    }
  }
  if (other == nullptr) return true;
  Diagnostic& d = diagnostics.error(Code::edit_target_exists, {},
                                    fmt::format("'{}' already exists", path_of(model, taken)), "choose another name");
  if (other->name_range.is_known()) d.notes.push_back({other->name_range, "it is defined here"});
  return false;
}

bool is_unused(const Model& model, std::span<const ElementAddress> addresses, Diagnostics& diagnostics) {
  std::vector<Reference> users = references(model);
  std::erase_if(users, [&](const Reference& r) {
    const bool is_about_definition = r.is_resolved && r.target.section.empty();
    const bool is_target = r.is_resolved && is_inside_any(r.target, addresses) &&
                           (!addresses.front().section.empty() || is_about_definition);
    return !is_target || is_inside_any(r.user, addresses);
  });
  // `crank.pin` refers to the part and to its frame: one use.
  const auto last = std::unique(users.begin(), users.end(), [](const Reference& a, const Reference& b) {
    return a.value != nullptr && a.value == b.value;
  });
  users.erase(last, users.end());
  if (users.empty()) return true;
  const std::string path = path_of(model, addresses.front());
  Diagnostic& d = diagnostics.error(
      Code::edit_still_referenced, {},
      fmt::format("'{}' is still used in {} place{}", path, users.size(), users.size() == 1 ? "" : "s"),
      "remove or change what uses it first");
  for (std::size_t i = 0; i < std::min(users.size(), kMaxUsersShown); ++i) {
    d.notes.push_back({users[i].where, fmt::format("used by '{}'", path_of(model, users[i].user))});
  }
  return false;
}

bool create(Model& model, const ElementAddress& address, const Node& description, Diagnostics& diagnostics) {
  if (!is_free_name(model, address, diagnostics)) return false;
  if (address.section.empty()) {
    Diagnostics found;
    Object object = read_object(without_ranges(description), kAssemblyType, SourceMap{}, found);
    append(diagnostics, found);
    if (!found.has_errors()) model.definitions.push_back({address.definition, std::move(object)});
    return !found.has_errors();
  }
  std::optional<Object> element = read_element(address.section, address.name, description, diagnostics);
  if (!element) return false;
  const ElementAddress user = user_for(address);
  const std::vector<Reference> before = dangling(references_in(model, user));
  const std::vector<std::size_t> sizes = property_counts(model, address);
  Value::Objects* section = section_at(model, address);
  if (section == nullptr) {
    report_missing(model, path_of(model, address), diagnostics);
    return false;
  }
  section->push_back(*std::move(element));
  if (!leads_nowhere_new(model, dangling(references_in(model, user)), before, diagnostics)) return true;
  section->pop_back();
  drop_new_properties(model, address, sizes);
  return false;
}

bool modify(Model& model, const ElementAddress& address, const Node& changes, Diagnostics& diagnostics) {
  Model changed = model;
  Object* element = find_element(changed, address);
  if (element == nullptr) {
    report_missing(model, path_of(model, address), diagnostics);
    return false;
  }
  Node description = write_object(*element);
  apply_changes(description, changes);
  Diagnostics found;
  std::optional<Object> replaced;
  if (address.section.empty()) {
    replaced = read_object(without_ranges(description), *element->type, SourceMap{}, found);
    append(diagnostics, found);
  } else {
    replaced = read_element(address.section, address.name, description, diagnostics);
  }
  if (!replaced || found.has_errors()) return false;
  keep_places(*replaced, *element);
  *element = *std::move(replaced);
  const std::vector<Reference> now = dangling(references(changed));
  if (leads_nowhere_new(changed, now, dangling(references(model)), diagnostics)) return false;
  model = std::move(changed);
  return true;
}

bool remove(Model& model, const ElementAddress& address, Diagnostics& diagnostics) {
  if (find_element(std::as_const(model), address) == nullptr) {
    report_missing(model, path_of(model, address), diagnostics);
    return false;
  }
  if (address.section.empty() && address.definition == model.root().name) {
    diagnostics.error(Code::edit_refused, {}, "the model itself cannot be removed");
    return false;
  }
  if (!is_unused(model, std::span(&address, 1), diagnostics)) return false;
  if (address.section.empty()) {
    std::erase_if(model.definitions, [&](const Definition& d) { return d.name == address.definition; });
  } else {
    std::erase_if(*section_at(model, address), [&](const Object& o) { return o.name == address.name; });
  }
  return true;
}

}  // namespace gelenk::model
