#include "apps/gelenk/seal_code.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

std::optional<SealProblem> add_code(const SealRequest& request, ModelInput& input, component::ContainerDraft& draft) {
  const bool has_section = input.machine->code.has_value();
  if (has_section == request.code.empty()) {
    if (has_section) {
      input.diagnostics.error(Code::cannot_be_sealed, input.machine->code->where, "its code in C is missing",
                              "compile it, and name the library: --code FILE.so");
    } else {
      input.diagnostics.error(Code::cannot_be_sealed, {}, "there is a --code, but the model has no section `code:`",
                              "describe what the code reads: `code: {frames: {...}, states: {...}}`");
    }
    return std::nullopt;
  }
  if (!has_section) return std::nullopt;
  ReadResult read = read_file(request.code, kMostCodeBytes);
  if (!read.text) {
    return SealProblem{ExitCode::file_error,
                       fmt::format("the file '{}' cannot be read: {}", request.code, read.reason)};
  }
  const std::string path = component::library_path(component::host_platform(), draft.manifest.about.name);
  draft.files.push_back({component::code_path(path), *std::move(read.text)});
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
