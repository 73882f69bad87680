#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/source.h"
#include "gelenk/model/object.h"

namespace gelenk::model {

// An assembly that can be used: the root file, another file, or an entry of `definitions:`.
struct Definition {
  std::string name;  // unique in the model; the text of `use:` in every instance
  Object object;     // of kFileType or kAssemblyType
  // The file of a sealed component: parameters and ports are known, nothing else.
  std::string sealed = {};
};

// What the engineer described: editable, named, with source positions, nothing evaluated.
struct Model {
  std::string name;
  std::vector<Definition> definitions;  // the first is the root
  std::vector<std::string> folders;     // of each source file, for paths written in it

  const Definition& root() const { return definitions.front(); }
  const Definition* find(std::string_view definition_name) const;
  // A path written at `where`, as seen from the working directory.
  std::string resolve_path(const std::string& path, const SourceRange& where) const;
};

// Same content, wherever it was written.
bool same(const Model& a, const Model& b);

}  // namespace gelenk::model
