#pragma once

#include <nanobind/nanobind.h>

#include "gelenk/base/document.h"

// One function for each file of bindings. Classes of the module are named as in C++; python/gelenk gives them the names
// and the ways that people see.
namespace gelenk::python {

void bind_messages(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_machine(nanobind::module_& module);
void bind_run(nanobind::module_& module);
void bind_simulator(nanobind::module_& module);

// Dictionaries, lists, texts, numbers, truth values and None, as a model file would have them, and back. Numbers go to
// the last bit. What else it may be is a TypeError.
Node node_of(nanobind::handle value);
nanobind::object value_of(const Node& node);

}  // namespace gelenk::python
