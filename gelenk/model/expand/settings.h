#pragma once

#include <span>
#include <string_view>

#include "gelenk/model/expand.h"
#include "gelenk/model/expand/reports.h"
#include "gelenk/model/expand/scope.h"

// Values that come from elsewhere: `set` and `inputs` of an instance, settings of the caller of expand().
namespace gelenk::model::expanding {

// What was given for a parameter or input.
struct Given {
  const Value* value = nullptr;  // null: nothing, its own value counts
  bool from_outside = false;     // by the caller of expand(); otherwise by the owner
};
// `key`: of the instance, `set` or `inputs`.
Given setting_for(const Instance& scope, const Object& written, std::string_view key,
                  std::span<const ParameterSetting> settings);

// Settings of an instance must meet a parameter or an input of it.
void check_settings(const Instance& instance, std::string_view key, std::string_view section, std::string_view word,
                    Reports& reports);
// Those of the caller must meet one of the machine.
void check_outer_settings(std::span<const ParameterSetting> settings, Instance& root, const Machine& machine,
                          Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
