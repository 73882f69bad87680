#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/analysis/sealed_interior.h"
#include "gelenk/analysis/sealed_mounting.h"
#include "gelenk/base/platform.h"
#include "gelenk/component/host_checks.h"
#include "gelenk/component/sealed_subsystem.h"
#include "gelenk/system/compile.h"
#include "tests/support/load_example.h"
#include "tests/support/sealed_library.h"
#include "tests/support/source_folder.h"

// Machines some of whose assemblies are sealed: `use: NAME.gkc` in a model stands for NAME.yaml beside it, of which the
// owner gets to know what a component reports and nothing else.
namespace gelenk::test {

inline std::string example_text(const std::string& file) {
  return *read_file(source_folder() + "/examples/" + file, 1 << 20).text;
}

// Outputs look inside, which a sealed component does not allow.
inline std::string sealed_car() {
  std::string text = example_text("car/car.yaml");
  const std::string use = "use: suspension.yaml";
  text.replace(text.find(use), use.size(), "use: suspension.gkc");
  for (const char* const line : {"  front_left_spring:", "  front_left_tire:"}) {
    const std::size_t first = text.find(line);
    text.erase(first, text.find('\n', first) + 1 - first);
  }
  return text;
}

// Reaches the inside without any library between. Both sides keep to the interface: what they say is looked at as by
// other hosts.
class LocalHost : public component::Host {
 public:
  LocalHost(const model::Model& model, std::vector<double> parameters) : machine_(model, std::move(parameters)) {
    ports_ = machine_.ports();
    length_ = machine_.length();
  }
  const std::string& error() const { return machine_.error(); }

  void mount(const component::HostMounting& mounting) override {
    if (!machine_.mount(mounting)) {
      throw component::ComponentFailure(component::ComponentFailure::Kind::refused, machine_.error());
    }
    sizes_ = machine_.sizes();
  }
  bool perform(std::span<const gelenk_command> commands) override {
    std::size_t done = 0;
    for (const gelenk_command& command : commands) checks_.check_request(command, sizes_);
    const gelenk_status status = machine_.perform(commands, done);
    for (const gelenk_command& command : commands.first(done)) checks_.check_answer(command, sizes_);
    if (status == GELENK_OK || status == GELENK_NOT_SOLVABLE) return status == GELENK_OK;
    throw component::ComponentFailure(component::ComponentFailure::Kind::failed, machine_.error());
  }
  void post(const gelenk_command& command) override {
    if (!perform({&command, 1})) {
      throw component::ComponentFailure(component::ComponentFailure::Kind::failed, "not solvable");
    }
  }
  std::string read(gelenk_bytes what, std::int32_t slot) override { return machine_.read(what, slot); }
  void write(gelenk_bytes what, std::int32_t slot, std::string_view bytes) override {
    if (!machine_.write(what, slot, bytes)) {
      throw component::ComponentFailure(component::ComponentFailure::Kind::failed, "bytes of another machine");
    }
  }

 private:
  analysis::SealedInterior machine_;
  component::Manifest manifest_;
  component::HostChecks checks_{manifest_};
};

class SealedExample {
 public:
  // The text of a model in the folder of an example, "car".
  SealedExample(const std::string& folder, const std::string& text, const analysis::MountingOptions& options,
                Way way = Way::local, const std::vector<component::Output>& outputs = {}) {
    const std::string path = source_folder() + "/examples/" + folder + "/sealed_model.yaml";
    formats::LoadOptions load;
    load.read = [&](const std::string& file, std::size_t limit) {
      return file == path ? ReadResult{text, Code::none, ""} : read_file(file, limit);
    };
    load.read_sealed = [&](const std::string& file) { return ReadResult{stub_of(file), Code::none, ""}; };
    example_.loaded = formats::load_model(path, load, example_.diagnostics);
    if (!example_.loaded.is_read || example_.diagnostics.has_errors()) return;
    model::ExpandOptions expand;
    expand.draw_sealed = [&](const model::SealedNode& node) {
      model::SealedDrawing drawing;
      std::unique_ptr<component::Host> host =
          way == Way::local ? reach(insides_.at(node.file), node.parameters, drawing.error)
                            : carry(way, package_of(insides_.at(node.file), outputs), node.parameters);
      for (const component::DrawnPort& port : host->ports()) {
        Pose& pose = drawing.ports.emplace_back();
        pose.position = Vector3::Map(port.position);
        for (int i = 0; i < 9; ++i) pose.rotation(i / 3, i % 3) = port.rotation[i];
      }
      owned_.push_back(std::move(host));
      return drawing;
    };
    example_.machine = model::expand(example_.loaded.model, expand, example_.diagnostics);
    if (example_.diagnostics.has_errors()) return;
    system_ = system::compile(example_.machine, {}, example_.diagnostics);
    if (!system_) return;
    params_ = system::make_params(*system_, example_.machine);
    for (const auto& host : owned_) {
      hosts_.push_back(host.get());
      params_.length = std::max(params_.length, host->length());
    }
    const std::vector<component::HostMounting> all = analysis::mountings(*system_, params_, example_.machine, options);
    for (std::size_t s = 0; s < all.size(); ++s) {
      owned_[s]->mount(all[s]);
      subsystems_.add(*owned_[s]);
    }
  }

  bool is_good() const { return system_.has_value(); }
  std::string complaints() const { return example_.complaints(); }
  const system::System& system() const { return *system_; }
  const system::Params& params() const { return params_; }
  const model::Machine& machine() const { return example_.machine; }
  std::span<component::Host* const> hosts() const { return hosts_; }
  std::span<subsystem::Subsystem* const> subsystems() const { return subsystems_.all(); }

 private:
  static std::unique_ptr<component::Host> reach(const formats::LoadedModel& inside, std::vector<double> parameters,
                                                std::string& error) {
    auto host = std::make_unique<LocalHost>(inside.model, std::move(parameters));
    error = host->error();
    return host;
  }
  // Parameters and ports of the model that a sealed file stands for.
  std::string stub_of(const std::string& file) {
    const std::string source = file.substr(0, file.size() - 4) + ".yaml";
    Diagnostics diagnostics;
    formats::LoadedModel& inside = insides_[file];
    inside = formats::load_model(source, {}, diagnostics);
    std::string text = "gelenk: 1\nname: sealed\nparameters:\n";
    const model::Object& root = inside.model.root().object;
    const model::Machine machine = model::expand(inside.model, {}, diagnostics);
    for (const model::ParameterValue& parameter : machine.assemblies.front().parameters) {
      text += "  " + parameter.name + ": " + si_text(parameter) + "\n";
    }
    text += "ports:\n";
    for (const model::Object& port : root.section("ports")) text += "  " + port.name + ": " + port.name + "\n";
    return text;
  }
  static std::string si_text(const model::ParameterValue& parameter) {
    char number[64];
    std::snprintf(number, sizeof number, "%.17g", parameter.value);
    const std::string unit = parameter.dimension.text();
    return unit.empty() ? std::string(number) : std::string(number) + " " + unit;
  }

  Example example_;
  std::map<std::string, formats::LoadedModel> insides_;  // by sealed file
  std::optional<system::System> system_;
  system::Params params_;
  std::vector<std::unique_ptr<component::Host>> owned_;
  std::vector<component::Host*> hosts_;
  component::SealedSubsystems subsystems_;
};

}  // namespace gelenk::test
