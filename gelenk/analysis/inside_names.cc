#include "gelenk/analysis/inside_names.h"

#include <algorithm>
#include <string_view>

#include "gelenk/analysis/published_outputs.h"

namespace gelenk::analysis {
namespace {

std::string numbered(std::string_view kind, std::size_t number) {
  return std::string(kind) + "#" + std::to_string(number);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> inside_names(const model::Machine& machine) {
  std::vector<std::pair<std::string, std::string>> names;
  const auto add_all = [&](std::string_view kind, const auto& elements) {
    for (std::size_t i = 0; i < elements.size(); ++i) names.emplace_back(numbered(kind, i), elements[i].path);
  };
  add_all("assembly", machine.assemblies);
  std::size_t parameters = 0;
  for (const model::AssemblyNode& assembly : machine.assemblies) {
    const std::string prefix = assembly.path.empty() ? "" : assembly.path + ".";
    for (const model::ParameterValue& parameter : assembly.parameters) {
      names.emplace_back(numbered("parameter", parameters++), prefix + parameter.name);
    }
  }
  add_all("part", machine.parts);
  add_all("frame", machine.frames);
  add_all("joint", machine.joints);
  add_all("driver", machine.drivers);
  add_all("force", machine.forces);
  add_all("state", machine.states);
  std::size_t outputs = 0;
  for (const model::OutputNode& output : machine.outputs) {
    if (!output.path.starts_with(kPublishedPrefix)) names.emplace_back(numbered("output", outputs++), output.path);
  }
  return names;
}

std::string public_error(const Diagnostics& diagnostics,
                         const std::vector<std::pair<std::string, std::string>>& names) {
  const auto first = std::find_if(diagnostics.all().begin(), diagnostics.all().end(),
                                  [](const Diagnostic& d) { return d.severity == Severity::error; });
  if (first == diagnostics.all().end()) return "it cannot be built";
  const std::string text = std::string(code_title(first->code)) + " (" + code_label(first->code) + ")";
  if (first->element_kind.empty()) return text;
  const auto known = std::find_if(names.begin(), names.end(), [&](const auto& name) {
    return name.second == first->element && name.first.starts_with(first->element_kind + "#");
  });
  return (known == names.end() ? first->element_kind : known->first) + ": " + text;
}

}  // namespace gelenk::analysis
