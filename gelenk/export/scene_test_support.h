#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "gelenk/export/scene.h"
#include "gelenk/formats/memory_files_test_support.h"
#include "gelenk/model/expand.h"

namespace gelenk::exporting {

// A machine from a text, shown as it is drawn.
struct DrawnScene {
  formats::LoadedModel loaded;
  model::Machine machine;
  std::vector<Pose> poses;
  Scene scene;

  const ScenePart& part(const std::string& path) const {
    for (const ScenePart& one : scene.parts) {
      if (one.path == path) return one;
    }
    ADD_FAILURE() << "no part " << path;
    return scene.parts.front();
  }
};

// Pictures are by their paths among the files.
inline DrawnScene drawn(const std::string& text, const formats::MemoryFiles& pictures = {}) {
  DrawnScene result;
  const formats::MemoryFiles files{{"model.yaml", "gelenk: 1\nname: test\n" + text}};
  Diagnostics diagnostics;
  result.loaded = formats::load_model("model.yaml", formats::reading_from(files), diagnostics);
  result.machine = model::expand(result.loaded.model, {}, diagnostics);
  for (const Diagnostic& problem : diagnostics.all()) EXPECT_NE(problem.severity, Severity::error) << problem.message;
  for (const model::PartNode& part : result.machine.parts) result.poses.push_back(part.X_WP);
  SceneInput input{.machine = result.machine,
                   .model = result.loaded.model,
                   .sources = &result.loaded.sources,
                   .poses = result.poses};
  input.read_picture = [&](const std::string& path, const SourceRange&) -> ReadResult {
    const auto found = pictures.find(path);
    if (found == pictures.end()) return {std::nullopt, Code::file_not_found, "No such file or directory"};
    return {found->second, Code::none, ""};
  };
  result.scene = make_scene(input);
  return result;
}

}  // namespace gelenk::exporting
