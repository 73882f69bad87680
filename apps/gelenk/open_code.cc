#include "apps/gelenk/open_code.h"

#include <fmt/format.h>

#include "apps/gelenk/code_compiler.h"
#include "apps/gelenk/console.h"

namespace gelenk::app {
namespace {

using Kind = component::ComponentFailure::Kind;

constexpr std::string_view kRunsHere = "in process", kRunsInWorker = "worker";

}  // namespace

const OpenCode::Library* OpenCode::library_of(const model::CodeNode& node, Diagnostics& diagnostics) {
  const auto [at, is_new] = libraries_.try_emplace(node.source);
  Library& library = at->second;
  if (!is_new) return library.host ? &library : nullptr;
  CompiledCode compiled = compile_code(node.source);
  if (!compiled.error.empty()) {
    diagnostics.error(Code::code_not_run, node.source_where, compiled.error, compiled.hint);
    return nullptr;
  }
  library.identity = compiled.identity;
  try {
    component::WorkerLimits limits;
    limits.allows_no_sandbox = trust_.runs_without_sandbox;
    library.host = trust_.runs_here ? component::code_in_process(compiled.library)
                                    : component::code_in_worker(compiled.library, limits);
  } catch (const component::ComponentFailure& failure) {
    has_failed_ = has_failed_ || failure.kind() != Kind::not_loaded;
    diagnostics.error(Code::code_not_run, node.source_where, fmt::format("its code {}", failure.what()),
                      "its last line must be GELENK_CODE(evaluate, ...), as in gelenk_code.h");
    return nullptr;
  }
  return &library;
}

void OpenCode::start(const model::Machine& machine, const system::System& system, Diagnostics& diagnostics) {
  for (std::size_t c = 0; c < machine.codes.size(); ++c) {
    const model::CodeNode& node = machine.codes[c];
    if (node.source.empty()) continue;
    const ElementScope element(diagnostics, node.path, "section");
    const Library* const library = library_of(node, diagnostics);
    if (library == nullptr) continue;
    used_.push_back({node.path, node.source, library->identity});
    const auto mismatch = component::compare_code(component::count_code(system.codes[c]), library->host->counts());
    if (!mismatch) continue;
    diagnostics.error(Code::code_not_run, node.where,
                      fmt::format("'{}' has {} {}, but this section lists {}", node.source, mismatch->known,
                                  mismatch->what, mismatch->named),
                      "name as many here as in GELENK_CODE(...) of the C file");
  }
}

void OpenCode::give_to(const model::Machine& machine, system::System& system, Diagnostics& diagnostics) const {
  for (std::size_t c = 0; c < machine.codes.size(); ++c) {
    const model::CodeNode& node = machine.codes[c];
    if (node.source.empty()) {
      const ElementScope element(diagnostics, node.path, "section");
      diagnostics.error(Code::code_not_run, node.where, "it does not name the C file with its code",
                        "add `source: FILE.c`, or seal the model with `gelenk seal --code FILE.so`");
      continue;
    }
    const auto library = libraries_.find(node.source);
    if (library == libraries_.end() || !library->second.host) continue;
    system.codes[c].function = [host = library->second.host, path = node.path](const system::CodeCall& call) {
      try {
        return host->evaluate(call);
      } catch (const component::ComponentFailure& failure) {
        throw component::ComponentFailure(failure.kind(), fmt::format("the code '{}' {}", path, failure.what()));
      }
    };
  }
}

void OpenCode::write(JsonWriter& json) const {
  json.begin_array();
  for (const Used& one : used_) {
    json.begin_object().member("section", one.path).member("file", one.source).member("identity", one.identity);
    json.member("carrier", trust_.runs_here ? kRunsHere : kRunsInWorker).end_object();
  }
  json.end_array();
}

std::string OpenCode::compare(const JsonValue& books) const {
  const JsonValue* const list = books.find("codes");
  const std::size_t count = list == nullptr ? 0 : list->items.size();
  if (count != used_.size()) {
    return fmt::format("the run has {} with code, but the model has {}", counted(count, "section"), used_.size());
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (list->items[i].text_or("identity", "") == used_[i].identity) continue;
    return fmt::format(
        "the code of '{}' in '{}' is not what the run was made with, or was compiled by another compiler",
        used_[i].path, used_[i].source);
  }
  return {};
}

}  // namespace gelenk::app
