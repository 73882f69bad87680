#include "gelenk/model/edit.h"

#include <gtest/gtest.h>

#include <string>

#include "gelenk/model/flow_test_support.h"
#include "gelenk/model/references.h"

namespace gelenk::model::edit_test {
namespace {

TextModel machine() {
  TextModel result;
  result.add("machine", R"({gelenk: 1,
parameters: {speed: 10 rad/s},
materials: {alloy: 2700},
frames: {far: [3, 0, 0]},
parts: {
  crank: {mass: 1 kg, frames: {pin: [1, 0, 0]}, shape: {cylinder: {radius: 1 mm, to: pin, from: far}}},
  rod: {material: alloy, at: crank.pin}},
joints: {
  bearing: {type: revolute, between: [ground, crank], axis: z, start: {angle: 30 deg}},
  pin: {type: revolute, between: [crank.pin, rod], axis: z}},
drivers: {motor: {drives: bearing.angle, rate: "=speed + speed * crank.position.x / crank.position.x"}},
assemblies: {left: {use: side, set: {k: =speed}, attach: {top: {type: fixed, to: rod}}}},
outputs: {x: left.arm.position.x}})");
  result.add("side", "{parameters: {k: 1}, ports: {top: arm}, parts: {arm: {mass: 1}}}");
  return result;
}

const std::string& text_of(const Model& model, const ElementAddress& address, std::string_view key) {
  return *find_element(model, address)->text(key);
}

std::string only_message(const Diagnostics& diagnostics) {
  if (diagnostics.all().size() != 1) return std::to_string(diagnostics.all().size()) + " diagnostics";
  return code_label(diagnostics.all()[0].code) + " " + diagnostics.all()[0].message;
}

// All references lead somewhere, as they did before.
void expect_whole(const Model& model) {
  for (const Reference& r : references(model)) EXPECT_TRUE(r.is_resolved) << r.path;
}

// Channels of frames and functions of them: parts, frames, ports, frames of the ground.
TEST(EditTest, RenameReachesFramesThatFormulasRead) {
  TextModel m;
  m.add("machine", R"yaml({gelenk: 1,
ground: {frames: {base: [0, 0, 0]}},
parts: {rod: {mass: 1 kg, frames: {tip: [1, 0, 0], velocity: [0, 0, 0]}}},
assemblies: {left: {use: side}},
outputs: {
  x: rod.tip.position.x,
  v: rod.velocity.x,
  w: rod.velocity.velocity.x,
  d: "=2 * distance(rod.tip,  ground.base) + relative(left.top, rod.tip).position.x + distance(rod.tip, rod.velocity)",
  p: left.top.position.x,
  b: ground.base.position.x,
  f: left.arm.end.position.x}})yaml");
  m.add("side", "{ports: {top: arm.end}, parts: {arm: {mass: 1, frames: {end: [0, 0, 0]}}}}");
  expect_whole(m.model);
  const auto text = [&](const std::string& output) {
    return expression::to_text(*find_element(m.model, {"machine", "outputs", output})->expression("value"));
  };
  const auto rename_to = [&](const ElementAddress& address, const std::string& name) {
    Diagnostics d;
    ASSERT_TRUE(rename(m.model, address, name, d)) << only_message(d);
    expect_whole(m.model);
  };
  rename_to({"machine", "frames", "tip", "rod"}, "end");
  rename_to({"machine", "frames", "velocity", "rod"}, "spot");
  rename_to({"machine", "frames", "base", "ground"}, "foot");
  rename_to({"side", "ports", "top"}, "upper");
  rename_to({"side", "frames", "end", "arm"}, "tip");
  rename_to({"machine", "parts", "rod"}, "bar");
  EXPECT_EQ(text("x"), "bar.end.position.x");
  EXPECT_EQ(text("v"), "bar.velocity.x");
  EXPECT_EQ(text("w"), "bar.spot.velocity.x");
  EXPECT_EQ(
      text("d"),
      "2 * distance(bar.end,  ground.foot) + relative(left.upper, bar.end).position.x + distance(bar.end, bar.spot)");
  EXPECT_EQ(text("p"), "left.upper.position.x");
  EXPECT_EQ(text("b"), "ground.foot.position.x");
  EXPECT_EQ(text("f"), "left.arm.tip.position.x");
}

TEST(EditTest, RenameReachesEveryPathAndFormula) {
  TextModel m = machine();
  const std::size_t count = references(m.model).size();
  Diagnostics d;
  ASSERT_TRUE(rename(m.model, {"machine", "parts", "crank"}, "shaft", d)) << only_message(d);
  EXPECT_EQ(text_of(m.model, {"machine", "parts", "rod"}, "at"), "shaft.pin");
  const auto& between = *find_element(m.model, {"machine", "joints", "pin"})->value("between")->get<Value::List>();
  EXPECT_EQ(*between[0].get<std::string>(), "shaft.pin");
  EXPECT_EQ(expression::to_text(*find_element(m.model, {"machine", "drivers", "motor"})->expression("rate")),
            "speed + speed * shaft.position.x / shaft.position.x");
  EXPECT_EQ(find_element(m.model, {"machine", "parts", "crank"}), nullptr);
  EXPECT_EQ(references(m.model).size(), count);
  expect_whole(m.model);
}

