// Places of parts, frames and instances, each computed once.
#include "gelenk/model/expand/places.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelenk::model::expanding {
namespace {

using PoseState = Lazy<Pose>::State;

}  // namespace

FrameOnPart frame_on_machine(const FrameInAssembly& frame, const AssemblyNode& node) {
  if (frame.port) {
    const Pose X_QF = mirrored(frame.port->X_AF.inverse() * frame.X_AF, node.mirror);  // Q: the port
    return {frame.part, frame.port->frame.X_PF * X_QF};
  }
  if (!frame.part.is_set() && !frame.sealed.is_set()) {
    return {frame.part, node.X_WA * mirrored(frame.X_AF, node.mirror), {}, frame.node};
  }
  return {frame.part, mirrored(frame.X_AP.inverse() * frame.X_AF, node.mirror), frame.sealed};
}

bool Places::may_follow(const std::string& path, std::string_view kind, const SourceRange& where) {
  const ElementScope element(diagnostics_, path, std::string(kind));
  if (std::find(placement_chain_.begin(), placement_chain_.end(), path) != placement_chain_.end()) {
    diagnostics_.error(Code::placement_cycle, where,
                       "its placement depends on itself: " + circle_text(placement_chain_, path),
                       "give one of these places as numbers");
    return false;
  }
  if (placement_chain_.size() < kMaxChain) return true;
  diagnostics_.error(Code::too_many_elements, where,
                     fmt::format("more than {} places depend on each other in a chain", kMaxChain),
                     "give some of them as numbers, or write first the frames that others are relative to");
  return false;
}

std::optional<Pose> Places::once(Lazy<Pose>& slot, const std::string& path, std::string_view kind,
                                 const SourceRange& where, const std::function<std::optional<Pose>()>& compute) {
  if (slot.state == PoseState::done) return slot.value;
  if (slot.state == PoseState::failed || !may_follow(path, kind, where)) return std::nullopt;
  slot.state = PoseState::running;
  placement_chain_.push_back(path);
  std::optional<Pose> pose;
  {
    const ElementScope element(diagnostics_, path, std::string(kind));
    pose = compute();
  }
  placement_chain_.pop_back();
  slot.state = pose ? PoseState::done : PoseState::failed;
  if (pose) slot.value = *pose;
  return pose;
}

FrameFinder Places::frames_of(Instance& scope, Instance* repeated) {
  return [this, &scope, repeated](const std::string& name, const SourceRange& where) -> std::optional<Pose> {
    const std::optional<FrameInAssembly> frame = resolve_frame(name, scope, where, repeated);
    if (!frame) return std::nullopt;
    return frame->X_AF;
  };
}

std::optional<Pose> Places::drawn_pose(Instance& instance) {
  if (instance.owner == nullptr) return Pose{};
  const Object& effective = instance.plan->effective;
  return once(instance.drawn, instance.path, "assembly", effective.range_of("at"), [&]() -> std::optional<Pose> {
    const Value* at = effective.value("at");
    if (at == nullptr) return Pose{};
    Instance& owner = *instance.owner;
    return placement(*at, field_of(effective, "at"), owner, {instance.repeat_index}, frames_of(owner, &instance),
                     numbers_, diagnostics_);
  });
}

std::optional<Pose> Places::part_pose(Instance& scope, std::size_t number) {
  const Object& written = scope.object().section("parts")[number];
  const std::string path = element_path(scope, written.name);
  return once(scope.parts[number], path, "part", written.range_of("at"), [&]() -> std::optional<Pose> {
    if (const PartPlan plan = scope.index->part_plan(number); plan.is_mirror) {
      const std::optional<Pose> of_source = part_pose(scope, plan.source);
      return of_source ? std::optional(mirrored(*of_source, plan.mirror)) : std::nullopt;
    }
    const Value* at = written.value("at");
    if (at == nullptr) return Pose{};
    return placement_in(*at, field_of(written, "at"), scope);
  });
}

std::optional<Pose> Places::assembly_frame(Instance& scope, std::size_t number) {
  const Object& written = scope.object().section("frames")[number];
  const std::string path = element_path(scope, written.name);
  return once(scope.frames[number], path, "frame", written.range_of("at"), [&]() -> std::optional<Pose> {
    const Value* at = written.value("at");
    if (at == nullptr) return Pose{};
    return placement_in(*at, field_of(written, "at"), scope);
  });
}

std::optional<Pose> Places::named_frame_on_part(const std::string& name, const SourceRange& where, Instance& scope,
                                                std::size_t part) {
  const Object& written = scope.object().section("parts")[part];
  if (const Object* frame = find_frame(written, name)) return frame_on_part(scope, part, *frame);
  if (is_left_out(written, name)) return std::nullopt;
  // Another part's frame, or a full path: as drawn.
  const std::optional<FrameInAssembly> frame = resolve_frame(name, scope, where);
  const std::optional<Pose> X_AP = part_pose(scope, part);
  if (!frame || !X_AP) return std::nullopt;
  return X_AP->inverse() * frame->X_AF;
}

std::optional<Pose> Places::frame_placement(const Object& written_frame, const std::string& path, Instance& scope,
                                            const FrameFinder& frame) {
  const Value* at = written_frame.value("at");
  if (at == nullptr) return written_frame.is_incomplete ? std::nullopt : std::optional(Pose{});
  return once(scope.frames_on_parts[&written_frame], path, "frame", at->range,
              [&] { return placement(*at, field_of(written_frame, "at"), scope, {}, frame, numbers_, diagnostics_); });
}

std::optional<Pose> Places::frame_on_part(Instance& scope, std::size_t part, const Object& frame) {
  if (const PartPlan plan = scope.index->part_plan(part); plan.is_mirror) {
    const Object* const of_source = find_frame(scope.object().section("parts")[plan.source], frame.name);
    const std::optional<Pose> pose =
        of_source == nullptr ? std::nullopt : frame_on_part(scope, plan.source, *of_source);
    return pose ? std::optional(mirrored(*pose, plan.mirror)) : std::nullopt;
  }
  const std::string& part_name = scope.object().section("parts")[part].name;
  const std::string path = element_path(scope, part_name + "." + frame.name);
  return frame_placement(frame, path, scope, [&](const std::string& name, const SourceRange& where) {
    return named_frame_on_part(name, where, scope, part);
  });
}

std::optional<Pose> Places::placement_in(const Value& value, const Field& field, Instance& scope) {
  return placement(value, field, scope, {}, frames_of(scope), numbers_, diagnostics_);
}

std::optional<Pose> Places::placement_on_part(const Value& value, const Field& field, Instance& scope,
                                              std::size_t part) {
  const FrameFinder frame = [&](const std::string& name, const SourceRange& where) {
    return named_frame_on_part(name, where, scope, part);
  };
  return placement(value, field, scope, {}, frame, numbers_, diagnostics_);
}

std::optional<Vector3> Places::point_on_part(const Value& value, const Field& field, Instance& scope,
                                             std::size_t part) {
  const std::optional<Pose> pose = placement_on_part(value, field, scope, part);
  if (!pose) return std::nullopt;
  return pose->position;
}

}  // namespace gelenk::model::expanding
