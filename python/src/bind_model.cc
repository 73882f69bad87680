#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "gelenk/formats/schema.h"
#include "python/src/bindings.h"
#include "python/src/editable_model.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace gelenk::python {
namespace {

// (definition, section, name, owner); an empty definition is the root.
using Address = std::tuple<std::string, std::string, std::string, std::string>;

model::ElementAddress address_of(const EditableModel& model, const Address& address) {
  const auto& [definition, section, name, owner] = address;
  return {definition.empty() ? model.loaded()->model.root().name : definition, section, name, owner};
}

std::vector<Address> addresses(const EditableModel& model) {
  const std::string& root = model.loaded()->model.root().name;
  std::vector<Address> result;
  for (const model::ElementAddress& one : model.elements()) {
    result.emplace_back(one.definition == root ? "" : one.definition, one.section, one.name, one.owner);
  }
  return result;
}

}  // namespace

void bind_model(nb::module_& module) {
  const auto unlocked = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<EditableModel>(module, "EditableModel")
      .def_static("load", &EditableModel::load, "path"_a, "allow_outside"_a, unlocked)
      .def_static("parse", &EditableModel::parse, "text"_a, "path"_a, unlocked)
      .def_static("empty", &EditableModel::empty, "path"_a)
      .def("__copy__", [](const EditableModel& self) { return EditableModel(self); })
      .def_prop_ro("name", &EditableModel::name)
      .def_prop_ro("path", &EditableModel::path)
      .def("to_yaml", &EditableModel::to_yaml)
      .def("check", &EditableModel::check)
      .def("elements", &addresses)
      .def("description", [](const EditableModel& self,
                             const Address& address) { return value_of(self.description(address_of(self, address))); })
      .def("create", [](EditableModel& self, const Address& address,
                        nb::handle description) { self.create(address_of(self, address), node_of(description)); })
      .def("modify", [](EditableModel& self, const Address& address,
                        nb::handle changes) { self.modify(address_of(self, address), node_of(changes)); })
      .def("remove", [](EditableModel& self, const Address& address) { self.remove(address_of(self, address)); })
      .def("rename", [](EditableModel& self, const Address& address, const std::string& new_name) {
        self.rename(address_of(self, address), new_name);
      });
  module.def("schema", &formats::json_schema, "The JSON Schema of the model file.");
}

}  // namespace gelenk::python
