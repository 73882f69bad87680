#include "gelenk/formats/source_edit.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "gelenk/base/private_folder.h"
#include "gelenk/formats/memory_files_test_support.h"

namespace gelenk::formats::source_edit_test {
namespace {

using Words = std::vector<std::string>;

// Odd blanks, comments everywhere, block and flow, quotes of both kinds: all of it must survive.
constexpr std::string_view kCrank = R"yaml(# A crank, by hand.
gelenk: 1
name:   crank      # odd   blanks
parameters:
  length:  {value: 50 mm, min: 20 mm,   max: 80 mm}   # main bearing to pin
  speed: 600 rpm        # fast

parts:
  # the crank itself
  crank:
    material: steel
    shape: {cylinder: {radius: 10 mm, from: [0, 0, 0], to: pin}}
    frames: { pin: {at: [=length, 0, 0]} }   # at the end

  rod:
      at: 'crank.pin'
      mass: 1 kg
      inertia: {xx: 1e-4, yy: 1e-4, zz: 1e-4}
      frames: {end: [150 mm, 0, 0]}
joints:
  bearing: {type: revolute, between: [ground, crank], axis: z, start: {angle: 30 deg}}
  crank_pin:    {type: revolute,
                 between: ["crank.pin", rod], axis: z}   # two lines
drivers: {motor: {drives: bearing.angle, rate: "=speed * (1 + 0*crank.position.x/length)"}}
outputs:
  x:   crank.position.x
  y: "=crank.position.y + 2*crank.position.y"  # twice
  t: motor.torque
)yaml";

std::string windows(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') result += '\r';
    result += c;
  }
  return result;
}

// `text` with one piece replaced; the piece must be there exactly once.
std::string with(std::string text, const std::string& old_piece, const std::string& new_piece) {
  const std::size_t at = text.find(old_piece);
  EXPECT_NE(at, std::string::npos) << old_piece;
  EXPECT_EQ(text.find(old_piece, at + 1), std::string::npos) << old_piece;
  return at == std::string::npos ? text : text.replace(at, old_piece.size(), new_piece);
}

std::string printed(const Diagnostics& diagnostics, const SourceMap& sources) {
  std::string result;
  for (const Diagnostic& d : diagnostics.all()) {
    result += sources.describe(d.where) + " " + code_label(d.code) + " " + d.message + " (" + d.hint + ")\n";
    for (const DiagnosticNote& note : d.notes) result += "  " + sources.describe(note.where) + " " + note.text + "\n";
  }
  return result;
}

struct Outcome {
  bool ok = false;
  MemoryFiles files;     // after the edit
  std::string messages;  // what was said
};

Outcome edit(const MemoryFiles& files, const std::string& path, const Words& words) {
  Outcome outcome{false, files, ""};
  Diagnostics diagnostics;
  const std::optional<EditCommand> command = parse_edit_command(words, diagnostics);
  if (!command) {
    outcome.messages = printed(diagnostics, SourceMap{});
    return outcome;
  }
  const EditResult result = plan_edit(path, *command, reading_from(files), diagnostics);
  outcome.ok = result.ok;
  outcome.messages = printed(diagnostics, result.sources);
  EXPECT_EQ(result.ok, !diagnostics.has_errors()) << outcome.messages;
  EXPECT_TRUE(result.ok || result.files.empty());
  for (const ChangedFile& file : result.files) {
    EXPECT_EQ(file.old_text, files.at(file.path));
    EXPECT_NE(file.old_text, file.new_text);
    outcome.files[file.path] = file.new_text;
  }
  return outcome;
}

// The edit of one file gives exactly this, with both kinds of line ends.
void expect_edit(std::string_view text, const Words& words, const std::string& expected) {
  for (const bool crlf : {false, true}) {
    SCOPED_TRACE(words[0] + " " + words[1] + (crlf ? " CRLF" : ""));
    const std::string source = crlf ? windows(std::string(text)) : std::string(text);
    const Outcome outcome = edit({{"m.yaml", source}}, "m.yaml", words);
    EXPECT_TRUE(outcome.ok) << outcome.messages;
    EXPECT_EQ(outcome.files.at("m.yaml"), crlf ? windows(expected) : expected);
  }
}

