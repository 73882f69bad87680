#pragma once

#include <functional>
#include <map>
#include <string>

#include "gelenk/analysis/assemble.h"
#include "gelenk/base/diagnostic_printer.h"
#include "gelenk/base/diagnostics.h"
#include "gelenk/base/source.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/model/expand.h"
#include "gelenk/model/machine.h"
#include "gelenk/system/compile.h"

namespace gelenk::test {

// A model after everything that `gelenk check` does with it. Parts of the machine point into the loaded model, so both
// are kept.
struct CheckedModel {
  Diagnostics diagnostics;
  formats::LoadedModel loaded;
  model::Machine machine;

  // What a person would read.
  std::string printed() const {
    return print_diagnostics(diagnostics, loaded.sources) + diagnostic_counts(diagnostics) + "\n";
  }
};

inline CheckedModel check_model(const std::string& path, const formats::LoadOptions& options = {},
                                const model::ExpandOptions& expand_options = {}) {
  CheckedModel result;
  result.loaded = formats::load_model(path, options, result.diagnostics);
  if (result.loaded.is_read) result.machine = model::expand(result.loaded.model, expand_options, result.diagnostics);
  if (!result.loaded.is_read || result.diagnostics.has_errors()) return result;
  if (const auto system = system::compile(result.machine, {}, result.diagnostics)) {
    const system::Params params = system::make_params(*system, result.machine);
    analysis::assemble(*system, params, result.machine, 0.0, result.diagnostics);
  }
  return result;
}

// Options that read only these files: name -> text.
inline formats::LoadOptions reading_from(std::map<std::string, std::string> files) {
  formats::LoadOptions options;
  options.read = [files = std::move(files)](const std::string& path, std::size_t) {
    const auto file = files.find(path);
    if (file == files.end()) return ReadResult{std::nullopt, Code::file_not_found, "No such file or directory"};
    return ReadResult{file->second, Code::none, {}};
  };
  return options;
}

inline CheckedModel check_model_text(const std::string& text, const model::ExpandOptions& expand_options = {}) {
  return check_model("model.yaml", reading_from({{"model.yaml", text}}), expand_options);
}

}  // namespace gelenk::test
