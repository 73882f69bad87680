#include "gelenk/formats/modify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/model/assembly_types.h"

namespace gelenk::formats {
namespace {

bool is_section(std::string_view key) {
  const auto fields = model::kFileType.fields;
  return std::any_of(fields.begin(), fields.end(), [&](const model::Field& field) {
    return field.key == key &&
           (field.kind == model::FieldKind::section || field.kind == model::FieldKind::typed_section);
  });
}

// The key that a bare value stands for in a section: `rod_length: 150 mm` is `{value: 150 mm}`.
std::string_view shorthand_of(std::string_view section) {
  for (const model::Field& field : model::kFileType.fields) {
    if (field.key == section && field.object != nullptr) return field.object->shorthand;
  }
  return section == "frames" ? "at" : "";
}

Node empty_map(const SourceRange& range) {
  Node result;
  result.kind = Node::Kind::map;
  result.range = range;
  return result;
}

void overlay(Node& target, const Node& change, std::string_view section) {
  if (!change.is_map()) {
    target = change;
    return;
  }
  if (!target.is_map()) {
    const std::string_view shorthand = shorthand_of(section);
    Node wrapped = empty_map(target.range);
    if (!shorthand.empty() && !target.is_null()) {
      wrapped.entries.push_back({std::string(shorthand), target.range, target});
    }
    target = std::move(wrapped);
  }
  for (const Node::Entry& entry : change.entries) {
    // `axis: ~` takes a key away that a new type does not have.
    if (entry.value.is_null()) {
      std::erase_if(target.entries, [&](const Node::Entry& old) { return old.key == entry.key; });
      continue;
    }
    Node::Entry* known = target.find(entry.key);
    if (known == nullptr) {
      target.entries.push_back(entry);
    } else if (known->value.is_map() && entry.value.is_map()) {
      overlay(known->value, entry.value, entry.key);
      known->key_range = entry.key_range;
    } else {
      *known = entry;
    }
  }
}

const model::Family* family_of(std::string_view section) {
  for (const model::Field& field : model::kFileType.fields) {
    if (field.key == section && field.kind == model::FieldKind::typed_section) return field.family;
  }
  return nullptr;
}

bool has_coordinate(const model::ObjectType& type, std::string_view name) {
  return std::any_of(type.coordinates.begin(), type.coordinates.end(),
                     [&](const model::Coordinate& one) { return one.name == name || one.rate == name; });
}

// An element that gets another type: what was written for the old type and the new one does not have goes, with a
// warning. What the change itself says stays, and is an error if the type does not have it.
void change_type(Node& element, const Node::Entry& change, const model::Family& family, Diagnostics& diagnostics) {
  const Node::Entry *old_type = element.find("type"), *new_type = change.value.find("type");
  if (old_type == nullptr || new_type == nullptr || old_type->value.text == new_type->value.text) return;
  const model::ObjectType *before = family.find(old_type->value.text), *after = family.find(new_type->value.text);
  if (before == nullptr || after == nullptr) return;
  const auto has_key = [&](const model::ObjectType& type, std::string_view key) {
    bool found = false;
    model::for_each_field(type, &family, [&](const model::Field& field) { found = found || field.key == key; });
    return found;
  };
  std::vector<std::string> gone;
  const auto drop = [&](Node& map, const auto& is_lost, const std::string& prefix) {
    std::erase_if(map.entries, [&](const Node::Entry& entry) {
      if (!is_lost(entry.key)) return false;
      gone.push_back(prefix + entry.key);
      return true;
    });
  };
  drop(
      element, [&](const std::string& key) { return has_key(*before, key) && !has_key(*after, key); }, "");
  // Those of coordinates that the new type does not have
  for (const char* key : {"limits", "start", "guess"}) {
    Node::Entry* const values = element.find(key);
    if (values == nullptr || !values->value.is_map()) continue;
    drop(
        values->value,
        [&](const std::string& name) { return has_coordinate(*before, name) && !has_coordinate(*after, name); },
        std::string(key) + ".");
    if (values->value.entries.empty()) {
      std::erase_if(element.entries, [&](const Node::Entry& entry) { return entry.key == key; });
    }
  }
  if (gone.empty()) return;
  diagnostics.warning(Code::key_without_effect, new_type->value.range,
                      fmt::format("'{}' was {} and becomes {}: {} {} dropped", change.key, before->name, after->name,
                                  join(gone, ", "), gone.size() == 1 ? "is" : "are"));
}

// Hands the rest of a path on to an instance.
void hand_on(Node& instance, std::span<const std::string> rest, const Node::Entry& change) {
  overlay(instance, empty_map(instance.range), "assemblies");
  if (instance.find("modify") == nullptr) {
    instance.entries.push_back({"modify", change.key_range, empty_map(change.value.range)});
  }
  Node& inner = instance.find("modify")->value;
  inner.entries.push_back({join(rest, "."), change.key_range, change.value});
}

void report_missing(const Node& place, const std::string& segment, const Node::Entry& change,
                    Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const Node::Entry& entry : place.entries) names.push_back(entry.key);
  const bool may_suggest = diagnostics.error_count() < Diagnostics::kMaxKept;
  std::string hint = may_suggest ? did_you_mean(segment, names) : "";
  constexpr std::size_t kMostNames = 8;
  const bool is_long = names.size() > kMostNames;
  if (is_long) names.resize(kMostNames);
  if (hint.empty()) {
    hint =
        names.empty() ? "there is nothing to modify" : "names there: " + join(names, ", ") + (is_long ? ", ..." : "");
  }
  diagnostics.error(Code::modify_missing, change.key_range,
                    fmt::format("cannot modify '{}': there is no '{}'", change.key, segment), hint);
}

void apply_one(Node& document, const Node::Entry& change, Diagnostics& diagnostics) {
  const std::vector<std::string> segments = split(change.key, '.');
  Node* place = &document;
  std::string section;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool is_inside_instance = i == 2 && segments[0] == "assemblies";
    if (is_inside_instance) {
      bool is_key = false;
      for (const model::Field& field : model::kInstanceType.fields) is_key = is_key || field.key == segments[i];
      if (!is_key) {
        hand_on(*place, std::span(segments).subspan(i), change);
        return;
      }
    }
    Node::Entry* next = place->is_map() ? place->find(segments[i]) : nullptr;
    if (next == nullptr) {
      report_missing(*place, segments[i], change, diagnostics);
      return;
    }
    if (i + 2 == segments.size() || i == 0) section = segments[i];
    place = &next->value;
  }
  const model::Family* const family = segments.size() == 2 ? family_of(section) : nullptr;
  if (family != nullptr && place->is_map() && change.value.is_map()) {
    change_type(*place, change, *family, diagnostics);
  }
  overlay(*place, change.value, section);
}

}  // namespace

