#include "gelenk/formats/model_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "gelenk/base/similar_file.h"
#include "gelenk/base/text.h"
#include "gelenk/formats/modify.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/reader.h"

namespace gelenk::formats {
namespace {

std::string stem_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.find('.');
  std::string stem = dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
  for (char& c : stem) {
    const bool is_allowed =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!is_allowed) c = '_';
  }
  return is_valid_name(stem) ? stem : "model_" + stem;
}

bool is_sealed(const std::string& path) { return path.ends_with(".gkc"); }

bool looks_like_path(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".yaml") || name.ends_with(".yml") ||
         name.ends_with(".json") || is_sealed(name);
}

// "a/./b" and "b" are the same file to people.
std::string joined_path(const std::string& folder, const std::string& path) {
  if (!path.empty() && path.front() == '/') return path;
  return folder == "." ? path : folder + "/" + path;
}

std::size_t count_nodes(const Node& node) {
  std::size_t count = 1;
  for (const Node& item : node.items) count += count_nodes(item);
  for (const Node::Entry& entry : node.entries) count += count_nodes(entry.value);
  return count;
}

class Loader {
 public:
  Loader(const LoadOptions& options, Diagnostics& diagnostics) : options_(options), diagnostics_(diagnostics) {}

  LoadedModel run(const std::string& path) {
    root_folder_ = folder_of(path);
    std::optional<Node> document = read_document(path, SourceRange{});
    if (document) {
      result_.is_read = true;
      const Node::Entry* name = document->find("name");
      const bool has_name = name != nullptr && name->value.is_scalar();
      result_.model.name = has_name ? name->value.text : stem_of(path);
      add_definition(stem_of(path), *std::move(document), model::kFileType);
      find_cycles();
    }
    result_.model.folders = folders_;
    return std::move(result_);
  }

 private:
  // Definitions that names in one file may mean.
  struct LocalNames {
    std::map<std::string, Node> documents;      // as written, for private copies
    std::map<std::string, std::string> global;  // unique names in the model
  };

  std::string folder_at(const SourceRange& where) const {
    return where.is_known() ? folders_[static_cast<std::size_t>(where.file)] : ".";
  }

  std::optional<Node> read_document(const std::string& path, const SourceRange& where) {
    const std::string canonical = options_.real_path(path).value_or(path);
    if (std::find(reading_.begin(), reading_.end(), canonical) != reading_.end()) {
      report_cycle(path, where);
      return std::nullopt;
    }
    if (reading_.size() + adding_.size() >= kMaxDepth) {
      diagnostics_.error(Code::assemblies_too_deep, where, fmt::format("files use files more than {} deep", kMaxDepth));
      return std::nullopt;
    }
    if (where.is_known() && !options_.allow_outside && !is_inside(path, root_folder_)) {
      diagnostics_.error(Code::outside_folder, where, fmt::format("'{}' is outside the folder of the model", path),
                         "move it there, or allow it with --allow-outside");
      return std::nullopt;
    }
    if (is_sealed(path) && !options_.read_sealed) {
      diagnostics_.error(Code::sealed_component, where, fmt::format("'{}' cannot be mounted by this command", path),
                         "`gelenk info` shows what the component is");
      return std::nullopt;
    }
    const ReadResult read =
        is_sealed(path) ? options_.read_sealed(path) : options_.read(path, options_.limits.max_bytes);
    if (!read.text) {
      report_unreadable(path, read, where);
      return std::nullopt;
    }
    const std::int32_t file = result_.sources.add(path, *read.text);
    folders_.push_back(folder_of(path));
    TextLimits limits = options_.limits;
    limits.reads_past_duplicates = true;  // one mistake does not hide the others
    std::optional<Node> document = parse_yaml(result_.sources, file, limits, diagnostics_);
    if (!document || !check_header(*document)) return std::nullopt;
    reading_.push_back(canonical);
    resolve_base(*document);
    reading_.pop_back();
    return document;
  }

  void report_cycle(const std::string& path, const SourceRange& where) {
    diagnostics_.error(Code::use_cycle, where, fmt::format("'{}' uses itself through this line", path),
                       "a file cannot contain itself: remove one `use` from the circle");
  }

  void report_unreadable(const std::string& path, const ReadResult& read, const SourceRange& where) {
    if (read.code != Code::file_not_found) {
      diagnostics_.error(read.code, where, fmt::format("cannot read '{}': {}", path, read.reason));
      return;
    }
    std::string hint = did_you_mean_file(path);
    if (where.is_known() && !hint.starts_with("did"))
      hint = "paths are relative to the folder of the file they are written in";
    diagnostics_.error(read.code, where, fmt::format("there is no file '{}'", path), std::move(hint));
  }

