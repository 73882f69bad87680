#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/gelenk/embedded_text.h"
#include "apps/gelenk/verb.h"
#include "gelenk/base/json.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/shell_word.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

struct NewRequest {
  std::string name;
  std::string folder;
  std::string component;  // its language; empty: a model
};

constexpr std::string_view kStarterCase = "spin_up.yaml";
constexpr std::string_view kStarterNamed = "NAME.";  // files that are called as the component

// The starter is itself a model that checks clean; its name is replaced by the new one.
std::string starter_text(const std::string& name) {
  constexpr std::string_view kStarterName = "name: pendulum\n";
  std::string text(find_text(starter_models(), "pendulum")->text);
  const std::size_t at = text.find(kStarterName);
  if (at != std::string::npos) text.replace(at, kStarterName.size(), fmt::format("name: {}\n", name));
  return text;
}

struct NewFile {
  std::string path;  // in the folder of the project
  std::string text;
};

std::string with_name(std::string_view text, const std::string& name) {
  constexpr std::string_view kPlace = "@NAME@";
  std::string result;
  for (std::size_t at = text.find(kPlace); at != std::string_view::npos; at = text.find(kPlace)) {
    result += text.substr(0, at);
    result += name;
    text.remove_prefix(at + kPlace.size());
  }
  return result += text;
}

// A component whose forces are written in C, with all that its maker needs but a compiler.
std::vector<NewFile> component_files(const std::string& name) {
  std::vector<NewFile> files;
  for (const EmbeddedText& starter : component_starters()) {
    std::string path(starter.name);
    if (path.starts_with(kStarterNamed)) path.replace(0, kStarterNamed.size(), name + ".");
    if (path == kStarterCase) path.insert(0, "cases/");
    files.push_back({std::move(path), with_name(starter.text, name)});
  }
  files.push_back({"gelenk_code.h", std::string(code_headers().front().text)});
  return files;
}

// All of them or none.
std::string write_files(const std::filesystem::path& folder, const std::vector<NewFile>& files) {
  std::error_code error;
  for (const NewFile& file : files) {
    const std::filesystem::path path = folder / file.path;
    if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) {
      return fmt::format("'{}' already exists and was left unchanged", path.string());
    }
  }
  for (const NewFile& file : files) {
    const std::filesystem::path path = folder / file.path;
    std::filesystem::create_directories(path.parent_path(), error);
    const std::string problem = error ? error.message() : write_file_atomically(path.string(), file.text);
    if (!problem.empty()) return fmt::format("'{}' cannot be written: {}", path.string(), problem);
  }
  return {};
}

ExitCode create_component(const NewRequest& request, Console& console) {
  if (request.component != "c") {
    return console.fail(ExitCode::usage_error,
                        fmt::format("there is no kind of component {}", shown(request.component)),
                        "--component c: forces and states written in C; all others are models: 'gelenk seal'");
  }
  const std::filesystem::path folder = std::filesystem::path(request.folder) / request.name;
  const std::string problem = write_files(folder, component_files(request.name));
  if (!problem.empty()) return console.fail(ExitCode::file_error, problem, "choose another name");
  const std::string file = (folder / (request.name + ".yaml")).string();
  if (console.json) {
    JsonWriter json;
    console.out(json.begin_object().member("file", file).end_object().take());
    return ExitCode::ok;
  }
  console.message(fmt::format("{0} written: a DC motor whose electrical part is in C.\nNext:  {1}\n", folder.string(),
                              (folder / "README.md").string()));
  return ExitCode::ok;
}

ExitCode create(const NewRequest& request, Console& console) {
  if (!is_valid_name(request.name)) {
    return console.fail(ExitCode::usage_error, fmt::format("{} cannot be the name of a model", shown(request.name)),
                        "use letters, digits, underscores and hyphens; begin with a letter");
  }
  if (!request.component.empty()) return create_component(request, console);
  const std::filesystem::path folder = std::filesystem::path(request.folder) / request.name;
  const std::string file = (folder / (request.name + ".yaml")).string();
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(file, error))) {
    return console.fail(ExitCode::file_error, fmt::format("'{}' already exists and was left unchanged", file),
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
  console.message(
      fmt::format("{} written: a pendulum to change as you like.\nNext:  gelenk check {}\n", file, shell_word(file)));
  return ExitCode::ok;
}

}  // namespace

Action describe_new(Options& options) {
  const auto request = std::make_shared<NewRequest>();
  options.arguments.push_back({.name = "NAME", .doc = "writes NAME/NAME.yaml", .target = &request->name});
  options.values.push_back({.names = "--in",
                            .value_name = "FOLDER",
                            .doc = "write to this folder instead of the current one",
                            .target = &request->folder,
                            .completion = Completion::folders});
  options.values.push_back({"--component", "c",
                            "a sealed component whose forces are written in C: a project with a Makefile",
                            &request->component});
  return [request](Console& console) { return create(*request, console); };
}

}  // namespace gelenk::app
