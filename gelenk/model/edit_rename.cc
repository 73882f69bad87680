// New names, in every path and formula.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/expression/measures.h"
#include "gelenk/model/edit.h"
#include "gelenk/model/references.h"

namespace gelenk::model {
namespace {

using expression::Expression;

// A function of frames with other names of these.
std::string with_frames(const std::string& symbol, const std::map<std::string, std::string>& new_names) {
  const expression::Measure measure = *expression::split_measure(symbol);
  std::string result = symbol;
  // From the last to the first: places before a name stay.
  for (auto frame = measure.frames.rbegin(); frame != measure.frames.rend(); ++frame) {
    const auto it = new_names.find(std::string(frame->path));
    if (it != new_names.end()) result.replace(frame->begin, frame->path.size(), it->second);
  }
  return result;
}

Expression with_symbols(const Expression& expression, const std::map<std::string, std::string>& new_names) {
  auto data = std::make_shared<Expression::Data>();
  data->nodes.assign(expression.nodes().begin(), expression.nodes().end());
  data->symbols.assign(expression.symbols().begin(), expression.symbols().end());
  data->tables.assign(expression.tables().begin(), expression.tables().end());
  for (expression::Symbol& symbol : data->symbols) {
    if (expression::split_measure(symbol.name)) {
      symbol.name = with_frames(symbol.name, new_names);
      continue;
    }
    const auto it = new_names.find(symbol.name);
    if (it != new_names.end()) symbol.name = it->second;
  }
  return Expression(std::move(data));
}

std::string with_segment(const std::string& path, std::size_t segment, const std::string& name) {
  std::vector<std::string> names = split(path, '.');
  names.at(segment) = name;
  return join(names, ".");
}

ElementAddress renamed(ElementAddress address, std::span<const ElementAddress> changed, const std::string& new_name) {
  for (const ElementAddress& old : changed) {
    if (address.definition != old.definition) continue;
    if (old.section.empty()) {
      address.definition = new_name;
    } else if (address == old) {
      address.name = new_name;
    } else if (old.section == "parts" && address.owner == old.name) {
      address.owner = new_name;
    }
  }
  return address;
}

// Puts the new name into every path that goes through the elements. The references point into `model` itself.
void rename_references(std::span<const Reference> all, std::span<const ElementAddress> addresses,
                       const std::string& new_name) {
  std::map<Value*, std::map<std::string, std::string>> symbols;
  for (const Reference& reference : all) {
    if (!reference.is_resolved || std::find(addresses.begin(), addresses.end(), reference.target) == addresses.end()) {
      continue;
    }
    if (reference.key != nullptr) {
      const_cast<Object*>(reference.key)->name = new_name;
      continue;
    }
    Value* value = const_cast<Value*>(reference.value);
    const std::string path = with_segment(reference.path, reference.segment, new_name);
    if (auto* text = value->get<std::string>()) {
      *text = path;
    } else {
      symbols[value][reference.path] = path;
    }
  }
  for (auto& [value, new_names] : symbols) {
    value->data = with_symbols(*value->get<Expression>(), new_names);
    value->formula_begin = 0;  // the spans belong to the old text
  }
}

}  // namespace

bool rename(Model& model, std::span<const ElementAddress> addresses, const std::string& new_name,
            Diagnostics& diagnostics) {
  for (const ElementAddress& address : addresses) {
    if (find_element(std::as_const(model), address) == nullptr) {
      report_missing(model, path_of(model, address), diagnostics);
      return false;
    }
    ElementAddress wanted = address;
    (address.section.empty() ? wanted.definition : wanted.name) = new_name;
    if (!is_free_name(model, wanted, diagnostics)) return false;
  }
  Model changed = model;
  const std::vector<Reference> before = references(changed);
  rename_references(before, addresses, new_name);
  for (const ElementAddress& address : addresses) {
    if (!address.section.empty()) {
      find_element(changed, address)->name = new_name;
    } else {
      for (Definition& definition : changed.definitions) {
        if (definition.name == address.definition) definition.name = new_name;
      }
    }
  }
  // A name may be taken for another thing than before: the own frames of a part, say, come before those of others.
  const std::vector<Reference> after = references(changed);
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (after[i].is_resolved == before[i].is_resolved &&
        (!before[i].is_resolved || after[i].target == renamed(before[i].target, addresses, new_name))) {
      continue;
    }
    diagnostics.error(Code::edit_refused, before[i].where,
                      fmt::format("with the new name, '{}' would mean something else here", after[i].path),
                      "choose another name");
    return false;
  }
  if (after.size() != before.size()) {
    diagnostics.error(Code::edit_refused, {}, fmt::format("the name '{}' would change what paths mean", new_name),
                      "choose another name");
    return false;
  }
  model = std::move(changed);
  return true;
}

bool rename(Model& model, const ElementAddress& address, const std::string& new_name, Diagnostics& diagnostics) {
  return rename(model, std::span(&address, 1), new_name, diagnostics);
}

}  // namespace gelenk::model
