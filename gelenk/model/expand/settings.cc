#include "gelenk/model/expand/settings.h"

#include <fmt/format.h>

#include "gelenk/base/text.h"
#include "gelenk/model/expand/paths.h"

namespace gelenk::model::expanding {
namespace {

void report_unknown_setting(const ParameterSetting& setting, const Machine& machine, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const AssemblyNode& node : machine.assemblies) {
    for (const ParameterValue& known : node.parameters) {
      names.push_back(node.path.empty() ? known.name : node.path + "." + known.name);
    }
  }
  std::string hint = did_you_mean(setting.path, names);
  if (hint.empty()) hint = names.empty() ? "the model has no parameters" : "for example " + names.front();
  diagnostics.error(Code::unknown_parameter, setting.value.range,
                    fmt::format("there is no parameter '{}' to set", setting.path), hint);
}

}  // namespace

Given setting_for(const Instance& scope, const Object& written, std::string_view key,
                  std::span<const ParameterSetting> settings) {
  const std::string full = element_path(scope, written.name);
  for (const ParameterSetting& setting : settings) {
    if (setting.path == full) return {&setting.value, true};
  }
  const Value* set = scope.plan == nullptr ? nullptr : scope.plan->effective.value(key);
  if (set == nullptr) return {};
  for (const Object& setting : *set->get<Value::Objects>()) {
    if (setting.name == written.name) return {setting.value("value"), false};
  }
  return {};
}

void check_settings(const Instance& instance, std::string_view key, std::string_view section, std::string_view word,
                    Reports& reports) {
  const Value* set = instance.plan == nullptr ? nullptr : instance.plan->effective.value(key);
  if (set == nullptr) return;
  const std::vector<Object>& written = instance.object().section(section);
  for (const Object& setting : *set->get<Value::Objects>()) {
    const NamedElement* target = instance.index->find(setting.name);
    if (target != nullptr && section_word(target->section) == word) continue;
    std::vector<std::string> names;
    for (const Object& object : written) names.push_back(object.name);
    if (is_unclear(instance, setting.name)) continue;
    std::string hint = reports.may_suggest(names.size()) ? did_you_mean(setting.name, names) : "";
    if (hint.empty()) {
      hint =
          names.empty() ? fmt::format("it has no {}", section) : fmt::format("its {} are {}", section, some_of(names));
    }
    const ElementScope element(reports.diagnostics, instance.path, "assembly");
    reports.diagnostics.error(Code::unknown_parameter, setting.name_range,
                              fmt::format("'{}' has no {} '{}'", instance.index->definition->name, word, setting.name),
                              hint);
  }
}

void check_outer_settings(std::span<const ParameterSetting> settings, Instance& root, const Machine& machine,
                          Diagnostics& diagnostics) {
  for (const ParameterSetting& setting : settings) {
    const std::optional<ValuePlace> place = find_value(root, split(setting.path, '.'), machine.sealed);
    if (!place || place->section == Section::output) report_unknown_setting(setting, machine, diagnostics);
  }
}

}  // namespace gelenk::model::expanding
