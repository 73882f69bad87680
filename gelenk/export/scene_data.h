#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/source.h"
#include "gelenk/model/machine.h"

// Lines for who looks at an element: what it is, in words and display units.
namespace gelenk::exporting {

using DataLines = std::vector<std::pair<std::string, std::string>>;

class DataWriter {
 public:
  // `sources` may be null: then formulas that change are not shown.
  DataWriter(const model::Machine& machine, const SourceMap* sources) : machine_(machine), sources_(sources) {}

  DataLines of(const model::AssemblyNode& assembly) const;
  DataLines of(const model::PartNode& part, const model::Object* written) const;
  DataLines of(const model::JointNode& joint) const;
  DataLines of(const model::ForceNode& force) const;
  DataLines of(const model::DriverNode& driver) const;
  DataLines of(const model::CouplingNode& coupling) const;

  std::string coordinate(const model::CoordinateUse& use) const;    // "main_bearing.angle"
  std::string place(const model::FrameOnPart& frame) const;         // "crank", "ground"
  std::string number(double si, Quantity quantity) const;           // "50 mm"
  std::string vector(const Vector3& si, Quantity quantity) const;   // "1, 2, 3 mm"
  std::string signal(const model::Signal& signal, Quantity) const;  // a number, or the formula as written

 private:
  const model::Machine& machine_;
  const SourceMap* sources_;
};

}  // namespace gelenk::exporting
