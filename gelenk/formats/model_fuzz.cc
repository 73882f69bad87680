// libFuzzer target of the whole way from a text to a machine: whatever comes in, nothing crashes, hangs or grows
// without bound; everything refused is explained at a place in the text; what is accepted has proper mass properties.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "gelenk/base/diagnostic_printer.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/model/expand.h"

namespace {

const std::string kRoot = "model.yaml";
// Enough for every kind of element, few enough for many inputs a second.
constexpr std::size_t kMaxElements = 2'000;

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void check_diagnostics(const gelenk::Diagnostics& diagnostics, const gelenk::SourceMap& sources) {
  for (const gelenk::Diagnostic& d : diagnostics.all()) {
    demand(!d.message.empty() && d.code != gelenk::Code::none, "an error without words or code");
    if (!d.where.is_known()) continue;
    const std::size_t size = sources.file(d.where.file).text().size();
    demand(d.where.begin <= d.where.end && d.where.end <= size, "an error outside the text");
  }
  demand(print_diagnostics(diagnostics, sources).empty() == diagnostics.all().empty(), "an error that is not shown");
}

void check_machine(const gelenk::model::Machine& machine) {
  for (const gelenk::model::PartNode& part : machine.parts) {
    const gelenk::MassProperties& mass = part.mass_properties;
    demand(std::isfinite(mass.mass) && mass.mass > 0.0, "a mass that is not positive");
    demand(mass.inertia.allFinite() && mass.center.allFinite(), "mass properties that are not finite");
    demand(part.X_WP.position.allFinite() && part.X_WP.rotation.allFinite(), "a part that is nowhere");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  gelenk::formats::LoadOptions options;
  options.read = [&](const std::string& path, std::size_t) {
    if (path == kRoot) return gelenk::ReadResult{text, gelenk::Code::none, {}};
    return gelenk::ReadResult{std::nullopt, gelenk::Code::file_not_found, "No such file or directory"};
  };
  gelenk::Diagnostics diagnostics;
  const gelenk::formats::LoadedModel loaded = gelenk::formats::load_model(kRoot, options, diagnostics);
  demand(loaded.is_read || diagnostics.has_errors(), "refused without a word");
  gelenk::model::Machine machine;
  if (loaded.is_read) {
    gelenk::model::ExpandOptions limits;
    limits.max_elements = kMaxElements;
    machine = gelenk::model::expand(loaded.model, limits, diagnostics);
  }
  check_diagnostics(diagnostics, loaded.sources);
  if (!diagnostics.has_errors()) check_machine(machine);
  return 0;
}