  bool check_header(const Node& document) {
    if (!document.is_map()) {
      diagnostics_.error(Code::wrong_kind, document.range,
                         fmt::format("a model file is a map of keys, but this is {}", kind_name(document.kind)),
                         "begin with `gelenk: 1`");
      return false;
    }
    const Node::Entry* version = document.find("gelenk");
    if (version == nullptr) {
      diagnostics_.error(Code::format_version, {document.range.file, document.range.begin, document.range.begin},
                         "this is not a model file: the key `gelenk` is missing", "begin the file with `gelenk: 1`");
      return false;
    }
    if (!version->value.is_scalar() || version->value.text != std::to_string(model::kFormatVersion)) {
      diagnostics_.error(
          Code::format_version, version->value.range,
          fmt::format("the format version is {}, but this program reads version {}",
                      version->value.is_scalar() ? shown(version->value.text) : "missing", model::kFormatVersion),
          "write `gelenk: 1`, or use a newer program");
      return false;
    }
    return true;
  }

  // `use:` at the top of a file: the used file's contents become this file's own.
  void resolve_base(Node& document) {
    const Node::Entry* use = document.find("use");
    const Node::Entry* modify = document.find("modify");
    if (use == nullptr) {
      if (modify != nullptr) {
        diagnostics_.error(Code::key_without_effect, modify->key_range,
                           "`modify` changes what `use` brings in, but there is no `use`");
      }
      return;
    }
    if (!use->value.is_scalar()) {
      diagnostics_.error(Code::wrong_kind, use->value.range, "`use` needs the path of a model file");
      return;
    }
    std::optional<Node> base =
        read_document(joined_path(folder_at(use->value.range), use->value.text), use->value.range);
    if (!base) return;
    if (modify != nullptr) apply_modifications(*base, modify->value, diagnostics_);
    merge_onto(*base, document, diagnostics_);
    base->range = document.range;
    document = *std::move(base);
  }

  std::string unique_name(const std::string& wanted) {
    std::string name = wanted;
    for (int& number = copies_of_name_[wanted]; !used_names_.insert(name).second;) {
      name = fmt::format("{}_{}", wanted, ++number + 1);
    }
    return name;
  }

  // Registers a document as a definition, and what it uses before it. Returns its name in the model.
  std::string add_definition(const std::string& wanted, Node document, const model::ObjectType& type) {
    const std::string name = unique_name(wanted);
    const std::size_t slot = result_.model.definitions.size();
    result_.model.definitions.emplace_back();
    result_.model.definitions[slot].name = name;
    LocalNames names = collect_names(document);
    add_local_definitions(document, names);
    bind_instances(document, names);
    if (type.name == model::kFileType.name) drop(document, {"definitions", "use", "modify"});
    result_.model.definitions[slot].object = model::read_object(document, type, result_.sources, diagnostics_);
    return name;
  }

  static void drop(Node& document, std::initializer_list<std::string_view> keys) {
    std::erase_if(document.entries, [&](const Node::Entry& entry) {
      return std::find(keys.begin(), keys.end(), entry.key) != keys.end();
    });
  }

  LocalNames collect_names(const Node& document) {
    LocalNames names;
    const Node::Entry* definitions = document.find("definitions");
    if (definitions == nullptr || !definitions->value.is_map()) return names;
    for (const Node::Entry& entry : definitions->value.entries) {
      if (!is_valid_name(entry.key)) {
        diagnostics_.error(Code::bad_name, entry.key_range, fmt::format("'{}' cannot be a name", entry.key));
        continue;
      }
      names.documents.emplace(entry.key, entry.value);
      names.global.emplace(entry.key, unique_name(entry.key));
    }
    return names;
  }

  void add_local_definitions(const Node& document, LocalNames& names) {
    const Node::Entry* definitions = document.find("definitions");
    if (definitions == nullptr) return;
    if (!definitions->value.is_map() && !definitions->value.is_null()) {
      diagnostics_.error(Code::wrong_kind, definitions->value.range, "`definitions` needs a map of names");
      return;
    }
    for (const Node::Entry& entry : definitions->value.entries) {
      const auto global = names.global.find(entry.key);
      if (global == names.global.end()) continue;
      Node inner = entry.value;
      bind_instances(inner, names);
      const ElementScope scope(diagnostics_, entry.key, "assembly");
      result_.model.definitions.push_back(
          {global->second, model::read_object(inner, model::kAssemblyType, result_.sources, diagnostics_)});
      result_.model.definitions.back().object.name_range = entry.key_range;
    }
  }

