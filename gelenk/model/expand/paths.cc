#include "gelenk/model/expand/paths.h"

#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/text.h"
#include "gelenk/model/expand/sealed.h"

namespace gelenk::model::expanding {

ChildStep step_into_child(Instance& scope, const std::vector<std::string>& segments, const SourceRange& where,
                          Diagnostics& diagnostics) {
  const NamedElement* element = scope.index->find(segments.front());
  if (element == nullptr || element->section != Section::assembly) return {};
  const std::vector<Instance*>& children = scope.children[element->index];
  const InstancePlan& plan = scope.index->plans[element->index];
  if (plan.effective.find("repeat") == nullptr) {
    if (children.empty()) {
      if (plan.definition != nullptr) {
        diagnostics.error(Code::unknown_reference, where, fmt::format("assembly '{}' is disabled", segments.front()),
                          "enable it, or disable what uses it");
      }
      return {nullptr, 1, true};
    }
    return {children.front(), 1, false};
  }
  const std::optional<double> number = segments.size() > 1 ? parse_number(segments[1]) : std::nullopt;
  if (!number || *number < 0 || *number >= static_cast<double>(children.size())) {
    if (!children.empty()) {
      diagnostics.error(
          Code::unknown_reference, where,
          fmt::format("'{}' {} {} assemblies", segments.front(), number ? "has only" : "is a list of", children.size()),
          fmt::format("name one of them: {}.0 ... {}.{}", segments.front(), segments.front(), children.size() - 1));
    }
    return {nullptr, 1, true};
  }
  return {children[static_cast<std::size_t>(*number)], 2, false};
}

Instance* instance_at(std::span<const std::string> path, Instance& scope) {
  Instance* current = &scope;
  std::size_t next = 0;
  while (next < path.size()) {
    const NamedElement* element = current->index->find(path[next++]);
    if (element == nullptr || element->section != Section::assembly) return nullptr;
    if (element->index >= current->children.size()) return nullptr;
    const std::vector<Instance*>& children = current->children[element->index];
    std::size_t which = 0;
    if (current->index->plans[element->index].effective.find("repeat") != nullptr) {
      const std::optional<double> number = next < path.size() ? parse_number(path[next++]) : std::nullopt;
      if (!number || *number < 0.0) return nullptr;
      which = static_cast<std::size_t>(*number);
    }
    if (which >= children.size()) return nullptr;
    current = children[which];
  }
  return current;
}

std::optional<ValuePlace> find_value(Instance& scope, const std::vector<std::string>& segments,
                                     std::span<const SealedNode> sealed) {
  Instance* current = &scope;
  std::vector<std::string> rest = segments;
  while (rest.size() > 1) {
    const NamedElement* element = current->index->find(rest.front());
    if (element == nullptr || element->section != Section::assembly) return std::nullopt;
    if (element->index >= current->children.size()) return std::nullopt;  // the tree is still being built
    const std::vector<Instance*>& children = current->children[element->index];
    std::size_t used = 1;
    std::size_t which = 0;
    if (current->index->plans[element->index].effective.find("repeat") != nullptr) {
      const std::optional<double> number = parse_number(rest[1]);
      if (!number || *number < 0) return std::nullopt;
      which = static_cast<std::size_t>(*number);
      used = 2;
    }
    if (which >= children.size() || rest.size() <= used) return std::nullopt;
    current = children[which];
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(used));
  }
  const NamedElement* element = current->index->find(rest.front());
  if (element == nullptr && !current->index->definition->sealed.empty()) {
    const SealedNode* const node = sealed_of(*current, sealed);
    const auto is_it = [&](const SealedOutput& output) { return output.name == rest.front(); };
    const auto has_it = [&](const std::vector<SealedOutput>& list) {
      return std::any_of(list.begin(), list.end(), is_it);
    };
    if (node != nullptr && (has_it(node->signals) || has_it(node->outputs))) {
      return ValuePlace{current, Section::output, 0, true};
    }
  }
  if (element == nullptr) return std::nullopt;
  const Section section = element->section;
  if (section != Section::parameter && section != Section::input && section != Section::output) return std::nullopt;
  return ValuePlace{current, section, element->index, false};
}

}  // namespace gelenk::model::expanding
