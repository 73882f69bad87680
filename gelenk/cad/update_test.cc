#include "gelenk/cad/update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "gelenk/cad/import.h"
#include "gelenk/cad/step_test_support.h"

namespace gelenk::cad::update_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

const gp_Dir kZ(0, 0, 1);

// A base with two pins, a link on the first pin, and a lever on the second, which the link holds by a third one. mm.
struct Drawing {
  double link_length = 100.0;  // as it is made; the drawing keeps the places of 100 mm
  std::string lever_name = "Lever";
  double far_bore = 4.0;  // of the lever; its pin has this radius
  bool has_cover = false;
};

TopoDS_Shape bar_with_eye(double length) {
  return cut(box(point(-15, -15, 0), point(length + 15, 15, 10)), cylinder(point(0, 0, -1), kZ, 5, 12));
}

std::string step_of(const Drawing& drawing) {
  StepMaker maker;
  const TopoDS_Shape plate = box(point(-40, -40, -20), point(300, 40, -1));
  const TDF_Label base = maker.part(
      "Base", fuse(fuse(plate, cylinder(point(0, 0, -2), kZ, 5, 22)), cylinder(point(200, 0, -2), kZ, 5, 42)));
  const TDF_Label link = maker.part(
      "Link", fuse(bar_with_eye(drawing.link_length), cylinder(point(drawing.link_length, 0, 9), kZ, 4, 25)));
  const TDF_Label lever =
      maker.part(drawing.lever_name, cut(bar_with_eye(100), cylinder(point(100, 0, -1), kZ, drawing.far_bore, 12)));
  const TDF_Label top = maker.assembly("Top");
  if (drawing.has_cover) {
    maker.put(top, maker.part("Cover", box(point(0, 0, 0), point(9, 9, 9))), at(0, 500, 0), "Cover");
  }
  maker.put(top, base, at(0, 0, 1e-9), "Base");
  maker.put(top, link, at(0, 0, 0.5), "Link");
  maker.put(top, lever, at(200, 0, 15, 3.14159265358979323846), drawing.lever_name);
  const std::string path = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".step";
  maker.write(path);
  return path;
}

struct Imported {
  std::string report, model;
  JsonValue json;
};

Imported imported(const Drawing& drawing, const ImportMemory* memory = nullptr) {
  formats::ImportRequest request;
  request.file = step_of(drawing);
  request.folder = "nowhere";
  request.name = "machine";
  const ImportResult result = import_file(
      request, [](std::string_view) {}, memory);
  EXPECT_EQ(result.error, "");
  std::filesystem::remove(request.file);
  Imported made;
  for (const formats::ImportedFile& file : result.files) {
    if (file.path == "machine.cad/import.json") made.report = file.content;
    if (file.path == "machine.cad.yaml") made.model = file.content;
  }
  std::string error;
  std::optional<JsonValue> json = read_json(made.report, error);
  EXPECT_TRUE(json) << error;
  if (json) made.json = *std::move(json);
  return made;
}

Imported updated(const Drawing& drawing, const Imported& before) {
  std::string error;
  const std::optional<ImportMemory> memory = read_memory(before.report, error);
  EXPECT_TRUE(memory) << error;
  return imported(drawing, &*memory);
}

const JsonValue& joint(const Imported& made, const std::string& name) {
  for (const JsonValue& one : made.json.find("joints")->items) {
    if (one.text_or("name", "") == name) return one;
  }
  throw std::invalid_argument("no joint " + name);
}

std::vector<double> place(const Imported& made, const std::string& part, const std::string& frame) {
  for (const JsonValue& one : made.json.find("frames")->items) {
    if (one.text_or("part", "") != part || one.text_or("name", "") != frame) continue;
    std::vector<double> numbers;
    for (const JsonValue& item : one.find("at")->items) numbers.push_back(item.number);
    return numbers;
  }
  throw std::invalid_argument("no frame " + part + "." + frame);
}

