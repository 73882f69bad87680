#include "gelenk/formats/edit_command.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "gelenk/formats/yaml_writer.h"

namespace gelenk::formats::edit_command_test {
namespace {

using Words = std::vector<std::string>;

TEST(EditCommandTest, ALineOfWordsIsACommand) {
  const auto said = [](const Words& words) {
    Diagnostics diagnostics;
    return parse_edit_command(words, diagnostics) ? "fine" : diagnostics.all().front().message;
  };
  EXPECT_EQ(said({"set", "a.b", "c==max(d, e)"}), "fine");
  EXPECT_EQ(said({"delete", "a"}), "unknown edit 'delete'");
  EXPECT_EQ(said({}), "no edit given");
  EXPECT_EQ(said({"set"}), "`set` needs a path");
  EXPECT_EQ(said({"rename", "a"}), "`rename` needs a path and a new name");
  EXPECT_EQ(said({"remove", "a", "b"}), "`remove` needs a path and nothing else");
  EXPECT_EQ(said({"set", "a", "b"}), "'b' is not of the form key=value");
  EXPECT_EQ(said({"set", "a=1", "b=2"}), "a whole value and single keys cannot be combined");
  Diagnostics diagnostics;
  const std::optional<EditCommand> command = parse_edit_command(Words{"set", "a", "v==b"}, diagnostics);
  ASSERT_TRUE(command);
  EXPECT_EQ(command->key_values.at(0), (std::pair<std::string, std::string>{"v", "=b"}));
}

TEST(EditCommandTest, ValuesAreTextUnlessTheyHaveBrackets) {
  const auto read = [](std::string_view given) {
    Diagnostics diagnostics;
    const std::optional<Node> node = read_given_value(given, diagnostics);
    return node ? flow_text(*node) : code_label(diagnostics.all().front().code);
  };
  EXPECT_EQ(read(" 30 deg "), "30 deg");
  EXPECT_EQ(read("=max(a, b)"), "\"=max(a, b)\"");
  EXPECT_EQ(read("a # b: c"), "\"a # b: c\"");
  EXPECT_EQ(read("[a,b]"), "[a, b]");
  EXPECT_EQ(read("{a: [1, {b: c}]}"), "{a: [1, {b: c}]}");
  EXPECT_EQ(read("'a''b'"), "\"a'b\"") << "quotes stay";
  EXPECT_EQ(read(""), "~");
  EXPECT_EQ(read("[a"), "GK1504");
  EXPECT_EQ(read("[a]\nb: c"), "GK1504");
}

}  // namespace
}  // namespace gelenk::formats::edit_command_test
