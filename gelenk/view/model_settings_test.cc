#include "gelenk/view/model_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gelenk/base/json_reader.h"
#include "gelenk/export/scene_test_support.h"

namespace gelenk::view::model_settings_test {
namespace {

using testing::ElementsAre;

constexpr double kDefaultDuration = 5.0;

constexpr const char* kModel = R"(display: {length: mm, angle: deg}
parameters:
  length: {value: 0.4, unit: m, min: 0.1, max: 1, doc: hinge to tip}
  half: =length / 2
  stiffness: 45 kN/m
  loss: {value: 3, unit: "%"}
  count: 3
  flow: 2 kg*m^3
definitions:
  leg:
    parameters: {weight: 2 kg}
    parts: {foot: {mass: =weight, inertia: {xx: 1, yy: 1, zz: 1}}}
assemblies: {left: leg}
parts:
  arm: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  bob: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  ball: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  hinge: {type: revolute, between: [ground, arm], axis: z, start: {angle: 30 deg}, limits: {angle: {min: -90 deg, max: 90 deg}}}
  motor: {type: revolute, between: [ground, bob], axis: z}
  socket: {type: spherical, between: [ground, ball]}
drivers: {drive: {drives: motor.angle, rate: 1}}
)";

class ModelSettingsTest : public testing::Test {
 protected:
  const Setting& parameter(const std::string& path) const { return find(settings_.parameters, path); }
  const Setting& start(const std::string& path) const { return find(settings_.starts, path); }
  static const Setting& find(const std::vector<Setting>& list, const std::string& path) {
    for (const Setting& setting : list) {
      if (setting.path == path) return setting;
    }
    ADD_FAILURE() << "no " << path;
    return list.front();
  }

  exporting::DrawnScene drawing_ = exporting::drawn(kModel);
  ModelSettings settings_ = settings_of(drawing_.machine, drawing_.loaded.sources, kDefaultDuration);
};

TEST_F(ModelSettingsTest, ParametersOfTheMachineComeFirst) {
  std::vector<std::string> paths;
  for (const Setting& setting : settings_.parameters) paths.push_back(setting.path);
  EXPECT_THAT(paths, ElementsAre("length", "half", "stiffness", "loss", "count", "flow", "left.weight"));
  EXPECT_EQ(parameter("length").min, 0.1);
  EXPECT_EQ(parameter("length").max, 1.0);
  EXPECT_EQ(parameter("length").doc, "hinge to tip");
  EXPECT_EQ(parameter("half").value, 0.2);
  EXPECT_FALSE(parameter("half").min);
}

TEST_F(ModelSettingsTest, UnitsAreThoseOfTheModelOrAsWritten) {
  EXPECT_EQ(shown_text(parameter("length"), 0.4), "400 mm");
  EXPECT_EQ(shown_text(parameter("half"), 0.2), "200 mm");
  EXPECT_EQ(shown_text(parameter("stiffness"), 45e3), "45 kN/m");
  EXPECT_EQ(shown_text(parameter("count"), 3.0), "3");
  EXPECT_EQ(shown_text(parameter("flow"), 2.0), "2 kg*m^3");
  EXPECT_EQ(shown_text(parameter("left.weight"), 2.0), "2 kg");
  EXPECT_DOUBLE_EQ(parameter("loss").bare.factor, 0.01);
  EXPECT_EQ(parameter("stiffness").bare.factor, 1.0);
}

TEST_F(ModelSettingsTest, StartsThatNoDriverDecides) {
  std::vector<std::string> paths;
  for (const Setting& setting : settings_.starts) paths.push_back(setting.path);
  EXPECT_THAT(paths, ElementsAre("hinge.angle", "hinge.rate", "motor.angle"));
  EXPECT_EQ(shown_text(start("hinge.angle"), *start("hinge.angle").value), "30 deg");
  EXPECT_NEAR(start("hinge.angle").max.value(), 1.5707963, 1e-6);
  EXPECT_FALSE(start("hinge.rate").value);
  EXPECT_EQ(start("hinge.rate").shown.symbol, "rad/s");
}

TEST_F(ModelSettingsTest, TheSceneTellsThem) {
  EXPECT_EQ(settings_.duration, kDefaultDuration);
  settings_.parameters[0].is_set = true;
  settings_.own_duration = 2.0;
  const std::string text = open_scene(scene_json(drawing_.scene)) + model_member(settings_, "arm.yaml", 7);
  std::string error;
  const std::optional<JsonValue> json = read_json(text, error);
  ASSERT_TRUE(json) << error;
  EXPECT_EQ(json->text_or("name", ""), "test");
  const JsonValue* model = json->find("model");
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->text_or("file", ""), "arm.yaml");
  EXPECT_EQ(model->number_or("version", 0), 7.0);
  EXPECT_EQ(model->number_or("duration", 0), kDefaultDuration);
  EXPECT_EQ(model->number_or("ownDuration", 0), 2.0);
  const JsonValue& length = model->find("parameters")->items.at(0);
  EXPECT_EQ(length.number_or("value", 0), 0.4);
  EXPECT_EQ(length.number_or("factor", 0), 1e-3);
  EXPECT_TRUE(length.truth_or("isSet", false));
  EXPECT_EQ(model->find("starts")->items.at(1).find("value"), nullptr);
}

}  // namespace
}  // namespace gelenk::view::model_settings_test
