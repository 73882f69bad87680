#include "gelenk/model/expand/channels.h"

#include <gmock/gmock.h>

#include "gelenk/model/expand/channel_component.h"
#include "gelenk/model/expand/formulas_test_support.h"

namespace gelenk::model::expanding::channels_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Channels, OfEveryElement) {
  Formulas formulas(hinged(R"(drivers: {motor: {drives: hinge.angle, rate: 1 rad/s}},
    forces: {push: {type: force, applied_to: arm, along: x, value: 1 N, states: {i: {start: 0, rate: 0}}}},
    states: {level: {start: 2 m, rate: 0}})"));
  formulas.bind();
  const auto element = [&](const std::string& name) {
    const std::optional<ChannelUse> use = formulas.channels.channel(name, formulas.root(), {});
    EXPECT_TRUE(use.has_value()) << name;
    return use ? use->element : ChannelUse::Element::code;
  };
  EXPECT_EQ(element("arm.position.x"), ChannelUse::Element::part);
  EXPECT_EQ(element("arm.tip.position.x"), ChannelUse::Element::frame);
  EXPECT_EQ(element("hinge.angle"), ChannelUse::Element::joint);
  EXPECT_EQ(element("motor.torque"), ChannelUse::Element::driver);
  EXPECT_EQ(element("push.force"), ChannelUse::Element::force);
  EXPECT_EQ(element("push.i"), ChannelUse::Element::state);
  EXPECT_EQ(element("level"), ChannelUse::Element::state);
  EXPECT_THAT(formulas.messages(), IsEmpty());
}

TEST(Channels, ComponentsAndMagnitude) {
  Formulas formulas(hinged("outputs: {}"));
  const auto use = formulas.channels.channel("arm.velocity.magnitude", formulas.root(), {});
  ASSERT_TRUE(use.has_value());
  EXPECT_EQ(use->pick, ChannelUse::Pick::magnitude);
  EXPECT_EQ(use->measures, Quantity::speed);
  EXPECT_FALSE(formulas.channels.channel("arm.velocity.w", formulas.root(), {}).has_value());
  EXPECT_THAT(formulas.messages(), ElementsAre(": 'velocity' has no component 'w'"));
}

// What a mirrored assembly reads is what its original would read.
TEST(Channels, MirroredAssembliesReadMirroredComponents) {
  AssemblyNode node;
  node.world_mirror(1, 1) = -1.0;
  node.mirror(1, 1) = -1.0;
  node.is_mirrored = true;
  Diagnostics diagnostics;
  ChannelUse use;
  use.element = ChannelUse::Element::part;
  const Channel polar{.name = "velocity", .quantity = Quantity::speed, .shape = Channel::Shape::vector};
  ASSERT_TRUE(pick_component(use, polar, "y", node, {}, diagnostics));
  EXPECT_THAT(use.weights, ElementsAre(0.0, -1.0, 0.0));
  Channel axial = polar;
  axial.axial = true;
  ASSERT_TRUE(pick_component(use, axial, "y", node, {}, diagnostics));
  EXPECT_THAT(use.weights, ElementsAre(0.0, 1.0, 0.0));
}

TEST(Channels, NamesThatLeadNowhere) {
  Formulas formulas(hinged("outputs: {}"));
  std::uint32_t place = 1;
  for (const char* name : {"hinge.angel", "hinge", "hing.angle", "arm.tipp.position.x", "nothing"}) {
    EXPECT_FALSE(formulas.channels.channel(name, formulas.root(), {0, place, place + 1}).has_value()) << name;
    ++place;
  }
  EXPECT_THAT(formulas.messages(),
              ElementsAre(": 'hinge' has no channel 'angel'", ": 'hinge' is an element: name one of its channels",
                          ": there is no channel 'hing.angle'", ": 'arm' has no channel 'tipp.position.x'",
                          ": there is no parameter or channel 'nothing'"));
  EXPECT_EQ(formulas.diagnostics().all()[0].hint, "did you mean 'angle'?");
  EXPECT_EQ(formulas.diagnostics().all()[3].hint, "did you mean 'tip'?");
}

TEST(FrameChannels, EachFrameIsReadOnce) {
  Formulas formulas(hinged("ground: {frames: {post: [0, 0, 1]}}"));
  const auto measured = [&](const std::string& text) {
    return formulas.frame_channels.measure(*expression::split_measure(text), formulas.root(), {});
  };
  const auto distance = measured("distance(arm.tip, ground.post)");
  const auto position = measured("relative(ground.post, arm.tip).position.x");
  ASSERT_TRUE(distance && position);
  EXPECT_EQ(distance->pick, ChannelUse::Pick::magnitude);
  EXPECT_EQ(distance->index, position->relative_to);
  EXPECT_EQ(distance->relative_to, position->index);
  EXPECT_EQ(formulas.machine.read_frames.size(), 2U);
  EXPECT_FALSE(measured("distance(arm.tip, arm.lost)").has_value());
  EXPECT_THAT(formulas.messages(), ElementsAre(": there is no frame 'arm.lost'"));
}

}  // namespace
}  // namespace gelenk::model::expanding::channels_test
