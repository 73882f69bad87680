// Reads a CAD file for `gelenk import`, or writes one for `gelenk export`, which start it and watch its time. A request
// (JSON) comes on its input, files go where it says; lines on stderr say what it does. Nobody calls it by hand. All
// that looks into the files of others is done by a copy of this process in a sandbox, which hands back what is to be
// written.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/base/platform.h"
#include "gelenk/base/process.h"
#include "gelenk/base/sandboxed_work.h"
#include "gelenk/base/text.h"
#include "gelenk/cad/answers.h"
#include "gelenk/cad/import.h"
#include "gelenk/cad/readable.h"
#include "gelenk/cad/step_writer.h"
#include "gelenk/cad/trouble.h"

namespace gelenk {
namespace {

// As the program gelenk has them
constexpr int kUsageError = 2, kFileError = 4;

void say(std::string_view what, std::string_view text) {
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(text.size()),
               text.data());
}

// Every line is an error of its own.
int fail(int code, std::string_view text) {
  for (const std::string& line : split(text, '\n')) say("error", line);
  return code;
}

int report(const cad::CadTrouble& trouble) {
  say("error", trouble.message);
  if (!trouble.hint.empty()) say("hint", trouble.hint);
  return kFileError;
}

// A file that somebody else wrote under one of our names stays as it is.
bool is_ours(const std::string& path, const formats::ImportedFile& file) {
  if (!path.ends_with(".yaml")) return true;
  constexpr std::size_t kEnough = std::size_t{64} << 20;
  const ReadResult old = read_file(path, kEnough);
  return old.code == Code::file_not_found || (old.text && old.text->substr(0, 20) == file.content.substr(0, 20));
}

// What the import before left in the folder. Nothing when there was none.
std::optional<cad::ImportMemory> remember(const formats::ImportRequest& request, std::string& error) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  const std::string path = request.folder + "/" + request.name + ".cad/import.json";
  const ReadResult text = read_file(path, kMostBytes);
  std::optional<cad::ImportMemory> memory = text.text ? cad::read_memory(*text.text, error) : std::nullopt;
  if (!memory) error = "'" + path + "' cannot be read: " + (text.text ? error : text.reason);
  return memory;
}

// Generated files that no longer belong to the model: sub-assemblies and parts that are gone.
void remove_old(const formats::ImportRequest& request, const std::vector<std::string>& old,
                const std::vector<formats::ImportedFile>& files) {
  const std::string inside = request.name + ".cad/";
  for (const std::string& path : old) {
    const bool is_new = std::any_of(files.begin(), files.end(), [&](const auto& file) { return file.path == path; });
    // Only what can be ours, whatever the report says.
    const std::string name = path.starts_with(inside) ? path.substr(inside.size()) : "";
    if (is_new || name.empty() || name.find("..") != std::string::npos) continue;
    if (!name.ends_with(".yaml") && !name.ends_with(".glb") && !name.ends_with(".svg")) continue;
    std::error_code ignored;
    std::filesystem::remove(std::filesystem::path(request.folder) / path, ignored);
  }
}

int write(const formats::ImportRequest& request, const std::vector<formats::ImportedFile>& files) {
  const std::filesystem::path folder = request.folder;
  std::error_code problem;
  for (const formats::ImportedFile& file : files) {
    const std::string path = (folder / file.path).string();
    std::filesystem::create_directories((folder / file.path).parent_path(), problem);
    if (problem) return fail(kFileError, "the folder of '" + path + "' cannot be made: " + problem.message());
    if (file.is_users) {
      if (std::filesystem::exists(path, problem)) continue;
    } else if (!is_ours(path, file)) {
      return fail(kFileError, "'" + path + "' already exists, and `gelenk import` did not write it");
    }
    if (const std::string error = write_file_atomically(path, file.content); !error.empty()) {
      return fail(kFileError, "'" + path + "' cannot be written: " + error);
    }
  }
  return 0;
}

// Does the work where it can do no harm. Nothing, with the reason reported, when it does not come to its end.
template <class Work>
std::optional<std::string> work_in_sandbox(const std::vector<std::string>& readable, const cad::CadTask& task,
                                           const Work& work) {
  const SandboxedEnd end = run_sandboxed({readable, task.memory}, [&](const Whereabouts& where) {
    return cad::encode(work(cad::Progress([](std::string_view stage) { say("progress", stage); },
                                          [&](std::string_view place) { where.be_at(place); })));
  });
  if (!end.missing.empty()) say("note", "this system cannot sandbox the reader: " + end.missing);
  if (end.result) return end.result;
  report(cad::trouble_of(end, task));
  return std::nullopt;
}

int export_step(const std::string& text) {
  std::string error;
  const std::optional<formats::StepRequest> request = formats::read_step_request(text, error);
  if (!request) return fail(kUsageError, error);
  const cad::CadTask task{request->file, "written", request->memory_limit};
  const std::optional<std::string> answer =
      work_in_sandbox(cad::readable_for(*request), task,
                      [&](const cad::Progress& progress) { return cad::step_text(*request, progress); });
  if (!answer) return kFileError;
  const std::optional<cad::StepWriting> result = cad::decode_step(*answer);
  if (!result) return report(cad::nonsense_from(task));
  for (const std::string& note : result->notes) say("note", note);
  if (!result->error.empty()) return fail(kFileError, result->error);
  error = write_file_atomically(request->file, result->text);
  return error.empty() ? 0 : fail(kFileError, "'" + request->file + "' cannot be written: " + error);
}

int run() {
  die_with_starter();
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  if (formats::is_step_request(text)) return export_step(text);
  std::string error;
  const std::optional<formats::ImportRequest> request = formats::read_request(text, error);
  if (!request) return fail(kUsageError, error);
  const std::optional<cad::ImportMemory> memory = remember(*request, error);
  if (request->updates && !memory) return fail(kFileError, error);
  const cad::CadTask task{request->file, "imported", request->memory_limit};
  const std::optional<std::string> answer =
      work_in_sandbox(cad::readable_for(*request), task, [&](const cad::Progress& progress) {
        return cad::import_file(*request, progress, request->updates ? &*memory : nullptr);
      });
  if (!answer) return kFileError;
  const std::optional<cad::ImportResult> result = cad::decode_import(*answer, request->name);
  if (!result) return report(cad::nonsense_from(task));
  if (!result->error.empty()) return fail(result->is_users_mistake ? kUsageError : kFileError, result->error);
  if (const int code = write(*request, result->files); code != 0) return code;
  if (memory) remove_old(*request, memory->files, result->files);
  return 0;
}

}  // namespace
}  // namespace gelenk

int main() {
  try {
    return gelenk::run();
  } catch (const std::bad_alloc&) {
    return gelenk::fail(gelenk::kFileError, "not enough memory: the file needs more than is allowed");
  } catch (const std::exception& problem) {
    return gelenk::fail(gelenk::kFileError, problem.what());
  }
}
