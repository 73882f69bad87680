#include "gelenk/formats/source_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/formats/edit_path.h"
#include "gelenk/formats/source_document.h"
#include "gelenk/formats/source_rename.h"
#include "gelenk/model/edit.h"
#include "gelenk/model/expand.h"

namespace gelenk::formats {
namespace {

using model::Definition;
using model::ElementAddress;
using model::Model;
using model::Object;

struct Checked {
  LoadedModel loaded;
  Diagnostics diagnostics;
};

Checked load_and_check(const std::string& path, const LoadOptions& options) {
  Checked result;
  result.loaded = load_model(path, options, result.diagnostics);
  if (result.loaded.is_read) static_cast<void>(model::expand(result.loaded.model, {}, result.diagnostics));
  return result;
}

void append(Diagnostics& diagnostics, const Diagnostic& d) {
  diagnostics.error(d.code, d.where, d.message, d.hint) = d;
}

// Errors are the same when they say the same: their places move with the text.
std::vector<Diagnostic> new_errors(const Diagnostics& before, const Diagnostics& after) {
  using Key = std::tuple<Code, std::string, std::string>;
  const auto key = [](const Diagnostic& d) { return Key{d.code, d.element, d.message}; };
  std::multiset<Key> known;
  for (const Diagnostic& d : before.all()) known.insert(key(d));
  std::vector<Diagnostic> result;
  for (const Diagnostic& d : after.sorted()) {
    if (d.severity != Severity::error) continue;
    const auto it = known.find(key(d));
    if (it == known.end()) {
      result.push_back(d);
    } else {
      known.erase(it);
    }
  }
  return result;
}

// Definitions by number: the loader makes their names from what is written, and a new name there may change others.
Model with_numbered_definitions(Model model) {
  std::map<std::string, std::string> numbers;
  for (const Definition& d : model.definitions) numbers.emplace(d.name, fmt::format("d{}", numbers.size()));
  for (Definition& definition : model.definitions) {
    definition.name = numbers[definition.name];
    model::Property* section = definition.object.find("assemblies");
    auto* instances = section == nullptr ? nullptr : section->value.get<model::Value::Objects>();
    if (instances == nullptr) continue;
    for (Object& instance : *instances) {
      model::Property* use = instance.find("use");
      auto* name = use == nullptr ? nullptr : use->value.get<std::string>();
      if (name != nullptr && numbers.contains(*name)) *name = numbers[*name];
    }
  }
  return model;
}

void put(Node& map, std::span<const std::string> keys, Node value) {
  map.kind = Node::Kind::map;
  Node::Entry* entry = map.find(keys.front());
  if (entry == nullptr) {
    map.entries.push_back({keys.front(), {}, {}});
    entry = &map.entries.back();
  }
  if (keys.size() == 1) {
    entry->value = std::move(value);
  } else {
    put(entry->value, keys.subspan(1), std::move(value));
  }
}

class Editor {
 public:
  Editor(const std::string& path, const EditCommand& command, const LoadOptions& options, Diagnostics& diagnostics)
      : path_(path),
        command_(command),
        options_(options),
        diagnostics_(diagnostics),
        old_(load_and_check(path, options)),
        documents_(old_.loaded.sources) {}

  EditResult run() {
    result_.sources = old_.loaded.sources;
    if (!old_.loaded.is_read) {
      for (const Diagnostic& d : old_.diagnostics.all()) append(diagnostics_, d);
      return std::move(result_);
    }
    const std::optional<EditPath> target = resolve_edit_path(old_.loaded, command_.path, diagnostics_);
    if (!target) return std::move(result_);
    switch (command_.kind) {
      case EditCommand::Kind::add:
        result_.ok = add(*target) && check_effects();
        break;
      case EditCommand::Kind::set:
        result_.ok = set(*target) && check_effects();
        break;
      case EditCommand::Kind::remove:
        result_.ok = remove(*target) && check_effects();
        break;
      case EditCommand::Kind::rename:
        result_.ok = rename(*target);
        break;
    }
    if (!result_.ok) result_.files.clear();
    return std::move(result_);
  }

 private:
  const Model& model() const { return old_.loaded.model; }

  bool refuse(std::string message, std::string hint = {}) {
    diagnostics_.error(Code::edit_refused, {}, std::move(message), std::move(hint));
    return false;
  }
  bool missing(const std::string& path) {
    model::report_missing(model(), path, diagnostics_);
    return false;
  }

