#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "gelenk/expression/measures.h"
#include "gelenk/expression/operations.h"
#include "gelenk/formats/reference_page.h"
#include "gelenk/formats/reference_page_text.h"
#include "tests/support/source_folder.h"

namespace gelenk::formats::model_format_page_test {
namespace {

const std::string kPagePath = test::source_folder() + "/docs/model-format.md";

TEST(ModelFormatPageTest, CommittedPageIsCurrent) {
  const std::string page = model_format_page();
  if (std::getenv("GELENK_UPDATE") != nullptr) {
    std::ofstream file(kPagePath, std::ios::binary);
    file << page;
    ASSERT_TRUE(file.flush()) << kPagePath;
    return;
  }
  std::ifstream file(kPagePath, std::ios::binary);
  std::ostringstream committed;
  committed << file.rdbuf();
  EXPECT_TRUE(committed.str() == page) << "docs/model-format.md is not what the descriptors say: run `./dev docs`";
}

TEST(ModelFormatPageTest, EveryFunctionIsExplained) {
  EXPECT_EQ(function_texts().size(), expression::functions().size() + expression::measure_functions().size());
  const std::string page = model_format_page();
  for (const expression::Function& function : expression::functions()) {
    EXPECT_NE(page.find("| `" + std::string(function.name) + "("), std::string::npos) << function.name;
  }
  for (const expression::MeasureFunction& measure : expression::measure_functions()) {
    EXPECT_NE(page.find("| `" + std::string(measure.call) + "`"), std::string::npos) << measure.name;
  }
}

}  // namespace
}  // namespace gelenk::formats::model_format_page_test
