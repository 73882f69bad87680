#pragma once

#include <optional>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/document.h"
#include "gelenk/model/object.h"

// Scalars of a document as numbers, formulas, directions and names. Part of the reader.
namespace gelenk::model {

struct ScalarReader {
  const SourceMap& sources;
  Diagnostics& diagnostics;

  // A literal with unit, or "=expression". A literal without a unit is SI of `quantity`. Its dimension and range are
  // checked here when nothing has to be evaluated.
  std::optional<expression::Expression> number(const Node& node, const Field& field) const;
  // An expression without '=': the name of a channel, `time`, or a formula behind '='.
  std::optional<expression::Expression> channel_or_formula(const Node& node) const;
  std::optional<bool> flag(const Node& node) const;
  std::optional<std::string> choice(const Node& node, const Field& field) const;
  // A dotted path of names.
  std::optional<std::string> path(const Node& node) const;
  // One of x, y, z, -x, -y, -z.
  bool is_named_direction(const Node& node) const;

  // Where character `index` of a scalar stands in the file; 0 when escapes make that unclear.
  std::uint32_t offset_of(const Node& node, std::size_t index) const;

  bool expect(const Node& node, Node::Kind kind, std::string_view what, std::string hint = {}) const;

 private:
  std::optional<expression::Expression> formula(const Node& node, std::size_t skip) const;
  void report(const Node& node, std::size_t skip, const expression::ExpressionError& error) const;
  SourceRange part_of(const Node& node, std::size_t begin, std::size_t end) const;
  void warn_about_bare_angle(const Node& node, double value) const;
  bool fits(const Node& node, const expression::Expression& literal, const Field& field) const;
};

// "must be positive, but is -3 m"; empty when the value (SI) lies in the range.
std::string range_problem(double value, const Range& range, Quantity quantity);

}  // namespace gelenk::model
