#include "gelenk/formats/imported_names.h"

#include <gtest/gtest.h>

#include "gelenk/base/text.h"

namespace gelenk::formats::imported_names_test {
namespace {

TEST(ImportedNames, AreFitForAModel) {
  EXPECT_EQ(model_name("Crank Shaft (v2)", "part"), "crank_shaft_v2");
  EXPECT_EQ(model_name("WristPin", "part"), "wrist_pin");
  EXPECT_EQ(model_name("STLPart_B2", "part"), "stl_part_b2");
  EXPECT_EQ(model_name("Gehäuse", "part"), "gehaeuse");
  EXPECT_EQ(model_name("Straße-Ölwanne", "part"), "strasse_oelwanne");
  EXPECT_EQ(model_name("6204-2RS", "part"), "part_6204_2rs");
  EXPECT_EQ(model_name("", "part"), "part");
  EXPECT_EQ(model_name("***", "assembly"), "assembly");
  EXPECT_EQ(model_name("手柄", "part"), "part");
}

TEST(ImportedNames, KeepAwayFromWordsOfTheFormat) {
  for (const char* word : {"Ground", "time", "pi", "SIN", "and", "world"}) {
    EXPECT_EQ(model_name(word, "part"), model_name(word, "x"));
    EXPECT_TRUE(model_name(word, "part").ends_with("_part")) << word;
  }
}

TEST(ImportedNames, ThatSayNothing) {
  for (const char* name :
       {"", " ", "=>[0:1:1:2]", "12", "SOLID", "NAUO12", "nauo1", "Open CASCADE STEP translator 7.6 1.2"}) {
    EXPECT_FALSE(is_telling_name(name)) << name;
  }
  EXPECT_TRUE(is_telling_name("Solid axle"));
  EXPECT_TRUE(is_telling_name("M8"));
}

TEST(ImportedNames, AreUnique) {
  NameRegister names;
  EXPECT_EQ(names.unique("bolt"), "bolt");
  EXPECT_EQ(names.unique("bolt_2"), "bolt_2");
  EXPECT_EQ(names.unique("bolt"), "bolt_3");
}

}  // namespace
}  // namespace gelenk::formats::imported_names_test
