#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/model/expand.h"
#include "gelenk/model/expand/scope.h"

// Instances of sealed components: their parameters are evaluated here, the rest they report themselves.
namespace gelenk::model::expanding {

// For Machine::sealed. Reads the parameters of `assemblies`; where the components stand is not known yet.
std::vector<SealedNode> sealed_components(const Instances& instances, const std::vector<AssemblyNode>& assemblies,
                                          const DrawSealed& draw, Diagnostics& diagnostics);

// Null: it is open.
const SealedNode* sealed_of(const Instance& instance, std::span<const SealedNode> sealed);
// An output that may be read while the motion is computed. Nothing, and reported, when it may not.
std::optional<ChannelUse> sealed_signal(const Instance& instance, const std::string& name, const SourceRange& where,
                                        std::span<const SealedNode> sealed, Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
