#pragma once

#include <string>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/source.h"
#include "gelenk/model/expand.h"

namespace gelenk::model {

// A setting from outside that is written like a value in a file. `line` is all of it as people wrote it, "path=value";
// it becomes a source, named `origin`, so that messages can point at it. The value begins at the byte `value_begin`.
ParameterSetting read_setting(const std::string& path, const std::string& line, std::size_t value_begin,
                              const std::string& origin, SourceMap& sources, Diagnostics& diagnostics);

}  // namespace gelenk::model
