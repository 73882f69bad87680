#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gelenk/expression/measures.h"
#include "gelenk/model/expand/elements.h"
#include "gelenk/model/expand/places.h"
#include "gelenk/model/expand/reports.h"

namespace gelenk::model::expanding {

// Channels of frames: how they move in the world, and relative to each other. Reads Machine::frames, joints and
// assemblies; makes Machine::read_frames.
class FrameChannels {
 public:
  FrameChannels(Places& places, const Elements& elements, Machine& machine, Reports& reports)
      : places_(places), elements_(elements), machine_(machine), reports_(reports), diagnostics_(reports.diagnostics) {}

  // A path that begins with a frame and goes on with one of its channels. Elements of the same name come first.
  std::optional<ChannelUse> frame_channel(const std::vector<std::string>& segments, Instance& scope,
                                          const SourceRange& where, bool& is_frame);
  // A function of two frames, such as distance(a, b).
  std::optional<ChannelUse> measure(const expression::Measure& measure, Instance& scope, const SourceRange& where);
  std::string frame_hint(const std::vector<std::string>& segments, Instance& scope);
  // Frames of a part, for hints.
  std::vector<std::string> frames_of_part(const std::string& part_path);

 private:
  // The frame that a path names, among those that expressions read. Nothing, and nothing said, when there is none.
  std::optional<std::int32_t> frame_read(std::span<const std::string> path, Instance& scope, const SourceRange& where);
  std::optional<FrameOnPart> frame_by_path(std::span<const std::string> path, Instance& scope,
                                           const SourceRange& where);
  // The same, but what is wrong is reported.
  std::optional<std::int32_t> measured_frame(std::string_view path, Instance& scope, const SourceRange& where);
  std::int32_t add_read_frame(std::string path, const FrameOnPart& frame, const SourceRange& where);
  std::optional<ChannelUse> motion_channel(ChannelUse use, std::string_view owner, const std::string& quantity,
                                           Instance& scope, const SourceRange& where);
  // What a joint does to its second part, about the origin of a frame and in its axes.
  std::optional<ChannelUse> reaction(const expression::Measure& measure, Instance& scope, const SourceRange& where);
  bool is_joint_channel(const std::string& path, const std::string& name) const;

  Places& places_;
  const Elements& elements_;
  Machine& machine_;
  Reports& reports_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, std::size_t> frames_by_path_;       // of Machine::frames; made when first asked for
  std::unordered_map<std::string, std::int32_t> read_frame_by_path_;  // of Machine::read_frames
};

}  // namespace gelenk::model::expanding
