#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/analysis/assemble.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/model/machine.h"
#include "gelenk/system/system.h"
#include "python/src/editable_model.h"
#include "python/src/messages.h"

namespace gelenk::python {

// Parameters by their paths, each with a value as it is written in a model.
using Settings = std::vector<std::pair<std::string, std::string>>;

// A model with all its numbers, its joints closed and its start values met. Nothing in it changes.
class Machine {
 public:
  struct Options {
    Settings settings;
    bool has_open_inputs = false;  // somebody will give them while it runs
  };
  // `like`: a machine of the same model; its structure is shared where only numbers differ. What is wrong is thrown.
  static std::shared_ptr<const Machine> make(std::shared_ptr<const formats::LoadedModel> source, std::string path,
                                             const Options& options, const Machine* like = nullptr);

  // The same with other parameters; the earlier ones stay where nothing is said.
  std::shared_ptr<const Machine> with(const Settings& settings) const;
  // The same with inputs that somebody gives while it runs.
  std::shared_ptr<const Machine> with_open_inputs() const;

  const formats::LoadedModel& source() const { return *source_; }
  const std::string& path() const { return path_; }
  const Settings& settings() const { return options_.settings; }
  const model::Machine& machine() const { return machine_; }
  const system::System& system() const { return *system_; }
  const system::Params& params() const { return params_; }
  const analysis::Assembly& assembly() const { return assembly_; }
  const SourceMap& sources() const { return sources_; }
  const std::vector<Message>& warnings() const { return warnings_; }
  bool shares_structure_with(const Machine& other) const { return system_ == other.system_; }

  // What `gelenk check` says.
  std::string summary() const;

 private:
  Machine() = default;

  std::shared_ptr<const formats::LoadedModel> source_;  // the machine points into it
  std::string path_;
  Options options_;
  SourceMap sources_;  // of the model, and settings
  model::Machine machine_;
  std::shared_ptr<const system::System> system_;
  system::Params params_;
  analysis::Assembly assembly_;
  std::vector<Message> warnings_;
};

}  // namespace gelenk::python
