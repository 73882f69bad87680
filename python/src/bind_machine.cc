#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <tuple>

#include "gelenk/base/parallel.h"
#include "gelenk/expression/quantity_text.h"
#include "gelenk/results/layout.h"
#include "python/src/bindings.h"
#include "python/src/machine.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace gelenk::python {
namespace {

std::string path_of(const model::AssemblyNode& node, const model::ParameterValue& parameter) {
  return node.path.empty() ? parameter.name : node.path + "." + parameter.name;
}

std::map<std::string, double> parameters(const Machine& machine) {
  std::map<std::string, double> result;
  for (const model::AssemblyNode& node : machine.machine().assemblies) {
    for (const model::ParameterValue& parameter : node.parameters) {
      result[path_of(node, parameter)] = parameter.value;
    }
  }
  return result;
}

// (min, max) of those that have one.
using Bounds = std::tuple<std::optional<double>, std::optional<double>>;
std::map<std::string, Bounds> limits(const Machine& machine) {
  std::map<std::string, Bounds> result;
  for (const model::AssemblyNode& node : machine.machine().assemblies) {
    for (const model::ParameterValue& parameter : node.parameters) {
      if (!parameter.min && !parameter.max) continue;
      result[path_of(node, parameter)] = {parameter.min, parameter.max};
    }
  }
  return result;
}

std::vector<std::pair<std::string, double>> inputs(const Machine& machine) {
  std::vector<std::pair<std::string, double>> result;
  for (const model::InputNode& input : machine.machine().inputs) {
    result.emplace_back(input.name, input.value.value_or(0.0));
  }
  return result;
}

// (name, unit in SI) of all scalars that a run records.
std::vector<std::tuple<std::string, std::string>> channels(const Machine& machine) {
  std::vector<std::tuple<std::string, std::string>> result;
  for (const results::Channel& channel : results::make_layout(machine.machine()).channels) {
    for (const std::string_view component : channel.components()) {
      result.emplace_back(channel.name + std::string(component), channel.unit);
    }
  }
  return result;
}

double quantity(const std::string& text, const std::string& name) {
  const Quantity wanted = quantity_named(name);
  const expression::QuantityText read = expression::read_quantity(text, wanted);
  if (read.value) return *read.value;
  std::string why = "'" + text + "' is not a " + std::string(quantity_info(wanted).name);
  if (!read.problem.empty()) why += ": " + read.problem;
  if (!read.hint.empty()) why += " (" + read.hint + ")";
  throw Failure(Failure::Kind::usage, why);
}

}  // namespace

void bind_machine(nb::module_& module) {
  const auto unlocked = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<Machine>(module, "AssembledMachine")
      .def_static(
          "make",
          [](const EditableModel& model, const Settings& settings) {
            // Edits that come now go into a copy.
            const std::shared_ptr<const formats::LoadedModel> source = model.loaded();
            const std::string path = model.path();
            const nb::gil_scoped_release unlocked_here;
            return Machine::make(source, path, {settings, false});
          },
          "model"_a, "settings"_a)
      .def("with_parameters", &Machine::with, "settings"_a, unlocked)
      .def("with_open_inputs", &Machine::with_open_inputs, unlocked)
      .def("shares_structure_with", &Machine::shares_structure_with)
      .def_prop_ro("name", [](const Machine& self) { return self.machine().name; })
      .def_prop_ro("path", &Machine::path)
      .def_prop_ro("parameters", &parameters)
      .def_prop_ro("limits", &limits)
      .def_prop_ro("settings", &Machine::settings)
      .def_prop_ro("inputs", &inputs)
      .def_prop_ro("channels", &channels)
      .def_prop_ro("warnings", &Machine::warnings)
      .def_prop_ro("duration", [](const Machine& self) { return self.machine().simulation.duration.value_or(0.0); })
      .def("summary", &Machine::summary, unlocked);
  module.def("quantity", &quantity, "text"_a, "quantity"_a, "A number with a unit, in SI.");
  module.def("set_threads", &set_thread_count, "count"_a);
}

}  // namespace gelenk::python