  // Null, with an error, when the file is not the user's to change.
  EditedText* text_of(std::int32_t file) {
    const std::string& path = old_.loaded.sources.file(file).path();
    if (file != 0 && !is_inside(path, folder_of(path_))) {
      diagnostics_.error(Code::outside_folder, {}, fmt::format("'{}' is outside the folder of the model", path),
                         "edit it as a model of its own");
      return nullptr;
    }
    const auto [it, is_new] =
        texts_.try_emplace(file, EditedText{old_.loaded.sources.file(file).text(), path.ends_with(".json")});
    return &it->second;
  }

  // --- the four edits

  std::optional<Node> described() {
    Node node;
    node.kind = Node::Kind::map;
    for (const auto& [key, text] : command_.key_values) {
      std::optional<Node> value = read_given_value(text, diagnostics_);
      if (!value) return std::nullopt;
      if (value->is_null()) {
        refuse(fmt::format("'{}' has no value", key.empty() ? command_.path : key));
        return std::nullopt;
      }
      if (key.empty()) return value;
      put(node, split(key, '.'), *std::move(value));
    }
    return node;
  }

  bool is_new(const EditPath& target) {
    if (target.keys.empty()) {
      diagnostics_.error(Code::edit_target_exists, {}, fmt::format("'{}' already exists", target.text));
      return false;
    }
    if (target.keys.size() == 2 && target.keys[0] == "definitions") {
      return model::is_free_name(model(), {target.keys[1], "", ""}, diagnostics_);
    }
    std::size_t count = 0;
    const std::optional<ElementAddress> element = target.element(count);
    const bool is_element = element && count == target.keys.size();
    if (is_element) {
      const bool has_owner = element->owner.empty() || element->owner == "ground" ||
                             model::find_element(model(), {element->definition, "parts", element->owner}) != nullptr;
      return has_owner ? model::is_free_name(model(), *element, diagnostics_) : missing(target.text);
    }
    if (element && model::find_element(model(), *element) == nullptr) return missing(target.text);
    const std::optional<TextPlace> place = find_place(target, documents_);
    const bool is_there =
        place &&
        walk(*walk(*documents_.document(place->file), place->place).node, place->rest).steps == place->rest.size();
    if (!is_there) return true;
    diagnostics_.error(Code::edit_target_exists, {}, fmt::format("'{}' already exists", target.text),
                       "change it with `set`");
    return false;
  }

  bool add(const EditPath& target) {
    const std::optional<Node> value = described();
    if (!value || !is_new(target)) return false;
    const bool is_key = !target.exact_element() && target.keys[0] != "definitions";
    const std::optional<TextPlace> place =
        is_key ? find_place(target, documents_) : find_place_for_new(target, documents_);
    if (!place) return missing(target.text);
    return assign(*place, target, *value);
  }

  bool assign(const TextPlace& place, const EditPath& target, const Node& value) {
    EditedText* text = text_of(place.file);
    if (text == nullptr) return false;
    if (!text->assign(place.place, place.rest, place.shorthand, value)) {
      return refuse(fmt::format("'{}' cannot be set: what it belongs to is not a map", target.text),
                    "set that as a whole, as in at=\"{position: [0, 0, 0]}\"");
    }
    expected_.emplace_back(target, value);
    return true;
  }

  // `set parameters.speed=900 rpm` also when the parameter is written with min, max and doc.
  void lead_to_shorthand(EditPath& target, const Node& value) const {
    const std::optional<ElementAddress> element = target.exact_element();
    const Object* object = element ? model::find_element(model(), *element) : nullptr;
    if (object == nullptr || value.is_map() || object->type->shorthand.empty()) return;
    target.keys.emplace_back(object->type->shorthand);
  }

  bool set(const EditPath& target) {
    std::size_t count = 0;
    const std::optional<ElementAddress> element = target.element(count);
    const bool is_there = !element || model::find_element(model(), *element) != nullptr;
    if (!is_there || (target.keys.size() == 2 && target.keys[0] == "definitions")) return missing(target.text);
    if (command_.key_values.empty()) return refuse("nothing to set", "write key=value");
    for (const auto& [key, given] : command_.key_values) {
      const std::optional<Node> value = read_given_value(given, diagnostics_);
      if (!value) return false;
      EditPath one = target;
      if (!key.empty()) {
        for (std::string& segment : split(key, '.')) one.keys.push_back(std::move(segment));
        one.text += "." + key;
      }
      if (one.keys.empty()) return refuse(fmt::format("'{}' cannot be set as a whole", target.text));
      if (value->is_null()) {
        if (!remove_key(one)) return false;
        continue;
      }
      lead_to_shorthand(one, *value);
      const std::optional<TextPlace> place = find_place(one, documents_);
      if (!place) return missing(one.text);
      if (!assign(*place, one, *value)) return false;
    }
    return true;
  }

