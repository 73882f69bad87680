#pragma once

#include <map>
#include <string>
#include <utility>

#include "gelenk/base/diagnostics.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/model/expand.h"

// Models from texts in memory, for tests.
namespace gelenk::test {

struct Checked {
  formats::LoadedModel loaded;
  model::Machine machine;
  Diagnostics diagnostics;

  bool has(Code code) const {
    for (const Diagnostic& d : diagnostics.all()) {
      if (d.code == code) return true;
    }
    return false;
  }
  // All messages with their places, for failure output.
  std::string messages() const {
    std::string text;
    for (const Diagnostic& d : diagnostics.sorted()) {
      text += loaded.sources.describe(d.where) + ": " + d.element + ": " + d.message + " [" + code_label(d.code) +
              "] " + d.hint + "\n";
    }
    return text;
  }

  const model::PartNode& part(const std::string& path) const { return find(machine.parts, path); }
  const model::JointNode& joint(const std::string& path) const { return find(machine.joints, path); }
  const model::ForceNode& force(const std::string& path) const { return find(machine.forces, path); }
  const model::DriverNode& driver(const std::string& path) const { return find(machine.drivers, path); }
  const model::AssemblyNode& assembly(const std::string& path) const { return find(machine.assemblies, path); }

 private:
  template <class Nodes>
  static const typename Nodes::value_type& find(const Nodes& nodes, const std::string& path) {
    for (const auto& node : nodes) {
      if (node.path == path) return node;
    }
    static const typename Nodes::value_type kNone{};
    return kNone;
  }
};

inline Checked check_files(const std::map<std::string, std::string>& files, const std::string& root,
                           const model::ExpandOptions& expand_options = {}) {
  Checked result;
  formats::LoadOptions options;
  options.read = [&](const std::string& path, std::size_t) -> ReadResult {
    const auto it = files.find(path);
    if (it == files.end()) return {std::nullopt, Code::file_not_found, "no such file"};
    return {it->second, Code::none, ""};
  };
  result.loaded = formats::load_model(root, options, result.diagnostics);
  if (result.loaded.is_read) result.machine = model::expand(result.loaded.model, expand_options, result.diagnostics);
  return result;
}

// One model without the first line, which is always the same.
inline Checked check_text(const std::string& text) {
  return check_files({{"model.yaml", "gelenk: 1\n" + text}}, "model.yaml");
}

}  // namespace gelenk::test