TEST(EditTest, RenameThereAndBackIsNothing) {
  for (const ElementAddress& address : list_elements(machine().model)) {
    TextModel m = machine();
    Diagnostics d;
    ASSERT_TRUE(rename(m.model, address, "something", d)) << path_of(m.model, address) << only_message(d);
    EXPECT_FALSE(same(m.model, machine().model)) << path_of(m.model, address);
    expect_whole(m.model);
    ElementAddress back = address;
    (address.section.empty() ? back.definition : back.name) = "something";
    ASSERT_TRUE(rename(m.model, back, address.section.empty() ? address.definition : address.name, d));
    EXPECT_TRUE(same(m.model, machine().model)) << path_of(m.model, address);
  }
}

TEST(EditTest, RenameReachesKeysAndOtherDefinitions) {
  TextModel m = machine();
  Diagnostics d;
  ASSERT_TRUE(rename(m.model, {"side", "parameters", "k"}, "stiffness", d));
  ASSERT_TRUE(rename(m.model, {"side", "ports", "top"}, "eye", d));
  ASSERT_TRUE(rename(m.model, {"side", "", ""}, "corner", d));
  const Object& left = *find_element(m.model, {"machine", "assemblies", "left"});
  EXPECT_EQ(left.section("set").front().name, "stiffness");
  EXPECT_EQ(left.section("attach").front().name, "eye");
  EXPECT_EQ(*left.text("use"), "corner");
  expect_whole(m.model);
}

TEST(EditTest, RenameIsRefused) {
  TextModel m = machine();
  const Model before = m.model;
  const auto refusal = [&](const ElementAddress& address, const std::string& name) {
    Diagnostics d;
    EXPECT_FALSE(rename(m.model, address, name, d));
    EXPECT_TRUE(same(m.model, before));
    return only_message(d);
  };
  EXPECT_EQ(refusal({"machine", "parts", "crank"}, "motor"), "GK1502 'drivers.motor' already exists");
  EXPECT_EQ(refusal({"machine", "parts", "crank"}, "ground"), "GK1106 'ground' is reserved and cannot be a name");
  EXPECT_EQ(refusal({"machine", "parameters", "speed"}, "sin"), "GK1106 'sin' is reserved and cannot be a name");
  EXPECT_EQ(refusal({"machine", "parts", "crank"}, "2nd"), "GK1106 '2nd' cannot be a name");
  EXPECT_EQ(refusal({"machine", "parts", "shaft"}, "x1"), "GK1501 there is nothing at 'parts.shaft'");
  // The shape of the crank stands on the assembly's frame `far`; as `pin2` it would be the crank's own one.
  Diagnostics d;
  ASSERT_TRUE(create(m.model, {"machine", "frames", "own", "crank"}, flow("[0, 0, 0]"), d));
  EXPECT_FALSE(rename(m.model, {"machine", "frames", "far"}, "own", d));
  EXPECT_EQ(only_message(d), "GK1504 with the new name, 'own' would mean something else here");
}

// S2-06: delete, unless something else needs it.
TEST(EditTest, RemoveNamesItsUsers) {
  TextModel m = machine();
  Diagnostics d;
  EXPECT_FALSE(remove(m.model, {"machine", "parts", "crank"}, d));
  ASSERT_EQ(only_message(d), "GK1503 'parts.crank' is still used in 4 places");
  const std::vector<DiagnosticNote>& notes = d.all()[0].notes;
  ASSERT_EQ(notes.size(), 4u);
  EXPECT_EQ(notes[0].text, "used by 'parts.rod'");
  EXPECT_EQ(m.sources.describe(notes[0].where), "machine:7:30");
  EXPECT_TRUE(same(m.model, machine().model));
}

TEST(EditTest, RemoveTakesOnlyWhatNobodyUses) {
  TextModel m = machine();
  Diagnostics d;
  EXPECT_FALSE(remove(m.model, {"side", "", ""}, d)) << "an instance uses it";
  EXPECT_FALSE(remove(m.model, {"side", "ports", "top"}, d)) << "attach uses it";
  EXPECT_FALSE(remove(m.model, {"machine", "", ""}, d)) << "the root";
  EXPECT_TRUE(same(m.model, machine().model));
  EXPECT_TRUE(remove(m.model, {"machine", "outputs", "x"}, d));
  EXPECT_TRUE(remove(m.model, {"machine", "assemblies", "left"}, d));
  EXPECT_TRUE(remove(m.model, {"side", "", ""}, d));
  EXPECT_EQ(m.model.definitions.size(), 1u);
  EXPECT_TRUE(m.model.root().object.section("outputs").empty());
  expect_whole(m.model);
}

