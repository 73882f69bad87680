#include "gelenk/model/expand/signals.h"

#include <gmock/gmock.h>

#include "gelenk/model/expand/formulas_test_support.h"
#include "gelenk/model/expand/outputs.h"
#include "gelenk/model/expand/world.h"

namespace gelenk::model::expanding::signals_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<SymbolUse::Kind> kinds(const Signal& signal) {
  std::vector<SymbolUse::Kind> result;
  for (const SymbolUse& use : signal.symbols) result.push_back(use.kind);
  return result;
}

TEST(Signals, SymbolsAreConstantsTimeAndChannels) {
  Formulas formulas(hinged(R"(outputs: {o: {value: "=k*time*hinge.angle"}})"));
  const Signal* const output = formulas.signals.output(formulas.root(), 0);
  ASSERT_NE(output, nullptr);
  EXPECT_THAT(kinds(*output), ElementsAre(SymbolUse::Kind::constant, SymbolUse::Kind::time, SymbolUse::Kind::channel));
  EXPECT_EQ(output->symbols[0].value, 3.0);
  EXPECT_EQ(output->dimension, Dimension(0, 0, 1));
  EXPECT_FALSE(output->is_constant());
}

TEST(Signals, OutputsArePutIntoEachOther) {
  Formulas formulas(
      hinged(R"(outputs: {a: {value: "=2*b"}, b: {value: "=time + 1 s"}, c: {value: "=d"}, d: {value: "=c"}})"));
  const Signal* const a = formulas.signals.output(formulas.root(), 0);
  ASSERT_NE(a, nullptr);
  EXPECT_THAT(kinds(*a), ElementsAre(SymbolUse::Kind::time));
  EXPECT_EQ(formulas.signals.output(formulas.root(), 2), nullptr);
  EXPECT_THAT(formulas.messages(), ElementsAre("c: it depends on itself: c > d > c"));
}

TEST(Signals, InputsComeFromTheOwner) {
  Formulas formulas({{"machine",
                      "{gelenk: 1, assemblies: {x: {use: leaf, inputs: {u: \"=2 V*time/(1 s)\"}}, y: {use: leaf}, "
                      "z: {use: leaf, inputs: {u: 1 m}}}}"},
                     {"leaf", "{inputs: {u: {unit: mV, value: 5}}, parts: {p: {" + kOneKilogram + "}}}"}});
  add_inputs(formulas.instances(), formulas.signals, formulas.machine, formulas.reports);
  ASSERT_EQ(formulas.machine.outputs.size(), 2U);
  EXPECT_THAT(kinds(formulas.machine.outputs[0].value), ElementsAre(SymbolUse::Kind::time));
  const Signal& own = formulas.machine.outputs[1].value;
  EXPECT_EQ(own.formula.nodes().front().value, 0.005) << "its own value, SI";
  EXPECT_EQ(formulas.messages().size(), 1U) << "a length is not a voltage";
  EXPECT_EQ(formulas.diagnostics().all().front().code, Code::wrong_dimension);
}

TEST(Signals, OpenInputsOfTheRoot) {
  ExpandOptions options;
  options.has_open_inputs = true;
  Formulas formulas({{"machine", "{gelenk: 1, inputs: {u: {unit: V}}}"}}, options);
  const Signal* const input = formulas.signals.input(formulas.root(), 0);
  ASSERT_NE(input, nullptr);
  EXPECT_THAT(kinds(*input), ElementsAre(SymbolUse::Kind::input));
  EXPECT_EQ(formulas.machine.inputs.front().name, "u");
}

TEST(Signals, TablesHaveTheDimensionsOfTheirColumns) {
  Formulas formulas(hinged(
      "forces: {f: {type: force, applied_to: arm, along: x, value: {table: {of: time, x: [0, 1 s], y: [0, 2 kN]}}}, "
      "g: {type: force, applied_to: arm, along: x, value: {table: {of: time, x: [0, 1 m], y: [0, 2]}}}}"));
  formulas.bind();
  EXPECT_EQ(formulas.machine.forces[0].value.dimension, quantity_info(Quantity::force).dimension);
  ASSERT_EQ(formulas.messages().size(), 1U);
  EXPECT_EQ(formulas.diagnostics().all().front().code, Code::wrong_dimension);
}

