// Whatever happens to a good file, the program says what is wrong with it: no crash, no hang, no empty message.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/checked_model.h"
#include "tests/support/source_folder.h"

namespace gelenk::test::damaged_models_test {
namespace {

namespace fs = std::filesystem;

const fs::path kExamples = fs::path(test::source_folder()) / "examples";
constexpr std::size_t kPrefixStep = 7;  // bytes; a prime, so that all kinds of places are cut
constexpr int kMutations = 2000;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> examples() {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kExamples)) {
    if (entry.path().extension() == ".yaml") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The text in the place of the file, everything else as it is.
CheckedModel check_as(const fs::path& path, const std::string& text) {
  formats::LoadOptions options;
  options.read = [&](const std::string& wanted, std::size_t most) {
    return wanted == path.string() ? ReadResult{text, Code::none, {}} : read_file(wanted, most);
  };
  return check_model(path.string(), options);
}

void expect_sound(const CheckedModel& checked, const std::string& text) {
  EXPECT_TRUE(checked.loaded.is_read || checked.diagnostics.has_errors()) << "refused without a word:\n" << text;
  for (const Diagnostic& d : checked.diagnostics.all()) {
    EXPECT_FALSE(d.message.empty()) << text;
    EXPECT_NE(d.code, Code::none) << d.message;
    if (!d.where.is_known()) continue;
    const std::string& source = checked.loaded.sources.file(d.where.file).text();
    EXPECT_LE(d.where.begin, d.where.end) << d.message;
    EXPECT_LE(d.where.end, source.size()) << d.message;
  }
  EXPECT_FALSE(checked.printed().empty());
}

TEST(DamagedModels, EveryPrefixIsExplained) {
  const fs::path path = kExamples / "crank_slider" / "crank_slider.yaml";
  const std::string whole = text_of(path);
  ASSERT_FALSE(check_as(path, whole).diagnostics.has_errors()) << "the example itself is broken";
  for (std::size_t length = 0; length < whole.size(); length += kPrefixStep) {
    const std::string text = whole.substr(0, length);
    const CheckedModel checked = check_as(path, text);
    expect_sound(checked, text);
    if (checked.machine.parts.empty()) {
      EXPECT_TRUE(checked.diagnostics.has_errors()) << text;
    }
  }
}

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  // std::uniform_int_distribution gives other numbers with other standard libraries.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }

  std::string damaged(const std::string& text) {
    std::string result = text;
    for (std::size_t i = 0, count = 1 + below(3); i < count; ++i) damage(result);
    return result;
  }

 private:
  void damage(std::string& text) {
    static constexpr std::array<std::string_view, 16> kPieces{
        "=",  "1e999", "nan",    "previous.",  "{",       "]",        ": ",       ", ",
        "mm", "- ",    "ground", "repeat: 99", "copy_of", "\n      ", "\xC3\xA4", "\t"};
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, 1 + below(8));
        break;
      case 2:
        text.insert(at, kPieces[below(kPieces.size())]);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), below(60)));
        break;
      default:
        damage_lines(text);
    }
  }

  void damage_lines(std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line + "\n");
    if (lines.empty()) return;
    const std::size_t a = below(lines.size());
    const std::size_t b = below(lines.size());
    switch (below(3)) {
      case 0:
        std::swap(lines[a], lines[b]);
        break;
      case 1:
        lines[a].clear();
        break;
      default:
        lines[a] += lines[b];
    }
    text.clear();
    for (const std::string& line : lines) text += line;
  }

  std::mt19937 random_;
};

TEST(DamagedModels, MutationsOfTheExamplesAreExplained) {
  std::vector<std::pair<fs::path, std::string>> good;
  for (const fs::path& path : examples()) good.emplace_back(path, text_of(path));
  ASSERT_FALSE(good.empty());
  Mutator mutator(20260527);
  for (int i = 0; i < kMutations; ++i) {
    const auto& [path, text] = good[mutator.below(good.size())];
    const std::string damaged = mutator.damaged(text);
    expect_sound(check_as(path, damaged), damaged);
    if (HasFailure()) break;  // one is enough to read
  }
}

