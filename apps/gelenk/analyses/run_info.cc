#include "apps/gelenk/analyses/run_info.h"

#include <filesystem>
#include <utility>

#include "gelenk/base/hash.h"
#include "gelenk/formats/model_writer.h"

namespace gelenk::app {

results::RunInfo run_info(const ModelInput& input, std::string options, std::size_t expected_rows) {
  results::RunInfo info;
  info.program_version = GELENK_VERSION;
  for (std::size_t i = 0; i < input.loaded.model.folders.size(); ++i) {
    const SourceFile& file = input.loaded.sources.file(static_cast<std::int32_t>(i));
    info.sources.push_back({std::filesystem::path(file.path()).filename().string(), std::string(file.text())});
  }
  info.resolved_model = formats::write_model(input.loaded.model);
  info.options = std::move(options);
  info.run_id = random_id();
  info.expected_rows = expected_rows;
  return info;
}

}  // namespace gelenk::app
