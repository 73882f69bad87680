// Values that assemblies give each other: inputs from the owner, outputs that he reads.
#include <gtest/gtest.h>

#include <string>

#include "gelenk/expression/evaluate.h"
#include "tests/support/run_text.h"

namespace gelenk::inputs_test {
namespace {

using test::assemble_text;
using test::Assembled;
using test::check_files;
using test::check_text;
using test::Checked;

// A motor without electrical states: its torque follows the voltage at once.
const std::string kMotor = R"yaml(
definitions:
  motor:
    parameters: {k: 2 N*m/A, resistance: 4 ohm}
    inputs: {voltage: {value: 0 V, doc: at the terminals}}
    parts:
      case: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
      rotor: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
    joints: {bearing: {type: revolute, between: [case, rotor], axis: z, start: {rate: 3 rad/s}}}
    forces: {winding: {type: actuator, drives: bearing.angle, value: =k * (voltage - k * rate) / resistance}}
    outputs: {speed: bearing.rate, twice: =2 * speed}
    ports: {case: case, shaft: rotor}
)yaml";
const std::string kGround = "attach: {case: {type: fixed, to: ground}}";

std::string machine(const std::string& instances, const std::string& more = "") {
  return kMotor + more + "assemblies: {" + instances + "}\n";
}
std::string motor(const std::string& inputs) { return "m: {use: motor, " + kGround + ", inputs: {" + inputs + "}}"; }

// Value of the formula with what its channels read.
double value_of(const model::Signal& signal, double time, double rate) {
  std::vector<double> symbols;
  for (const model::SymbolUse& use : signal.symbols) {
    symbols.push_back(use.kind == model::SymbolUse::Kind::constant ? use.value
                      : use.kind == model::SymbolUse::Kind::time   ? time
                                                                   : rate * use.channel.weights[0]);
  }
  return signal.factor * expression::evaluate(signal.formula, symbols);
}

void expect_error(const std::string& text, Code code, const std::string& words) {
  const Checked checked = check_text(text);
  EXPECT_TRUE(checked.has(code)) << checked.messages();
  EXPECT_NE(checked.messages().find(words), std::string::npos) << checked.messages();
}

TEST(Inputs, AreEvaluatedInTheOwner) {
  const Checked checked =
      check_text(machine(motor("voltage: \"=gain * m.speed + 5 (V/s) * time\""), "parameters: {gain: 0.5 V*s}\n"));
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  EXPECT_DOUBLE_EQ(value_of(checked.force("m.winding").value, 2.0, 3.0), 2.0 * (11.5 - 6.0) / 4.0);
}

TEST(Inputs, HaveAValueWhenNothingIsGiven) {
  const Checked checked = check_text(machine("m: {use: motor, " + kGround + "}"));
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  EXPECT_DOUBLE_EQ(value_of(checked.force("m.winding").value, 0.0, 3.0), -3.0);
}

TEST(Inputs, CopiesRowsAndMirrorImagesHaveTheirOwn) {
  const Checked checked = check_text(machine(motor("voltage: 8 V") + ", c: {copy_of: m, inputs: {voltage: 12}}, " +
                                             "i: {mirror_of: m, plane: xz}, " +
                                             "r: {use: motor, repeat: 2, inputs: {voltage: \"=(index + 1) * 1 V\"}}"));
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const auto torque = [&](const char* path) { return value_of(checked.force(path).value, 0.0, 0.0); };
  EXPECT_DOUBLE_EQ(torque("m.winding"), 4.0);
  EXPECT_DOUBLE_EQ(torque("c.winding"), 6.0);
  EXPECT_DOUBLE_EQ(torque("r.0.winding"), 0.5);
  EXPECT_DOUBLE_EQ(torque("r.1.winding"), 1.0);
  // The mirror image turns the other way round about z; the voltage itself has no direction.
  EXPECT_DOUBLE_EQ(std::abs(torque("i.winding")), 4.0);
  EXPECT_DOUBLE_EQ(torque("i.winding"), checked.force("i.winding").drives->sign * 4.0);
}

TEST(Inputs, OfTheRootHaveTheirValueAndCanBeSet) {
  const std::string text =
      "gelenk: 1\ninputs: {push: {value: 3, unit: kN}}\nparts: {p: {mass: 1, inertia: {xx: 1, yy: 1, "
      "zz: 1}}}\nforces: {f: {type: force, applied_to: p, along: x, value: =push}}\n";
  model::ExpandOptions options;
  EXPECT_DOUBLE_EQ(value_of(check_files({{"m.yaml", text}}, "m.yaml").force("f").value, 0.0, 0.0), 3000.0);
  model::ParameterSetting setting{"push", {}};
  setting.value.data = expression::Expression::constant(7.0, Dimension(1, 1, -2));
  options.settings.push_back(setting);
  const Checked checked = check_files({{"m.yaml", text}}, "m.yaml", options);
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  EXPECT_DOUBLE_EQ(value_of(checked.force("f").value, 0.0, 0.0), 7.0);
  ASSERT_EQ(checked.machine.inputs.size(), 1u);
  EXPECT_DOUBLE_EQ(checked.machine.inputs.front().value.value_or(0.0), 3000.0);
}

TEST(Inputs, MistakesAreTold) {
  expect_error(machine(motor("voltage: 3 A")), Code::wrong_dimension, "the input is a voltage (V)");
  expect_error(machine(motor("voltag: 3 V")), Code::unknown_parameter, "did you mean 'voltage'?");
  expect_error(machine(motor("voltage: =2 * m.voltage")), Code::parameter_cycle, "m.voltage > m.voltage");
  expect_error(machine("a: {use: motor, " + kGround + ", inputs: {voltage: =b.voltage}}, b: {use: motor, " + kGround +
                       ", inputs: {voltage: =a.voltage}}"),
               Code::parameter_cycle, "a.voltage > b.voltage > a.voltage");
  expect_error("inputs: {load: {unit: kg}}\nparts: {p: {mass: =load, inertia: {xx: 1, yy: 1, zz: 1}}}\n",
               Code::not_constant, "'load' changes during the motion");
  expect_error("inputs: {load: {unit: kg}}\nparts: {p: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n", Code::missing_key,
               "the input 'load' has no value");
  expect_error("inputs: {load: {doc: a weight}}\nparts: {p: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n",
               Code::missing_key, "needs a `unit` or a `value`");
  expect_error("parameters: {a: =m.speed}\n" + machine(motor("voltage: 3 V")), Code::not_constant, "'m.speed' changes");
}

TEST(Outputs, CanBeReadLikeChannels) {
  const Checked checked = check_text(machine(motor("voltage: \"=1 (V*s) * m.twice\"")));
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  EXPECT_DOUBLE_EQ(value_of(checked.force("m.winding").value, 0.0, 3.0), 0.0);
}

// Switches and times of jumps are those of one formula, however many assemblies it goes through.
TEST(Inputs, SwitchAndJumpAsIfWrittenInPlace) {
  const auto counted = [](const std::string& voltage) {
    const Assembled model = assemble_text(machine(motor("voltage: \"=" + voltage + "\"")));
    EXPECT_TRUE(model.is_ready()) << model.messages();
    return std::pair(model.system->switches.size(), model.system->state_switches.size());
  };
  EXPECT_EQ(counted("if(time > 1 s, 2 V, 3 V)"), std::pair(std::size_t{1}, std::size_t{0}));
  EXPECT_EQ(counted("if(m.speed > 1 (rad/s), 2 V, 3 V)"), std::pair(std::size_t{1}, std::size_t{1}));
}

TEST(Inputs, AreKeptOpenForAnOwner) {
  const std::string text =
      "gelenk: 1\ninputs: {push: {unit: N}}\nparts: {p: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
      "joints: {j: {type: prismatic, between: [ground, p], axis: x}}\n";
  model::ExpandOptions options;
  options.has_open_inputs = true;
  Assembled model = test::assemble_model(check_files(
      {{"m.yaml",
        text + "forces: {f: {type: force, applied_to: p, along: x, value: \"=if(push > 1 N, push, 0 N)\"}}\n"}},
      "m.yaml", options));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  EXPECT_EQ(model.system->state_switches.size(), 1u);
  model = test::assemble_model(check_files(
      {{"m.yaml", text + "drivers: {d: {drives: j.travel, position: =push * 1 (m/N)}}\n"}}, "m.yaml", options));
  ASSERT_NE(model.find(Code::cannot_be_sealed), nullptr) << model.messages();
  EXPECT_EQ(model.find(Code::cannot_be_sealed)->element, "d");
}

}  // namespace
}  // namespace gelenk::inputs_test
