// Writing and editing, tried on everything in every example.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gelenk/base/platform.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/formats/model_writer.h"
#include "gelenk/formats/source_edit.h"
#include "gelenk/model/element_address.h"
#include "tests/support/source_folder.h"

namespace gelenk::edit_examples_test {
namespace {

using Texts = std::map<std::string, std::string>;

// Files on disk, but for those whose text was changed.
formats::LoadOptions reading(const Texts& changed) {
  formats::LoadOptions options;
  options.read = [&changed](const std::string& path, std::size_t max_bytes) {
    const auto it = changed.find(path);
    return it == changed.end() ? read_file(path, max_bytes) : ReadResult{it->second, Code::none, ""};
  };
  return options;
}

std::vector<std::string> example_files() {
  std::vector<std::string> result;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::source_folder() + "/examples")) {
    if (entry.path().extension() == ".yaml") result.push_back(entry.path().string());
  }
  std::sort(result.begin(), result.end());
  EXPECT_GE(result.size(), 6u);
  return result;
}

model::Model load(const std::string& path, const Texts& changed) {
  Diagnostics diagnostics;
  const formats::LoadedModel loaded = formats::load_model(path, reading(changed), diagnostics);
  for (const Diagnostic& d : diagnostics.all()) ADD_FAILURE() << loaded.sources.describe(d.where) << " " << d.message;
  return loaded.model;
}

// S2-18: a neutral file, from which the model is built.
TEST(EditExamplesTest, ReadWriteReadIsTheSame) {
  for (const std::string& path : example_files()) {
    SCOPED_TRACE(path);
    const model::Model first = load(path, {});
    const std::string text = formats::write_model(first);
    const model::Model second = load(path, {{path, text}});
    EXPECT_TRUE(same(formats::self_contained(first), second)) << text;
    EXPECT_EQ(formats::write_model(second), text);
  }
}

// One edit on top of others; the texts that it changed.
bool apply(const std::string& path, const formats::EditCommand& command, Texts& texts, std::string& problem) {
  Diagnostics diagnostics;
  const formats::EditResult result = formats::plan_edit(path, command, reading(texts), diagnostics);
  for (const formats::ChangedFile& file : result.files) texts[file.path] = file.new_text;
  if (!diagnostics.all().empty()) problem = diagnostics.all().front().message;
  return result.ok;
}

// Renaming checks by itself that the new text means the renamed model. There and back must give every byte again.
TEST(EditExamplesTest, EveryElementCanBeRenamedThereAndBack) {
  using Kind = formats::EditCommand::Kind;
  const std::string new_name = "a_new_name";
  for (const std::string& path : example_files()) {
    const model::Model model = load(path, {});
    for (const model::ElementAddress& address : model::list_elements(model)) {
      const std::string element = model::path_of(model, address);
      SCOPED_TRACE(path + " " + element);
      const bool is_definition = address.section.empty();
      const bool is_file = is_definition && !model::find_element(model, address)->name_range.is_known();
      Texts texts;
      std::string problem;
      const bool is_renamed = apply(path, {Kind::rename, element, {}, new_name}, texts, problem);
      EXPECT_EQ(is_renamed, !is_file) << problem;
      if (!is_renamed) continue;
      EXPECT_FALSE(texts.empty());
      const std::string old_name = is_definition ? address.definition : address.name;
      const std::string changed = element.substr(0, element.size() - old_name.size()) + new_name;
      EXPECT_TRUE(apply(path, {Kind::rename, changed, {}, old_name}, texts, problem)) << problem;
      for (const auto& [file, text] : texts) EXPECT_EQ(text, *read_file(file, text.size() + 1000).text) << file;
    }
  }
}

// Taking away works exactly for what nobody uses; what was taken away is then missing.
// S2-06: relations are respected.
TEST(EditExamplesTest, RemovingNeverLeavesHolesBehind) {
  using Kind = formats::EditCommand::Kind;
  std::size_t removed = 0;
  std::size_t refused = 0;
  for (const std::string& path : example_files()) {
    const model::Model model = load(path, {});
    for (const model::ElementAddress& address : model::list_elements(model)) {
      const std::string element = model::path_of(model, address);
      SCOPED_TRACE(path + " " + element);
      Texts texts;
      std::string problem;
      if (!apply(path, {Kind::remove, element, {}, ""}, texts, problem)) {
        EXPECT_TRUE(texts.empty());
        ++refused;
        continue;
      }
      ++removed;
      EXPECT_EQ(model::find_element(load(path, texts), address), nullptr);
      EXPECT_FALSE(apply(path, {Kind::remove, element, {}, ""}, texts, problem));
    }
  }
  EXPECT_GT(removed, 20u);
  EXPECT_GT(refused, 20u);
}

}  // namespace
}  // namespace gelenk::edit_examples_test