std::string refusal(const MemoryFiles& files, const Words& words) {
  const Outcome outcome = edit(files, "m.yaml", words);
  EXPECT_FALSE(outcome.ok);
  EXPECT_EQ(outcome.files, files);
  return outcome.messages;
}

std::string refusal(const Words& words) { return refusal({{"m.yaml", std::string(kCrank)}}, words); }

const std::string& crank() {
  static const std::string text(kCrank);
  return text;
}

TEST(SourceEditTest, SetReplacesAValueInPlace) {
  expect_edit(kCrank, {"set", "joints.bearing", "axis=-y"}, with(crank(), "crank], axis: z", "crank], axis: -y"));
  expect_edit(kCrank, {"set", "bearing", "start.angle=45 deg"}, with(crank(), "30 deg", "45 deg"));
  expect_edit(kCrank, {"set", "bearing.start.angle=45 deg"}, with(crank(), "30 deg", "45 deg"));
  expect_edit(kCrank, {"set", "parts.crank.frames.pin", "at=[=2*length, 0, 0]"},
              with(crank(), "[=length, 0, 0]", "[=2*length, 0, 0]"));
  expect_edit(kCrank, {"set", "crank.pin.at=['=max(length, 1 mm)', 0, 0]"},
              with(crank(), "[=length, 0, 0]", "[\"=max(length, 1 mm)\", 0, 0]"));
  expect_edit(kCrank, {"set", "parts.crank", "shape.cylinder.radius=12 mm"}, with(crank(), "10 mm", "12 mm"));
  expect_edit(kCrank, {"set", "outputs.x=crank.position.z"},
              with(crank(), "x:   crank.position.x", "x:   crank.position.z"));
  expect_edit(kCrank, {"set", "name=other"}, with(crank(), "name:   crank ", "name:   other "));
}

TEST(SourceEditTest, SetReachesShorthandsInBothForms) {
  expect_edit(kCrank, {"set", "parameters.speed=900 rpm"}, with(crank(), "600 rpm", "900 rpm"));
  expect_edit(kCrank, {"set", "parameters.speed", "value=900 rpm"}, with(crank(), "600 rpm", "900 rpm"));
  expect_edit(kCrank, {"set", "parameters.length=60 mm"}, with(crank(), "value: 50 mm", "value: 60 mm"));
  expect_edit(kCrank, {"set", "parameters.speed", "doc=of the crank", "value=900 rpm"},
              with(crank(), "speed: 600 rpm", "speed: {value: 900 rpm, doc: of the crank}"));
}

TEST(SourceEditTest, SetAddsAndTakesKeysAway) {
  expect_edit(kCrank, {"set", "crank_pin", "note=oil, weekly", "start.angle=5 deg"},
              with(crank(), "rod], axis: z}", "rod], axis: z, note: \"oil, weekly\", start: {angle: 5 deg}}"));
  expect_edit(kCrank, {"set", "parts.rod", "center_of_mass=[1 mm, 0, 0]"},
              with(crank(), "      frames: {end: [150 mm, 0, 0]}\n",
                   "      frames: {end: [150 mm, 0, 0]}\n      center_of_mass: [1 mm, 0, 0]\n"));
  expect_edit(
      "gelenk: 1\nparts: {p: {mass: 1}}\njoints:\n  j:\n    type: revolute  # free\n    axis: z\n"
      "    between: [ground, p]\n",
      {"set", "j", "type=spherical", "axis="},
      "gelenk: 1\nparts: {p: {mass: 1}}\njoints:\n  j:\n    type: spherical  # free\n"
      "    between: [ground, p]\n");
  expect_edit(kCrank, {"set", "simulation", "duration=2 s"}, crank() + "simulation:\n  duration: 2 s\n");
}

