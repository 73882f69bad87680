// docs/errors has a page for every diagnostic code, shown by `gelenk explain`. The example on a page must really be
// wrong in the way it says.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/checked_model.h"
#include "tests/support/source_folder.h"

namespace gelenk::test::error_pages_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostColumns = 100;  // of a terminal, with some room

std::string page_of(Code code) {
  std::ifstream file(fs::path(test::source_folder()) / "docs" / "errors" / (code_label(code) + ".md"),
                     std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t columns_of(const std::string& line) {
  std::size_t count = 0;
  for (const char c : line) count += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u ? 1 : 0;
  return count;
}

std::vector<std::string> yaml_blocks(const std::string& page) {
  std::vector<std::string> blocks;
  bool is_inside = false;
  for (const std::string& line : lines_of(page)) {
    if (!is_inside && line == "```yaml") {
      is_inside = true;
      blocks.emplace_back();
    } else if (line == "```") {
      is_inside = false;
    } else if (is_inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

class ErrorPage : public testing::TestWithParam<Code> {};

TEST_P(ErrorPage, HasTheUsualForm) {
  const std::vector<std::string> lines = lines_of(page_of(GetParam()));
  ASSERT_FALSE(lines.empty()) << "docs/errors/" << code_label(GetParam()) << ".md is missing";
  EXPECT_EQ(lines.front(), "# " + code_label(GetParam()) + ": " + std::string(code_title(GetParam())));
  std::set<std::string> sections;
  for (const std::string& line : lines) {
    EXPECT_LE(columns_of(line), kMostColumns) << line;
    for (const std::string section : {"**Cause.**", "**Cure.**", "**Example.**"}) {
      if (line.starts_with(section)) sections.insert(section);
    }
  }
  EXPECT_EQ(sections.size(), 3u) << "cause, cure and example are needed";
}

TEST_P(ErrorPage, ExampleGivesItsCode) {
  const std::string page = page_of(GetParam());
  // A block that begins with `# file: NAME` is the file NAME beside the example.
  const std::string file_mark = "# file: ";
  std::map<std::string, std::string> files;
  for (const std::string& block : yaml_blocks(page)) {
    if (block.starts_with(file_mark)) {
      const std::string name = block.substr(file_mark.size(), block.find('\n') - file_mark.size());
      files.emplace(name, block.substr(block.find('\n') + 1));
    } else if (block.starts_with("gelenk: 1\n")) {
      files.emplace("model.yaml", block);  // the first one counts
    }
  }
  if (page.find("(no example: ") != std::string::npos) {
    EXPECT_FALSE(files.contains("model.yaml")) << "there is an example";
    return;
  }
  ASSERT_TRUE(files.contains("model.yaml")) << "no example, and no reason why not";
  EXPECT_NE(page.find("\nCorrected:\n"), std::string::npos);
  const CheckedModel checked = check_model("model.yaml", reading_from(files));
  std::set<Code> codes;
  for (const Diagnostic& d : checked.diagnostics.all()) codes.insert(d.code);
  EXPECT_EQ(codes, std::set<Code>{GetParam()}) << checked.printed();
}

INSTANTIATE_TEST_SUITE_P(All, ErrorPage, testing::ValuesIn(kAllCodes),
                         [](const auto& one) { return code_label(one.param); });

}  // namespace
}  // namespace gelenk::test::error_pages_test
