#include "gelenk/base/json_copy.h"

#include <gtest/gtest.h>

namespace gelenk::json_copy_test {
namespace {

TEST(JsonCopy, EverythingComesBack) {
  const std::string text =
      R"({"a": [1, -2.5e-300, true, null, [], {}], "b": {"c": "line\nend \"quoted\" \u0001 ä"}, "": 0.1})";
  std::string error;
  const std::optional<JsonValue> value = read_json(text, error);
  ASSERT_TRUE(value) << error;
  JsonWriter json;
  write_json(json, *value);
  const std::string written = json.take();
  const std::optional<JsonValue> again = read_json(written, error);
  ASSERT_TRUE(again) << error << written;
  EXPECT_EQ(again->members.size(), 3u);
  EXPECT_EQ(again->find("a")->items.size(), 6u);
  EXPECT_EQ(again->find("a")->items[1].number, -2.5e-300);
  EXPECT_EQ(again->find("a")->items[3].kind, JsonValue::Kind::null);
  EXPECT_EQ(again->find("b")->find("c")->text, value->find("b")->find("c")->text);
  JsonWriter second;
  write_json(second, *again);
  EXPECT_EQ(second.take(), written);
}

}  // namespace
}  // namespace gelenk::json_copy_test
