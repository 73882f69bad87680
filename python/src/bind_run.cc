#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "python/src/bindings.h"
#include "python/src/run.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace gelenk::python {
namespace {

using Matrix = nb::ndarray<nb::numpy, const double, nb::ndim<2>>;

// A view that keeps the rows alive.
Matrix matrix(const Rows& rows) {
  auto keeper = std::make_unique<std::shared_ptr<const std::vector<double>>>(rows.values);
  const double* const data = rows.values->data();
  const nb::capsule owner(
      keeper.get(), [](void* kept) noexcept { delete static_cast<std::shared_ptr<const std::vector<double>>*>(kept); });
  keeper.release();  // NOLINT(bugprone-unused-return-value): the capsule has it
  return Matrix(data, {rows.count, rows.width}, owner);
}

// (name, block, column, SI unit, quantity, unit for people, its factor, its offset)
using Column = std::tuple<std::string, std::size_t, std::size_t, std::string, std::string, std::string, double, double>;

std::vector<Column> columns(const Recorded& recorded) {
  std::vector<Column> result;
  for (const RecordedColumn& one : recorded.columns()) {
    result.emplace_back(one.name, one.block, one.column, one.unit, one.quantity, one.shown_unit, one.shown_factor,
                        one.shown_offset);
  }
  return result;
}

using EventTuple = std::tuple<double, std::string, std::string, std::string>;
std::vector<EventTuple> events(Recorded& recorded) {
  std::vector<EventTuple> result;
  for (const results::Event& event : recorded.events()) {
    result.emplace_back(event.time, event.kind, event.element, event.text);
  }
  return result;
}

// Without the lock of the interpreter, which is taken now and then to see what people want: Ctrl-C, and the progress.
class Listener {
 public:
  explicit Listener(nb::object progress) : progress_(std::move(progress)) {}

  bool go_on(double time) {
    const auto now = Clock::now();
    if (now < next_) return true;
    next_ = now + kPeriod;
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) {
      PyErr_Clear();  // the outcome says that it was interrupted
      return false;
    }
    if (progress_.is_none()) return true;
    try {
      progress_(time);
    } catch (nb::python_error& error) {
      error_.emplace(std::move(error));
      return false;
    }
    return true;
  }
  // What the progress has thrown, once the run has ended in good order.
  void rethrow() {
    if (error_) throw nb::python_error(*std::exchange(error_, std::nullopt));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPeriod{50};

  nb::object progress_;
  std::optional<nb::python_error> error_;
  Clock::time_point next_ = Clock::now() + kPeriod;
};

RunOutcome run_with(const Machine& machine, const RunRequest& request, nb::object progress) {
  Listener listener(std::move(progress));
  RunOutcome outcome;
  {
    const nb::gil_scoped_release unlocked;
    outcome = run(machine, request, [&](double time) { return listener.go_on(time); });
  }
  listener.rethrow();
  return outcome;
}

}  // namespace

void bind_run(nb::module_& module) {
  const auto unlocked = nb::call_guard<nb::gil_scoped_release>();
  using Wanted = model::SimulationSettings;
  nb::class_<Wanted>(module, "RunSettings")
      .def(nb::init<>())
      .def_rw("duration", &Wanted::duration)
      .def_rw("method", &Wanted::method)
      .def_rw("step", &Wanted::step)
      .def_rw("tolerance", &Wanted::tolerance)
      .def_rw("max_step", &Wanted::max_step)
      .def_rw("output_every", &Wanted::output_every)
      .def_rw("spectral_radius", &Wanted::spectral_radius)
      .def_rw("reactions", &Wanted::reactions);
  nb::class_<RunRequest>(module, "RunRequest")
      .def(nb::init<>())
      .def_rw("simulation", &RunRequest::simulation)
      .def_rw("record", &RunRequest::record)
      .def_rw("output", &RunRequest::output)
      .def_rw("force", &RunRequest::is_forced)
      .def_rw("checkpoint_every", &RunRequest::checkpoint_every);
  nb::class_<RunOutcome>(module, "RunOutcome")
      .def_ro("recorded", &RunOutcome::recorded)
      .def_ro("failure", &RunOutcome::failure)
      .def_ro("is_interrupted", &RunOutcome::is_interrupted)
      .def_ro("time", &RunOutcome::time);
  nb::class_<Recorded>(module, "Recorded")
      .def(nb::init<const std::string&>(), "path"_a, unlocked)
      .def_ro("path", &Recorded::path)
      .def_ro("model_name", &Recorded::model_name)
      .def_ro("status", &Recorded::status)
      .def_ro("message", &Recorded::message)
      .def_ro("certificate", &Recorded::certificate)
      .def_ro("resolved_model", &Recorded::resolved_model)
      .def_ro("options", &Recorded::options)
      .def_prop_ro("columns", &columns)
      .def_prop_ro("blocks",
                   [](const Recorded& self) {
                     std::vector<std::string> names;
                     for (const Recorded::Block& block : self.blocks()) names.push_back(block.name);
                     return names;
                   })
      .def("events", &events)
      .def("refresh", &Recorded::refresh, unlocked)
      .def(
          "save",
          [](const Recorded& self, const std::string& path, bool is_forced) {
            check_output(path, is_forced);
            self.save(path);
          },
          "path"_a, "force"_a, unlocked)
      .def(
          "rows",
          [](Recorded& self, std::size_t block) {
            Rows rows;
            {
              const nb::gil_scoped_release unlocked_here;
              rows = self.rows(block);
            }
            return matrix(rows);
          },
          "block"_a, "Rows of one block: a view, (rows, width).");
  module.def("run", &run_with, "machine"_a, "request"_a, "progress"_a.none());
}

}  // namespace gelenk::python
