#include "python/src/bindings.h"

NB_MODULE(_core, module) {
#ifdef NDEBUG
  nanobind::set_leak_warnings(false);  // what is left when the interpreter ends concerns nobody but us
#endif
  module.doc() = "What gelenk is made of. People use the names of the package gelenk.";
  module.attr("__version__") = GELENK_VERSION;
  gelenk::python::bind_messages(module);
  gelenk::python::bind_model(module);
  gelenk::python::bind_machine(module);
  gelenk::python::bind_run(module);
  gelenk::python::bind_simulator(module);
}
