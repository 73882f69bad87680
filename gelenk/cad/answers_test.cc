#include "gelenk/cad/answers.h"

#include <gtest/gtest.h>

namespace gelenk::cad::answers_test {
namespace {

ImportResult import_with(const std::string& path, bool is_users = false) {
  ImportResult result;
  result.files = {
      {"arm.yaml", "users", true}, {"arm.cad.yaml", std::string("\0x", 2), false}, {path, "text", is_users}};
  return result;
}

TEST(CadAnswers, ImportsSurviveTheWay) {
  const std::optional<ImportResult> back = decode_import(encode(import_with("arm.cad/pictures/a.svg")), "arm");
  ASSERT_TRUE(back);
  ASSERT_EQ(back->files.size(), 3U);
  EXPECT_EQ(back->files[1].content, std::string("\0x", 2));
  EXPECT_EQ(back->files[2].path, "arm.cad/pictures/a.svg");
  EXPECT_TRUE(back->files[0].is_users);
  ImportResult failed;
  failed.error = "no solid";
  failed.is_users_mistake = true;
  const std::optional<ImportResult> reported = decode_import(encode(failed), "arm");
  ASSERT_TRUE(reported);
  EXPECT_EQ(reported->error, "no solid");
  EXPECT_TRUE(reported->is_users_mistake);
}

TEST(CadAnswers, FilesThatNoImportHasAreRefused) {
  for (const char* path : {"../x.yaml", "/etc/passwd", "arm.cad/../../x.yaml", "other.yaml", "arm.cad/run.sh",
                           "arm.cad/x", "arm.cadx/a.yaml", ".bashrc", "", "arm.cad/a\nb.yaml"}) {
    EXPECT_FALSE(decode_import(encode(import_with(path)), "arm")) << path;
  }
  EXPECT_FALSE(decode_import(encode(import_with("arm.cad/a.yaml", true)), "arm")) << "only one file is the user's";
}

TEST(CadAnswers, RubbishIsRefused) {
  const std::string import = encode(import_with("arm.cad/a.glb"));
  StepWriting writing;
  writing.text = "ISO-10303-21;";
  writing.notes = {"one", "two"};
  const std::string step = encode(writing);
  EXPECT_EQ(decode_step(step).value().notes, writing.notes);
  for (std::size_t size = 0; size < import.size(); ++size) EXPECT_FALSE(decode_import(import.substr(0, size), "arm"));
  for (std::size_t size = 0; size < step.size(); ++size) EXPECT_FALSE(decode_step(step.substr(0, size)));
  EXPECT_FALSE(decode_import(import + "x", "arm"));
  EXPECT_FALSE(decode_step(std::string(64, '\xff')));
}

}  // namespace
}  // namespace gelenk::cad::answers_test
