#include <filesystem>

#include "apps/gelenk/export_formats.h"
#include "apps/gelenk/import_program.h"
#include "gelenk/formats/step_tree.h"

namespace gelenk::app {
namespace {

// Limits that no machine needs: reading its CAD files takes 1e-6 s and some hundred bytes of memory for each byte.
constexpr double kSeconds = 120.0, kStepSecondsPerByte = 1e-4;
constexpr std::size_t kBytes = std::size_t{4} << 30, kStepBytesPerByte = 1000;

struct StepOutcome {
  ExitCode code = ExitCode::ok;
  std::string message;             // when it is not ok
  std::vector<std::string> notes;  // what is not in the file, sentences
};

// Writes the machine in a pose, X_WP of each part: tree, names and colors kept, parts of imported machines with the
// exact surfaces of their CAD file. Replaces a file that is there.
StepOutcome write_step(const model::Machine& machine, const model::Model& model, std::span<const Pose> poses,
                       const std::string& path, const Console& console) {
  StepOutcome result;
  std::error_code ignored;
  formats::StepTree tree = formats::step_tree(
      machine, model, poses, [&](const std::string& file) { return std::filesystem::is_regular_file(file, ignored); });
  std::size_t bytes = 0;
  for (const std::string& source : tree.sources) {
    const std::uintmax_t size = std::filesystem::file_size(source, ignored);
    if (!ignored) bytes += static_cast<std::size_t>(size);
  }
  CadJob job;
  job.request = formats::write_step_request({path, std::move(tree.root), kBytes + kStepBytesPerByte * bytes});
  job.file = path;
  job.verb = "written";
  job.time_limit = kSeconds + kStepSecondsPerByte * static_cast<double>(bytes + job.request.size());
  result.notes = std::move(tree.notes);
  CadOutcome outcome;
  ImportFailure failure;
  if (!run_cad_program(job, console, outcome, failure)) {
    result.code = failure.code;
    result.message = failure.message;
  }
  result.notes.insert(result.notes.end(), outcome.notes.begin(), outcome.notes.end());
  return result;
}

}  // namespace

ExitCode export_step(const ExportRequest& request, Console& console) {
  if (const std::optional<ExitCode> refused = refuse_export(request, request.output, console)) return *refused;
  ShownMachine shown;
  if (const std::optional<ExitCode> failed = show_machine(request.show, console, shown)) return *failed;
  StepOutcome outcome =
      write_step(shown.machine(), shown.stored.input.loaded.model, shown.poses, request.output, console);
  if (outcome.code != ExitCode::ok) return console.fail(outcome.code, outcome.message);
  return report_export(request.output, counted(shown.scene.parts.size(), "part"), {{"parts", shown.scene.parts.size()}},
                       outcome.notes, console);
}

}  // namespace gelenk::app