  bool remove_key(const EditPath& target) {
    std::size_t count = 0;
    const std::optional<ElementAddress> element = target.element(count);
    if (element && model::find_element(model(), *element) == nullptr) return missing(target.text);
    const std::optional<TextPlace> place = find_place(target, documents_);
    if (!place) return missing(target.text);
    EditedText* text = text_of(place->file);
    if (text == nullptr) return false;
    NodePath entry = place->place;
    entry.insert(entry.end(), place->rest.begin(), place->rest.end());
    if (!text->remove(entry)) return missing(target.text);
    gone_.push_back(target);
    return true;
  }

  bool remove(const EditPath& target) {
    const std::optional<ElementAddress> element = target.exact_element();
    if (!element) return remove_key(target);
    const Object* object = model::find_element(model(), *element);
    if (object == nullptr) return missing(target.text);
    if (!object->name_range.is_known()) return refuse(fmt::format("'{}' is a whole file", target.text));
    const std::vector<ElementAddress> copies = same_text(old_.loaded, documents_, *element);
    if (!model::is_unused(model(), copies, diagnostics_)) return false;
    const std::optional<NodePath> entry = documents_.find_key(object->name_range);
    if (!entry) return missing(target.text);
    EditedText* text = text_of(documents_.first_copy(object->name_range).file);
    if (text == nullptr) return false;
    if (!text->remove(*entry)) return missing(target.text);
    gone_.push_back(target);
    return true;
  }

  bool rename(const EditPath& target) {
    const std::optional<ElementAddress> element = target.exact_element();
    if (!element) return refuse(fmt::format("'{}' is a key of the format and cannot be renamed", target.text));
    const Object* object = model::find_element(model(), *element);
    if (object == nullptr) return missing(target.text);
    if (!object->name_range.is_known()) {
      return refuse(fmt::format("'{}' is named after its file", target.text), "rename the file and where it is used");
    }
    const std::vector<ElementAddress> copies = same_text(old_.loaded, documents_, *element);
    // The model after the same edit by program: what the new text must mean.
    Model expected = model();
    const bool is_definition = element->section.empty();
    const bool is_possible = is_definition ? model::is_free_name(model(), {command_.new_name, "", ""}, diagnostics_)
                                           : model::rename(expected, std::span<const ElementAddress>(copies),
                                                           command_.new_name, diagnostics_);
    if (!is_possible) return false;
    const Model wanted = with_numbered_definitions(std::move(expected));
    return rename_in_text(target, copies, wanted);
  }

  // Keys are found by their words only, so several sets of places are tried until one gives the wanted model.
  bool rename_in_text(const EditPath& target, const std::vector<ElementAddress>& copies, const Model& wanted) {
    const std::vector<Splice> own = rename_splices(old_.loaded, documents_, copies, command_.new_name);
    const KeySplices keys = key_splices(old_.loaded, documents_, copies.front(), command_.new_name);
    const auto joined = [](std::vector<Splice> a, const std::vector<Splice>& more) {
      a.insert(a.end(), more.begin(), more.end());
      return a;
    };
    std::vector<std::vector<Splice>> tries{joined(own, keys.in_modify)};
    if (!keys.in_modify.empty()) {
      tries.push_back(own);
      tries.push_back(joined(tries.front(), keys.in_documents));
    }
    std::optional<Checked> first;
    for (const std::vector<Splice>& splices : tries) {
      if (!splice(splices)) return false;
      Checked changed = reload();
      // The same model has the same errors, if any; their messages may have the new name.
      if (same(wanted, with_numbered_definitions(changed.loaded.model))) return true;
      if (!first) first = std::move(changed);
    }
    if (!accept(*first)) return false;
    const bool has_modify = !keys.in_modify.empty();
    diagnostics_.error(Code::edit_refused, has_modify ? keys.in_modify.front().where : SourceRange{},
                       fmt::format("'{}' cannot be renamed without changing what the model means", target.text),
                       has_modify ? "`modify` also names it: rename it there by hand" : "rename it by hand");
    return false;
  }

  bool splice(const std::vector<Splice>& splices) {
    texts_.clear();
    for (const Splice& one : splices) {
      if (text_of(one.where.file) == nullptr) return false;
    }
    for (auto& [file, text] : texts_) text.text = spliced(old_.loaded.sources.file(file).text(), file, splices);
    return true;
  }