TEST(Drivers, EachCoordinateOnce) {
  Formulas formulas(
      hinged("drivers: {a: {drives: hinge.angle, rate: 60 rpm}, b: {drives: hinge.angle, position: 0}, c: {drives: "
             "hinge.angel}}"));
  formulas.bind();
  EXPECT_EQ(formulas.machine.drivers[0].level, DriverNode::Level::rate);
  EXPECT_THAT(formulas.messages(),
              ElementsAre("b: 'hinge.angle' is already driven by 'a'", "c: a revolute joint has no coordinate 'angel'",
                          "c: a driver needs a `position`, a `rate` or an `acceleration`"));
}

TEST(Forces, ActuatorsKnowTheirCoordinate) {
  Formulas formulas(hinged(R"(forces: {motor: {type: actuator, drives: hinge.angle, value: "=2 N*coordinate*1 m",
    states: {i: {start: 1 A, rate: "=-i/(2 s) + 0 A/(1 s)*rate*1 s"}}}})"));
  formulas.bind();
  ASSERT_THAT(formulas.messages(), IsEmpty());
  const ForceNode& motor = formulas.machine.forces.front();
  ASSERT_TRUE(motor.drives.has_value());
  EXPECT_EQ(motor.value.symbols.front().channel.quantity, "angle");
  const StateNode& current = formulas.machine.states.front();
  EXPECT_EQ(current.path, "motor.i");
  EXPECT_EQ(current.start, 1.0);
  EXPECT_THAT(kinds(current.rate), ElementsAre(SymbolUse::Kind::channel, SymbolUse::Kind::channel));
  EXPECT_EQ(current.rate.symbols[0].channel.element, ChannelUse::Element::state);
}

TEST(Forces, FramesAndAxes) {
  Formulas formulas(
      hinged("forces: {spring: {type: spring_damper, between: [ground, arm.tip], stiffness: 5}, "
             "lost: {type: force, along: x, value: 1}, idle: {type: force, applied_to: ground, along: x, value: 1}}"));
  formulas.bind();
  const ForceNode& spring = formulas.machine.forces.front();
  EXPECT_EQ(std::get<SpringDamper>(spring.data).stiffness, 5.0);
  EXPECT_EQ(std::get<SpringDamper>(spring.data).free_length, 1.0) << "as drawn";
  EXPECT_THAT(formulas.messages(),
              ElementsAre("lost: it acts on nothing", "idle: a force on the ground moves nothing"));
}

TEST(States, RatesArePerSecond) {
  Formulas formulas("{gelenk: 1, states: {a: {start: 1 m, rate: 2 m}, b: {start: 1 m, scale: 2 s, rate: 0}}}");
  formulas.bind();
  ASSERT_EQ(formulas.messages().size(), 2U);
  EXPECT_EQ(formulas.messages()[0], "b: the state is a length (m), but its scale is a time (s)");
  EXPECT_EQ(formulas.diagnostics().all()[1].element, "a");
}

TEST(World, GravityAndSettings) {
  Formulas formulas("{gelenk: 1, up: y, simulation: {duration: =2*3 s, method: bdf}, display: {length: mm}}");
  read_world(formulas.root(), formulas.numbers, formulas.machine);
  EXPECT_EQ(std::get<UniformGravity>(formulas.machine.gravity).acceleration, Vector3(0.0, -9.80665, 0.0));
  EXPECT_EQ(formulas.machine.simulation.duration, 6.0);
  EXPECT_EQ(formulas.machine.simulation.method, "bdf");
  EXPECT_EQ(formulas.machine.display.size(), 1U);
}

TEST(World, NoGravityAndPointGravity) {
  Formulas none("{gelenk: 1, gravity: none}");
  read_world(none.root(), none.numbers, none.machine);
  EXPECT_TRUE(std::holds_alternative<NoGravity>(none.machine.gravity));
  Formulas point("{gelenk: 1, gravity: {point: {at: [1, 2, 3], strength: 4}}}");
  read_world(point.root(), point.numbers, point.machine);
  EXPECT_EQ(std::get<PointGravity>(point.machine.gravity).center, Vector3(1.0, 2.0, 3.0));
  EXPECT_EQ(std::get<PointGravity>(point.machine.gravity).strength, 4.0);
}

}  // namespace
}  // namespace gelenk::model::expanding::signals_test
