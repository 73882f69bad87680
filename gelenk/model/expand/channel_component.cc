#include "gelenk/model/expand/channel_component.h"

#include <fmt/format.h>

#include <string_view>

namespace gelenk::model::expanding {

bool pick_component(ChannelUse& use, const Channel& found, const std::string& component, const AssemblyNode& node,
                    const SourceRange& where, Diagnostics& diagnostics) {
  const bool is_vector = found.shape == Channel::Shape::vector;
  if (found.shape == Channel::Shape::scalar) {
    if (component.empty()) return true;
    diagnostics.error(Code::unknown_channel, where,
                      fmt::format("'{}' is a single number and has no component '{}'", found.name, component));
    return false;
  }
  if (is_vector && component == "magnitude") {
    use.pick = ChannelUse::Pick::magnitude;
    return true;
  }
  const std::string_view letters = is_vector ? "xyz" : "wxyz";
  const std::size_t place = component.size() == 1 ? letters.find(component.front()) : std::string_view::npos;
  if (place == std::string_view::npos) {
    diagnostics.error(
        Code::unknown_channel, where,
        component.empty() ? fmt::format("'{}' has several components", found.name)
                          : fmt::format("'{}' has no component '{}'", found.name, component),
        fmt::format("name one: {}.{}", found.name, is_vector ? "x, .y, .z or .magnitude" : "w, .x, .y or .z"));
    return false;
  }
  use.pick = ChannelUse::Pick::component;
  use.component = static_cast<int>(place);
  use.weights = {0.0, 0.0, 0.0};
  if (!is_vector) {
    if (node.is_mirrored) {
      diagnostics.error(Code::unknown_channel, where, "a mirrored assembly cannot read an orientation",
                        "read a joint coordinate instead");
      return false;
    }
    return true;
  }
  // What a mirrored assembly reads is what its original would read: component k of Mᵀ v. Parts and frames have world
  // axes, joints and forces those of their first frame F, which is mirrored as T F Tᵀ; so has what is relative to a
  // frame.
  const bool is_in_world =
      use.element == ChannelUse::Element::part || (use.element == ChannelUse::Element::frame && use.relative_to < 0);
  const Matrix3& M = is_in_world ? node.world_mirror : node.mirror;
  const double sign = found.axial && node.is_mirrored ? -1.0 : 1.0;
  for (int i = 0; i < 3; ++i) {
    use.weights[static_cast<std::size_t>(i)] = sign * M(i, static_cast<Eigen::Index>(place));
  }
  return true;
}

}  // namespace gelenk::model::expanding
