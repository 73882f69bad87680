#pragma once

#include <string>
#include <vector>

#include "gelenk/model/expand/reports.h"
#include "gelenk/model/expand/scope.h"

// What is said about names of frames that lead nowhere.
namespace gelenk::model::expanding {

void report_unknown_frame(const std::string& path, const Instance& scope, const SourceRange& where, Reports& reports);
// `rest` of a path after the instance `child`, which is called `name`: no port, or past one.
void report_past_port(const Instance& child, const std::string& name, const std::vector<std::string>& rest,
                      const SourceRange& where, Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