TEST(SourceEditTest, AddAppendsToItsSection) {
  expect_edit(
      kCrank, {"add", "joints.bore", "type=prismatic", "between=[ground, rod]", "axis=x"},
      with(crank(), "# two lines\n", "# two lines\n  bore: {type: prismatic, between: [ground, rod], axis: x}\n"));
  expect_edit(kCrank, {"add", "parameters.gas=2 kN"}, with(crank(), "# fast\n", "# fast\n  gas: 2 kN\n"));
  expect_edit(kCrank, {"add", "parts.crank.frames.tip", "at=[0, 0, 1 mm]"},
              with(crank(), "[=length, 0, 0]} }", "[=length, 0, 0]}, tip: {at: [0, 0, 1 mm]} }"));
  expect_edit(kCrank, {"add", "drivers.brake", "drives=crank_pin.angle", "rate=0"},
              with(crank(), "/length)\"}}", "/length)\"}, brake: {drives: crank_pin.angle, rate: 0}}"));
}

TEST(SourceEditTest, AddMakesMissingSections) {
  expect_edit(kCrank, {"add", "forces.push", "type=force", "applied_to=rod", "along=x", "value=5 N"},
              crank() + "forces:\n  push: {type: force, applied_to: rod, along: x, value: 5 N}\n");
  expect_edit(kCrank, {"add", "ground.frames.post=[0, 0, 1]"}, crank() + "ground: {frames: {post: [0, 0, 1]}}\n");
  expect_edit(kCrank, {"add", "definitions.side", "parts.arm.mass=1 kg"},
              crank() + "definitions:\n  side: {parts: {arm: {mass: 1 kg}}}\n");
  expect_edit("{gelenk: 1, parts: {p: {mass: 1 kg}}}\n", {"add", "outputs.x=p.position.x"},
              "{gelenk: 1, parts: {p: {mass: 1 kg}}, outputs: {x: p.position.x}}\n");
}

TEST(SourceEditTest, RemoveTakesOnlyTheEntry) {
  expect_edit(kCrank, {"remove", "outputs.x"}, with(crank(), "  x:   crank.position.x\n", ""));
  expect_edit(kCrank, {"remove", "crank_pin"},
              with(crank(),
                   "  crank_pin:    {type: revolute,\n                 between: [\"crank.pin\", rod], axis: z}"
                   "   # two lines\n",
                   ""));
  expect_edit(kCrank, {"remove", "bearing.start"}, with(crank(), ", start: {angle: 30 deg}", ""));
  expect_edit(kCrank, {"remove", "parameters.length.max"}, with(crank(), ",   max: 80 mm", ""));
  expect_edit(kCrank, {"remove", "rod.end"}, with(crank(), "{end: [150 mm, 0, 0]}", "{}"));
}

TEST(SourceEditTest, RenameReachesEveryUseAndNothingElse) {
  std::string renamed = crank();
  for (const std::string use : {"  crank:\n", "'crank.pin'", "[ground, crank]", "\"crank.pin\"", "0*crank.position.x",
                                "   crank.position.x\n", "=crank.position.y +", "2*crank.position.y"}) {
    std::string after = use;
    after.replace(after.find("crank"), 5, "shaft");
    renamed = with(renamed, use, after);
  }
  expect_edit(kCrank, {"rename", "parts.crank", "shaft"}, renamed);
}

TEST(SourceEditTest, RenameOfFramesParametersAndJoints) {
  expect_edit(kCrank, {"rename", "crank.pin", "eye"},
              with(with(with(with(crank(), "to: pin}", "to: eye}"), "{ pin:", "{ eye:"), "'crank.pin'", "'crank.eye'"),
                   "\"crank.pin\"", "\"crank.eye\""));
  expect_edit(kCrank, {"rename", "parameters.length", "r"},
              with(with(with(crank(), "  length:  {", "  r:  {"), "[=length,", "[=r,"), "/length)", "/r)"));
  expect_edit(kCrank, {"rename", "bearing", "main"},
              with(with(crank(), "  bearing:", "  main:"), "bearing.angle", "main.angle"));
  expect_edit(kCrank, {"rename", "motor", "engine"},
              with(with(crank(), "{motor:", "{engine:"), "motor.torque", "engine.torque"));
}

