#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/model/expand.h"
#include "gelenk/model/expand/reports.h"
#include "gelenk/model/expand/scope.h"

namespace gelenk::model::expanding {

// What only the instance that is being made knows.
struct Locals {
  std::optional<std::size_t> index;  // of a repeated instance
};

// Constant values, and the parameters that they are made of. Reads what the model and the caller of expand() give;
// makes nothing but the parameters of the instances, each when it is first needed.
class Numbers {
 public:
  // `sealed`: components, whose outputs are not constant; filled later.
  Numbers(const ExpandOptions& options, const std::vector<SealedNode>& sealed, Reports& reports)
      : options_(options), sealed_(sealed), reports_(reports), diagnostics_(reports.diagnostics) {}

  // All return nothing when something is wrong, which is reported.
  std::optional<Quantified> evaluate(const Value& value, Instance& scope, const Locals& locals);
  std::optional<Quantified> parameter(Instance& scope, std::size_t number);
  // `min` or `max` of a parameter; nothing when there is none.
  std::optional<Quantified> parameter_limit(Instance& scope, const Object& written, std::string_view key);
  std::optional<double> number(const Value& value, const Field& field, Instance& scope, const Locals& locals = {});
  std::optional<double> number(const Value& value, std::string_view key, Quantity quantity, const Range& range,
                               Instance& scope, const Locals& locals);
  std::optional<double> number_or(const Object& object, std::string_view key, double fallback, Instance& scope);
  std::optional<Vector3> vector(const Value& value, const Field& field, Instance& scope, const Locals& locals = {});
  // Unit vector of a direction value.
  std::optional<Vector3> direction(const Value& value, std::string_view key, Instance& scope);

 private:
  std::optional<Quantified> symbol(const std::string& name, Instance& scope, const Locals& locals,
                                   const SourceRange& where);
  void report_unknown_name(const std::string& name, Instance& scope, const SourceRange& where);
  std::optional<Quantified> parameter_uncached(Instance& scope, const Object& written);
  std::optional<Quantified> set_value(Instance& scope, const Object& written, const Value& setting, bool from_outside,
                                      const std::optional<Unit>& unit, const std::optional<Quantified>& declared);
  bool check_parameter_limits(Instance& scope, const Object& written, const Quantified& value, const SourceRange& where,
                              bool is_bare);

  const ExpandOptions& options_;
  const std::vector<SealedNode>& sealed_;
  Reports& reports_;
  Diagnostics& diagnostics_;
  std::vector<std::string> parameter_chain_;  // whose values are being computed, each for the one before
};

// The parameters of all instances, for AssemblyNode::parameters; what is set must exist.
void add_parameters(Instances& instances, Numbers& numbers, std::vector<AssemblyNode>& assemblies, Reports& reports);

}  // namespace gelenk::model::expanding
