#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gelenk/model/expand/numbers.h"
#include "gelenk/model/expand/placement.h"
#include "gelenk/model/expand/reports.h"
#include "gelenk/model/expand/scope.h"

namespace gelenk::model::expanding {

// A frame in the coordinates of one assembly as written there.
struct FrameInAssembly {
  PartId part;                           // unset: ground
  const Object* written_part = nullptr;  // null for the ground
  bool is_disabled = false;
  bool is_whole_part = false;  // named by the part alone (or `ground`)
  SealedPort sealed;           // that it is at
  std::int32_t node = -1;      // of Machine::nodes
  Pose X_AP;                   // of its part, or of that port; identity for the ground
  Pose X_AF;
  // The port that leads to it from outside. Frames are given from there: what is behind a port does not change a digit.
  struct Port {
    FrameOnPart frame;
    Pose X_AF;
  };
  std::optional<Port> port;
};
// The same in the machine; `node`: the assembly in whose coordinates it is.
FrameOnPart frame_on_machine(const FrameInAssembly& frame, const AssemblyNode& node);

// Where things are drawn, in coordinates as written: parts, frames and instances placed relative to each other in any
// order. Makes nothing but the places of the instances, each when it is first needed.
class Places {
 public:
  // `machine`: its names of assemblies, their mirrors, and ports of sealed components; filled as the passes run.
  Places(Numbers& numbers, const Machine& machine, Reports& reports)
      : numbers_(numbers), machine_(machine), reports_(reports), diagnostics_(reports.diagnostics) {}

  // All return nothing when something is wrong, which is reported.
  std::optional<Pose> drawn_pose(Instance& instance);                                         // X_OA
  std::optional<Pose> part_pose(Instance& scope, std::size_t number);                         // X_AP
  std::optional<Pose> assembly_frame(Instance& scope, std::size_t number);                    // X_AF
  std::optional<Pose> frame_on_part(Instance& scope, std::size_t part, const Object& frame);  // X_PF
  // A frame as an assembly names it. `repeated`: the instance whose `previous` may be named. `as_source`: of a mirror
  // image, where what it mirrors is.
  std::optional<FrameInAssembly> resolve_frame(const std::string& path, Instance& scope, const SourceRange& where,
                                               Instance* repeated = nullptr, bool as_source = false);
  std::optional<FrameInAssembly> frame_of_ground(Instance& scope, const std::vector<std::string>& segments,
                                                 const SourceRange& where);
  std::optional<FrameInAssembly> frame_of_port(Instance& child, const std::vector<std::string>& rest,
                                               const SourceRange& where, bool as_source);
  // Places in an assembly, and on a part: its own frames by bare name, others as drawn.
  std::optional<Pose> placement_in(const Value& value, const Field& field, Instance& scope);
  std::optional<Pose> placement_on_part(const Value& value, const Field& field, Instance& scope, std::size_t part);
  std::optional<Vector3> point_on_part(const Value& value, const Field& field, Instance& scope, std::size_t part);
  // Of frame_on_machine().
  FrameOnPart on_machine(const FrameInAssembly& frame, const Instance& scope) const {
    return frame_on_machine(frame, machine_.assemblies[scope.id.index()]);
  }

 private:
  std::optional<Pose> once(Lazy<Pose>& slot, const std::string& path, std::string_view kind, const SourceRange& where,
                           const std::function<std::optional<Pose>()>& compute);
  // False, and reported, when the chain of things that need each other's place is a circle or endless.
  bool may_follow(const std::string& path, std::string_view kind, const SourceRange& where);
  // Frames as an assembly names them, in its coordinates.
  FrameFinder frames_of(Instance& scope, Instance* repeated = nullptr);
  // placement() of a frame's `at`.
  std::optional<Pose> frame_placement(const Object& written_frame, const std::string& path, Instance& scope,
                                      const FrameFinder& frame);
  std::optional<Pose> named_frame_on_part(const std::string& name, const SourceRange& where, Instance& scope,
                                          std::size_t part);
  // The frame of a part or of the ground; null when there is none.
  const Object* find_frame(const Object& owner, const std::string& name);
  std::optional<FrameInAssembly> frame_of_part(Instance& scope, const NamedElement& part,
                                               const std::vector<std::string>& segments, const SourceRange& where);
  std::optional<FrameInAssembly> frame_of_previous(const std::vector<std::string>& segments, const Instance* repeated,
                                                   const SourceRange& where, bool as_source);
  std::optional<FrameInAssembly> sealed_frame(const Instance& child, const Object& port) const;

  Numbers& numbers_;
  const Machine& machine_;
  Reports& reports_;
  Diagnostics& diagnostics_;
  std::vector<std::string> placement_chain_;  // whose places are being computed, each for the one before
  std::unordered_map<const Object*, std::unordered_map<std::string_view, const Object*>> frames_by_name_;
};

}  // namespace gelenk::model::expanding
