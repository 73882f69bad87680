#include "gelenk/component/stub.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelenk::component {

std::string stub_of(std::span<const Port> ports, std::span<const Parameter> parameters) {
  std::string text = "gelenk: 1\n";
  if (!parameters.empty()) text += "parameters:\n";
  for (const Parameter& parameter : parameters) {
    const auto quantity = [&](double number) {
      return parameter.unit.empty() ? fmt::format("{:.17g}", number)
                                    : fmt::format("{:.17g} {}", number, parameter.unit);
    };
    text += fmt::format("  {}: {{value: {}", parameter.name, quantity(parameter.default_value));
    if (std::isfinite(parameter.min)) text += ", min: " + quantity(parameter.min);
    if (std::isfinite(parameter.max)) text += ", max: " + quantity(parameter.max);
    text += "}\n";
  }
  const auto is_input = [](const Port& port) { return port.kind == PortKind::signal_in; };
  if (std::any_of(ports.begin(), ports.end(), is_input)) text += "inputs:\n";
  for (const Port& port : ports) {
    if (is_input(port)) text += fmt::format("  {}: {{unit: {}}}\n", port.name, port.unit.empty() ? "1" : port.unit);
  }
  text += "ports:\n";
  for (const Port& port : ports) {
    if (port.kind == PortKind::frame) text += fmt::format("  {0}: {0}\n", port.name);
  }
  return text;
}

}  // namespace gelenk::component