  // Gives every `use:` of the document's instances the unique name of what it means.
  void bind_instances(Node& document, const LocalNames& names) {
    Node::Entry* assemblies = document.is_map() ? document.find("assemblies") : nullptr;
    if (assemblies == nullptr || !assemblies->value.is_map()) return;
    for (Node::Entry& entry : assemblies->value.entries) {
      const ElementScope scope(diagnostics_, entry.key, "assembly");
      Node::Entry* use = entry.value.is_map() ? entry.value.find("use") : nullptr;
      Node* target = use != nullptr ? &use->value : entry.value.is_scalar() ? &entry.value : nullptr;
      const Node::Entry* modify = entry.value.is_map() ? entry.value.find("modify") : nullptr;
      if (target == nullptr && modify != nullptr) {
        diagnostics_.error(Code::key_without_effect, modify->key_range,
                           "`modify` changes what `use` brings in, but this instance has no `use`",
                           "modify the instance it is made from, or `use` the assembly again");
      }
      if (target == nullptr || !target->is_scalar()) continue;
      const std::optional<std::string> name =
          modify == nullptr ? find_used(*target, names) : add_private_copy(entry, *target, modify->value, names);
      target->text = name.value_or("");  // reported already; nothing has an empty name
      if (modify != nullptr) drop(entry.value, {"modify"});
    }
  }

  std::optional<std::string> find_used(const Node& use, const LocalNames& names) {
    const auto local = names.global.find(use.text);
    if (local != names.global.end()) return local->second;
    if (!looks_like_path(use.text)) {
      report_unknown_definition(use, names);
      return std::nullopt;
    }
    const std::string path = joined_path(folder_at(use.range), use.text);
    const std::string canonical = options_.real_path(path).value_or(path);
    const auto known = files_.find(canonical);
    if (known != files_.end()) return known->second;
    if (std::find(adding_.begin(), adding_.end(), canonical) != adding_.end()) {
      report_cycle(path, use.range);
      return std::nullopt;
    }
    const std::optional<std::string> name = add_file(path, stem_of(path), use.range, nullptr);
    if (name) files_[canonical] = *name;
    return name;
  }

  std::optional<std::string> add_file(const std::string& path, const std::string& wanted, const SourceRange& where,
                                      const Node* modify) {
    std::optional<Node> document = read_document(path, where);
    if (!document) return std::nullopt;
    if (modify != nullptr && is_sealed(path)) {
      diagnostics_.error(Code::sealed_component, modify->range, "what is inside a sealed component cannot be modified",
                         "`set` its parameters");
      return std::nullopt;
    }
    if (modify != nullptr) apply_modifications(*document, *modify, diagnostics_);
    const ElementScope scope(diagnostics_, "");
    adding_.push_back(options_.real_path(path).value_or(path));
    const std::size_t slot = result_.model.definitions.size();
    std::string name = add_definition(wanted, *std::move(document), model::kFileType);
    if (is_sealed(path)) result_.model.definitions[slot].sealed = path;
    adding_.pop_back();
    return name;
  }

  // An instance with `modify:` uses a definition of its own.
  std::optional<std::string> add_private_copy(const Node::Entry& instance, const Node& use, const Node& modify,
                                              const LocalNames& names) {
    const auto local = names.documents.find(use.text);
    if (!may_copy(instance, local == names.documents.end() ? use : local->second)) return std::nullopt;
    if (local != names.documents.end()) return copy_local(instance, use, local->second, modify, names);
    if (!looks_like_path(use.text)) {
      report_unknown_definition(use, names);
      return std::nullopt;
    }
    const std::string path = joined_path(folder_at(use.range), use.text);
    if (std::find(adding_.begin(), adding_.end(), options_.real_path(path).value_or(path)) != adding_.end()) {
      report_cycle(path, use.range);
      return std::nullopt;
    }
    return add_file(path, stem_of(path) + "_" + instance.key, use.range, &modify);
  }

  // Copies of copies multiply: a short file could ask for more than any memory holds.
  bool may_copy(const Node::Entry& instance, const Node& source) {
    copied_nodes_ += count_nodes(source);
    if (++copies_ <= kMaxCopies && copied_nodes_ <= options_.limits.max_nodes) return true;
    diagnostics_.error(Code::too_many_elements, instance.key_range, "too many instances are modified",
                       "give the assembly parameters, and `set` them instead");
    return false;
  }

