// The car and the steam engine against the numbers of the prototype that the method was developed with: see
// tests/data/prototype_*.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <ostream>
#include <set>

#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/expression/evaluate.h"
#include "gelenk/formats/yaml_reader.h"
#include "gelenk/model/mobility.h"
#include "tests/support/load_example.h"
#include "tests/support/source_folder.h"

namespace gelenk::prototype_machines_test {
namespace {

using model::Machine;
using test::Example;
using test::find_element;
using test::load_example;

// Both sides compute in doubles; the largest number is an inertia of 1856 kg m², whose last digit is 2e-13.
constexpr double kTolerance = 1e-12;

struct PrototypeCase {
  const char* name;     // of the data
  const char* example;  // file
};
void PrintTo(const PrototypeCase& prototype, std::ostream* out) { *out << prototype.name; }

double number(const Node& node) { return parse_number(node.text).value_or(std::nan("")); }

Vector3 vector3(const Node& list) {
  if (list.items.size() != 3) return Vector3::Constant(std::nan(""));
  return {number(list.items[0]), number(list.items[1]), number(list.items[2])};
}

std::string part_path(const Machine& machine, const model::FrameOnPart& frame) {
  return frame.part.is_set() ? machine.parts[frame.part.index()].path : "ground";
}

class PrototypeMachines : public ::testing::TestWithParam<PrototypeCase> {
 protected:
  void SetUp() override {
    example_ = load_example(GetParam().example);
    ASSERT_EQ(example_.complaints(), "");
    const std::string path = test::source_folder() + "/tests/data/prototype_" + GetParam().name + ".json";
    const formats::TextLimits limits;
    const ReadResult read = read_file(path, limits.max_bytes);
    ASSERT_TRUE(read.text) << read.reason;
    Diagnostics diagnostics;
    const std::int32_t file = sources_.add(path, *read.text);
    const std::optional<Node> document = formats::parse_yaml(sources_, file, limits, diagnostics);
    ASSERT_TRUE(document);
    data_ = *document;
  }

  const Machine& machine() const { return example_.machine; }
  const std::vector<Node>& list(const char* key) const { return data_.find(key)->value.items; }
  static const Node& value(const Node& map, const char* key) { return map.find(key)->value; }

  Example example_;
  SourceMap sources_;
  Node data_;
};

TEST_P(PrototypeMachines, HasTheSameParts) {
  EXPECT_EQ(machine().parts.size(), list("parts").size());
  for (const Node& expected : list("parts")) {
    const std::string& path = value(expected, "path").text;
    const model::PartNode* part = find_element(machine().parts, path);
    ASSERT_NE(part, nullptr) << path;
    const MassProperties world = part->mass_properties.in_frame(part->X_WP);
    EXPECT_EQ(world.mass, number(value(expected, "mass"))) << path;
    EXPECT_LT((world.center - vector3(value(expected, "center"))).norm(), kTolerance) << path;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3 row = vector3(value(expected, "inertia").items.at(i));
      const Vector3 difference = world.inertia.row(static_cast<Eigen::Index>(i)).transpose() - row;
      EXPECT_LT(difference.norm(), kTolerance) << path << " row " << i;
    }
  }
}

TEST_P(PrototypeMachines, HasTheSameJoints) {
  EXPECT_EQ(machine().joints.size(), list("joints").size());
  for (const Node& expected : list("joints")) {
    const std::string& path = value(expected, "path").text;
    const model::JointNode* joint = find_element(machine().joints, path);
    ASSERT_NE(joint, nullptr) << path;
    EXPECT_EQ(joint->type->name, value(expected, "type").text) << path;
    const std::vector<Node>& between = value(expected, "between").items;
    const std::set<std::string> wanted{between.at(0).text, between.at(1).text};
    EXPECT_EQ((std::set{part_path(machine(), joint->a), part_path(machine(), joint->b)}), wanted) << path;
    for (const model::FrameOnPart& frame : {joint->a, joint->b}) {
      const Pose X_WJ = model::drawn_frame(machine(), frame);
      EXPECT_LT((X_WJ.position - vector3(value(expected, "point"))).norm(), kTolerance) << path;
      const Node::Entry* axis = expected.find("axis");
      if (axis == nullptr) continue;
      EXPECT_LT((X_WJ.rotation.col(2) - vector3(axis->value)).norm(), kTolerance) << path;
    }
  }
}

TEST_P(PrototypeMachines, HasTheSameGravity) {
  const auto* gravity = std::get_if<model::UniformGravity>(&machine().gravity);
  ASSERT_NE(gravity, nullptr);
  EXPECT_EQ(gravity->acceleration, Vector3(0.0, 0.0, -9.81));
}

constexpr PrototypeCase kPrototypes[] = {{"car", "car/car.yaml"},
                                         {"car_redundant", "car/car_redundant.yaml"},
                                         {"steam_engine", "steam_engine/steam_engine.yaml"}};
INSTANTIATE_TEST_SUITE_P(All, PrototypeMachines, ::testing::ValuesIn(kPrototypes),
                         [](const auto& one) { return std::string(one.param.name); });

class Cars : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { example_ = load_example(GetParam()); }
  const Machine& machine() const { return example_.machine; }
  Vector3 world_point(const std::optional<model::FrameOnPart>& frame) const {
    return frame ? model::drawn_frame(machine(), *frame).position : Vector3::Constant(std::nan(""));
  }

  Example example_;
};

