#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "apps/gelenk/embedded_text.h"
#include "apps/gelenk/run_model.h"
#include "gelenk/base/platform.h"

namespace gelenk::app {
namespace {

constexpr const char* kModelFile = "crank_slider.yaml";

ExitCode run_demo(Console& console) {
  // A model that is there already may be the user's own.
  if (!std::filesystem::exists(kModelFile)) {
    const std::string problem =
        write_file_atomically(kModelFile, std::string(find_text(demo_models(), "crank_slider")->text));
    if (!problem.empty()) {
      return console.fail(ExitCode::file_error, fmt::format("cannot write {}: {}", kModelFile, problem),
                          "change to a folder you can write to");
    }
  }
  RunRequest request;
  request.model.file = kModelFile;
  std::string file;
  const ExitCode code = run_model(request, console, &file);
  if (code != ExitCode::ok || console.quiet || console.json) return code;
  console.out(fmt::format(
      "\nwhat next:\n"
      "  {:<51}  see it move, in the browser\n"
      "  {:<51}  see the outputs\n"
      "  gelenk run crank_slider.yaml --set speed=\"900 rpm\"   run it faster\n"
      "  gelenk check crank_slider.yaml                       what the model is; open the file to change it\n",
      "gelenk view " + file, "gelenk plot " + file));
  return code;
}

}  // namespace

Action describe_demo(Options& /*options*/) {
  return [](Console& console) { return run_demo(console); };
}

}  // namespace gelenk::app
