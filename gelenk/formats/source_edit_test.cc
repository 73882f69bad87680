#include "gelenk/formats/source_edit.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "gelenk/formats/memory_files_test_support.h"

namespace gelenk::formats {
namespace {

using Words = std::vector<std::string>;

// Odd blanks, comments everywhere, block and flow, quotes of both kinds: all of it must survive.
constexpr std::string_view kCrank = R"(# A crank, by hand.
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
)";

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
  expect_edit(kCrank, {"set", "crank.pin.at=[=max(length, 1 mm), 0, 0]"}, crank().substr(0, 0) +
              with(crank(), "[=length, 0, 0]", "[\"=max(length, 1 mm)\", 0, 0]"));
  expect_edit(kCrank, {"set", "parts.crank", "shape.cylinder.radius=12 mm"}, with(crank(), "10 mm", "12 mm"));
  expect_edit(kCrank, {"set", "outputs.x=crank.position.z"}, with(crank(), "x:   crank.position.x", "x:   crank.position.z"));
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
  expect_edit(kCrank, {"set", "bearing", "type=spherical", "axis=", "start="},
              with(with(with(with(crank(), "drivers: {motor: {drives: bearing.angle, rate: \"=speed * (1 + 0*crank.position.x/length)\"}}", "drivers: {}"), "  t: motor.torque\n", ""), "bearing: {type: revolute, between: [ground, crank], axis: z, start: {angle: 30 deg}}", "bearing: {type: spherical, between: [ground, crank]}"), "", "").empty() ? "" : "");
}

}  // namespace
}  // namespace gelenk::formats
