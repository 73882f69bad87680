#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "apps/gelenk/embedded_text.h"
#include "apps/gelenk/verb.h"
#include "gelenk/base/json.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

struct NewRequest {
  std::string name;
  std::string folder;
};

// The starter is itself a model that checks clean; its name is replaced by the new one.
std::string starter_text(const std::string& name) {
  constexpr std::string_view kStarterName = "name: pendulum\n";
  std::string text(find_text(starter_models(), "pendulum")->text);
  const std::size_t at = text.find(kStarterName);
  if (at != std::string::npos) text.replace(at, kStarterName.size(), fmt::format("name: {}\n", name));
  return text;
}

ExitCode create(const NewRequest& request, Console& console) {
  if (!is_valid_name(request.name)) {
    return console.fail(ExitCode::usage_error, fmt::format("{} cannot be the name of a model", shown(request.name)),
                        "use letters, digits, underscores and hyphens; begin with a letter");
  }
  const std::filesystem::path folder = std::filesystem::path(request.folder) / request.name;
  const std::string file = (folder / (request.name + ".yaml")).string();
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(file, error))) {
    return console.fail(ExitCode::file_error, fmt::format("'{}' exists and is left as it is", file),
                        "choose another name");
  }
  std::filesystem::create_directories(folder, error);
  std::string problem = error ? error.message() : write_file_atomically(file, starter_text(request.name));
  if (!problem.empty())
    return console.fail(ExitCode::file_error, fmt::format("'{}' cannot be written: {}", file, problem));
  if (console.json) {
    JsonWriter json;
    console.out(json.begin_object().member("file", file).end_object().take());
    return ExitCode::ok;
  }
  console.message(fmt::format("{0} is written: a pendulum to change as you like.\nNext:  gelenk check {0}\n", file));
  return ExitCode::ok;
}

}  // namespace

Action describe_new(Options& options) {
  const auto request = std::make_shared<NewRequest>();
  options.arguments.push_back({.name = "NAME", .doc = "writes NAME/NAME.yaml", .target = &request->name});
  options.values.push_back({.names = "--in",
                            .value_name = "FOLDER",
                            .doc = "write there instead of here",
                            .target = &request->folder,
                            .completion = Completion::folders});
  return [request](Console& console) { return create(*request, console); };
}

}  // namespace gelenk::app
