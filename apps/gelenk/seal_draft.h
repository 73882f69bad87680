#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/gelenk/model_input.h"
#include "gelenk/component/container.h"

// What `gelenk seal` puts into a container.
namespace gelenk::app {

struct SealRequest {
  ModelRequest model;
  std::string output;                // empty: beside the model
  std::string map;                   // empty: beside the output
  std::vector<std::string> publish;  // parameters
  std::vector<std::string> outputs;
  std::vector<std::string> cases;
  std::string licence, doc;  // files
  std::string code;          // library with forces in C; empty: none
  std::string key;           // file; empty: it is not signed
  std::string add;           // a container for other platforms
  bool shows_shape = false;
  bool force = false;
};

struct SealProblem {
  ExitCode code = ExitCode::usage_error;
  std::string message;
  std::string hint{};
};

// Where its files go.
constexpr std::string_view kCasesFolder = "extra/org.gelenk.component/cases/";
constexpr std::string_view kShapePath = "extra/org.gelenk.component/shape.glb";
// What the licences of the works inside of the library ask for.
constexpr std::string_view kNoticesPath = "documentation/licenses/gelenk-runtime.txt";

// What the model says about itself and what the maker publishes. Ports that nobody could use are in the diagnostics.
std::optional<SealProblem> describe_component(const SealRequest& request, ModelInput& input,
                                              component::Manifest& manifest);

// The files beside the manifest. What cannot be taken along of the model is in the diagnostics.
std::optional<SealProblem> add_files(const SealRequest& request, ModelInput& input, component::ContainerDraft& draft);

}  // namespace gelenk::app