// Escapes and line breaks hide where the name stands: such a text is written anew, on one line.
TEST(SourceEditTest, RenameInsideEscapedAndFoldedTexts) {
  const std::string head = "gelenk: 1\nparts: {arm: {mass: 1}}\noutputs:\n";
  const std::string head_after = "gelenk: 1\nparts: {leg: {mass: 1}}\noutputs:\n";
  expect_edit(head + "  a: \"=\\u0061rm.position.x + arm.position.y\"  # escaped\n", {"rename", "arm", "leg"},
              head_after + "  a: \"=leg.position.x + leg.position.y\"  # escaped\n");
  expect_edit(head + "  a: >-\n    =arm.position.x\n    + arm.position.y\n  b: arm.velocity.x\n",
              {"rename", "arm", "leg"},
              head_after + "  a: \"=leg.position.x + leg.position.y\"\n  b: leg.velocity.x\n");
}

constexpr std::string_view kCar = R"yaml(gelenk: 1
use: base.yaml            # what the importer wrote
modify:
  joints.hinge: {axis: y} # by hand
  parts.door: {frames: {knob: [0, 0, 2]}}
definitions:
  wheel: {parameters: {k: 1}, ports: {hub: rim}, parts: {rim: {mass: 1}}}
assemblies:
  left: {use: corner.yaml, attach: {top: {type: fixed, to: door}}, set: {k: 5}}
  right: {mirror_of: left, plane: xz}
  soft: {use: "corner.yaml", modify: {parameters.k: 2, parts.arm: {mass: 3}}}
  one: {use: wheel}
  two: {use: wheel, at: one.hub, modify: {parts.rim: {mass: 2}}, set: {k: 3}}
outputs: {a: left.arm.position.x, b: =soft.arm.position.x + two.rim.position.x, c: left.top.reaction.force.x}
)yaml";
constexpr std::string_view kBase = R"yaml(gelenk: 1
parts: {door: {mass: 1, frames: {knob: [0, 0, 1]}}}   # generated
joints: {hinge: {type: revolute, between: [ground, door], axis: z}}
)yaml";
constexpr std::string_view kCorner = R"yaml(gelenk: 1
parameters: {k: 1}
ports: {top: arm}
parts: {arm: {mass: 1}} # used twice
)yaml";

MemoryFiles car() {
  return {{"m.yaml", std::string(kCar)}, {"base.yaml", std::string(kBase)}, {"corner.yaml", std::string(kCorner)}};
}

void expect_car_edit(const Words& words, const MemoryFiles& changed) {
  SCOPED_TRACE(words[0] + " " + words[1]);
  const Outcome outcome = edit(car(), "m.yaml", words);
  EXPECT_TRUE(outcome.ok) << outcome.messages;
  MemoryFiles expected = car();
  for (const auto& [path, text] : changed) expected[path] = text;
  for (const auto& [path, text] : expected) EXPECT_EQ(outcome.files.at(path), text) << path;
}

TEST(SourceEditTest, EditsWhereTheThingStands) {
  const std::string top(kCar);
  // In the file that is used ...
  expect_car_edit({"set", "joints.hinge", "note=stiff"},
                  {{"base.yaml", with(std::string(kBase), "axis: z}", "axis: z, note: stiff}")}});
  // ... but what `modify` says is changed there.
  expect_car_edit({"set", "joints.hinge", "axis=x"}, {{"m.yaml", with(top, "{axis: y}", "{axis: x}")}});
  // New things go into the user's own file.
  expect_car_edit({"add", "joints.lock", "type=fixed", "between=[ground, door]"},
                  {{"m.yaml", top + "joints:\n  lock: {type: fixed, between: [ground, door]}\n"}});
  expect_car_edit({"set", "definitions.corner.parts.arm", "mass=2"},
                  {{"corner.yaml", with(std::string(kCorner), "mass: 1", "mass: 2")}});
  expect_car_edit({"set", "definitions.wheel.parameters.k=2"},
                  {{"m.yaml", with(top, "parameters: {k: 1}", "parameters: {k: 2}")}});
}

