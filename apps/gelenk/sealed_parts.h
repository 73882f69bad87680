#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/gelenk/console.h"
#include "gelenk/analysis/sealed_assembly.h"
#include "gelenk/base/json.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/base/platform.h"
#include "gelenk/component/container.h"
#include "gelenk/component/host.h"
#include "gelenk/component/sealed_subsystem.h"
#include "gelenk/component/trust_store.h"
#include "gelenk/model/expand.h"
#include "gelenk/system/system.h"

namespace gelenk::app {

// Where the code of components works: where a run would put it, or where it is asked to.
enum class HostChoice { by_trust, worker, in_process };

// The sealed components of a model: their files, who stands behind them, and where they work. Those that are signed by
// a trusted key work in this process, all others in a sandboxed one of their own.
class SealedParts {
 public:
  // trust_once: run untrusted components even where the system offers no sandbox.
  SealedParts(bool trust_once, Console& console, HostChoice choice = HostChoice::by_trust)
      : trust_once_(trust_once), console_(console), choice_(choice) {}

  // For formats::LoadOptions: what the manifest says, as a model.
  ReadResult read(const std::string& path);
  // For model::ExpandOptions: one component more.
  model::SealedDrawing draw(const model::SealedNode& node);

  // The same for a machine that keeps its components by itself; null with a sentence in the drawing.
  std::unique_ptr<component::Host> carry(const model::SealedNode& node, model::SealedDrawing& drawing,
                                         bool* is_in_process = nullptr);

  bool is_empty() const { return hosts_.empty(); }
  // One of them broke when it was made; the diagnostics say how.
  bool has_failed() const { return has_failed_; }
  // In the order of model::Machine::sealed.
  std::span<component::Host* const> hosts() const { return hosts_; }
  // The same for simulate(), once they are mounted.
  std::span<subsystem::Subsystem* const> subsystems() const { return subsystems_.all(); }
  // Where one of them works, "in process" or "worker".
  std::string_view host_name(std::size_t which) const { return parts_[which]->is_in_process ? "in process" : "worker"; }
  // Mounts and assembles. The size of the machine becomes that of the largest of them. Throws
  // component::ComponentFailure.
  std::optional<analysis::Assembly> assemble(const system::System& system, system::Params& params,
                                             const model::Machine& machine, const analysis::MountingOptions& options,
                                             Diagnostics& diagnostics);

  // For the books of a run: which component, from which file, of which licence.
  void write(JsonWriter& json) const;
  // What is not as it was when the books were written, in a sentence, or nothing.
  std::string compare(const JsonValue& books) const;

 private:
  struct File {
    component::Container container;
    component::Verdict verdict;
  };
  // Nothing with a sentence in `error`.
  const File* open(const std::string& path, std::string& error);
  void show_licence(const component::Container& container) const;

  bool has_failed_ = false;
  bool trust_once_;
  Console& console_;
  HostChoice choice_;
  std::map<std::string, File> files_;  // by path
  struct Part {
    std::string path;
    std::unique_ptr<component::Host> host;
    bool is_in_process = false;
  };
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<component::Host*> hosts_;
  component::SealedSubsystems subsystems_;
};

}  // namespace gelenk::app
