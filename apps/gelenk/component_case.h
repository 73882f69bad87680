#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

// Acceptance cases of a sealed component: a model that uses it, and what must come out. They travel with it.
namespace gelenk::app {

// How a case names the component that it is for.
constexpr const char* kCaseComponent = "component.gkc";

struct CaseQuantity {
  std::string channel;  // a scalar, or a vector with three numbers for each time
  double tolerance = 0.0;
  // Time, then one or three numbers, SI.
  std::vector<std::vector<double>> values;
};

struct ComponentCase {
  std::string name;  // of its file
  std::string model;
  std::vector<CaseQuantity> quantities;
};

// Nothing with a sentence in `error` that begins with the place.
std::optional<ComponentCase> read_case(const std::string& name, const std::string& text, std::string& error);

struct CaseOutcome {
  std::size_t compared = 0;  // numbers
  double worst = 0.0;        // largest error, in tolerances
  std::string failure;       // a sentence, when it is not as it must be
};

// Runs it with `gelenk run` in a folder of its own, and compares. `component` are the bytes of its container.
CaseOutcome run_case(const ComponentCase& one, const std::string& component);

}  // namespace gelenk::app