const JsonValue& findings(const Imported& made) { return *made.json.find("update"); }

TEST(Update, TheSameDrawingGivesTheSameModel) {
  const Imported first = imported({});
  EXPECT_THAT(joint(first, "base_link").texts("frames"), ElementsAre("axis_1", "axis_1"));
  EXPECT_THAT(joint(first, "link_lever").texts("frames"), ElementsAre("axis_2", "axis_2"));
  const Imported again = updated({}, first);
  EXPECT_EQ(again.model, first.model);
  EXPECT_THAT(findings(again).texts("doubts"), IsEmpty());
  EXPECT_THAT(findings(again).texts("keptJoints"), IsEmpty());
}

TEST(Update, FramesKeepTheirNamesWhenPartsComeInAnotherOrder) {
  const Imported first = imported({});
  const Imported second = updated({.has_cover = true}, first);
  for (const char* name : {"base_link", "base_lever", "link_lever"}) {
    EXPECT_EQ(joint(second, name).texts("frames"), joint(first, name).texts("frames")) << name;
  }
  EXPECT_THAT(second.json.texts("held"), ElementsAre("cover"));
}

TEST(Update, AJointThatIsNoLongerDrawnTogetherIsKeptOnItsSurfaces) {
  const Imported first = imported({});
  const Imported second = updated({.link_length = 117.0}, first);
  EXPECT_THAT(findings(second).texts("keptJoints"), ElementsAre("link_lever"));
  const JsonValue& kept = joint(second, "link_lever");
  EXPECT_EQ(kept.text_or("type", ""), joint(first, "link_lever").text_or("type", ""));
  EXPECT_EQ(kept.text_or("certainty", ""), "guess");
  const std::vector<double> before = place(first, "link", "axis_2"), after = place(second, "link", "axis_2");
  EXPECT_NEAR(after[0] - before[0], 0.017, 1e-9);
  EXPECT_NEAR(after[1], before[1], 1e-9);
  EXPECT_EQ(place(second, "lever", "axis_2"), place(first, "lever", "axis_2"));
}

TEST(Update, ARenamedPartIsRecognised) {
  const Imported first = imported({});
  const Imported second = updated({.lever_name = "Rocker"}, first);
  const JsonValue& renamed = *findings(second).find("renamed");
  ASSERT_EQ(renamed.items.size(), 1u);
  EXPECT_EQ(renamed.items[0].text_or("from", ""), "lever");
  EXPECT_EQ(renamed.items[0].text_or("to", ""), "rocker");
  EXPECT_EQ(joint(second, "link_rocker").texts("frames"), joint(first, "link_lever").texts("frames"));
}

TEST(Update, ABoreThatGrewAndHoldsThePinNoLongerIsFoundAgain) {
  const Imported first = imported({});
  const Imported second = updated({.far_bore = 9.0}, first);
  EXPECT_THAT(findings(second).texts("keptJoints"), ElementsAre("link_lever"));
  EXPECT_EQ(place(second, "lever", "axis_2"), place(first, "lever", "axis_2"));
}

TEST(Update, AFrameWhoseSurfaceIsGoneStaysWhereItWasAndIsTold) {
  const Imported first = imported({});
  std::string error;
  ImportMemory memory = *read_memory(first.report, error);
  memory.joints.clear();  // then somebody else uses the frames
  for (ImportMemory::Frame& frame : memory.frames) {
    if (frame.part == "lever") frame.anchor->direction = Vector3::UnitX();
  }
  const Imported second = imported({}, &memory);
  EXPECT_THAT(findings(second).texts("doubts"),
              ElementsAre(HasSubstr("frame lever.axis_1 was not found again"), HasSubstr("frame lever.axis_2")));
  EXPECT_EQ(place(second, "lever", "axis_2"), place(first, "lever", "axis_2"));
}

}  // namespace
}  // namespace gelenk::cad::update_test
