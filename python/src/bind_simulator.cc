#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <exception>
#include <memory>
#include <thread>

#include "python/src/bindings.h"
#include "python/src/run.h"
#include "python/src/simulator.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace gelenk::python {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kListenEvery{50};

// Most calls are over before anybody could want to stop them.
void advance(Simulator& simulator, double until) {
  bool has_signal = false;
  {
    const nb::gil_scoped_release unlocked;
    int steps = 0;
    Clock::time_point next{};
    simulator.advance(until, [&] {
      constexpr int kStepsBetweenLooks = 16;
      if (++steps % kStepsBetweenLooks != 0) return true;
      const Clock::time_point now = Clock::now();
      if (steps == kStepsBetweenLooks) next = now + kListenEvery;
      if (now < next) return true;
      next = now + kListenEvery;
      const nb::gil_scoped_acquire lock;
      has_signal = PyErr_CheckSignals() != 0;
      return !has_signal;
    });
  }
  if (has_signal) throw nb::python_error();
}

// Each on a thread of its own, as many at once as there are processors. The first failure is thrown when all are done.
void advance_all(const std::vector<std::shared_ptr<Simulator>>& simulators, const std::vector<double>& until) {
  if (simulators.size() != until.size()) throw nb::value_error("there must be one time for each simulator");
  const nb::gil_scoped_release unlocked;
  std::vector<std::exception_ptr> failures(simulators.size());
  const auto count = std::min<std::size_t>(simulators.size(), std::max(1U, std::thread::hardware_concurrency()));
  const auto work = [&](std::size_t first) {
    for (std::size_t i = first; i < simulators.size(); i += count) {
      try {
        simulators[i]->advance(until[i], [] { return true; });
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t first = 1; first < count; ++first) threads.emplace_back(work, first);
  work(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace

void bind_simulator(nb::module_& module) {
  nb::class_<Simulator>(module, "StepSimulator")
      .def_static(
          "make",
          [](std::shared_ptr<const Machine> machine, const model::SimulationSettings& settings) {
            const analysis::RunOptions options = decide(*machine, settings);
            return std::make_shared<Simulator>(std::move(machine), options);
          },
          "machine"_a, "settings"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("method", &Simulator::method)
      .def_prop_ro("time", &Simulator::time)
      .def("advance", &advance, "until"_a)
      .def("step", &Simulator::step, nb::call_guard<nb::gil_scoped_release>())
      .def("input", &Simulator::input, "index"_a)
      .def("set_input", &Simulator::set_input, "index"_a, "value"_a)
      .def("save",
           [](const Simulator& self) {
             const std::string bytes = self.save();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def(
          "load",
          [](Simulator& self, const nb::bytes& bytes) {
            self.load({bytes.c_str(), bytes.size()});
          },
          "bytes"_a)
      .def("reset", &Simulator::reset);
  nb::class_<Watch>(module, "Watch")
      .def(nb::init<std::shared_ptr<Simulator>, const std::vector<std::string>&>(), "simulator"_a, "names"_a)
      .def_prop_ro("names", &Watch::names)
      .def("update", &Watch::update)
      .def_prop_ro(
          "values",
          [](Watch& self) {
            return nb::ndarray<nb::numpy, const double, nb::ndim<1>>(self.values().data(), {self.values().size()},
                                                                     nb::find(&self));
          },
          "A view of the numbers as they were last updated.");
  module.def("advance_all", &advance_all, "simulators"_a, "until"_a);
}

}  // namespace gelenk::python