// S2-05, S2-06: create, for joints, forces, frames, parts and assemblies.
TEST(EditTest, CreateAddsToNewAndOldSections) {
  TextModel m = machine();
  Diagnostics d;
  EXPECT_TRUE(create(m.model, {"machine", "joints", "slide"},
                     flow("{type: prismatic, between: [ground, rod], axis: x, start: {travel: 5 mm}}"), d));
  EXPECT_TRUE(
      create(m.model, {"machine", "forces", "push"}, flow("{type: force, applied_to: rod, along: x, value: 5 N}"), d));
  EXPECT_TRUE(create(m.model, {"machine", "frames", "post", "ground"}, flow("[0, 0, 1]"), d));
  EXPECT_TRUE(create(m.model, {"machine", "frames", "end", "rod"}, flow("{at: [0, 0, 1]}"), d));
  EXPECT_TRUE(create(m.model, {"wheel", "", ""}, flow("{parts: {rim: {mass: 2 kg}}}"), d));
  EXPECT_TRUE(create(m.model, {"machine", "assemblies", "w"}, flow("wheel"), d));
  EXPECT_TRUE(d.all().empty()) << only_message(d);
  EXPECT_EQ(find_element(m.model, {"machine", "joints", "slide"})->type->name, "prismatic");
  EXPECT_NE(find_element(m.model, {"machine", "frames", "post", "ground"}), nullptr);
  EXPECT_NE(find_element(m.model, {"wheel", "parts", "rim"}), nullptr);
  expect_whole(m.model);
}

TEST(EditTest, CreateIsRefusedWhole) {
  TextModel m = machine();
  const auto refusal = [&](const ElementAddress& address, std::string_view description) {
    Diagnostics d;
    EXPECT_FALSE(create(m.model, address, flow(description), d));
    EXPECT_TRUE(same(m.model, machine().model)) << description;
    return only_message(d);
  };
  EXPECT_EQ(refusal({"machine", "forces", "f"}, "{type: force, applied_to: rodd, along: x, value: 5 N}"),
            "GK1301 'forces.f' would refer to 'rodd', which does not exist");
  EXPECT_EQ(refusal({"machine", "frames", "f", "ground"}, "{at: nowhere}"),
            "GK1301 'ground' would refer to 'nowhere', which does not exist");
  EXPECT_EQ(refusal({"machine", "forces", "f"}, "{type: foce}").substr(0, 6), "GK1104");
  EXPECT_EQ(refusal({"machine", "parts", "rod"}, "{mass: 1}"), "GK1502 'parts.rod' already exists");
  EXPECT_EQ(refusal({"machine", "joints", "rod"}, "{type: fixed}"), "GK1502 'parts.rod' already exists");
  EXPECT_EQ(refusal({"machine", "frames", "f", "nobody"}, "[0, 0, 0]"),
            "GK1501 there is nothing at 'parts.nobody.frames.f'");
}

// S2-05, S2-06: modify, also what is global.
TEST(EditTest, ModifySetsAndTakesKeysAway) {
  TextModel m = machine();
  Diagnostics d;
  const ElementAddress bearing{"machine", "joints", "bearing"};
  const SourceRange between = find_element(m.model, bearing)->range_of("between");
  ASSERT_TRUE(modify(m.model, bearing, flow("{axis: y, start: {angle: 10 deg, rate: 3}, note: hot}"), d));
  const Object& joint = *find_element(m.model, bearing);
  EXPECT_EQ(*joint.text("axis"), "y");
  EXPECT_EQ(joint.section("start").size(), 2u);
  EXPECT_EQ(*joint.text("note"), "hot");
  EXPECT_EQ(joint.range_of("between"), between) << "what did not change keeps its place";
  ASSERT_TRUE(modify(m.model, bearing, flow("{start: , note: }"), d));
  EXPECT_EQ(find_element(m.model, bearing)->find("start"), nullptr);
  ASSERT_TRUE(modify(m.model, {"machine", "", ""}, flow("{gravity: none}"), d));
  EXPECT_EQ(*m.model.root().object.text("gravity"), "none");
  EXPECT_TRUE(d.all().empty());
}

TEST(EditTest, ModifyIsRefusedWhole) {
  TextModel m = machine();
  const auto refusal = [&](const ElementAddress& address, std::string_view changes) {
    Diagnostics d;
    EXPECT_FALSE(modify(m.model, address, flow(changes), d));
    EXPECT_TRUE(same(m.model, machine().model)) << changes;
    return only_message(d);
  };
  EXPECT_EQ(refusal({"machine", "joints", "pin"}, "{between: [crank.pinn, rod]}"),
            "GK1301 'joints.pin' would refer to 'crank.pinn', which does not exist");
  // The users of a frame lose it: the first of them is named.
  EXPECT_EQ(refusal({"machine", "parts", "crank"}, "{frames: }"),
            "GK1301 'parts.crank' would refer to 'pin', which does not exist");
  EXPECT_EQ(refusal({"machine", "joints", "pin"}, "{axis: }").substr(0, 6), "GK1102");
  EXPECT_EQ(refusal({"machine", "joints", "pinn"}, "{axis: x}"), "GK1501 there is nothing at 'joints.pinn'");
}

}  // namespace
}  // namespace gelenk::model::edit_test
