#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <exception>

#include "python/src/bindings.h"
#include "python/src/messages.h"

namespace nb = nanobind;

namespace gelenk::python {
namespace {

const char* exception_name(Failure::Kind kind) {
  constexpr std::array kNames{"UsageError", "ModelError",     "AssemblyError", "SimulationError",
                              "FileError",  "ComponentError", "Interrupted"};
  return kNames[static_cast<std::size_t>(kind)];
}

void raise(const Failure& failure) {
  const nb::object type = nb::module_::import_("gelenk.errors").attr(exception_name(failure.kind()));
  const nb::object exception = type(failure.what(), failure.messages());
  PyErr_SetObject(type.ptr(), exception.ptr());
}

}  // namespace

void bind_messages(nb::module_& module) {
  nb::class_<Message>(module, "Diagnostic", "One thing that is wrong: where, which element, what, what to try.")
      .def_ro("code", &Message::code, "stable: gelenk explain GK1301; empty: none")
      .def_ro("severity", &Message::severity, "'error' or 'warning'")
      .def_ro("message", &Message::message)
      .def_ro("hint", &Message::hint, "what to try; may be empty")
      .def_ro("element", &Message::element, "path of the element; may be empty")
      .def_ro("element_kind", &Message::element_kind)
      .def_ro("file", &Message::file, "empty when it is at no place")
      .def_ro("line", &Message::line, "from 1; 0 when it is at no place")
      .def_ro("column", &Message::column)
      .def_ro("end_line", &Message::end_line)
      .def_ro("end_column", &Message::end_column)
      .def("__repr__", [](const Message& self) {
        return "<Diagnostic " + self.code + " " + self.file + ":" + std::to_string(self.line) + " " + self.message +
               ">";
      });
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Failure& failure) {
      raise(failure);
    }
  });
}

}  // namespace gelenk::python