TEST(SourceEditTest, RenameAcrossFilesAndCopies) {
  const std::string top(kCar);
  expect_car_edit({"rename", "definitions.corner.parts.arm", "lever"},
                  {{"corner.yaml", with(with(std::string(kCorner), "top: arm", "top: lever"), "{arm:", "{lever:")},
                   {"m.yaml", with(with(with(top, "parts.arm:", "parts.lever:"), "left.arm.", "left.lever."),
                                   "soft.arm.", "soft.lever.")}});
  expect_car_edit({"rename", "definitions.corner.ports.top", "eye"},
                  {{"corner.yaml", with(std::string(kCorner), "{top:", "{eye:")},
                   {"m.yaml", with(with(top, "{top:", "{eye:"), "left.top.", "left.eye.")}});
  expect_car_edit({"rename", "definitions.corner.parameters.k", "rate_k"},
                  {{"corner.yaml", with(std::string(kCorner), "{k: 1}", "{rate_k: 1}")},
                   {"m.yaml", with(with(top, "{k: 5}", "{rate_k: 5}"), "parameters.k:", "parameters.rate_k:")}});
  expect_car_edit({"rename", "definitions.wheel", "disc"},
                  {{"m.yaml", with(with(with(top, "  wheel:", "  disc:"), "one: {use: wheel}", "one: {use: disc}"),
                                   "two: {use: wheel", "two: {use: disc")}});
  expect_car_edit(
      {"rename", "definitions.wheel.parts.rim", "ring"},
      {{"m.yaml", with(with(with(with(top, "hub: rim", "hub: ring"), "{rim:", "{ring:"), "parts.rim:", "parts.ring:"),
                       "two.rim.", "two.ring.")}});
  expect_car_edit({"rename", "assemblies.left", "front"},
                  {{"m.yaml", with(with(with(with(top, "  left:", "  front:"), "mirror_of: left", "mirror_of: front"),
                                        "left.arm.", "front.arm."),
                                   "left.top.", "front.top.")}});
  expect_car_edit({"rename", "parts.door", "gate"},
                  {{"base.yaml", with(with(std::string(kBase), "{door:", "{gate:"), "ground, door", "ground, gate")},
                   {"m.yaml", with(with(top, "parts.door", "parts.gate"), "to: door", "to: gate")}});
}

// `modify` replaced the frame: its key is in two files.
TEST(SourceEditTest, RenameOfWhatModifyReplaces) {
  expect_car_edit({"rename", "parts.door.frames.knob", "grip"},
                  {{"base.yaml", with(std::string(kBase), "{knob:", "{grip:")},
                   {"m.yaml", with(std::string(kCar), "{knob:", "{grip:")}});
  expect_car_edit({"rename", "hinge", "pivot"}, {{"base.yaml", with(std::string(kBase), "{hinge:", "{pivot:")},
                                                 {"m.yaml", with(std::string(kCar), "joints.hinge", "joints.pivot")}});
}

// Two definitions with the same names inside: only one is meant, also by `modify`.
TEST(SourceEditTest, RenameLeavesNamesakesAlone) {
  const std::string text = R"yaml(gelenk: 1
definitions:
  a: {parts: {p: {mass: 1}}}
  b: {parts: {p: {mass: 1}}}
assemblies: {x: {use: a}, y: {use: b, modify: {parts.p: {mass: 2}}}}
outputs: {x_p: x.p.position.x, y_p: y.p.position.x}
)yaml";
  expect_edit(text, {"rename", "definitions.a.parts.p", "q"},
              with(with(text, "a: {parts: {p:", "a: {parts: {q:"), "x.p.", "x.q."));
  expect_edit(text, {"rename", "definitions.b.parts.p", "q"},
              with(with(with(text, "b: {parts: {p:", "b: {parts: {q:"), "y.p.", "y.q."), "parts.p:", "parts.q:"));
}

TEST(SourceEditTest, JsonStaysJson) {
  const std::string json = "{\n  \"gelenk\": 1,\n  \"parts\": {\"p\": {\"mass\": 1}}\n}\n";
  const auto edited = [&](const Words& words) {
    const Outcome outcome = edit({{"m.json", json}}, "m.json", words);
    EXPECT_TRUE(outcome.ok) << outcome.messages;
    return outcome.files.at("m.json");
  };
  EXPECT_EQ(edited({"add", "joints.j", "type=fixed", "between=[ground, p]"}),
            "{\n  \"gelenk\": 1,\n  \"parts\": {\"p\": {\"mass\": 1}},\n"
            "  \"joints\": {\"j\": {\"type\": \"fixed\", \"between\": [\"ground\", \"p\"]}}\n}\n");
  EXPECT_EQ(edited({"set", "p.mass=2.5"}), with(json, "\"mass\": 1", "\"mass\": 2.5"));
  EXPECT_EQ(edited({"rename", "p", "q"}), with(json, "\"p\"", "\"q\""));
}