  std::optional<std::string> copy_local(const Node::Entry& instance, const Node& use, const Node& source,
                                        const Node& modify, const LocalNames& names) {
    if (std::find(copying_.begin(), copying_.end(), use.text) != copying_.end()) {
      std::vector<std::string> circle(std::find(copying_.begin(), copying_.end(), use.text), copying_.end());
      circle.push_back(use.text);
      report_containment(circle, use.range);
      return std::nullopt;
    }
    if (copying_.size() >= kMaxDepth) {
      diagnostics_.error(Code::assemblies_too_deep, use.range,
                         fmt::format("modified assemblies are nested more than {} deep", kMaxDepth));
      return std::nullopt;
    }
    copying_.push_back(use.text);
    Node copy = source;
    apply_modifications(copy, modify, diagnostics_);
    std::string name = unique_name(use.text + "_" + instance.key);
    bind_instances(copy, names);
    result_.model.definitions.push_back(
        {name, model::read_object(copy, model::kAssemblyType, result_.sources, diagnostics_)});
    copying_.pop_back();
    return name;
  }

  void report_containment(const std::vector<std::string>& circle, const SourceRange& where) {
    diagnostics_.error(Code::use_cycle, where, "an assembly contains itself: " + join(circle, " > "),
                       "remove one `use` from the circle");
  }

  void report_unknown_definition(const Node& use, const LocalNames& names) {
    std::vector<std::string> known;
    names_compared_ += names.global.size();
    if (names_compared_ <= kMaxNamesCompared) {
      for (const auto& [name, global] : names.global) known.push_back(name);
    }
    std::string hint = did_you_mean(use.text, known);
    if (hint.empty()) hint = "name an entry of `definitions:` or a file such as corner.yaml";
    diagnostics_.error(Code::unknown_definition, use.range, fmt::format("there is no assembly '{}'", use.text), hint);
  }

  // Definitions that contain themselves would never end.
  void find_cycles() {
    std::map<std::string_view, model::Definition*> by_name;
    for (model::Definition& definition : result_.model.definitions) by_name.emplace(definition.name, &definition);
    std::set<std::string> done;
    for (model::Definition& definition : result_.model.definitions) {
      std::vector<std::string> path;
      visit(definition, by_name, path, done);
    }
  }

  void visit(model::Definition& definition, const std::map<std::string_view, model::Definition*>& by_name,
             std::vector<std::string>& path, std::set<std::string>& done) {
    // What is nested deeper is refused by the expansion, circle or not.
    if (done.contains(definition.name) || path.size() > kMaxDepth) return;
    path.push_back(definition.name);
    model::Property* section = definition.object.find("assemblies");
    auto* instances = section == nullptr ? nullptr : section->value.get<model::Value::Objects>();
    if (instances != nullptr) {
      std::erase_if(*instances, [&](const model::Object& instance) {
        const std::string* used = instance.text("use");
        if (used == nullptr) return false;
        const auto on_path = std::find(path.begin(), path.end(), *used);
        if (on_path != path.end()) {
          std::vector<std::string> circle(on_path, path.end());
          circle.push_back(*used);
          report_containment(circle, instance.range_of("use"));
          definition.object.unread_names.push_back(instance.name);
          return true;
        }
        const auto next = by_name.find(*used);
        if (next != by_name.end()) visit(*next->second, by_name, path, done);
        return false;
      });
    }
    path.pop_back();
    done.insert(definition.name);
  }

  static constexpr std::size_t kMaxCopies = 10'000;
  // Suggestions for many mistakes in a large file would take minutes.
  static constexpr std::size_t kMaxNamesCompared = 500'000;
  static constexpr std::size_t kMaxDepth = 64;  // of files that use files, and of copies in copies

  const LoadOptions& options_;
  Diagnostics& diagnostics_;
  LoadedModel result_;
  std::string root_folder_;
  std::vector<std::string> folders_;  // of each source file
  std::vector<std::string> reading_;  // files whose `use:` at the top is being followed
  std::vector<std::string> adding_;   // files whose instances are being bound
  std::map<std::string, std::string> files_;
  std::vector<std::string> copying_;  // definitions whose private copies are being made
  std::set<std::string> used_names_;
  std::map<std::string, int> copies_of_name_;
  std::size_t copies_ = 0;
  std::size_t copied_nodes_ = 0;
  std::size_t names_compared_ = 0;
};

}  // namespace

LoadedModel load_model(const std::string& path, const LoadOptions& options, Diagnostics& diagnostics) {
  return Loader(options, diagnostics).run(path);
}

}  // namespace gelenk::formats
