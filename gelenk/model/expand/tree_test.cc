#include "gelenk/model/expand/tree.h"

#include <gmock/gmock.h>

#include "gelenk/model/expand/paths.h"
#include "gelenk/model/expand/stage_test_support.h"

namespace gelenk::model::expanding::tree_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Stage::Texts kRows = {
    {"machine", "{gelenk: 1, parameters: {n: =1 + 1}, assemblies: {row: {use: pair, repeat: =n}}}"},
    {"pair", "{assemblies: {one: {use: leaf}, two: {use: leaf, enabled: false}}}"},
    {"leaf", "{parameters: {k: 5}}"}};

TEST(Tree, OwnersComeBeforeWhatTheyOwn) {
  Stage stage(kRows);
  stage.build_tree();
  std::vector<std::string> paths;
  for (const AssemblyNode& node : stage.machine.assemblies) paths.push_back(node.path);
  EXPECT_THAT(paths, ElementsAre("", "row.0", "row.0.one", "row.1", "row.1.one"));
  EXPECT_EQ(stage.machine.disabled_count, 2U);
  EXPECT_EQ(stage.machine.assemblies[4].owner.index(), 3U);
  EXPECT_THAT(stage.messages(), IsEmpty());
}

TEST(Tree, RowsKnowTheirPlace) {
  Stage stage(kRows);
  stage.build_tree();
  const std::vector<Instance*>& row = stage.root().children.front();
  ASSERT_EQ(row.size(), 2U);
  EXPECT_EQ(row[0]->previous, nullptr);
  EXPECT_EQ(row[1]->previous, row[0]);
  EXPECT_EQ(row[1]->repeat_index, 1U);
}

TEST(Tree, TooManyElements) {
  ExpandOptions options;
  options.max_elements = 3;
  Stage stage(kRows, options);
  EXPECT_FALSE(stage.tree.build(stage.text.model));
  EXPECT_THAT(stage.messages(), ElementsAre("row: the machine would have more than 3 elements"));
}

TEST(Tree, RepeatIsAWholeNumber) {
  Stage stage({{"machine", "{gelenk: 1, assemblies: {row: {use: leaf, repeat: 2.5}}}"}, {"leaf", "{}"}});
  stage.build_tree();
  EXPECT_THAT(stage.messages(), ElementsAre("row: 'repeat' must be a whole number, but is 2.5"));
}

TEST(Paths, ThroughRows) {
  Stage stage(kRows);
  stage.build_tree();
  const std::vector<std::string> path = {"row", "1", "one"};
  const Instance* const found = instance_at(path, stage.root());
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->path, "row.1.one");
  const std::vector<std::string> beyond = {"row", "2"};
  EXPECT_EQ(instance_at(beyond, stage.root()), nullptr);
  const std::optional<ValuePlace> k = find_value(stage.root(), {"row", "0", "one", "k"}, {});
  ASSERT_TRUE(k.has_value());
  EXPECT_TRUE(k->is_parameter());
  EXPECT_EQ(k->scope->path, "row.0.one");
  EXPECT_FALSE(find_value(stage.root(), {"row", "k"}, {}).has_value());
}

TEST(Paths, StepsSayWhatIsWrong) {
  Stage stage(kRows);
  stage.build_tree();
  Diagnostics& diagnostics = stage.diagnostics();
  const ChildStep good = step_into_child(stage.root(), {"row", "1", "one"}, {}, diagnostics);
  EXPECT_EQ(good.used_segments, 2U);
  EXPECT_EQ(good.child->path, "row.1");
  EXPECT_FALSE(step_into_child(stage.root(), {"n"}, {}, diagnostics).is_reported) << "not a sub-assembly";
  EXPECT_TRUE(step_into_child(stage.root(), {"row", "7"}, {}, diagnostics).is_reported);
  EXPECT_TRUE(step_into_child(*good.child, {"two"}, {}, diagnostics).is_reported);
  EXPECT_THAT(stage.messages(), ElementsAre(": 'row' has only 2 assemblies", ": assembly 'two' is disabled"));
}

}  // namespace
}  // namespace gelenk::model::expanding::tree_test
