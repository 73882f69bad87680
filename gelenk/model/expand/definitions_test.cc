#include "gelenk/model/expand/definitions.h"

#include <gmock/gmock.h>

#include "gelenk/model/expand/stage_test_support.h"

namespace gelenk::model::expanding::definitions_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const Stage::Texts kChain = {{"machine", R"({gelenk: 1, assemblies: {
  c: {mirror_of: b, plane: yz}, b: {copy_of: a, set: {k: 2}}, a: {use: link, at: [1, 0, 0], set: {k: 1, l: 3}}}})"},
                             {"link", "{parameters: {k: 0, l: 0}, parts: {rod: {}}, frames: {end: [0, 0, 0]}}"}};

TEST(Definitions, NamesOfAllSections) {
  Stage stage(kChain);
  const ScopeIndex& index = stage.definitions.index_of(*stage.text.model.find("link"));
  ASSERT_NE(index.find("rod"), nullptr);
  EXPECT_EQ(index.find("rod")->section, Section::part);
  EXPECT_EQ(index.find("l")->section, Section::parameter);
  EXPECT_EQ(index.find("l")->index, 1U);
  EXPECT_EQ(index.find("end")->section, Section::frame);
  EXPECT_EQ(index.find("none"), nullptr);
  EXPECT_EQ(index.element_count, 4U);
  EXPECT_EQ(&index, &stage.definitions.index_of(*stage.text.model.find("link"))) << "made once";
}

TEST(Definitions, CopiesAndMirrorsAreFollowedInAnyOrder) {
  Stage stage(kChain);
  const ScopeIndex& index = stage.definitions.index_of(stage.text.model.root());
  ASSERT_EQ(index.plans.size(), 3U);
  for (const InstancePlan& plan : index.plans) EXPECT_EQ(plan.definition, stage.text.model.find("link"));
  EXPECT_EQ(index.plans[0].mirror(0, 0), -1.0);
  EXPECT_EQ(index.plans[1].mirror, Matrix3(Matrix3::Identity()));
  EXPECT_NE(index.plans[0].effective.value("at"), nullptr) << "taken over from what it mirrors";
  // Settings are merged one by one.
  std::vector<std::pair<std::string, double>> settings;
  for (const Object& setting : index.plans[0].effective.section("set")) {
    settings.emplace_back(setting.name, setting.expression("value")->nodes().front().value);
  }
  EXPECT_THAT(settings, ElementsAre(Pair("k", 2.0), Pair("l", 3.0)));
  EXPECT_THAT(stage.messages(), IsEmpty());
}

TEST(Definitions, CircleOfCopies) {
  Stage stage("{gelenk: 1, assemblies: {a: {copy_of: b}, b: {copy_of: a}}}");
  const ScopeIndex& index = stage.definitions.index_of(stage.text.model.root());
  EXPECT_EQ(index.plans[0].definition, nullptr);
  EXPECT_EQ(index.plans[1].definition, nullptr);
  EXPECT_THAT(stage.messages(), ElementsAre("a: 'a' is a copy of itself"));
}

TEST(Definitions, SharedNames) {
  Stage stage("{gelenk: 1, parts: {x: {}}, parameters: {x: 1}}");
  const ScopeIndex& index = stage.definitions.index_of(stage.text.model.root());
  EXPECT_TRUE(index.shared.contains("x"));
  EXPECT_THAT(stage.messages(), ElementsAre(": the name 'x' is already used by a parameter"));
}

}  // namespace
}  // namespace gelenk::model::expanding::definitions_test
