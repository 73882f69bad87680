#include "gelenk/formats/source_rename.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/model/references.h"

namespace gelenk::formats {
namespace {

using model::ElementAddress;
using model::Object;
using model::Reference;

// Identity of what is written: definitions by their value, because copies of them have no key.
SourceRange identity(const LoadedModel& loaded, const SourceDocuments& documents, const ElementAddress& address) {
  const Object* object = model::find_element(loaded.model, address);
  if (object == nullptr) return {};
  return documents.first_copy(address.section.empty() ? object->range : object->name_range);
}

std::string_view without_quotes(std::string_view text) {
  const bool is_quoted =
      text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

// The splice when the place holds exactly the old name, in quotes or not.
std::optional<Splice> exact_splice(const SourceMap& sources, const SourceRange& where, std::string_view old_name,
                                   const std::string& new_name) {
  const std::string_view written = sources.text(where);
  const std::string_view inner = without_quotes(written);
  if (!where.is_known() || inner != old_name) return std::nullopt;
  const std::uint32_t shift = inner.size() == written.size() ? 0 : 1;
  return Splice{{where.file, where.begin + shift, where.end - shift}, new_name};
}

// Escapes and line breaks hide where a name stands in a text: it is then written anew as a whole.
std::optional<Splice> whole_splice(const LoadedModel& loaded, const SourceDocuments& documents,
                                   std::span<const Reference* const> uses, const std::string& new_name) {
  const SourceRange where = uses.front()->value->range;
  const std::optional<NodePath> path = documents.find_value(where);
  const std::int32_t file = documents.first_copy(where).file;
  if (!path) return std::nullopt;
  const Node& node = *walk(*documents.document(file), *path).node;
  if (!node.is_scalar()) return std::nullopt;
  const bool is_formula = uses.front()->value->get<expression::Expression>() != nullptr;
  const std::size_t skip = is_formula && node.text.starts_with('=') ? 1 : 0;
  Node changed = node;
  std::vector<expression::TextSpan> spans;
  for (const Reference* use : uses) spans.push_back(use->span);
  std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) { return a.begin > b.begin; });
  for (const expression::TextSpan& span : spans) {
    if (span.end + skip > changed.text.size()) return std::nullopt;
    changed.text.replace(span.begin + skip, span.end - span.begin, new_name);
  }
  const bool is_json = loaded.sources.file(file).path().ends_with(".json");
  return Splice{where, value_text(changed, is_json)};
}

std::string name_as_written(const LoadedModel& loaded, const ElementAddress& element) {
  if (!element.section.empty()) return element.name;
  const Object* definition = model::find_element(loaded.model, element);
  return std::string(without_quotes(loaded.sources.text(definition->name_range)));
}

// Whether segment `i` of a path from the top of an assembly names the element.
bool names_element(const std::vector<std::string>& path, std::size_t i, const ElementAddress& element,
                   std::string_view name) {
  if (i == 0 || path[i] != name) return false;
  if (element.section.empty()) return path[i - 1] == "definitions";
  if (path[i - 1] != element.section) return false;
  if (element.section != "frames") return true;
  const std::string_view owner = i >= 2 ? std::string_view(path[i - 2]) : std::string_view{};
  const bool is_on_part = i >= 3 && path[i - 3] == "parts";
  return element.owner.empty() ? !is_on_part && owner != "ground" : owner == element.owner;
}

class KeyWalker {
 public:
  KeyWalker(const SourceMap& sources, const ElementAddress& element, std::string old_name, std::string new_name)
      : sources_(sources), element_(element), old_name_(std::move(old_name)), new_name_(std::move(new_name)) {}

  void search(const Node& document) {
    follow(document, {}, found_.in_documents);
    search_modify(document);
  }

  KeySplices take() { return std::move(found_); }

 private:
  void search_modify(const Node& node) {
    for (const Node::Entry& entry : node.entries) {
      if (entry.key == "meta") continue;
      if (entry.key == "modify") follow(entry.value, {}, found_.in_modify);
      search_modify(entry.value);
    }
  }

