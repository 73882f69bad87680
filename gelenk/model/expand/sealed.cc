// Instances of sealed components: their parameters are evaluated here, the rest they tell themselves.
#include <fmt/format.h>

#include "gelenk/model/expand/scope.h"

namespace gelenk::model::expanding {

void Expansion::add_sealed() {
  for (Instance& instance : instances_) {
    const Definition& definition = *instance.index->definition;
    if (definition.sealed.empty()) continue;
    const AssemblyNode& assembly = machine_.assemblies[instance.id.index()];
    SealedNode& node = machine_.sealed.emplace_back();
    node.path = instance.path;
    node.assembly = instance.id;
    node.file = definition.sealed;
    node.where = assembly.where;
    for (const ParameterValue& parameter : assembly.parameters) node.parameters.push_back(parameter.value);
    // What is missing was reported.
    if (node.parameters.size() != instance.object().section("parameters").size()) continue;
    SealedDrawing drawing{{}, {}, {}, "it cannot be opened here"};
    if (options_.draw_sealed) drawing = options_.draw_sealed(node);
    const std::size_t ports = instance.object().section("ports").size();
    if (drawing.error.empty() && drawing.ports.size() != ports)
      drawing.error = "its ports differ from those it describes";
    if (!drawing.error.empty()) {
      const ElementScope element(diagnostics_, instance.path, "assembly");
      diagnostics_.error(Code::sealed_component, node.where, drawing.error);
      continue;
    }
    node.ports = std::move(drawing.ports);
    node.outputs = std::move(drawing.outputs);
    node.signals = std::move(drawing.signals);
  }
}

SealedNode* Expansion::sealed_of(const Instance& instance) {
  for (SealedNode& node : machine_.sealed) {
    if (node.assembly == instance.id) return &node;
  }
  return nullptr;
}

std::optional<ChannelUse> Expansion::sealed_signal(Instance& instance, const std::string& name,
                                                   const SourceRange& where) {
  const SealedNode& node = *sealed_of(instance);
  for (std::size_t i = 0; i < node.signals.size(); ++i) {
    if (node.signals[i].name != name) continue;
    ChannelUse use;
    use.element = ChannelUse::Element::sealed;
    use.index = static_cast<std::int32_t>(&node - machine_.sealed.data());
    use.component = static_cast<int>(i);
    use.dimension = node.signals[i].dimension;
    return use;
  }
  diagnostics_.error(
      Code::reads_too_early, where,
      fmt::format("'{}' of the sealed component '{}' is recorded, but is not known while the motion is being computed",
                  name, node.path),
      "read an output that depends only on positions and rates and does not switch, or look at it in the results");
  return std::nullopt;
}

std::optional<FrameInAssembly> Expansion::sealed_frame(Instance& child, const Object& port) {
  const std::vector<Object>& ports = child.object().section("ports");
  for (std::size_t i = 0; i < machine_.sealed.size(); ++i) {
    const SealedNode& node = machine_.sealed[i];
    if (node.assembly != child.id || node.ports.empty()) continue;
    const auto number = static_cast<std::size_t>(&port - ports.data());
    FrameInAssembly result;
    result.sealed = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(number)};
    result.X_AP = result.X_AF = node.ports[number];
    return result;
  }
  return std::nullopt;
}

}  // namespace gelenk::model::expanding
