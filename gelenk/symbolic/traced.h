#pragma once

#include <cmath>
#include <compare>
#include <limits>

#include "gelenk/math/vector.h"
#include "gelenk/symbolic/graph.h"

namespace gelenk::symbolic {

// A scalar that writes down what is computed with it. A kernel that runs with it leaves its formula in the graph, so it
// must not branch on values: value_of() of what is not a constant is not a number, and the graph remembers that a value
// was asked for. Numbers alone stay numbers and reach the graph when they meet a formula.
class Traced {
 public:
  Traced() = default;
  Traced(double value) : value_(value) {}  // NOLINT(google-explicit-constructor): a constant is a number
  Traced(Graph& graph, Id id) : graph_(&graph), id_(id) {
    if (graph.is_constant(id)) *this = Traced(graph.node(id).value);
  }

  bool is_number() const { return graph_ == nullptr; }
  bool is(double value) const { return is_number() && value_ == value; }
  double number() const { return value_; }
  // Its place in this graph.
  Id in(Graph& graph) const { return is_number() ? graph.number(value_) : id_; }

  friend Traced operator+(const Traced& a) { return a; }
  friend Traced operator-(const Traced& a) {
    return a.is_number() ? Traced(-a.value_) : Traced(*a.graph_, a.graph_->make(Op::negate, a.id_));
  }
  friend Traced operator+(const Traced& a, const Traced& b) { return both(Op::add, a, b, a.value_ + b.value_); }
  friend Traced operator-(const Traced& a, const Traced& b) { return both(Op::subtract, a, b, a.value_ - b.value_); }
  friend Traced operator*(const Traced& a, const Traced& b) { return both(Op::multiply, a, b, a.value_ * b.value_); }
  friend Traced operator/(const Traced& a, const Traced& b) { return both(Op::divide, a, b, a.value_ / b.value_); }
  Traced& operator+=(const Traced& other) { return *this = *this + other; }
  Traced& operator-=(const Traced& other) { return *this = *this - other; }
  Traced& operator*=(const Traced& other) { return *this = *this * other; }
  Traced& operator/=(const Traced& other) { return *this = *this / other; }
  friend auto operator<=>(const Traced& a, const Traced& b) { return a.asked() <=> b.asked(); }
  // The value, for branches; of a formula none.
  double asked() const {
    if (is_number()) return value_;
    graph_->note_question();
    return std::numeric_limits<double>::quiet_NaN();
  }
  // Eigen compares with zero to choose its way; formulas are alike when they are the same one.
  friend bool operator==(const Traced& a, const Traced& b) {
    return a.graph_ == b.graph_ && (a.is_number() ? a.value_ == b.value_ : a.id_ == b.id_);
  }

  // f(x) and f(x, y) for an operation of which the value for numbers is known.
  static Traced one(Op op, const Traced& a, double of_number) {
    return a.is_number() ? Traced(of_number) : Traced(*a.graph_, a.graph_->make(op, a.id_));
  }
  static Traced both(Op op, const Traced& a, const Traced& b, double of_numbers) {
    if (a.is_number() && b.is_number()) return {of_numbers};
    Graph& graph = a.is_number() ? *b.graph_ : *a.graph_;
    return {graph, graph.make(op, a.in(graph), b.in(graph))};
  }
  static Traced choose(const Traced& condition, const Traced& a, const Traced& b) {
    if (condition.is_number()) return condition.value_ != 0.0 ? a : b;
    Graph& graph = *condition.graph_;
    return {graph, graph.make(Op::choose, condition.id_, a.in(graph), b.in(graph))};
  }

 private:
  Graph* graph_ = nullptr;
  Id id_ = -1;
  double value_ = 0.0;
};

inline double value_of(const Traced& x) { return x.asked(); }
// Formulas have a direction: see mechanics/motion.h.
inline bool vanishes(const Traced& square) { return square.is(0.0); }

inline Traced sin(const Traced& a) { return Traced::one(Op::sin, a, std::sin(a.number())); }
inline Traced cos(const Traced& a) { return Traced::one(Op::cos, a, std::cos(a.number())); }
inline Traced tan(const Traced& a) { return Traced::one(Op::tan, a, std::tan(a.number())); }
inline Traced atan(const Traced& a) { return Traced::one(Op::atan, a, std::atan(a.number())); }
inline Traced sqrt(const Traced& a) { return Traced::one(Op::sqrt, a, std::sqrt(a.number())); }
inline Traced abs(const Traced& a) { return Traced::one(Op::abs, a, std::abs(a.number())); }
inline Traced acos(const Traced& a) { return Traced::one(Op::acos, a, std::acos(a.number())); }
inline Traced atan2(const Traced& y, const Traced& x) {
  return Traced::both(Op::atan2, y, x, std::atan2(y.number(), x.number()));
}
inline Traced pow(const Traced& a, const Traced& b) {
  return Traced::both(Op::power, a, b, std::pow(a.number(), b.number()));
}

}  // namespace gelenk::symbolic

namespace Eigen {

template <>
struct NumTraits<gelenk::symbolic::Traced> : NumTraits<double> {
  using Real = gelenk::symbolic::Traced;
  using NonInteger = gelenk::symbolic::Traced;
  using Nested = gelenk::symbolic::Traced;
  using Literal = double;
  // NOLINTBEGIN(readability-identifier-naming): the names that Eigen asks for
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 8,
    MulCost = 8
  };
  // NOLINTEND(readability-identifier-naming)
};

}  // namespace Eigen