TEST(SourceEditTest, RemoveOfSomethingInUseIsRefused) {
  const std::string said = refusal({"remove", "parts.rod"});
  EXPECT_EQ(said,
            " GK1503 'parts.rod' is still used in 1 place (remove or change what uses it first)\n"
            "  m.yaml:23:41 used by 'joints.crank_pin'\n");
  EXPECT_NE(refusal({"remove", "crank"}).find("is still used in 6 places"), std::string::npos);
  EXPECT_NE(refusal({"remove", "crank.pin"}).find("GK1503"), std::string::npos);
  EXPECT_NE(refusal({"remove", "joints"}).find("GK1504 nothing was changed"), std::string::npos);
  EXPECT_NE(refusal(car(), {"remove", "definitions.wheel"}).find("used by 'assemblies.one'"), std::string::npos);
  EXPECT_NE(refusal(car(), {"remove", "definitions.corner"}).find("GK1504"), std::string::npos);
}

TEST(SourceEditTest, UnknownPathsAreAnsweredWithANearOne) {
  EXPECT_EQ(refusal({"set", "joints.crank_pim", "axis=x"}),
            " GK1501 there is nothing at 'joints.crank_pim' (did you mean 'joints.crank_pin'?)\n");
  EXPECT_EQ(refusal({"remove", "parts.bearing"}),
            " GK1501 there is nothing at 'parts.bearing' (did you mean 'joints.bearing'?)\n");
  EXPECT_NE(refusal({"remove", "bearing.limits"}).find("GK1501"), std::string::npos);
  EXPECT_NE(refusal({"rename", "wheel", "x1"}).find("GK1501"), std::string::npos);
  EXPECT_NE(refusal({"set", "..", "x=1"}).find("GK1501"), std::string::npos);
  EXPECT_NE(refusal(car(), {"set", "assemblies.left.parts.arm", "mass=2"}).find("definitions.corner.parts.arm"),
            std::string::npos);
}

TEST(SourceEditTest, TakenAndImpossibleNamesAreRefused) {
  EXPECT_NE(refusal({"add", "joints.rod", "type=fixed"}).find("GK1502 'parts.rod' already exists"), std::string::npos);
  EXPECT_NE(refusal({"add", "bearing.start", "angle=1"}).find("GK1502"), std::string::npos);
  EXPECT_NE(refusal({"rename", "crank", "motor"}).find("GK1502 'drivers.motor' already exists"), std::string::npos);
  EXPECT_NE(refusal({"rename", "crank", "time"}).find("GK1106"), std::string::npos);
  EXPECT_NE(refusal({"rename", "crank", "a b"}).find("GK1106"), std::string::npos);
  EXPECT_NE(refusal({"rename", "bearing.axis", "axle"}).find("GK1504"), std::string::npos);
  // A name with a hyphen is fine in paths, but formulas take it for a minus.
  EXPECT_NE(refusal({"rename", "crank", "crank-shaft"}).find("GK1504"), std::string::npos);
}

TEST(SourceEditTest, WhatBringsNewErrorsIsRefused) {
  const std::string said = refusal({"set", "joints.bearing", "axis=q"});
  EXPECT_NE(said.find("GK1504 nothing was changed: the model would have 1 new error"), std::string::npos) << said;
  EXPECT_NE(said.find("m.yaml:21:61 GK1103"), std::string::npos) << "the place in the new text: " << said;
  EXPECT_NE(refusal({"set", "bearing", "axiss=x"}).find("GK1101"), std::string::npos);
  EXPECT_NE(refusal({"set", "parameters.length=90 mm"}).find("GK1214"), std::string::npos);
  EXPECT_NE(refusal({"add", "joints.j", "type=fixed", "between=[ground, rodd]"}).find("GK1301"), std::string::npos);
  EXPECT_NE(refusal({"set", "rod.at.position=[0, 0, 0]"}).find("GK1504"), std::string::npos);
  EXPECT_NE(refusal({"set", "bearing", "between=[ground, crank"}).find("GK1504"), std::string::npos);
}

