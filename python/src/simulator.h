#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/analysis/run_options.h"
#include "gelenk/analysis/simulation.h"
#include "gelenk/results/row_sink.h"
#include "python/src/machine.h"

namespace gelenk::python {

// A machine that somebody else moves on, step by step.
class Simulator {
 public:
  // The machine must have open inputs.
  Simulator(std::shared_ptr<const Machine> machine, const analysis::RunOptions& options);

  const Machine& machine() const { return *machine_; }
  std::string method() const { return analysis::method_name(options_.method); }
  double time() const { return simulation_.time(); }
  analysis::Simulation& simulation() { return simulation_; }

  // Throws a Failure of kind simulation, and one of kind interrupted when `goes_on` says so.
  void advance(double until, const std::function<bool()>& goes_on);
  // One step of the method, as long as it wants.
  void step();

  double input(std::size_t index) const { return params_.inputs.at(index); }
  void set_input(std::size_t index, double value);

  std::string save() const { return simulation_.save(); }
  void load(std::string_view bytes);
  void reset() { load(start_); }

 private:
  [[noreturn]] void fail();

  std::shared_ptr<const Machine> machine_;
  analysis::RunOptions options_;
  system::Params params_;  // with the inputs of this one
  analysis::Simulation simulation_;
  std::string start_;
};

// Chosen channels of a simulator, at its current time.
class Watch {
 public:
  // Throws a Failure of kind usage for a name that is not a channel. A vector counts as its components.
  Watch(std::shared_ptr<Simulator> simulator, const std::vector<std::string>& names);

  const std::vector<std::string>& names() const { return names_; }
  std::vector<double>& values() { return values_; }
  void update();

 private:
  struct Pick {
    std::size_t block = 0, column = 0;
    bool is_magnitude = false;  // of three columns
  };
  void pick(const std::string& name);
  void add(const std::string& name, std::size_t block, std::size_t column, bool is_magnitude);

  std::shared_ptr<Simulator> simulator_;
  results::Layout layout_;
  results::RowPlaces places_;
  std::vector<std::vector<double>> row_;  // of each block
  std::vector<std::string> names_;
  std::vector<Pick> picks_;
  std::vector<double> values_;
};

}  // namespace gelenk::python
