// Names of frames: own parts, ground, and ports of sub-assemblies.
#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/text.h"
#include "gelenk/model/expand/paths.h"
#include "gelenk/model/expand/places.h"
#include "gelenk/model/expand/unknown_frames.h"

namespace gelenk::model::expanding {
namespace {

std::vector<std::string> after(const std::vector<std::string>& segments, std::size_t count) {
  return {segments.begin() + static_cast<std::ptrdiff_t>(std::min(count, segments.size())), segments.end()};
}

// Fewer names are found as fast by looking at each.
constexpr std::size_t kFewFrames = 16;

}  // namespace

const Object* Places::find_frame(const Object& owner, const std::string& name) {
  const std::vector<Object>& frames = owner.section("frames");
  if (frames.size() <= kFewFrames) {
    const auto it = std::find_if(frames.begin(), frames.end(), [&](const Object& frame) { return frame.name == name; });
    return it == frames.end() ? nullptr : &*it;
  }
  auto& by_name = frames_by_name_[&owner];
  if (by_name.empty()) {
    for (const Object& frame : frames) by_name.emplace(frame.name, &frame);
  }
  const auto it = by_name.find(name);
  return it == by_name.end() ? nullptr : it->second;
}

std::optional<FrameInAssembly> Places::frame_of_part(Instance& scope, const NamedElement& part,
                                                     const std::vector<std::string>& segments,
                                                     const SourceRange& where) {
  const std::optional<Pose> X_AP = part_pose(scope, part.index);
  if (!X_AP) return std::nullopt;
  FrameInAssembly result;
  result.part = scope.part_ids[part.index];
  result.written_part = part.object;
  result.is_disabled = !part.object->flag("enabled", true);
  result.X_AP = *X_AP;
  result.X_AF = *X_AP;
  result.is_whole_part = segments.size() == 1;
  if (segments.size() == 1) return result;
  if (is_left_out(*part.object, segments[1])) return std::nullopt;
  const Object* frame = segments.size() == 2 ? find_frame(*part.object, segments[1]) : nullptr;
  if (frame != nullptr) {
    const std::optional<Pose> X_PF = frame_on_part(scope, part.index, *frame);
    if (!X_PF) return std::nullopt;
    result.X_AF = *X_AP * *X_PF;
    return result;
  }
  report_unknown_frame(join(segments, "."), scope, where, reports_);
  return std::nullopt;
}

std::optional<FrameInAssembly> Places::frame_of_ground(Instance& scope, const std::vector<std::string>& segments,
                                                       const SourceRange& where) {
  FrameInAssembly result;
  result.is_whole_part = segments.size() == 1;
  if (segments.size() == 1) return result;
  const Object* ground = scope.object().object("ground");
  if (ground != nullptr && segments.size() == 2) {
    if (const Object* frame = find_frame(*ground, segments[1])) {
      const std::string path = element_path(scope, "ground." + frame->name);
      const std::optional<Pose> pose = frame_placement(*frame, path, scope, frames_of(scope));
      if (!pose) return std::nullopt;
      result.X_AF = *pose;
      return result;
    }
    if (is_left_out(*ground, segments[1])) return std::nullopt;
  }
  std::vector<std::string> names;
  if (ground != nullptr) {
    for (const Object& frame : ground->section("frames")) names.push_back("ground." + frame.name);
  }
  const std::string path = join(segments, ".");
  std::string hint = reports_.may_suggest(names.size()) ? did_you_mean(path, names) : "";
  if (hint.empty()) hint = fmt::format("add it: `ground: {{frames: {{{}: [0, 0, 0]}}}}`", segments[1]);
  diagnostics_.error(Code::unknown_reference, where, fmt::format("there is no frame '{}'", path), hint);
  return std::nullopt;
}

std::optional<FrameInAssembly> Places::sealed_frame(const Instance& child, const Object& port) const {
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

std::optional<FrameInAssembly> Places::frame_of_port(Instance& child, const std::vector<std::string>& rest,
                                                     const SourceRange& where, bool as_source) {
  if (!drawn_pose(child)) return std::nullopt;
  const Object* port = nullptr;
  if (rest.size() == 1) {
    for (const Object& candidate : child.object().section("ports")) {
      if (candidate.name == rest.front()) port = &candidate;
    }
  }
  if (port == nullptr) {
    report_past_port(child, machine_.assemblies[child.id.index()].name, rest, where, diagnostics_);
    return std::nullopt;
  }
  const std::string* target = port->text("frame");
  if (target == nullptr) return std::nullopt;
  std::optional<FrameInAssembly> inner;
  if (!child.index->definition->sealed.empty()) {
    inner = sealed_frame(child, *port);
  } else {
    const ElementScope element(diagnostics_, element_path(child, port->name), "port");
    inner = resolve_frame(*target, child, port->range_of("frame"));
  }
  if (!inner) return std::nullopt;
  // From the child's coordinates to the owner's: X_AF = X_AC · S X_CF Sᵀ. The frame of the source of a mirror image is
  // wanted where a joint is built on the unmirrored side first.
  const Matrix3& S = child.plan->mirror;
  const Pose X_AC = pose_in_owner(child);
  FrameInAssembly result = *inner;
  result.is_whole_part = false;
  result.X_AP = X_AC * mirrored(inner->X_AP, S);
  result.X_AF = as_source ? child.drawn.value * inner->X_AF : X_AC * mirrored(inner->X_AF, S);
  if (!inner->part.is_set()) {
    if (!inner->sealed.is_set()) result.X_AP = Pose{};
    return result;
  }
  if (!inner->port) result.port = FrameInAssembly::Port{on_machine(*inner, child), {}};
  result.port->X_AF = X_AC * mirrored(inner->X_AF, S);
  return result;
}

std::optional<FrameInAssembly> Places::frame_of_previous(const std::vector<std::string>& segments,
                                                         const Instance* repeated, const SourceRange& where,
                                                         bool as_source) {
  if (repeated == nullptr || !repeated->repeat_index) {
    diagnostics_.error(Code::previous_outside_repeat, where, "`previous` exists only with `repeat`",
                       "name the assembly itself");
    return std::nullopt;
  }
  if (repeated->previous == nullptr) {
    diagnostics_.error(Code::previous_outside_repeat, where, "the first instance has no previous one here",
                       "only `attach` may use `previous`");
    return std::nullopt;
  }
  return frame_of_port(*repeated->previous, after(segments, 1), where, as_source);
}

std::optional<FrameInAssembly> Places::resolve_frame(const std::string& path, Instance& scope, const SourceRange& where,
                                                     Instance* repeated, bool as_source) {
  const std::vector<std::string> segments = split(path, '.');
  if (segments.front() == "ground") return frame_of_ground(scope, segments, where);
  if (segments.front() == "previous") return frame_of_previous(segments, repeated, where, as_source);
  if (is_unclear(scope, segments.front())) return std::nullopt;
  const NamedElement* element = scope.index->find(segments.front());
  if (element != nullptr && element->section == Section::part) return frame_of_part(scope, *element, segments, where);
  if (element != nullptr && element->section == Section::frame && segments.size() == 1) {
    const std::optional<Pose> pose = assembly_frame(scope, element->index);
    if (!pose) return std::nullopt;
    FrameInAssembly result;
    result.X_AF = *pose;
    const auto node = scope.nodes.find(element->index);
    if (node != scope.nodes.end()) result.node = node->second;
    return result;
  }
  const ChildStep step = step_into_child(scope, segments, where, diagnostics_);
  if (step.child != nullptr) return frame_of_port(*step.child, after(segments, step.used_segments), where, as_source);
  if (!step.is_reported) report_unknown_frame(path, scope, where, reports_);
  return std::nullopt;
}

}  // namespace gelenk::model::expanding