  // --- the new texts

  Checked reload() {
    std::map<std::string, std::string> by_path;
    for (std::size_t i = 0; i < old_.loaded.sources.size(); ++i) {
      const auto file = static_cast<std::int32_t>(i);
      const auto it = texts_.find(documents_.first_copy({file, 0, 0}).file);
      if (it != texts_.end()) by_path[old_.loaded.sources.file(file).path()] = it->second.text;
    }
    LoadOptions options = options_;
    options.read = [&](const std::string& path, std::size_t max_bytes) {
      const auto it = by_path.find(path);
      return it == by_path.end() ? options_.read(path, max_bytes) : ReadResult{it->second, Code::none, ""};
    };
    result_.files.clear();
    for (const auto& [file, text] : texts_) {
      const SourceFile& source = old_.loaded.sources.file(file);
      if (text.text != source.text()) result_.files.push_back({source.path(), source.text(), text.text});
    }
    return load_and_check(path_, options);
  }

  // Refuses what brings new errors. The diagnostics then speak of the new text.
  bool accept(const Checked& changed) {
    const std::vector<Diagnostic> errors = new_errors(old_.diagnostics, changed.diagnostics);
    if (errors.empty()) return true;
    result_.sources = changed.loaded.sources;
    refuse(fmt::format("nothing was changed: the model would have {} new error{}", errors.size(),
                       errors.size() == 1 ? "" : "s"));
    for (const Diagnostic& d : errors) append(diagnostics_, d);
    return false;
  }

  // What was set must be what the model now says: `modify:` in another place may win over it.
  bool check_effects() {
    const Checked changed = reload();
    if (!accept(changed)) return false;
    const SourceDocuments documents(changed.loaded.sources);
    const auto value_at = [&](EditPath path) -> const Node* {
      path.definition = changed.loaded.model.find(path.definition->name);
      if (path.keys[0] == "definitions") path.definition = &changed.loaded.model.root();
      const std::optional<TextPlace> place = path.definition == nullptr ? std::nullopt : find_place(path, documents);
      if (!place) return nullptr;
      const Node& start = *walk(*documents.document(place->file), place->place).node;
      const bool is_short = place->rest.size() == 1 && place->rest[0] == place->shorthand && !start.is_map();
      const NodeWalk end = is_short ? NodeWalk{&start, 1} : walk(start, place->rest);
      return end.steps == place->rest.size() ? end.node : nullptr;
    };
    for (const auto& [path, value] : expected_) {
      if (path.keys[0] == "definitions") continue;
      const Node* now = value_at(path);
      if (now == nullptr || !same_content(*now, value)) return has_no_effect(path);
    }
    for (const EditPath& path : gone_) {
      if (!path.keys.empty() && value_at(path) != nullptr) return has_no_effect(path);
    }
    return true;
  }

  bool has_no_effect(const EditPath& path) {
    return refuse(fmt::format("the change of '{}' would have no effect", path.text),
                  "it is overridden by a `modify` or by another value in the same command");
  }

  const std::string& path_;
  const EditCommand& command_;
  const LoadOptions& options_;
  Diagnostics& diagnostics_;
  Checked old_;
  SourceDocuments documents_;
  EditResult result_;
  std::map<std::int32_t, EditedText> texts_;         // files that are changed
  std::vector<std::pair<EditPath, Node>> expected_;  // values that must be found in the new model
  std::vector<EditPath> gone_;                       // and what must be gone
};

// Files already written get their old text back.
void undo(const std::vector<ChangedFile>& files, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) write_file_atomically(files[i].path, files[i].old_text);
}

}  // namespace

EditResult plan_edit(const std::string& path, const EditCommand& command, const LoadOptions& options,
                     Diagnostics& diagnostics) {
  return Editor(path, command, options, diagnostics).run();
}

EditResult edit_model(const std::string& path, const EditCommand& command, const LoadOptions& options,
                      Diagnostics& diagnostics) {
  EditResult result = plan_edit(path, command, options, diagnostics);
  for (std::size_t i = 0; result.ok && i < result.files.size(); ++i) {
    const ChangedFile& file = result.files[i];
    const std::string problem = write_file_atomically(file.path, file.new_text);
    if (problem.empty()) continue;
    diagnostics.error(Code::file_unreadable, {}, fmt::format("'{}' cannot be written: {}", file.path, problem));
    undo(result.files, i);
    result.ok = false;
  }
  return result;
}

}  // namespace gelenk::formats