// Things that need each other in a row, the first one the last: each would cost stack.
TEST(DamagedModels, EndlessChainsAreRefused) {
  constexpr int kLinks = 10'000;
  const std::string body = "{mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}";
  const auto chain = [](const std::string& before, const std::string& link, const std::string& last) {
    std::string text = "gelenk: 1\n" + before;
    for (int i = 0; i < kLinks; ++i) {
      std::string line = link;
      for (const auto& [mark, number] : {std::pair("THIS", i), std::pair("NEXT", i + 1)}) {
        line.replace(line.find(mark), 4, "e" + std::to_string(number));
      }
      text += "  " + line + "\n";
    }
    const std::string indent = link.substr(0, link.find("THIS"));
    return text + "  " + indent + "e" + std::to_string(kLinks) + ": " + last + "\n";
  };
  const std::string definition = "definitions: {d: {parts: {b: " + body + "}}}\n";
  const std::array<std::string, 4> chains{
      chain("parts: {b: " + body + "}\nparameters:\n", "THIS: =NEXT", "1"),
      chain("parts:\n", "THIS: {at: NEXT, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}", body),
      chain("ground:\n  frames:\n", "  THIS: {at: ground.NEXT}", "[0, 0, 0]"),
      chain(definition + "assemblies:\n", "THIS: {copy_of: NEXT}", "{use: d}"),
  };
  for (const std::string& text : chains) {
    const CheckedModel checked = check_model_text(text);
    ASSERT_TRUE(checked.diagnostics.has_errors()) << text.substr(0, 200);
    EXPECT_EQ(checked.diagnostics.all().front().code, Code::too_many_elements) << checked.printed().substr(0, 500);
  }
}

// Copies of parts are written out, each behind the one before: any number of them costs no stack.
TEST(DamagedModels, LongChainsOfCopiesAreFollowed) {
  constexpr int kLinks = 2'000;
  std::string text = "gelenk: 1\nparts:\n";
  for (int i = 0; i < kLinks; ++i) text += fmt::format("  e{}: {{copy_of: e{}}}\n", i, i + 1);
  text += fmt::format("  e{}: {{mass: 1, inertia: {{xx: 1, yy: 1, zz: 1}}}}\n", kLinks);
  const CheckedModel checked = check_model_text(text);
  EXPECT_FALSE(checked.diagnostics.has_errors()) << checked.printed().substr(0, 500);
}

// Few lines, and each copies everything of a large part.
TEST(DamagedModels, CopiesOfLargePartsAreCountedBeforeTheyAreMade) {
  constexpr std::size_t kMany = 2'000;
  const auto model_of = [](const std::string& key, const std::string& value) {
    std::string text = "gelenk: 1\nparts:\n  a:\n    mass: 1\n    inertia: {xx: 1, yy: 1, zz: 1}\n    " + key + ":\n";
    for (std::size_t i = 0; i < kMany; ++i) text += fmt::format("      f{}: {}\n", i, value);
    for (std::size_t i = 0; i < kMany; ++i) text += fmt::format("  c{}: {{copy_of: a, enabled: false}}\n", i);
    return text;
  };
  model::ExpandOptions options;
  options.max_elements = 20'000;
  for (const std::string& text : {model_of("frames", "[0, 0, 1]"), model_of("point_masses", "1 g")}) {
    const CheckedModel checked = check_model_text(text, options);
    ASSERT_TRUE(checked.diagnostics.has_errors());
    EXPECT_EQ(checked.diagnostics.error_count(), 1U) << checked.printed().substr(0, 500);
    const Diagnostic& first = checked.diagnostics.all().front();
    EXPECT_EQ(first.code, Code::too_many_elements) << checked.printed().substr(0, 500);
    EXPECT_NE(first.message.find("copies of parts"), std::string::npos) << first.message;
  }
}

// A few lines that ask for more than any memory holds.
TEST(DamagedModels, DoublingIsRefused) {
  constexpr int kLevels = 40;
  for (const std::string modify : {"", ", modify: {}"}) {
    std::string text = "gelenk: 1\ndefinitions:\n";
    for (int i = 0; i < kLevels; ++i) {
      const std::string use = "{use: d" + std::to_string(i + 1) + modify + "}";
      text += "  d" + std::to_string(i) + ": {assemblies: {x: " + use + ", y: " + use + "}}\n";
    }
    text += "  d" + std::to_string(kLevels) + ": {note: the end}\nassemblies: {all: {use: d0}}\n";
    model::ExpandOptions options;
    options.max_elements = 10'000;  // the default would do, in seconds
    const CheckedModel checked = check_model_text(text, options);
    ASSERT_TRUE(checked.diagnostics.has_errors());
    EXPECT_EQ(checked.diagnostics.all().front().code, Code::too_many_elements) << checked.printed().substr(0, 500);
  }
}

}  // namespace
}  // namespace gelenk::test::damaged_models_test
