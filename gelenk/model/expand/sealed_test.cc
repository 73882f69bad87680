#include "gelenk/model/expand/sealed.h"

#include <gmock/gmock.h>

#include "gelenk/model/expand/code.h"
#include "gelenk/model/expand/formulas_test_support.h"

namespace gelenk::model::expanding::sealed_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A component of one parameter and one port. Its drawing is as far away as the parameter says.
struct Sealed : Stage {
  explicit Sealed(const DrawSealed& draw)
      : Stage({{"machine", "{gelenk: 1, assemblies: {drive: {use: motor, at: [0, 0, 1], set: {l: 3 m}}}}"},
               {"motor", "{parameters: {l: 1 m}, ports: {shaft: rotor}}"}},
              ExpandOptions{.settings = {}, .draw_sealed = draw}) {
    text.model.definitions.back().sealed = "motor.gcomp";
    stand();
  }
};

SealedDrawing drawn(const SealedNode& component) {
  return {{Pose{Matrix3::Identity(), Vector3(component.parameters.front(), 0.0, 0.0)}},
          {{"loss", {}}},
          {{"speed", Dimension(0, 0, -1)}},
          ""};
}

TEST(Sealed, PortsAreWhereTheComponentDrawsThem) {
  Sealed stage(drawn);
  ASSERT_EQ(stage.machine.sealed.size(), 1U);
  const SealedNode& node = stage.machine.sealed.front();
  EXPECT_THAT(node.parameters, ElementsAre(3.0));
  EXPECT_EQ(node.standing.X_WA.position, Vector3(0.0, 0.0, 1.0));
  const auto shaft = stage.places.resolve_frame("drive.shaft", stage.root(), {});
  ASSERT_TRUE(shaft.has_value());
  EXPECT_TRUE(shaft->sealed.is_set());
  EXPECT_EQ(shaft->X_AF.position, Vector3(3.0, 0.0, 1.0));
  EXPECT_EQ(sealed_of(stage.instances()[1], stage.machine.sealed), &node);
  EXPECT_EQ(sealed_of(stage.root(), stage.machine.sealed), nullptr);
  EXPECT_THAT(stage.messages(), IsEmpty());
}

TEST(Sealed, OnlySignalsCanBeRead) {
  Sealed stage(drawn);
  const Instance& drive = stage.instances()[1];
  const auto speed = sealed_signal(drive, "speed", {}, stage.machine.sealed, stage.diagnostics());
  ASSERT_TRUE(speed.has_value());
  EXPECT_EQ(speed->dimension, Dimension(0, 0, -1));
  EXPECT_FALSE(sealed_signal(drive, "loss", {}, stage.machine.sealed, stage.diagnostics()).has_value());
  EXPECT_EQ(stage.diagnostics().all().front().code, Code::reads_too_early);
}

TEST(Sealed, ComponentsThatCannotBeDrawn) {
  EXPECT_THAT(Sealed({}).messages(), ElementsAre("drive: it cannot be opened here"));
  EXPECT_THAT(Sealed([](const SealedNode&) { return SealedDrawing{}; }).messages(),
              ElementsAre("drive: its ports differ from those it describes"));
}

TEST(CodeSection, DeclaredThenBound) {
  Formulas formulas(
      hinged("code: {frames: {f: arm.tip}, states: {s: 2 A}, parameters: {p: =2*k}, inputs: {u: =hinge.angle}, "
             "outputs: {o: N}}"));
  std::vector<CodeNode> codes =
      declared_codes(formulas.text.model, formulas.instances(), formulas.numbers, formulas.diagnostics());
  ASSERT_EQ(codes.size(), 1U);
  bind_codes(formulas.instances(), formulas.places, formulas.signals, codes, formulas.diagnostics());
  const CodeNode* const code = &codes.front();
  EXPECT_EQ(code->path, "code");
  EXPECT_THAT(formulas.messages(), IsEmpty());
  EXPECT_THAT(code->parameters, ElementsAre(6.0));
  ASSERT_EQ(code->states.size(), 1U);
  EXPECT_EQ(code->states.front().start, 2.0);
  ASSERT_EQ(code->frames.size(), 1U);
  EXPECT_EQ(code->frames.front().X_PF.position, Vector3(1.0, 0.0, 0.0));
  EXPECT_EQ(code->inputs.size(), 1U);
  EXPECT_EQ(code->outputs.size(), 1U);
}

TEST(CodeSection, OfEveryAssembly) {
  Stage stage({{"machine", "{gelenk: 1, code: {source: a.c}, assemblies: {x: {use: leaf}, y: {use: leaf}}}"},
               {"leaf", "{code: {source: b.c, states: {s: 2 A}}}"}});
  stage.build_tree();
  const std::vector<CodeNode> codes =
      declared_codes(stage.text.model, stage.instances(), stage.numbers, stage.diagnostics());
  ASSERT_EQ(codes.size(), 3U);
  EXPECT_EQ(codes[0].path, "code");
  EXPECT_EQ(codes[1].path, "x.code");
  EXPECT_EQ(codes[2].path, "y.code");
  EXPECT_EQ(codes[2].source, "b.c");
  EXPECT_EQ(codes[2].states.size(), 1U);
  EXPECT_THAT(stage.messages(), IsEmpty());
}

}  // namespace
}  // namespace gelenk::model::expanding::sealed_test
