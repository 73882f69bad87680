#pragma once

#include <string>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/model/expand.h"
#include "tests/support/source_folder.h"

namespace gelenk::test {

// An example as the program sees it; the machine points into the model, so both live together.
struct Example {
  Diagnostics diagnostics;
  formats::LoadedModel loaded;
  model::Machine machine;

  // One line for everything that was found wrong; empty for a good example.
  std::string complaints() const {
    std::string text;
    for (const Diagnostic& d : diagnostics.sorted()) {
      text += loaded.sources.describe(d.where) + ": " + d.message + " {" + d.element + "}\n";
    }
    return text;
  }
};

// `file` is relative to the folder of the examples: "car/car.yaml".
inline Example load_example(const std::string& file, const model::ExpandOptions& options = {}) {
  Example example;
  const std::string path = source_folder() + "/examples/" + file;
  example.loaded = formats::load_model(path, {}, example.diagnostics);
  if (example.loaded.is_read && !example.diagnostics.has_errors()) {
    example.machine = model::expand(example.loaded.model, options, example.diagnostics);
  }
  return example;
}

// The element with this path, or null.
template <class Element>
const Element* find_element(const std::vector<Element>& elements, const std::string& path) {
  for (const Element& element : elements) {
    if (element.path == path) return &element;
  }
  return nullptr;
}

}  // namespace gelenk::test