void apply_modifications(Node& document, const Node& modifications, Diagnostics& diagnostics) {
  if (!modifications.is_map()) {
    diagnostics.error(Code::wrong_kind, modifications.range,
                      "`modify` needs a map such as {joints.crank_pin: {type: cylindrical}}");
    return;
  }
  for (const Node::Entry& change : modifications.entries) apply_one(document, change, diagnostics);
}

void merge_onto(Node& base, const Node& own, Diagnostics& diagnostics) {
  for (const Node::Entry& entry : own.entries) {
    if (entry.key == "use" || entry.key == "modify") continue;
    Node::Entry* known = base.find(entry.key);
    if (known == nullptr) {
      base.entries.push_back(entry);
      continue;
    }
    if (!is_section(entry.key) || !known->value.is_map() || !entry.value.is_map()) {
      *known = entry;
      continue;
    }
    std::map<std::string, SourceRange> taken;
    for (const Node::Entry& element : known->value.entries) taken.emplace(element.key, element.key_range);
    for (const Node::Entry& element : entry.value.entries) {
      const auto other = taken.find(element.key);
      if (other == taken.end()) {
        known->value.entries.push_back(element);
        continue;
      }
      Diagnostic& d =
          diagnostics.error(Code::duplicate_name, element.key_range,
                            fmt::format("'{}' already exists in the file that is used", element.key),
                            fmt::format("change it with `modify: {{{}.{}: {{...}}}}`", entry.key, element.key));
      d.notes.push_back({other->second, "the first definition is here"});
    }
  }
}

}  // namespace gelenk::formats
