#pragma once

#include <cstddef>
#include <string>

#include "gelenk/model/expand/definitions.h"
#include "gelenk/model/expand/numbers.h"
#include "gelenk/model/expand/scope.h"

namespace gelenk::model::expanding {

// Instances with their repetitions. Reads the definitions and, for `repeat`, numbers; makes the instances,
// Machine::assemblies and its count of what is disabled.
class Tree {
 public:
  Tree(Definitions& definitions, Numbers& numbers, std::size_t max_elements, Machine& machine, Diagnostics& diagnostics)
      : definitions_(definitions),
        numbers_(numbers),
        max_elements_(max_elements),
        machine_(machine),
        diagnostics_(diagnostics) {}

  // False, and reported, when it would have too many elements.
  bool build(const Model& model);
  // The first one is the machine itself.
  Instances& instances() { return instances_; }

 private:
  // Where a repeated instance stands.
  struct PlaceInRow {
    std::optional<std::size_t> index;
    Instance* previous = nullptr;
  };
  Instance* add_instance(const ScopeIndex& index, const InstancePlan* plan, Instance* owner, std::string name,
                         std::size_t depth, const PlaceInRow& row);
  bool has_room(const ScopeIndex& index, std::size_t count, const SourceRange& where);
  void add_children(Instance& instance, std::size_t depth);
  std::size_t repeat_count(const InstancePlan& plan, Instance& owner);

  Definitions& definitions_;
  Numbers& numbers_;
  std::size_t max_elements_;
  Machine& machine_;
  Diagnostics& diagnostics_;
  Instances instances_;
  std::size_t element_count_ = 0;
  std::size_t value_count_ = 0;
  bool is_too_large_ = false;
};

}  // namespace gelenk::model::expanding
