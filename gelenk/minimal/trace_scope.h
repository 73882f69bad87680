#pragma once

#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/mechanics/motion.h"
#include "gelenk/minimal/traced_machine.h"
#include "gelenk/symbolic/traced.h"

namespace gelenk::minimal {

using mechanics::Motion;
using symbolic::Id;
using symbolic::Op;
using symbolic::Traced;

// What an element needs that equations do not know; it ends the tracing of that element.
struct NotKnown {
  std::string what;
};

// Numbers of the model become parameters, which are numbers of a run. Only what is zero is part of the formulas, and of
// directions 1 and -1: that makes them short.
class Parameters {
 public:
  explicit Parameters(TracedMachine& machine) : machine_(machine) {}

  // Names that were given before mean the same number, unless its value differs.
  Traced operator()(std::string name, std::string_view unit, double value);
  Vec3<Traced> vector(const std::string& name, std::string_view unit, const Vector3& value);
  Vec3<Traced> direction(const std::string& name, const Vector3& value);
  Mat3<Traced> matrix(const std::string& name, const Matrix3& value);

 private:
  Traced of_direction(const std::string& name, double value) {
    return std::abs(value) == 1.0 ? Traced(value) : (*this)(name, "1", value);
  }

  TracedMachine& machine_;
  std::map<std::string, std::pair<double, Id>> known_;
};

// Value of a table where its argument is x, as the formulas of its pieces.
Traced look_up(symbolic::Graph& graph, const Table& table, const Traced& x);

}  // namespace gelenk::minimal
