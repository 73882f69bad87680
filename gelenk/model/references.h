#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gelenk/model/element_address.h"

// Who refers to whom: names in paths and formulas, followed through definitions without evaluating anything.
namespace gelenk::model {

// One name of a path: `front_left.strut_top` refers to an instance and to a port of its definition.
struct Reference {
  ElementAddress target;
  bool is_resolved = true;  // false: there is no such element, and `target` is empty
  ElementAddress user;      // the element it is written in; a key of the root when it is in none

  const Value* value = nullptr;  // a text or a formula; null when the name is a key of `set:` or `attach:`
  const Object* key = nullptr;   // then the object under that key
  std::string path;              // the whole path: a text, or a symbol of the formula
  std::size_t segment = 0;       // which of its names
  expression::TextSpan span;     // of the name in the text of the value, or of the formula
  SourceRange where;             // of the name in its file; of the whole value when escapes hide the place
};

// All references of the model, in the order of the files.
std::vector<Reference> references(const Model& model);
// Those that go through the element, written anywhere.
std::vector<Reference> references_to(const Model& model, const ElementAddress& address);
// Those that are written in one element: faster than searching in all.
std::vector<Reference> references_in(const Model& model, const ElementAddress& address);

}  // namespace gelenk::model