TEST(SourceEditTest, OldErrorsDoNotStandInTheWay) {
  const std::string text = "gelenk: 1\nparts: {p: {mass: 1}}\njoints:\n  j: {type: fixed, between: [ground, q]}\n";
  expect_edit(text, {"set", "p.mass=2"}, with(text, "mass: 1", "mass: 2"));
  expect_edit(text, {"set", "j", "between=[ground, p]"}, with(text, "ground, q", "ground, p"));
}

TEST(SourceEditTest, FilesThatCannotBeReadAreReported) {
  EXPECT_NE(refusal(MemoryFiles{{"other.yaml", ""}}, {"set", "a=1"}).find("GK1001"), std::string::npos);
  EXPECT_NE(refusal(MemoryFiles{{"m.yaml", "gelenk: [1"}}, {"set", "a=1"}).find("GK10"), std::string::npos);
}

// Every odd path and every kind of edit: done, or refused with a reason.
TEST(SourceEditTest, OddPathsAreAnswered) {
  const std::vector<std::string> paths{"",
                                       ".",
                                       "a.",
                                       ".a",
                                       "gelenk",
                                       "name",
                                       "use",
                                       "modify",
                                       "parts",
                                       "parts.",
                                       "parts.crank",
                                       "parts.crank.frames",
                                       "parts.crank.frames.pin",
                                       "parts.crank.shape.cylinder.to",
                                       "parts.crank.shape.0",
                                       "definitions",
                                       "definitions.x",
                                       "definitions.x.parts",
                                       "definitions.wheel",
                                       "definitions.wheel.parts.rim.mass",
                                       "definitions.corner.gelenk",
                                       "ground",
                                       "ground.frames",
                                       "ground.frames.g",
                                       "joints.hinge.between.0",
                                       "joints.hinge.axis.z",
                                       "assemblies.left",
                                       "assemblies.left.attach",
                                       "assemblies.left.attach.top",
                                       "assemblies.left.set.k",
                                       "assemblies.soft.modify",
                                       "outputs.a.value",
                                       "parameters.length.value",
                                       "99",
                                       "crank.pin.at.0",
                                       "\xff",
                                       "simulation.step",
                                       "frames.f"};
  for (const std::string& path : paths) {
    for (const Words& words :
         {Words{"add", path, "note=x"}, Words{"add", path + "=5"}, Words{"set", path, "note=x"},
          Words{"set", path + "=7"}, Words{"set", path + "="}, Words{"remove", path}, Words{"rename", path, "fresh"}}) {
      SCOPED_TRACE(words[0] + " " + words[1]);
      for (const MemoryFiles& files : {car(), MemoryFiles{{"m.yaml", crank()}}}) {
        const Outcome outcome = edit(files, "m.yaml", words);
        EXPECT_EQ(outcome.ok, outcome.messages.empty());
        EXPECT_EQ(outcome.ok, outcome.files != files) << "a good edit changes something, a bad one nothing";
      }
    }
  }
}

// With real files: both are written, and nothing is when the edit is refused.
TEST(SourceEditTest, FilesAreWritten) {
  const PrivateFolder owned;
  const std::filesystem::path folder = owned.path();
  for (const auto& [name, text] : car()) ASSERT_EQ(write_file_atomically((folder / name).string(), text), "");
  const std::string path = (folder / "m.yaml").string();
  const auto run = [&](const Words& words) {
    Diagnostics diagnostics;
    return edit_model(path, *parse_edit_command(words, diagnostics), {}, diagnostics).ok;
  };
  const auto content = [&](const std::string& name) { return *read_file((folder / name).string(), 1u << 20).text; };
  EXPECT_FALSE(run({"set", "parts.door", "mass=-1"}));
  EXPECT_EQ(content("base.yaml"), kBase);
  EXPECT_TRUE(run({"rename", "parts.door", "gate"}));
  EXPECT_NE(content("base.yaml").find("{gate: {mass: 1"), std::string::npos);
  EXPECT_NE(content("m.yaml").find("to: gate"), std::string::npos);
}

}  // namespace
}  // namespace gelenk::formats::source_edit_test
