#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gelenk/base/platform.h"
#include "gelenk/component/host.h"
#include "gelenk/component/sealed_model.h"
#include "tests/support/load_example.h"

// Models as components with the real library.
namespace gelenk::test {

struct SealedPackage {
  component::Manifest manifest;
  component::SealedModel inside;
};

// All its ports and parameters are published.
inline SealedPackage package_of(const formats::LoadedModel& loaded,
                                const std::vector<component::Output>& outputs = {}) {
  SealedPackage package;
  package.inside.outputs = package.manifest.outputs = outputs;
  const std::string root = loaded.sources.file(0).path();
  const std::string folder = root.substr(0, root.rfind('/') + 1);
  for (std::size_t i = 0; i < loaded.sources.size(); ++i) {
    const SourceFile& file = loaded.sources.file(static_cast<std::int32_t>(i));
    package.inside.files.push_back({file.path().substr(folder.size()), file.text()});
  }
  for (const model::Object& port : loaded.model.root().object.section("ports")) {
    package.inside.ports.push_back({port.name, component::PortKind::frame, component::kFrameWidth, "", ""});
  }
  Diagnostics diagnostics;
  const model::Machine machine = model::expand(loaded.model, {}, diagnostics);
  for (const model::ParameterValue& parameter : machine.assemblies.front().parameters) {
    component::Parameter& published = package.inside.parameters.emplace_back();
    published.name = parameter.name;
    published.unit = parameter.dimension.text();
    published.default_value = parameter.value;
  }
  package.manifest.about.name = loaded.model.name;
  package.manifest.ports = package.inside.ports;
  package.manifest.parameters = package.inside.parameters;
  return package;
}

// How the inside of a component is reached: without a library, or through the real one.
enum class Way { local, in_process, worker };

#ifdef GELENK_RUNTIME_LIBRARY
constexpr Way kWays[] = {Way::local, Way::in_process, Way::worker};

inline const std::string& runtime_library() {
  constexpr std::size_t kMostBytes = std::size_t{1} << 28;
  static const std::string bytes = *read_file(GELENK_RUNTIME_LIBRARY, kMostBytes).text;
  return bytes;
}

inline std::unique_ptr<component::Host> carry(Way way, const SealedPackage& package,
                                              const std::vector<double>& parameters) {
  const component::HostSettings settings{encode(package.inside), parameters};
  if (way == Way::in_process) return component::host_in_process(runtime_library(), package.manifest, settings);
  component::WorkerLimits limits;
  limits.program = GELENK_WORKER_PROGRAM;
  return component::host_in_worker(runtime_library(), package.manifest, settings, limits);
}
#else
constexpr Way kWays[] = {Way::local};

inline std::unique_ptr<component::Host> carry(Way, const SealedPackage&, const std::vector<double>&) { return {}; }
#endif

inline std::string name_of(Way way) {
  return way == Way::local ? "local" : way == Way::in_process ? "in_process" : "worker";
}

}  // namespace gelenk::test
