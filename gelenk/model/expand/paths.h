#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/model/expand/scope.h"

// Paths through sub-assemblies.
namespace gelenk::model::expanding {

// One step of a path through sub-assemblies: `front_left`, `link.3`.
struct ChildStep {
  Instance* child = nullptr;
  std::size_t used_segments = 0;  // 0: the path does not begin with a sub-assembly
  bool is_reported = false;       // it does, but not properly; an error was given
};
ChildStep step_into_child(Instance& scope, const std::vector<std::string>& segments, const SourceRange& where,
                          Diagnostics& diagnostics);

// Quiet: null when the path leads to no instance.
Instance* instance_at(std::span<const std::string> path, Instance& scope);

// A parameter, input or output.
struct ValuePlace {
  Instance* scope = nullptr;
  Section section = Section::parameter;
  std::size_t number = 0;
  bool is_sealed = false;  // output of a sealed component

  bool is_parameter() const { return section == Section::parameter; }
};
// Own values, or those of sub-assemblies. Quiet: nothing when the path leads to none.
std::optional<ValuePlace> find_value(Instance& scope, const std::vector<std::string>& segments,
                                     std::span<const SealedNode> sealed);

}  // namespace gelenk::model::expanding