  void follow(const Node& map, const std::vector<std::string>& before, std::vector<Splice>& found) {
    for (const Node::Entry& entry : map.entries) {
      std::vector<std::string> path = before;
      for (std::string& segment : split(entry.key, '.')) path.push_back(std::move(segment));
      const std::string_view written = sources_.text(entry.key_range);
      const std::uint32_t shift = written.size() == entry.key.size() ? 0 : 1;
      std::uint32_t offset = entry.key_range.begin + shift;
      for (std::size_t i = before.size(); i < path.size(); ++i) {
        const auto length = static_cast<std::uint32_t>(path[i].size());
        const SourceRange where{entry.key_range.file, offset, offset + length};
        if (names_element(path, i, element_, old_name_) && sources_.text(where) == path[i]) {
          found.push_back({where, new_name_});
        }
        offset += length + 1;
      }
      follow(entry.value, path, found);
    }
  }

  const SourceMap& sources_;
  const ElementAddress& element_;
  std::string old_name_;
  std::string new_name_;
  KeySplices found_;
};

}  // namespace

std::vector<ElementAddress> same_text(const LoadedModel& loaded, const SourceDocuments& documents,
                                      const ElementAddress& address) {
  const SourceRange wanted = identity(loaded, documents, address);
  std::vector<ElementAddress> result{address};
  for (const ElementAddress& other : model::list_elements(loaded.model)) {
    const bool may_be = other.section == address.section && other.name == address.name && !(other == address);
    if (may_be && identity(loaded, documents, other) == wanted) result.push_back(other);
  }
  return result;
}

std::vector<Splice> rename_splices(const LoadedModel& loaded, const SourceDocuments& documents,
                                   std::span<const ElementAddress> elements, const std::string& new_name) {
  const std::string old_name = name_as_written(loaded, elements.front());
  std::vector<Splice> result;
  const auto add = [&](std::optional<Splice> splice) {
    if (!splice) return false;
    splice->where = documents.first_copy(splice->where);
    result.push_back(*std::move(splice));
    return true;
  };
  add(exact_splice(loaded.sources, model::find_element(loaded.model, elements.front())->name_range, old_name,
                   new_name));
  const std::vector<Reference> all = model::references(loaded.model);
  std::map<const model::Value*, std::vector<const Reference*>> by_value;
  for (const Reference& reference : all) {
    const bool is_use =
        reference.is_resolved && std::find(elements.begin(), elements.end(), reference.target) != elements.end();
    if (!is_use) continue;
    if (reference.key != nullptr) {
      add(exact_splice(loaded.sources, reference.where, old_name, new_name));
    } else {
      by_value[reference.value].push_back(&reference);
    }
  }
  for (const auto& [value, uses] : by_value) {
    std::vector<Splice> exact;
    for (const Reference* use : uses) {
      std::optional<Splice> splice = exact_splice(loaded.sources, use->where, old_name, new_name);
      if (splice) exact.push_back(*std::move(splice));
    }
    if (exact.size() == uses.size()) {
      for (Splice& splice : exact) add(std::move(splice));
    } else {
      add(whole_splice(loaded, documents, uses, new_name));
    }
  }
  return result;
}

KeySplices key_splices(const LoadedModel& loaded, const SourceDocuments& documents, const ElementAddress& element,
                       const std::string& new_name) {
  KeyWalker walker(loaded.sources, element, name_as_written(loaded, element), new_name);
  for (std::size_t i = 0; i < loaded.sources.size(); ++i) {
    const Node* document = documents.document(static_cast<std::int32_t>(i));
    if (document != nullptr) walker.search(*document);
  }
  return walker.take();
}

std::string spliced(std::string_view text, std::int32_t file, std::vector<Splice> splices) {
  std::erase_if(splices, [&](const Splice& s) { return s.where.file != file; });
  std::sort(splices.begin(), splices.end(), [](const Splice& a, const Splice& b) {
    return std::tie(a.where.begin, a.where.end) > std::tie(b.where.begin, b.where.end);
  });
  std::string result(text);
  const Splice* before = nullptr;
  for (const Splice& splice : splices) {
    const bool is_repeated = before != nullptr && splice.where.end > before->where.begin;
    if (is_repeated) continue;
    result.replace(splice.where.begin, splice.where.end - splice.where.begin, splice.text);
    before = &splice;
  }
  return result;
}

}  // namespace gelenk::formats
