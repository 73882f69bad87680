#include "gelenk/formats/step_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "gelenk/formats/memory_files_test_support.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/model/expand.h"

namespace gelenk::formats::step_tree_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kRounding = 1e-12;

// As `gelenk import` writes it: an engine with a rigid group, used by a test bench with a mirrored copy of it.
const std::map<std::string, std::string> kFiles{{"/m/bench.yaml", R"(
gelenk: 1
name: bench
assemblies:
  left: {use: engine/engine.yaml, at: [0, 1, 0]}
  right: {mirror_of: left, plane: xz}
parts:
  table: {mass: 5, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 2], shape: {box: {size: [1, 2, 3]}}}
  ghost: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
ground: {shape: {sphere: {radius: 0.1}}}
)"},
                                                {"/m/engine/engine.yaml", "gelenk: 1\nuse: engine.cad.yaml\n"},
                                                {"/m/engine/engine.cad.yaml", R"(
gelenk: 1
parts:
  rod: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}, at: [0.1, 0.2, 0.3],
        meta: {product: Connecting Rod, color: "#ff8000", shape: engine.cad/rod_2.glb}}
assemblies:
  group: {use: engine.cad/group.yaml, at: [1, 0, 0]}
meta: {product: Engine, source: cad/engine.step}
)"},
                                                {"/m/engine/engine.cad/group.yaml", R"(
gelenk: 1
parts:
  pin: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 0.5], meta: {product: Pin, shape: pin.glb}}
  disk: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 0.7], meta: {product: Disk, shape: disk.glb}}
meta: {product: Group}
)"}};

class StepTreeOfBench : public testing::Test {
 protected:
  StepTreeOfBench() {
    Diagnostics diagnostics;
    loaded_ = load_model("/m/bench.yaml", reading_from(kFiles), diagnostics);
    if (!diagnostics.has_errors()) machine_ = model::expand(loaded_.model, {}, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) ADD_FAILURE() << diagnostic.message;
    for (const model::PartNode& part : machine_.parts) poses_.push_back(part.X_WP);
  }

  StepTree tree(const std::string& existing) {
    return step_tree(machine_, loaded_.model, poses_, [&](const std::string& path) { return path == existing; });
  }
  static const StepNode& find(const StepNode& node, const std::string& name) {
    for (const StepNode& child : node.children) {
      if (child.name == name) return child;
    }
    throw std::invalid_argument("no node " + name);
  }
  Pose& pose(const std::string& path) {
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      if (machine_.parts[i].path == path) return poses_[i];
    }
    throw std::invalid_argument("no part " + path);
  }

  LoadedModel loaded_;
  model::Machine machine_;
  std::vector<Pose> poses_;
};

TEST_F(StepTreeOfBench, KeepsTheTreeAndFindsTheSource) {
  const StepTree made = tree("/m/engine/../engine.step");
  EXPECT_EQ(made.root.name, "bench");
  EXPECT_THAT(made.sources, ElementsAre("/m/engine/../engine.step"));
  EXPECT_THAT(made.notes, ElementsAre("left out: 'ghost' has no shape"));
  const StepNode &table = find(made.root, "table"), &left = find(made.root, "left"), &rod = find(left, "rod");
  EXPECT_EQ(table.shape->solids.size(), 1U);
  EXPECT_EQ(table.shape->mass, 5.0);
  EXPECT_EQ(rod.shape->part, "rod_2");
  EXPECT_EQ(rod.product, "Connecting Rod");
  EXPECT_THAT(*rod.shape->color, ElementsAre(1.0, testing::DoubleNear(128.0 / 255.0, 1e-15), 0.0));
  EXPECT_LT((rod.X_ON.position - Vector3(0.1, 0.2, 0.3)).norm(), kRounding);
  EXPECT_LT((left.X_ON.position - Vector3(0, 1, 0)).norm(), kRounding);
  const StepNode& pin = find(find(left, "group"), "pin");
  EXPECT_EQ(pin.shape->part, "pin");
  EXPECT_EQ(find(made.root, "ground").shape->solids.size(), 1U);
}

TEST_F(StepTreeOfBench, MirroredPartsSaySo) {
  const StepTree made = tree("cad/engine.step");
  EXPECT_TRUE(find(find(made.root, "left"), "rod").shape->mirror.isIdentity(0.0));
  EXPECT_NEAR(find(find(made.root, "right"), "rod").shape->mirror.determinant(), -1.0, kRounding);
}

TEST_F(StepTreeOfBench, RigidGroupsMoveAsAWhole) {
  const Pose motion{*rotation_from_axis_angle({1, 1, 0}, 0.3), {5, 6, 7}};
  for (const char* name : {"left.group.pin", "left.group.disk"}) pose(name) = motion * pose(name);
  const StepTree made = tree("cad/engine.step");
  const StepNode &left = find(made.root, "left"), &group = find(left, "group");
  EXPECT_LT((find(group, "disk").X_ON.position - Vector3(0, 0, 0.7)).norm(), kRounding);
  const Pose X_WD = left.X_ON * group.X_ON * find(group, "disk").X_ON;
  EXPECT_LT((X_WD.position - pose("left.group.disk").position).norm(), kRounding);
  EXPECT_LT((X_WD.rotation - pose("left.group.disk").rotation).norm(), kRounding);
}

TEST_F(StepTreeOfBench, ASourceThatIsGoneIsTold) {
  const StepTree made = tree("");
  EXPECT_THAT(made.sources, IsEmpty());
  ASSERT_EQ(made.notes.size(), 7U);
  EXPECT_THAT(made.notes.back(), HasSubstr("is drawn in 'cad/engine.step', which is missing"));
}

}  // namespace
}  // namespace gelenk::formats::step_tree_test
