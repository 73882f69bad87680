// Every model in tests/broken is wrong in its own way; beside it stands what `gelenk check` must say about it, word for
// word. The first line of NAME.expected says who could find the mistake: `# structural` a JSON Schema, `# semantic`
// only the program. GELENK_UPDATE=1 rewrites the texts; read them as a tired engineer would before committing them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gelenk/base/private_folder.h"
#include "tests/support/checked_model.h"
#include "tests/support/source_folder.h"

namespace gelenk::test::broken_models_test {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(test::source_folder()) / "tests" / "broken";
constexpr std::size_t kLeastModels = 75;
constexpr std::size_t kLeastStructural = 30;
const std::string kStructural = "# structural";
const std::string kSemantic = "# semantic";

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string after_first_line(const std::string& text) {
  const std::size_t end = text.find('\n');
  return end == std::string::npos ? "" : text.substr(end + 1);
}

// "values/wrong_unit.yaml"
std::vector<std::string> broken_models() {
  std::vector<std::string> names;
  for (const fs::directory_entry& topic : fs::directory_iterator(kFolder)) {
    if (!topic.is_directory()) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(topic)) {
      const fs::path extension = file.path().extension();
      if (extension == ".yaml" || extension == ".json") names.push_back(file.path().lexically_relative(kFolder));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Paths in the texts are relative to the folder of the model, so the test stands there as a user would.
class InFolder {
 public:
  explicit InFolder(const fs::path& folder) : before_(fs::current_path()) { fs::current_path(folder); }
  ~InFolder() { fs::current_path(before_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  fs::path before_;
};

class BrokenModel : public testing::TestWithParam<std::string> {};

TEST_P(BrokenModel, SaysWhatIsExpected) {
  const fs::path model = kFolder / GetParam();
  const fs::path golden = fs::path(model).replace_extension(".expected");
  const InFolder here(model.parent_path());
  const CheckedModel checked = check_model(model.filename());
  EXPECT_GT(checked.diagnostics.error_count() + checked.diagnostics.warning_count(), 0u) << "nothing is wrong with it";

  const std::string expected = text_of(golden);
  const std::string said = checked.printed();
  if (std::getenv("GELENK_UPDATE") != nullptr) {
    const std::string kind = first_line(expected) == kStructural ? kStructural : kSemantic;
    std::ofstream(golden, std::ios::binary) << kind << '\n' << said;
    return;
  }
  EXPECT_THAT(first_line(expected), testing::AnyOf(kStructural, kSemantic)) << golden;
  EXPECT_EQ(after_first_line(expected), said) << "GELENK_UPDATE=1 rewrites the expected text";
}

INSTANTIATE_TEST_SUITE_P(Corpus, BrokenModel, testing::ValuesIn(broken_models()), [](const auto& one) {
  std::string name = one.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '.'; }, '_');
  return name;
});

TEST(BrokenModels, AreEnough) {
  std::size_t structural = 0;
  const std::vector<std::string> models = broken_models();
  for (const std::string& name : models) {
    const std::string expected = text_of((kFolder / name).replace_extension(".expected"));
    if (first_line(expected) == kStructural) ++structural;
  }
  EXPECT_GE(models.size(), kLeastModels);
  EXPECT_GE(structural, kLeastStructural);
}

TEST(BrokenModels, ShowEveryCode) {
  std::string all;
  for (const std::string& name : broken_models()) all += text_of((kFolder / name).replace_extension(".expected"));
  // Too large for the repository, tested below; and what only `gelenk edit`, `seal`, `generate` or a run says.
  const std::set<Code> elsewhere{Code::file_too_large,     Code::too_many_values,       Code::edit_target_missing,
                                 Code::edit_target_exists, Code::edit_still_referenced, Code::edit_refused,
                                 Code::file_unwritable,    Code::step_too_small,        Code::became_not_finite,
                                 Code::not_solvable,       Code::component_failed,      Code::cannot_be_sealed,
                                 Code::law_left_its_range, Code::code_not_run,          Code::no_equations};
  for (const Code code : kAllCodes) {
    if (elsewhere.contains(code)) continue;
    EXPECT_NE(all.find("[" + code_label(code) + "]"), std::string::npos)
        << code_label(code) << " (" << code_title(code) << ") is shown by no broken model";
  }
}

TEST(BrokenModels, FileOf50MegabytesIsRefused) {
  const PrivateFolder folder;
  const fs::path path = fs::path(folder.path()) / "large.yaml";
  {
    const std::string line = "# 100 bytes of nothing" + std::string(77, '.') + "\n";
    std::string text = "gelenk: 1\n";
    while (text.size() < 50'000'000) text += line;
    std::ofstream(path, std::ios::binary) << text;
  }
  const CheckedModel checked = check_model(path);
  ASSERT_EQ(checked.diagnostics.error_count(), 1u);
  EXPECT_EQ(checked.diagnostics.all().front().code, Code::file_too_large);
  EXPECT_FALSE(checked.loaded.is_read);
}

TEST(BrokenModels, TooManyValuesAreRefused) {
  std::string list = "[0";
  for (int i = 0; i < 1000; ++i) list += ", 0";
  formats::LoadOptions options = reading_from({{"model.yaml", "gelenk: 1\nmeta: " + list + "]\n"}});
  options.limits.max_nodes = 1000;
  const CheckedModel checked = check_model("model.yaml", options);
  ASSERT_EQ(checked.diagnostics.error_count(), 1u);
  EXPECT_EQ(checked.diagnostics.all().front().code, Code::too_many_values);
  EXPECT_FALSE(checked.loaded.is_read);
}

}  // namespace
}  // namespace gelenk::test::broken_models_test
