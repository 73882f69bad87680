#include "python/src/machine.h"

#include <algorithm>
#include <optional>

#include "gelenk/model/expand.h"
#include "gelenk/model/setting_text.h"
#include "gelenk/model/summary.h"
#include "gelenk/system/compile.h"

namespace gelenk::python {
namespace {

// Components and code are other people's programs: only gelenk itself runs them, in its sandbox.
void refuse_foreign_code(const model::Machine& machine) {
  if (machine.codes.empty()) return;
  throw Failure(Failure::Kind::component,
                "'" + machine.codes.front().path +
                    "' is code in C, which Python cannot run yet: use `gelenk run`, and gelenk.open() for its results");
}

}  // namespace

std::shared_ptr<const Machine> Machine::make(std::shared_ptr<const formats::LoadedModel> source, std::string path,
                                             const Options& options, const Machine* like) {
  const std::shared_ptr<Machine> result(new Machine);
  result->source_ = std::move(source);
  result->path_ = std::move(path);
  result->options_ = options;
  result->sources_ = result->source_->sources;
  Diagnostics diagnostics;
  model::ExpandOptions expand_options;
  expand_options.has_open_inputs = options.has_open_inputs;
  for (const auto& [name, value] : options.settings) {
    expand_options.settings.push_back(
        model::read_setting(name, name + "=" + value, name.size() + 1, "set", result->sources_, diagnostics));
  }
  result->machine_ = model::expand(result->source_->model, expand_options, diagnostics);
  const model::Machine& machine = result->machine_;
  const auto fail = [&](Failure::Kind kind) { return Failure(kind, diagnostics, result->sources_); };
  if (diagnostics.has_errors()) throw fail(Failure::Kind::model);
  refuse_foreign_code(machine);
  if (like != nullptr && system::has_same_structure(like->system(), machine)) {
    result->system_ = like->system_;
  } else {
    std::optional<system::System> system = system::compile(machine, {}, diagnostics);
    if (!system) throw fail(Failure::Kind::model);
    result->system_ = std::make_shared<const system::System>(*std::move(system));
  }
  result->params_ = system::make_params(*result->system_, machine);
  std::optional<analysis::Assembly> assembly =
      analysis::assemble(*result->system_, result->params_, machine, 0.0, diagnostics);
  if (!assembly) throw fail(Failure::Kind::assembly);
  result->assembly_ = *std::move(assembly);
  result->warnings_ = messages_of(diagnostics, result->sources_);
  return result;
}

std::shared_ptr<const Machine> Machine::with(const Settings& settings) const {
  Options options = options_;
  for (const auto& setting : settings) {
    std::erase_if(options.settings, [&](const auto& earlier) { return earlier.first == setting.first; });
    options.settings.push_back(setting);
  }
  return make(source_, path_, options, this);
}

std::shared_ptr<const Machine> Machine::with_open_inputs() const {
  Options options = options_;
  options.has_open_inputs = true;
  return make(source_, path_, options);
}

std::string Machine::summary() const {
  std::vector<Pose> poses;
  for (std::size_t part = 0; part < system_->parts.size(); ++part) {
    poses.push_back(analysis::part_pose(*system_, params_, assembly_.state, part));
  }
  const model::MobilityReport mobility = analysis::mobility_at(*system_, params_, machine_, assembly_.state);
  return model::summary_text(machine_, {.mobility = &mobility, .poses = poses, .sources = &sources_});
}

}  // namespace gelenk::python
