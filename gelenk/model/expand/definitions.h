#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gelenk/model/expand/reports.h"
#include "gelenk/model/expand/scope.h"

namespace gelenk::model::expanding {

// What copies of parts have in all definitions together: each is written out with everything that it takes.
struct CopiedParts {
  std::size_t max_elements = 0;
  std::size_t element_count = 0, value_count = 0;
  bool is_full = false;  // which is reported
};

// Numbers, names and steps of formulas of what is written.
std::size_t count_values(const Object& object);

// The definitions of a model with their names, and their entries of `assemblies:` with copies and mirrors followed to
// what they stand for. Reads the model alone.
class Definitions {
 public:
  // `max_elements`: of the machine, and so of all parts that are copies.
  Definitions(const Model& model, std::size_t max_elements, Reports& reports);

  // Made when it is first asked for.
  const ScopeIndex& index_of(const Definition& definition);
  // Copies of parts had no room, which is reported.
  bool has_too_many_copies() const { return copied_.is_full; }

 private:
  // Parts that are copies or mirror images of others.
  void resolve_parts(ScopeIndex& index);
  void index_names(ScopeIndex& index);
  void plan_instances(ScopeIndex& index);
  bool plan_instance(ScopeIndex& index, std::size_t number, std::vector<std::size_t>& in_progress);
  bool plan_copy(ScopeIndex& index, std::size_t number, std::string_view origin, std::vector<std::size_t>& in_progress);

  Reports& reports_;
  Diagnostics& diagnostics_;
  CopiedParts copied_;
  std::unordered_map<std::string_view, const Definition*> by_name_;
  std::map<const Definition*, std::unique_ptr<ScopeIndex>> indices_;
};

}  // namespace gelenk::model::expanding
