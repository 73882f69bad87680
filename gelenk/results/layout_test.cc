#include "gelenk/results/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gelenk/results/synthetic_machine_test_support.h"

namespace gelenk::results::layout_test {
namespace {

using testing::ElementsAre;

const Channel* find(const Layout& layout, const std::string& name) {
  const auto it = std::find_if(layout.channels.begin(), layout.channels.end(),
                               [&](const Channel& channel) { return channel.name == name; });
  return it == layout.channels.end() ? nullptr : &*it;
}

TEST(Layout, BlocksHaveTheirShapes) {
  const Layout layout = make_layout(small_machine());
  EXPECT_THAT(layout.block(BlockId::pose).shape, ElementsAre(3, 7));
  EXPECT_THAT(layout.block(BlockId::twist).shape, ElementsAre(3, 6));
  EXPECT_THAT(layout.block(BlockId::acceleration).shape, ElementsAre(3, 6));
  EXPECT_THAT(layout.block(BlockId::coordinate).shape, ElementsAre(1 + 4 + 1));
  EXPECT_THAT(layout.block(BlockId::rate).shape, ElementsAre(1 + 3 + 1));
  EXPECT_THAT(layout.block(BlockId::reaction).shape, ElementsAre(4, 6));
  EXPECT_THAT(layout.block(BlockId::effort).shape, ElementsAre(2, 2));
  EXPECT_THAT(layout.block(BlockId::force).shape, ElementsAre(3 + 6 + 2));
  EXPECT_THAT(layout.block(BlockId::output).shape, ElementsAre(1));
  EXPECT_THAT(layout.block(BlockId::energy).shape, ElementsAre(6));
  EXPECT_THAT(layout.coordinate_offsets, ElementsAre(0, 1, 5, 6, 6));
  EXPECT_THAT(layout.rate_offsets, ElementsAre(0, 1, 4, 5, 5));
  EXPECT_THAT(layout.force_offsets, ElementsAre(0, 3, 9, 11));
}

TEST(Layout, ChannelsCoverEveryColumnOnce) {
  const Layout layout = make_layout(small_machine());
  PerBlock<std::set<std::size_t>> columns(layout.ids());
  for (const Channel& channel : layout.channels) {
    for (std::size_t i = 0; i < channel.components().size(); ++i) {
      EXPECT_TRUE(columns[channel.block].insert(channel.column + i).second) << channel.name;
    }
  }
  for (const BlockId id : layout.ids()) {
    EXPECT_EQ(columns[id].size(), layout.block(id).width) << id.name();
    EXPECT_EQ(*columns[id].rbegin() + 1, layout.block(id).width) << id.name();
  }
}

TEST(Layout, NamesLeadToColumnsAndUnits) {
  const Layout layout = make_layout(small_machine());
  const auto expect = [&](const char* name, BlockId block, std::size_t column, const char* unit) {
    const Channel* channel = find(layout, name);
    ASSERT_NE(channel, nullptr) << name;
    EXPECT_EQ(channel->block, block) << name;
    EXPECT_EQ(channel->column, column) << name;
    EXPECT_EQ(channel->unit, unit) << name;
  };
  expect("crank.position", BlockId::pose, 0, "m");
  expect("arm.rod.orientation", BlockId::pose, 7 + 3, "1");
  expect("slider.angular_velocity", BlockId::twist, 2 * 6 + 3, "rad/s");
  expect("slider.angular_acceleration", BlockId::acceleration, 2 * 6 + 3, "rad/s^2");
  expect("bearing.angle", BlockId::coordinate, 0, "rad");
  expect("ball.orientation", BlockId::coordinate, 1, "1");
  expect("rail.speed", BlockId::rate, 1 + 3, "m/s");
  expect("weld.reaction.moment", BlockId::reaction, 3 * 6 + 3, "N*m");
  expect("motor.torque", BlockId::effort, 0, "N*m");
  expect("piston.force", BlockId::effort, 2, "N");
  expect("mount.moment", BlockId::force, 3 + 3, "N*m");
  expect("servo.force", BlockId::force, 3 + 6, "N");
  expect("servo.power", BlockId::force, 3 + 6 + 1, "W");
  expect("stroke", BlockId::output, 0, "m");
  expect("energy.total", BlockId::energy, 2, "J");
  expect("energy.work_of_drivers", BlockId::energy, 4, "J");
  EXPECT_EQ(find(layout, "motor.force"), nullptr) << "an angle has no force";
  EXPECT_EQ(find(layout, "servo.torque"), nullptr) << "a travel has no torque";
}

// An angle has the dimension of a pure number, and the rate of one that of a frequency.
TEST(Layout, OutputsMadeOfAnglesAreAngles) {
  model::Machine machine = small_machine();
  const auto unit_of = [&](const char* text, Quantity quantity, const Dimension& dimension) {
    model::Signal& signal = machine.outputs.front().value;
    signal.formula = *expression::parse(text).expression;
    model::SymbolUse use;
    use.kind = model::SymbolUse::Kind::channel;
    use.channel.measures = quantity;
    signal.symbols.assign(signal.formula.symbols().size(), use);
    signal.dimension = dimension;
    return find(make_layout(machine), "stroke")->unit;
  };
  const Dimension rate(0, 0, -1);
  EXPECT_EQ(unit_of("bearing.angle", Quantity::angle, {}), "rad");
  EXPECT_EQ(unit_of("2 * bearing.angle", Quantity::angle, {}), "rad");
  EXPECT_EQ(unit_of("a.angle - b.angle", Quantity::angle, {}), "rad");
  EXPECT_EQ(unit_of("a.angle / b.angle", Quantity::angle, {}), "1");
  EXPECT_EQ(unit_of("sin(a.angle)", Quantity::angle, {}), "1");
  EXPECT_EQ(unit_of("a.rate - b.rate", Quantity::angular_rate, rate), "rad/s");
  EXPECT_EQ(unit_of("1 / a.period", Quantity::time, rate), "1/s");
  EXPECT_EQ(unit_of("motor.torque", Quantity::torque, Dimension(1, 2, -2)), "N*m");
  EXPECT_EQ(unit_of("kinetic", Quantity::energy, Dimension(1, 2, -2)), "J");
}

TEST(BlockId, IsItsName) {
  const std::string same = "parts/pose";
  EXPECT_EQ(BlockId::pose.name(), same);
  EXPECT_TRUE(BlockId("parts/pose") == BlockId::pose);
  EXPECT_FALSE(BlockId("parts/pose") == BlockId::twist);
  EXPECT_FALSE(BlockId() == BlockId::pose);
}

TEST(BlockId, ValuesOfBlocksThatAreNotThereAreEmpty) {
  const std::vector<BlockId> ids = {"one", "two"};
  PerBlock<std::vector<double>> values(ids);
  values["two"] = {1.0, 2.0};
  const PerBlock<std::vector<double>>& read = values;
  EXPECT_THAT(read["two"], ElementsAre(1.0, 2.0));
  EXPECT_TRUE(read["one"].empty());
  EXPECT_TRUE(read["three"].empty());
}

TEST(Layout, BlocksCanBeLeftOut) {
  Selection selection;
  selection.blocks = {BlockId::twist, BlockId::energy};
  const Layout layout = make_layout(small_machine(), selection);
  EXPECT_FALSE(layout.wants(BlockId::acceleration));
  EXPECT_TRUE(layout.wants(BlockId::twist));
  EXPECT_EQ(find(layout, "crank.acceleration"), nullptr);
}

TEST(Layout, PatternsKeepElements) {
  Selection selection;
  selection.patterns = {"slider.*", "*.angle", "mount.force.magnitude"};
  const Layout layout = make_layout(small_machine(), selection);
  EXPECT_THAT(layout.block(BlockId::pose).shape, ElementsAre(1, 7));
  EXPECT_THAT(layout.block(BlockId::pose).kept, ElementsAre(14, 15, 16, 17, 18, 19, 20));
  EXPECT_EQ(layout.block(BlockId::pose).full_width, 21U);
  EXPECT_EQ(find(layout, "slider.position")->column, 0U);
  EXPECT_EQ(find(layout, "crank.position"), nullptr);
  EXPECT_THAT(layout.block(BlockId::coordinate).kept, ElementsAre(0));
  EXPECT_THAT(layout.block(BlockId::force).kept, ElementsAre(3, 4, 5, 6, 7, 8));
  EXPECT_FALSE(layout.wants(BlockId::energy));
  EXPECT_FALSE(layout.wants(BlockId::output));
}

TEST(Layout, AnEmptyMachineRecordsItsEnergyOnly) {
  const Layout layout = make_layout(model::Machine{});
  EXPECT_EQ(layout.row_width(), 6U);
  EXPECT_FALSE(layout.wants(BlockId::pose));
}

}  // namespace
}  // namespace gelenk::results::layout_test
