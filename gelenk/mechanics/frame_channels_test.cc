// Channels of frames: rates of change against differences, derivatives of laws that read them.
#include <gtest/gtest.h>

#include <cmath>

#include "gelenk/mechanics/machine_test_support.h"
#include "gelenk/mechanics/quantities.h"

namespace gelenk::mechanics::frame_channels_test {
namespace {

using model::ChannelUse;
using Element = ChannelUse::Element;

// Central differences: h² = 1e-10 and rounding / h = 1e-11 for numbers of size one, and products of a few of them.
constexpr double kStep = 1e-5;
constexpr double kDifference = 1e-7;

enum Frame : std::int32_t { kOnFirst, kOnSecond, kOnGround, kOnThird };

ChannelUse relative(ChannelUse use, std::int32_t to) {
  use.relative_to = to;
  return use;
}

// Four parts without joints, frames on three of them and on the ground, and the given channels as outputs.
test::Rig rig(test::Dice& dice, const std::vector<ChannelUse>& channels) {
  model::Machine machine = test::empty_machine();
  test::add_parts(machine, 4, dice);
  machine.read_frames = {{"first", test::on_part(0, dice.pose()), {}},
                         {"second", test::on_part(1, dice.pose()), {}},
                         {"ground", test::on_ground(dice.pose()), {}},
                         {"third", test::on_part(2, dice.pose()), {}}};
  for (const ChannelUse& use : channels) {
    model::OutputNode& output = machine.outputs.emplace_back();
    output.path = "output_" + std::to_string(machine.outputs.size());
    output.value = test::signal("x", {{"x", use}});
  }
  test::Rig result = test::make_rig(std::move(machine));
  EXPECT_EQ(result.errors, "");
  test::scatter(result, dice);
  return result;
}

std::vector<double> outputs(const test::Rig& rig, const system::State& state, std::span<const double> accelerations) {
  const Context context{rig.system, rig.params, state};
  Workspace workspace(rig.system);
  update_positions(context, workspace);
  update_velocities(context, workspace);
  std::vector<double> of_parts(6 * rig.system.parts.size());
  part_accelerations(context, workspace, accelerations, of_parts);
  View<double> now = view(context, workspace);
  now.set_results({of_parts, {}, {}});
  std::vector<double> result;
  for (const system::Output& output : rig.system.outputs) result.push_back(now.signal(output.value));
  return result;
}

// Each quantity is the rate of change of the one before, in the world and as any frame sees any other.
TEST(FrameChannels, AreTheRatesOfEachOther) {
  test::Dice dice(3);
  const std::pair<const char*, const char*> pairs[] = {
      {"position", "velocity"}, {"velocity", "acceleration"}, {"angular_velocity", "angular_acceleration"}};
  for (const std::int32_t of : {kOnFirst, kOnGround}) {
    for (const std::int32_t to : {-1, static_cast<std::int32_t>(kOnSecond), static_cast<std::int32_t>(kOnGround)}) {
      if (of == kOnGround && to == kOnGround) continue;
      std::vector<ChannelUse> values;
      std::vector<ChannelUse> rates;
      for (const auto& [value, rate] : pairs) {
        for (int k = 0; k < 3; ++k) {
          values.push_back(relative(test::component(Element::frame, of, value, k), to));
          rates.push_back(relative(test::component(Element::frame, of, rate, k), to));
        }
      }
      std::vector<ChannelUse> all = values;
      all.insert(all.end(), rates.begin(), rates.end());
      const test::Rig machine = rig(dice, all);
      std::vector<double> accelerations(24);
      for (double& a : accelerations) a = dice.number();
      const std::vector<double> now = outputs(machine, machine.state, accelerations);
      const std::vector<double> after = outputs(machine, test::later(machine, accelerations, kStep), accelerations);
      const std::vector<double> before = outputs(machine, test::later(machine, accelerations, -kStep), accelerations);
      double most = 0.0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(now[values.size() + i], (after[i] - before[i]) / (2.0 * kStep), kDifference)
            << values[i].quantity << " " << i % 3 << " of frame " << of << " relative to " << to;
        most = std::max(most, std::abs(now[values.size() + i]));
      }
      EXPECT_GT(most, of == kOnGround && to < 0 ? -1.0 : 0.1);
    }
  }
}

// The frame of a part at its origin reads as the part does, to the last bit.
TEST(FrameChannels, OfAPartAreThoseOfThePart) {
  test::Dice dice(4);
  std::vector<ChannelUse> channels;
  for (const Element element : {Element::part, Element::frame}) {
    for (const char* quantity : {"position", "velocity", "angular_velocity", "acceleration", "angular_acceleration"}) {
      for (int k = 0; k < 3; ++k) channels.push_back(test::component(element, 0, quantity, k));
      channels.push_back(test::magnitude(element, 0, quantity));
    }
    for (int k = 0; k < 4; ++k) channels.push_back(test::component(element, 0, "orientation", k));
  }
  test::Rig machine = rig(dice, channels);
  machine.machine.read_frames[0].frame.X_PF = Pose{};
  machine.params = system::make_params(machine.system, machine.machine);
  std::vector<double> accelerations(24);
  for (double& a : accelerations) a = dice.number();
  const std::vector<double> now = outputs(machine, machine.state, accelerations);
  for (std::size_t i = 0; i < now.size() / 2; ++i) EXPECT_EQ(now[i], now[now.size() / 2 + i]) << i;
}

TEST(FrameChannels, AngleIsThatOfAHinge) {
  test::Dice dice(5);
  test::Rig machine = rig(dice, {relative(test::channel(Element::frame, kOnFirst, "angle"), kOnSecond)});
  const std::vector<double> none(24, 0.0);
  for (const double angle : {-3.0, -0.4, 0.0, 1.1, 3.1}) {
    // The first frame anywhere, turned about z of the second.
    const Pose X_WB = Pose{machine.state.orientation[1].toRotationMatrix(), machine.state.position[1]} *
                      machine.params.frames[static_cast<std::size_t>(machine.system.read_frames[kOnSecond])];
    const Pose X_BA{Matrix3(Eigen::AngleAxisd(angle, Vector3::UnitZ())), dice.vector()};
    const Pose X_WP =
        X_WB * X_BA * machine.params.frames[static_cast<std::size_t>(machine.system.read_frames[kOnFirst])].inverse();
    machine.state.orientation[0] = quaternion_from_rotation(X_WP.rotation);
    EXPECT_NEAR(outputs(machine, machine.state, none)[0], angle, 1e-14);
  }
}

TEST(FrameChannels, DerivativeBlocksOfForcesThatReadThemAreExact) {
  test::Dice dice(6);
  for (int i = 0; i < 5; ++i) {
    model::Machine machine = rig(dice, {}).machine;
    model::ForceNode force;
    force.path = "force";
    force.type = &model::descriptor(static_cast<model::Force*>(nullptr));
    force.data = model::make_data<model::ForceData>(force.type);
    force.b = force.axes = test::on_part(3, dice.pose());
    force.direction = dice.vector().normalized();
    force.value =
        test::signal("x*speed + q + turning + px*vy + wz*angle + distance*r",
                     {{"x", test::component(Element::frame, kOnFirst, "position", 0)},
                      {"speed", test::magnitude(Element::frame, kOnFirst, "velocity")},
                      {"q", test::component(Element::frame, kOnThird, "orientation", 2)},
                      {"turning", test::component(Element::frame, kOnThird, "angular_velocity", 1)},
                      {"px", relative(test::component(Element::frame, kOnFirst, "position", 0), kOnSecond)},
                      {"vy", relative(test::component(Element::frame, kOnFirst, "velocity", 1), kOnSecond)},
                      {"wz", relative(test::component(Element::frame, kOnThird, "angular_velocity", 2), kOnFirst)},
                      {"angle", relative(test::channel(Element::frame, kOnThird, "angle"), kOnFirst)},
                      {"distance", relative(test::magnitude(Element::frame, kOnGround, "position"), kOnThird)},
                      {"r", relative(test::component(Element::frame, kOnGround, "orientation", 1), kOnThird)}});
    machine.forces.push_back(std::move(force));
    test::Rig one = test::make_rig(std::move(machine));
    ASSERT_EQ(one.errors, "");
    test::scatter(one, dice);
    EXPECT_EQ(bodies_read(one.system, {}, 0), (std::vector<std::int32_t>{0, 1, 2, 3}));
    Workspace workspace(one.system);
    update_positions(one.context(), workspace);
    update_velocities(one.context(), workspace);
    std::vector<ForceBlock> blocks;
    ForceDerivatives(one.system).evaluate(one.context(), workspace, 0, blocks);
    for (std::int32_t b = 0; b < 4; ++b) blocks.push_back(body_block(one.context(), workspace, b));
    const auto sums = [&](std::size_t body, std::size_t direction, double h) {
      system::State state = one.state;
      test::nudge(state, body, direction, h);
      const Context context{one.system, one.params, state};
      update_positions(context, workspace);
      update_velocities(context, workspace);
      update_forces(context, workspace);
      return workspace.forces;
    };
    test::expect_differences(blocks, 4, 12, sums, kStep, kDifference);
    if (HasFailure()) return;
  }
}

// A law of a rate that reads positions: its rate of change follows from the motion.
TEST(FrameChannels, RateLawsMayReadPositions) {
  test::Dice dice(7);
  model::Machine machine = rig(dice, {}).machine;
  test::add_joint(machine, model::descriptor(static_cast<model::Revolute*>(nullptr)), test::on_ground(dice.pose()),
                  test::on_part(3, dice.pose()));
  model::DriverNode driver;
  driver.path = "driver";
  driver.drives = {model::JointId(0), 0};
  driver.level = model::DriverNode::Level::rate;
  driver.law = test::signal("distance + x*angle",
                            {{"distance", relative(test::magnitude(Element::frame, kOnFirst, "position"), kOnThird)},
                             {"x", test::component(Element::frame, kOnSecond, "position", 0)},
                             {"angle", relative(test::channel(Element::frame, kOnFirst, "angle"), kOnSecond)}});
  machine.drivers.push_back(driver);
  test::Rig one = test::make_rig(std::move(machine));
  ASSERT_EQ(one.errors, "");
  test::scatter(one, dice);
  const std::vector<double> none(24, 0.0);
  const auto prescribed = [&](const system::State& state) {
    Workspace workspace(one.system);
    test::evaluate({one.system, one.params, state}, workspace);
    return workspace.drivers[0];
  };
  const double slope =
      (prescribed(test::later(one, none, kStep)).rate - prescribed(test::later(one, none, -kStep)).rate) /
      (2.0 * kStep);
  EXPECT_NEAR(prescribed(one.state).acceleration, slope, kDifference);
  EXPECT_GT(std::abs(slope), 0.01);
}

}  // namespace
}  // namespace gelenk::mechanics::frame_channels_test
