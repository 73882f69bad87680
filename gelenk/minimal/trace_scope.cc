#include "gelenk/minimal/trace_scope.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelenk::minimal {
namespace {

class TableFormula {
 public:
  TableFormula(symbolic::Graph& graph, const Table& table, const Traced& x) : graph_(graph), table_(table), x_(x) {}

  // Of the pieces from `first` to `last`: halves, so that few comparisons lead to one.
  Traced between(std::int32_t first, std::int32_t last) const {
    if (first == last) return piece(first);
    const std::int32_t middle = first + (last - first + 1) / 2;  // piece `middle` begins at point middle - 1
    const Traced border(table_.x()[static_cast<std::size_t>(middle - 1)]);
    const Id is_before = graph_.make(Op::less, x_.in(graph_), border.in(graph_));
    return {graph_, graph_.make(Op::choose, is_before, between(first, middle - 1).in(graph_),
                                between(middle, last).in(graph_))};
  }

 private:
  // y + t (b + t (c + t d)) with t from the point where it begins.
  Traced piece(std::int32_t number) const {
    const std::vector<double>& x = table_.x();
    const auto points = static_cast<std::int32_t>(x.size());
    if (number == 0) return {table_.y().front()};
    if (number == points) return {table_.y().back()};
    const double begin = x[static_cast<std::size_t>(number - 1)];
    const double width = x[static_cast<std::size_t>(number)] - begin;
    const double curvature = table_.curvature_on(number, begin);
    const double d = (table_.curvature_on(number, begin + width) - curvature) / (6.0 * width);
    const Traced t = x_ - Traced(begin);
    return Traced(table_.value_on(number, begin)) +
           t * (Traced(table_.slope_on(number, begin)) + t * (Traced(0.5 * curvature) + t * Traced(d)));
  }

  symbolic::Graph& graph_;
  const Table& table_;
  const Traced& x_;
};

}  // namespace

Traced Parameters::operator()(std::string name, std::string_view unit, double value) {
  if (value == 0.0) return {value};
  std::string unique = name;
  for (int copy = 2;; ++copy) {
    const auto known = known_.find(unique);
    if (known == known_.end()) break;
    if (known->second.first == value) return {machine_.graph, known->second.second};
    unique = fmt::format("{}_{}", name, copy);
  }
  const Id id = machine_.graph.symbol(unique, symbolic::Symbol::Kind::parameter, value);
  known_.emplace(unique, std::pair(value, id));
  machine_.parameters.push_back({unique, std::string(unit), value});
  machine_.p.push_back(id);
  return {machine_.graph, id};
}

Vec3<Traced> Parameters::vector(const std::string& name, std::string_view unit, const Vector3& value) {
  return {(*this)(name + ".x", unit, value.x()), (*this)(name + ".y", unit, value.y()),
          (*this)(name + ".z", unit, value.z())};
}

Vec3<Traced> Parameters::direction(const std::string& name, const Vector3& value) {
  return {of_direction(name + ".x", value.x()), of_direction(name + ".y", value.y()),
          of_direction(name + ".z", value.z())};
}

Mat3<Traced> Parameters::matrix(const std::string& name, const Matrix3& value) {
  static constexpr std::string_view kAxes = "xyz";
  Mat3<Traced> result;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(k);
      result(i, k) = of_direction(fmt::format("{}.{}{}", name, kAxes[row], kAxes[column]), value(i, k));
    }
  }
  return result;
}

Traced look_up(symbolic::Graph& graph, const Table& table, const Traced& x) {
  if (x.is_number()) return {table.value(x.number())};
  return TableFormula(graph, table, x).between(0, static_cast<std::int32_t>(table.x().size()));
}

}  // namespace gelenk::minimal
