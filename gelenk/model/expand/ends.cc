#include "gelenk/model/expand/ends.h"

#include <fmt/format.h>

namespace gelenk::model::expanding {
namespace {

// A node has neither mass nor axes that turn: it takes forces, no moments.
bool may_hold_nodes(const ObjectType* type) {
  return type == &kSpringDamper || type == &kLineForce || type == &kGasSpring || type == &kCable ||
         type == &kPulleyCable || type == &kForce;
}

}  // namespace

bool is_usable(const Object& written, const FrameInAssembly& a, const FrameInAssembly& b,
               std::span<const PartNode> parts, Diagnostics& diagnostics) {
  if (a.is_disabled || b.is_disabled) {
    std::string_view key = "to";
    for (const std::string_view other : {"between", "applied_to"}) {
      if (written.find(other) != nullptr) key = other;
    }
    const Object& part = *(a.is_disabled ? a : b).written_part;
    Diagnostic& d =
        diagnostics.error(Code::unknown_reference, written.range_of(key),
                          fmt::format("part '{}' is disabled", part.name), "enable it, or disable this too");
    d.notes.push_back({part.range_of("enabled"), fmt::format("'{}' is disabled here", part.name)});
    return false;
  }
  if ((a.node >= 0 || b.node >= 0) && !may_hold_nodes(written.type)) {
    diagnostics.error(
        Code::joint_to_itself, written.range_of(written.find("between") != nullptr ? "between" : "to"),
        fmt::format("a '{}' cannot act on a node, which has neither mass nor axes that turn", written.type->name),
        "hold it by spring_damper, line_force, gas_spring, cable, pulley_cable or force, or make it a "
        "part");
    return false;
  }
  if (a.part == b.part && a.sealed == b.sealed && a.node == b.node) {
    diagnostics.error(Code::joint_to_itself, written.range_of(written.find("between") != nullptr ? "between" : "to"),
                      a.node >= 0       ? std::string("both ends are the same node")
                      : a.part.is_set() ? fmt::format("both ends are on the part '{}'", parts[a.part.index()].path)
                                        : std::string("both ends are on the ground"),
                      "it must act between two different parts, or a part and the ground");
    return false;
  }
  return true;
}

}  // namespace gelenk::model::expanding
