#include "gelenk/model/writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/model/flow_test_support.h"
#include "gelenk/model/named_values.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model::writer_test {
namespace {

Node text(std::string content) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::move(content);
  return node;
}

struct NumberCase {
  Quantity quantity;
  std::string written;
  std::string expected;
};

TEST(WriterTest, NumbersKeepTheirValueAndMeaning) {
  const std::vector<NumberCase> cases{
      {Quantity::length, "12 mm", "0.012 m"},
      {Quantity::length, "0.012", "0.012"},
      {Quantity::length, "=5", "=5"},  // a pure number where a length belongs stays an error
      {Quantity::length, "=5 mm", "0.005 m"},
      {Quantity::angle, "30 deg", "30 deg"},
      {Quantity::angle, "0.1 rad", "0.1 rad"},
      {Quantity::angular_rate, "600 rpm", "600 rpm"},
      {Quantity::angular_rate, "10 rad/s", "10 rad/s"},
      {Quantity::angular_rate, "=50 Hz", "=50 Hz"},  // refused later, with the reason
      {Quantity::number, "50 %", "0.5"},
      {Quantity::rotational_stiffness, "3 N*m/deg", ""},
      {Quantity::any, "40 kN/m", "40000 N/m"},
      {Quantity::any, "5", "5"},    // takes the unit that is expected
      {Quantity::any, "=5", "=5"},  // is a pure number
      {Quantity::any, "50 Hz", "50 Hz"},
      {Quantity::any, "2 m^(1/2)", "2 m^(1/2)"},
      {Quantity::any, "20 degC", "293.15 K"},
      {Quantity::any, "45 deg", "45 deg"},
      {Quantity::any, "=2 * a - max(b, 3 mm)", "=2 * a - max(b, 0.003 m)"},
  };
  for (const NumberCase& c : cases) {
    SCOPED_TRACE(c.written);
    const Field field{.key = "value", .kind = FieldKind::number, .quantity = c.quantity};
    Diagnostics diagnostics;
    const Value first = read_value(text(c.written), field, SourceMap{}, diagnostics);
    const Node node = write_value(first, field);
    if (!c.expected.empty()) {
      EXPECT_EQ(node.text, c.expected);
    }
    const Value second = read_value(node, field, SourceMap{}, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_TRUE(same(first, second)) << node.text;
    if (c.quantity == Quantity::any) {
      EXPECT_EQ(first.is_bare, second.is_bare) << node.text;
    }
  }
}

TEST(WriterTest, ValuesOutOfRangeStayExpressions) {
  const Field mass{.key = "mass", .kind = FieldKind::number, .quantity = Quantity::mass, .range = kPositive};
  Diagnostics diagnostics;
  const Value value = read_value(text("=-1 kg"), mass, SourceMap{}, diagnostics);
  EXPECT_EQ(write_value(value, mass).text, "=-1 kg");
}

TEST(WriterTest, ChannelsAreNamesAndTheRestExpressions) {
  Diagnostics diagnostics;
  const Object file = read_object(
      flow("{outputs: {a: piston.position.x, b: =2 * a.x, c: {value: {table: {of: time, x: [0, 1], y: [0, 5 N]}}}}}"),
      kAssemblyType, SourceMap{}, diagnostics);
  const Node outputs = write_object(file).find("outputs")->value;
  EXPECT_EQ(outputs.find("a")->value.text, "piston.position.x");
  EXPECT_EQ(outputs.find("b")->value.text, "=2 * a.x");
  EXPECT_EQ(outputs.find("c")->value.find("value")->value.find("table")->value.find("y")->value.items[1].text, "5 N");
}

TEST(WriterTest, ShorthandOnlyWhereItReadsBack) {
  Diagnostics diagnostics;
  const Object file = read_object(flow("{parameters: {short: {value: 5 mm}, long: {value: 5 mm, doc: why}},"
                                       " frames: {a: {at: [0, 0, 1]}, b: {at: {position: [0, 0, 1]}}}}"),
                                  kAssemblyType, SourceMap{}, diagnostics);
  const Node node = write_object(file);
  EXPECT_EQ(node.find("parameters")->value.find("short")->value.text, "0.005 m");
  EXPECT_TRUE(node.find("parameters")->value.find("long")->value.is_map());
  EXPECT_TRUE(node.find("frames")->value.find("a")->value.is_list());
  EXPECT_TRUE(node.find("frames")->value.find("b")->value.is_map()) << "a bare map would be the frame's own keys";
  EXPECT_FALSE(diagnostics.has_errors());
}

// Documents with every key that the descriptors know, so that a new field or element is in the test by being described.
class Everything {
 public:
  static Node object(const ObjectType& type, const Family* family) {
    Node result = flow("{}");
    for_each_field(type, family, [&](const Field& field) {
      if (field.key == "definitions") return;  // resolved by the loader
      Node value = field.key == "type" ? text(std::string(type.name)) : sample(field, type);
      if (!value.is_null()) result.entries.push_back({std::string(field.key), {}, std::move(value)});
    });
    return result;
  }

 private:
  static Node number(const Field& field) {
    const double value = std::max(0.5, field.range.min);
    if (field.quantity == Quantity::any) return text("3.5 kN/m");
    const std::string unit(quantity_info(field.quantity).si_symbol);
    return text(format_number(value) + (unit == "1" ? "" : " " + unit));
  }

  static Node list(const Node& item, std::size_t count) {
    Node result = flow("[]");
    result.items.assign(count, item);
    return result;
  }

  static Node coordinates(const ObjectType& joint, bool is_limit) {
    Node result = flow("{}");
    const auto add = [&](std::string_view name) {
      const NamedField* field = coordinate_field(joint, name);
      if (is_limit && limit_type(joint, name) == nullptr) return;
      result.entries.push_back(
          {std::string(name), {}, is_limit ? object(*limit_type(joint, name), nullptr) : sample(field->field, joint)});
    };
    for (const Coordinate& coordinate : joint.coordinates) {
      add(coordinate.name);
      add(coordinate.rate);
    }
    return result;
  }

  static Node family_members(const Family& family) {
    Node result = family.is_tagged ? flow("[]") : flow("{}");
    for (const ObjectType* type : family.types) {
      const std::string name(type->name);
      Node member = object(*type, &family);
      if (family.is_tagged) {
        Node tagged = flow("{}");
        tagged.entries.push_back({name, {}, std::move(member)});
        result.items.push_back(std::move(tagged));
      } else {
        result.entries.push_back({"some_" + name, {}, std::move(member)});
      }
    }
    return result;
  }

  static Node sample(const Field& field, const ObjectType& owner) {
    switch (field.kind) {
      case FieldKind::number:
        return number(field);
      case FieldKind::signal:
        return field.refers_to == Refers::channel ? text("piston.position.x")
                                                  : flow(
                                                        "{table: {of: =2 * time, x: [0, 1 s], y: [1, 2 N],"
                                                        " interpolation: akima}}");
      case FieldKind::vector:
        return list(number(field), 3);
      case FieldKind::numbers:
        return list(field.quantity == Quantity::any ? text("=a / 3") : number(field), 4);
      case FieldKind::direction:
        return field.key == "axis" ? text("-x") : flow("[1, =cos(tilt), 0]");
      case FieldKind::text:
        return text("free: text, with # signs");
      case FieldKind::flag:
        return text("true");
      case FieldKind::choice:
        return text(std::string(field.choices.back()));
      case FieldKind::reference:
        return text("crank.pin");
      case FieldKind::pair:
        return flow("[ground, link.3.tip]");
      case FieldKind::references:
        return flow("[mast.top, hook, ground.eye]");
      case FieldKind::point:
        return text("pin");
      case FieldKind::placement:
        return flow(
            "{position: [=index * 0.1 m, 1, 2 mm], orientation: {angles: [10 deg, 0, =a], sequence: zxz},"
            " relative_to: crank.pin}");
      case FieldKind::object:
        return object(*field.object, nullptr);
      case FieldKind::tagged:
      case FieldKind::typed_section:
        return family_members(*field.family);
      case FieldKind::section: {
        Node result = flow("{}");
        result.entries.push_back({"first", {}, object(*field.object, nullptr)});
        return result;
      }
      case FieldKind::coordinates:
      case FieldKind::limits:
        return owner.coordinates.empty() ? Node{} : coordinates(owner, field.kind == FieldKind::limits);
      case FieldKind::settings:
        return flow("{k: 40 kN/m, n: 5, e: =spring}");
      case FieldKind::signals:
        return flow("{u: 12 V, w: =hinge.rate, v: {table: {of: =time, x: [0, 1 s], y: [1 V, 2 V]}}}");
      case FieldKind::units:
        return flow("{length: mm, rate: rpm}");
      case FieldKind::gravity:
        return flow("{point: {at: [0, 0, -6371 km], strength: 3.986e14 m^3/s^2}}");
      case FieldKind::free:
        return flow("{tags: [a, {b: }], text: yes}");
    }
    return {};
  }
};

TEST(WriterTest, EveryKeyOfTheFormatComesBack) {
  const Node document = Everything::object(kFileType, nullptr);
  Diagnostics diagnostics;
  const Object first = read_object(document, kFileType, SourceMap{}, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << diagnostics.all().front().message;
  const Node written = write_object(first);
  const Object second = read_object(written, kFileType, SourceMap{}, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << diagnostics.all().front().message;
  EXPECT_TRUE(same(first, second));
  EXPECT_TRUE(same_content(written, write_object(second)));
  // Each property was really there: as many as the descriptor has, and the elements of all families.
  EXPECT_EQ(first.properties.size() + 1, kFileType.fields.size());
  EXPECT_EQ(first.section("joints").size(), kJointFamily.types.size());
  EXPECT_EQ(first.section("forces").size(), kForceFamily.types.size());
  EXPECT_EQ(first.section("parts").front().section("shape").size(), kShapeFamily.types.size());
}

TEST(WriterTest, ADifferenceIsSeen) {
  Diagnostics diagnostics;
  const Object a = read_object(flow("{parts: {p: {mass: 1 kg}}}"), kAssemblyType, SourceMap{}, diagnostics);
  const Object b =
      read_object(flow("{parts: {p: {mass: 1.0000000000000002 kg}}}"), kAssemblyType, SourceMap{}, diagnostics);
  EXPECT_FALSE(same(a, b));
  EXPECT_FALSE(same_content(write_object(a), write_object(b)));
}

}  // namespace
}  // namespace gelenk::model::writer_test
