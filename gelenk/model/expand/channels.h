#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/model/expand/elements.h"
#include "gelenk/model/expand/frame_channels.h"
#include "gelenk/model/expand/reports.h"

namespace gelenk::model::expanding {

// Channels that expressions name. Reads the elements of the machine, all of them listed.
class Channels {
 public:
  // `forces`: as listed, with the states that belong to them.
  Channels(FrameChannels& frames, std::span<const Pending> forces, const Elements& elements, const Machine& machine,
           Reports& reports)
      : frames_(frames),
        forces_(forces),
        elements_(elements),
        machine_(machine),
        reports_(reports),
        diagnostics_(reports.diagnostics) {}

  // Nothing when there is none, which is reported.
  std::optional<ChannelUse> channel(const std::string& name, Instance& scope, const SourceRange& where);
  // The state of a force by its short name; nothing when it has none of this name.
  std::optional<ChannelUse> own_state(std::string_view force, const std::string& name) const;
  // `coordinate` and `rate` in the formulas of an actuator.
  ChannelUse driven_channel(const CoordinateUse& driven, bool is_rate) const;

  // Of Machine::states.
  ChannelUse state_channel(std::size_t index) const;

 private:
  std::optional<ChannelUse> coordinate_channel(const JointNode& joint, std::size_t index, const std::string& quantity,
                                               const Instance& scope) const;
  // The first `count` segments are the element `ref`, whose full path is `path`; the others name its quantity.
  std::optional<ChannelUse> element_channel(const ElementRef& ref, const std::string& path,
                                            const std::vector<std::string>& segments, std::size_t count,
                                            const Instance& scope, const SourceRange& where);
  // What an element has: channels of its type, and other names for hints.
  struct Readable {
    std::span<const Channel> channels;
    std::vector<Channel> unrecorded = {};  // that formulas may read as well
    std::vector<std::string> names;
    std::optional<Coordinate> driven;  // only the effort that fits this coordinate exists
    bool is_broken = false;            // the element could not be built, which is reported
  };
  Readable readable(const ElementRef& ref) const;
  // The code that the first segments name, with how many they are; null: none.
  const CodeNode* find_code(const std::vector<std::string>& segments, const Instance& scope, std::size_t& count) const;
  std::optional<ChannelUse> code_channel(const CodeNode& code, std::span<const std::string> rest,
                                         const SourceRange& where);
  void report_unknown_channel(const std::string& name, const std::vector<std::string>& segments, Instance& scope,
                              const SourceRange& where);
  const std::vector<Object>& states_of_force(std::size_t force) const;

  FrameChannels& frames_;
  std::span<const Pending> forces_;
  const Elements& elements_;
  const Machine& machine_;
  Reports& reports_;
  Diagnostics& diagnostics_;
};

}  // namespace gelenk::model::expanding
