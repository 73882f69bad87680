#include "gelenk/model/expand/numbers.h"

#include <gmock/gmock.h>

#include <numbers>

#include "gelenk/model/expand/settings.h"
#include "gelenk/model/expand/stage_test_support.h"

namespace gelenk::model::expanding::numbers_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The value of a parameter of the root.
std::optional<Quantified> parameter(Stage& stage, std::size_t number) {
  return stage.numbers.parameter(stage.root(), number);
}

TEST(Numbers, ParametersInAnyOrder) {
  Stage stage("{gelenk: 1, parameters: {area: =width*height, width: 2 m, height: =width + 1 m}}");
  stage.build_tree();
  const std::optional<Quantified> area = parameter(stage, 0);
  ASSERT_TRUE(area.has_value());
  EXPECT_EQ(area->value, 6.0);
  EXPECT_EQ(area->dimension, Dimension(0, 2, 0));
  EXPECT_THAT(stage.messages(), IsEmpty());
}

TEST(Numbers, CirclesNameTheirMembers) {
  Stage stage("{gelenk: 1, parameters: {a: =b, b: =c, c: =b}}");
  stage.build_tree();
  EXPECT_FALSE(parameter(stage, 0).has_value());
  EXPECT_THAT(stage.messages(), ElementsAre("b: it depends on itself: b > c > b"));
}

TEST(Numbers, OwnerSetsAndCallerOverrides) {
  const Stage::Texts texts = {
      {"machine", "{gelenk: 1, parameters: {k: 3}, assemblies: {x: {use: leaf, set: {k: =2*k}}, y: {copy_of: x}}}"},
      {"leaf", "{parameters: {k: 1}}"}};
  ExpandOptions options;
  options.settings.push_back({"y.k", {}});
  options.settings.back().value.data = expression::Expression::constant(7.0, {});
  Stage stage(texts, options);
  stage.build_tree();
  add_parameters(stage.instances(), stage.numbers, stage.machine.assemblies, stage.reports);
  EXPECT_EQ(stage.machine.assemblies[1].parameters.front().value, 6.0);
  EXPECT_EQ(stage.machine.assemblies[2].parameters.front().value, 7.0);
  const Given given = setting_for(stage.instances()[2], stage.text.model.find("leaf")->object.section("parameters")[0],
                                  "set", stage.options.settings);
  EXPECT_TRUE(given.from_outside);
  EXPECT_THAT(stage.messages(), IsEmpty());
}

TEST(Numbers, BareSettingsHaveTheUnitOfTheParameter) {
  Stage stage({{"machine", "{gelenk: 1, assemblies: {x: {use: leaf, set: {l: 20, w: 30 mm}}}}"},
               {"leaf", "{parameters: {l: {value: 10, unit: mm}, w: 1 m}}"}});
  stage.build_tree();
  EXPECT_DOUBLE_EQ(stage.numbers.parameter(stage.instances()[1], 0)->value, 0.02);
  EXPECT_DOUBLE_EQ(stage.numbers.parameter(stage.instances()[1], 1)->value, 0.03);
}

TEST(Numbers, LimitsHold) {
  Stage stage("{gelenk: 1, parameters: {l: {value: 12, unit: mm, max: 10}}}");
  stage.build_tree();
  EXPECT_FALSE(parameter(stage, 0).has_value());
  EXPECT_THAT(stage.messages(), ElementsAre("l: the value is 0.012 m, but its maximum is 0.01 m"));
}

TEST(Numbers, FieldsHaveQuantitiesAndRanges) {
  Stage stage("{gelenk: 1, parts: {p: {mass: =-2 kg, center_of_mass: [1, =2 m, 3 mm]}, q: {mass: =3 m}}}");
  stage.build_tree();
  const std::vector<Object>& parts = stage.root().object().section("parts");
  const std::optional<Vector3> center =
      stage.numbers.vector(*parts[0].value("center_of_mass"), field_of(parts[0], "center_of_mass"), stage.root());
  ASSERT_TRUE(center.has_value());
  EXPECT_EQ(*center, Vector3(1.0, 2.0, 0.003));
  EXPECT_FALSE(stage.numbers.number_or(parts[0], "mass", 1.0, stage.root()).has_value());
  EXPECT_FALSE(stage.numbers.number_or(parts[1], "mass", 1.0, stage.root()).has_value());
  EXPECT_EQ(stage.numbers.number_or(parts[1], "density", 1.5, stage.root()), 1.5);
  EXPECT_EQ(stage.diagnostics().all().at(0).code, Code::mass_not_positive);
  EXPECT_EQ(stage.diagnostics().all().at(1).code, Code::wrong_dimension);
}

TEST(Numbers, DirectionsAreUnitVectors) {
  Stage stage(
      "{gelenk: 1, joints: {a: {type: revolute, between: [p, q], axis: [0, 3, 4]}, "
      "b: {type: revolute, between: [p, q], axis: -y}, c: {type: revolute, between: [p, q], axis: [0, 0, 0]}}}");
  stage.build_tree();
  const std::vector<Object>& joints = stage.root().object().section("joints");
  const auto axis = [&](std::size_t i) {
    return stage.numbers.direction(*joints[i].value("axis"), "axis", stage.root());
  };
  EXPECT_TRUE(axis(0)->isApprox(Vector3(0.0, 0.6, 0.8), 1e-15));
  EXPECT_EQ(*axis(1), Vector3(0.0, -1.0, 0.0));
  EXPECT_FALSE(axis(2).has_value());
  EXPECT_THAT(stage.messages(), ElementsAre(": 'axis' has no length"));
}

TEST(Numbers, SettingsMustMeetAParameter) {
  Stage stage({{"machine", "{gelenk: 1, assemblies: {x: {use: leaf, set: {stifness: 2}}}}"},
               {"leaf", "{parameters: {stiffness: 1}}"}});
  stage.build_tree();
  add_parameters(stage.instances(), stage.numbers, stage.machine.assemblies, stage.reports);
  ASSERT_THAT(stage.messages(), ElementsAre("x: 'leaf' has no parameter 'stifness'"));
  EXPECT_EQ(stage.diagnostics().all().front().hint, "did you mean 'stiffness'?");
}

}  // namespace
}  // namespace gelenk::model::expanding::numbers_test