// S1-22: four dampers.
TEST_P(Cars, HaveTheStrutsOfThePrototype) {
  const Vector3 foot_to_top(0.1, 0.0, 0.5);
  for (const double x : {1.3, -1.3}) {
    for (const double y : {0.75, -0.75}) {
      const std::string corner = std::string(x > 0 ? "front" : "rear") + (y > 0 ? "_left" : "_right");
      const model::ForceNode* strut = find_element(machine().forces, corner + ".damper.strut");
      ASSERT_NE(strut, nullptr) << corner;
      const auto& spring = std::get<model::SpringDamper>(strut->data);
      EXPECT_EQ(spring.stiffness, 40e3);
      EXPECT_EQ(spring.damping, 2500.0);
      EXPECT_NEAR(spring.free_length, foot_to_top.norm() + 0.09, kTolerance);
      const Vector3 foot(x + 0.12, 0.9 * y, 0.36);
      EXPECT_LT((world_point(strut->a) - foot - foot_to_top).norm(), kTolerance) << corner;
      EXPECT_LT((world_point(strut->b) - foot).norm(), kTolerance) << corner;
    }
  }
}

// Force on the wheel: -k (x - x₀ - 16.5 mm along z) - c v, in world axes.
// S1-22: tires are springs with dampers, also along x and y.
TEST_P(Cars, HaveTheTiresOfThePrototype) {
  for (const char* corner : {"front_left", "front_right", "rear_left", "rear_right"}) {
    const std::string group = std::string(corner) + ".wheel_group";
    const model::ForceNode* tire = find_element(machine().forces, group + ".tire");
    const model::PartNode* wheel = find_element(machine().parts, group + ".wheel");
    ASSERT_NE(tire, nullptr);
    ASSERT_NE(wheel, nullptr);
    const auto& bushing = std::get<model::Bushing>(tire->data);
    EXPECT_EQ(bushing.stiffness, Vector3(2e4, 2e4, 2e5));
    EXPECT_EQ(bushing.damping, Vector3(500.0, 500.0, 800.0));
    EXPECT_EQ(bushing.rotational_stiffness, Vector3(Vector3::Zero()));
    EXPECT_EQ(bushing.rotational_damping, Vector3(Vector3::Zero()));
    ASSERT_TRUE(tire->a && tire->b);
    EXPECT_FALSE(tire->a->part.is_set());
    EXPECT_EQ(tire->a->X_PF.rotation, Matrix3(Matrix3::Identity()));
    EXPECT_EQ(part_path(machine(), *tire->b), wheel->path);
    EXPECT_LT(tire->b->X_PF.position.norm(), kTolerance);
    const Vector3 unloaded = wheel->X_WP.position + Vector3(0.0, 0.0, 0.0165);
    EXPECT_LT((tire->a->X_PF.position - unloaded).norm(), kTolerance) << corner;
  }
}

// S0-31, S1-23: 1000 N within 0.1 s from 2.5 s on.
TEST_P(Cars, TakeAPassengerAsThePrototype) {
  const model::ForceNode* passenger = find_element(machine().forces, "passenger");
  ASSERT_NE(passenger, nullptr);
  EXPECT_EQ(passenger->direction, Vector3(0.0, 0.0, -1.0));
  EXPECT_FALSE(passenger->axes.part.is_set());
  ASSERT_EQ(passenger->value.symbols.size(), 1u);
  EXPECT_EQ(passenger->value.symbols[0].kind, model::SymbolUse::Kind::time);
  for (const double time : {0.0, 2.5, 2.53, 2.6, 6.0}) {
    const double expected = 1000.0 * std::min(std::max((time - 2.5) / 0.1, 0.0), 1.0);
    // The table divides by 2.6 - 2.5 in doubles, which misses 0.1 by 1e-15 of it.
    EXPECT_NEAR(expression::evaluate(passenger->value.formula, std::array{time}), expected, 1e-10) << time;
  }
}

// Left and right differ in nothing but the sign of y: bit for bit, so that a straight ride stays straight.
TEST_P(Cars, AreSymmetricToTheLastBit) {
  const Matrix3 S = Vector3(1.0, -1.0, 1.0).asDiagonal();
  std::size_t pairs = 0;
  for (const model::PartNode& left : machine().parts) {
    const std::size_t at = left.path.find("_left.");
    if (at == std::string::npos) continue;
    const model::PartNode* right =
        find_element(machine().parts, left.path.substr(0, at) + "_right." + left.path.substr(at + 6));
    ASSERT_NE(right, nullptr) << left.path;
    ++pairs;
    const Pose image = mirrored(left.X_WP, S);
    EXPECT_EQ(right->X_WP.position, image.position) << left.path;
    EXPECT_EQ(right->X_WP.rotation, image.rotation) << left.path;
    EXPECT_EQ(right->mass_properties.inertia, left.mass_properties.mirrored(S).inertia) << left.path;
  }
  EXPECT_EQ(pairs, 8u);
}

INSTANTIATE_TEST_SUITE_P(Both, Cars, ::testing::Values("car/car.yaml", "car/car_redundant.yaml"),
                         [](const auto& one) { return std::string(one.index == 0 ? "car" : "car_redundant"); });

// S0-28: 1.96 rad/s at the shaft.
TEST(SteamEngine, StartsWithTheShaftTurning) {
  const Example example = load_example("steam_engine/steam_engine.yaml");
  const Machine& machine = example.machine;
  const model::JointNode* bearing = find_element(machine.joints, "main_bearing");
  ASSERT_NE(bearing, nullptr);
  ASSERT_EQ(bearing->start.size(), 1u);
  EXPECT_TRUE(bearing->start[0].is_rate);
  EXPECT_EQ(bearing->start[0].value[0], 1.96);
}

}  // namespace
}  // namespace gelenk::prototype_machines_test
