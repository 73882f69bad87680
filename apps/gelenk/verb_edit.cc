#include <fmt/format.h>

#include <memory>

#include "apps/gelenk/model_input.h"
#include "apps/gelenk/named_file.h"
#include "gelenk/base/json.h"
#include "gelenk/formats/source_edit.h"

namespace gelenk::app {
namespace {

struct EditRequest {
  std::string file;
  std::vector<std::string> words;
  bool allow_outside = false;
  bool dry_run = false;
};

void print_json(const EditRequest& request, const formats::EditResult& result, const Diagnostics& diagnostics,
                Console& console) {
  JsonWriter json;
  json.begin_object().member("file", request.file);
  write_report_json(json, diagnostics, result.sources);
  json.key("changed").begin_array();
  for (const formats::ChangedFile& changed : result.files) {
    json.begin_object().member("file", changed.path).member("text", changed.new_text).end_object();
  }
  json.end_array().member("written", result.ok && !request.dry_run);
  console.out(json.end_object().take());
}

ExitCode edit(const EditRequest& request, Console& console) {
  Diagnostics diagnostics;
  const std::optional<formats::EditCommand> command = formats::parse_edit_command(request.words, diagnostics);
  if (!command) {
    if (console.json) {
      print_json(request, {}, diagnostics, console);
    } else {
      print_to_stderr(diagnostics, {}, console);
    }
    return ExitCode::usage_error;
  }
  if (const std::optional<ExitCode> other = refuse_other_file(request.file, WantedFile::model, console)) return *other;
  formats::LoadOptions load_options;
  load_options.allow_outside = request.allow_outside;
  const formats::EditResult result = request.dry_run
                                         ? formats::plan_edit(request.file, *command, load_options, diagnostics)
                                         : formats::edit_model(request.file, *command, load_options, diagnostics);
  const ExitCode code = result.ok ? ExitCode::ok : exit_code_of(diagnostics);
  if (console.json) {
    print_json(request, result, diagnostics, console);
    return code;
  }
  print_to_stderr(diagnostics, result.sources, console);
  for (const formats::ChangedFile& changed : result.files) {
    if (!result.ok) break;
    if (request.dry_run) {
      console.out(changed.new_text);
    } else {
      console.message(fmt::format("{} changed\n", changed.path));
    }
  }
  if (result.ok && result.files.empty()) console.message("nothing to change\n");
  return code;
}

}  // namespace

Action describe_edit(Options& options) {
  const auto request = std::make_shared<EditRequest>();
  options.arguments.push_back({.name = "FILE",
                               .doc = "model file; the element may be in a file that it uses",
                               .target = &request->file,
                               .completion = Completion::model_files});
  options.arguments.push_back({.name = "EDIT",
                               .doc = "add|set|remove|rename PATH [KEY=VALUE...]",
                               .list = &request->words,
                               .completion = Completion::words,
                               .words = {"add", "set", "remove", "rename"}});
  options.flags.push_back({"--dry-run", "print the new text instead of writing it", &request->dry_run});
  options.flags.push_back(
      {"--allow-outside", "files used by the model may be outside its folder", &request->allow_outside});
  options.details =
      "examples:\n"
      "  gelenk edit m.yaml add joints.hinge type=revolute between=\"[ground, crank]\" axis=z\n"
      "  gelenk edit m.yaml set joints.hinge axis=y start.angle=\"30 deg\"\n"
      "  gelenk edit m.yaml set parameters.speed=\"900 rpm\"\n"
      "  gelenk edit m.yaml remove parts.rod\n"
      "  gelenk edit m.yaml rename parts.rod connecting_rod\n";
  return [request](Console& console) { return edit(*request, console); };
}

}  // namespace gelenk::app
