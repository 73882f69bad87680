#include "apps/gelenk/seal_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "apps/gelenk/code_compiler.h"
#include "gelenk/base/platform.h"
#include "gelenk/component/host.h"

namespace gelenk::app {
namespace {

constexpr std::size_t kMostCodeBytes = std::size_t{64} << 20;

const ZipEntry* find_file(const component::ContainerDraft& draft, std::string_view path) {
  const auto found =
      std::find_if(draft.files.begin(), draft.files.end(), [&](const ZipEntry& file) { return file.path == path; });
  return found == draft.files.end() ? nullptr : &*found;
}

std::string given_code(const std::string& file, std::optional<SealProblem>& problem) {
  ReadResult read = read_file(file, kMostCodeBytes);
  if (read.text) return *std::move(read.text);
  problem = SealProblem{ExitCode::file_error, fmt::format("the file '{}' cannot be read: {}", file, read.reason)};
  return {};
}

// Of all sections. Empty: what is wrong is in the diagnostics.
std::string compiled_code(ModelInput& input) {
  std::vector<std::string> sources;
  for (const model::CodeNode& code : input.machine->codes) {
    if (code.source.empty()) {
      const ElementScope element(input.diagnostics, code.path, "section");
      input.diagnostics.error(Code::cannot_be_sealed, code.where, "its code in C is missing",
                              "name its file, `source: FILE.c`, or compile it: --code FILE.so");
      return {};
    }
    sources.push_back(code.source);
  }
  CompiledCode compiled = compile_codes(sources);
  if (compiled.error.empty()) return std::move(compiled.library);
  const model::CodeNode& first = input.machine->codes.front();
  const ElementScope element(input.diagnostics, first.path, "section");
  input.diagnostics.error(Code::code_not_run, first.source_where, compiled.error, compiled.hint);
  return {};
}

}  // namespace

std::optional<SealProblem> add_code(const SealRequest& request, ModelInput& input, component::ContainerDraft& draft) {
  const std::vector<model::CodeNode>& codes = input.machine->codes;
  if (codes.empty()) {
    if (request.code.empty()) return std::nullopt;
    input.diagnostics.error(Code::cannot_be_sealed, {}, "there is a --code, but the model has no section `code:`",
                            "describe what the code reads: `code: {frames: {...}, states: {...}}`");
    return std::nullopt;
  }
  if (!request.code.empty() && codes.size() > 1) {
    input.diagnostics.error(Code::cannot_be_sealed, codes[1].where,
                            fmt::format("the model has {} sections `code:`, but there is one --code", codes.size()),
                            "name the C file of each: `source: FILE.c`; they are compiled when the model is sealed");
    return std::nullopt;
  }
  std::optional<SealProblem> problem;
  const std::string library = request.code.empty() ? compiled_code(input) : given_code(request.code, problem);
  if (library.empty()) return problem;
  const std::string path = component::library_path(component::host_platform(), draft.manifest.about.name);
  draft.files.push_back({component::code_path(path), library});
  return std::nullopt;
}

std::optional<SealProblem> try_code(const component::ContainerDraft& draft) {
  const std::string path = component::library_path(component::host_platform(), draft.manifest.about.name);
  const ZipEntry* const code = find_file(draft, component::code_path(path));
  if (code == nullptr) return std::nullopt;
  component::HostSettings settings;
  settings.resource = find_file(draft, component::kResourcePath)->bytes;
  settings.code = code->bytes;
  for (const component::Parameter& parameter : draft.manifest.parameters) {
    settings.parameters.push_back(parameter.default_value);
  }
  try {
    component::host_in_worker(find_file(draft, path)->bytes, draft.manifest, settings);
  } catch (const component::ComponentFailure& failure) {
    return SealProblem{ExitCode::model_error, failure.what(), "nothing is sealed until its code works"};
  }
  return std::nullopt;
}

}  // namespace gelenk::app
