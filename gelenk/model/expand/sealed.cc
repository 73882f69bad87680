#include "gelenk/model/expand/sealed.h"

#include <fmt/format.h>

#include <utility>

namespace gelenk::model::expanding {

std::vector<SealedNode> sealed_components(const Instances& instances, const std::vector<AssemblyNode>& assemblies,
                                          const DrawSealed& draw, Diagnostics& diagnostics) {
  std::vector<SealedNode> result;
  for (const Instance& instance : instances) {
    const Definition& definition = *instance.index->definition;
    if (definition.sealed.empty()) continue;
    const AssemblyNode& assembly = assemblies[instance.id.index()];
    SealedNode& node = result.emplace_back();
    node.path = instance.path;
    node.assembly = instance.id;
    node.file = definition.sealed;
    node.where = assembly.where;
    for (const ParameterValue& parameter : assembly.parameters) node.parameters.push_back(parameter.value);
    // What is missing was reported.
    if (node.parameters.size() != instance.object().section("parameters").size()) continue;
    SealedDrawing drawing{{}, {}, {}, "it cannot be opened here"};
    if (draw) drawing = draw(node);
    const std::size_t ports = instance.object().section("ports").size();
    if (drawing.error.empty() && drawing.ports.size() != ports)
      drawing.error = "its ports differ from those it describes";
    if (!drawing.error.empty()) {
      const ElementScope element(diagnostics, instance.path, "assembly");
      diagnostics.error(Code::sealed_component, node.where, drawing.error);
      continue;
    }
    node.ports = std::move(drawing.ports);
    node.outputs = std::move(drawing.outputs);
    node.signals = std::move(drawing.signals);
    node.shafts = std::move(drawing.shafts);
  }
  return result;
}

const SealedNode* sealed_of(const Instance& instance, std::span<const SealedNode> sealed) {
  for (const SealedNode& node : sealed) {
    if (node.assembly == instance.id) return &node;
  }
  return nullptr;
}

std::optional<ChannelUse> sealed_signal(const Instance& instance, const std::string& name, const SourceRange& where,
                                        std::span<const SealedNode> sealed, Diagnostics& diagnostics) {
  const SealedNode& node = *sealed_of(instance, sealed);
  for (std::size_t i = 0; i < node.signals.size(); ++i) {
    if (node.signals[i].name != name) continue;
    ChannelUse use;
    use.element = ChannelUse::Element::sealed;
    use.index = static_cast<std::int32_t>(&node - sealed.data());
    use.component = static_cast<int>(i);
    use.dimension = node.signals[i].dimension;
    return use;
  }
  diagnostics.error(
      Code::reads_too_early, where,
      fmt::format("'{}' of the sealed component '{}' is recorded, but is not known while the motion is being computed",
                  name, node.path),
      "read an output that depends only on positions and rates and does not switch, or look at it in the results");
  return std::nullopt;
}

}  // namespace gelenk::model::expanding
