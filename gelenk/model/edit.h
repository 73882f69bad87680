#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/document.h"
#include "gelenk/model/element_address.h"
#include "gelenk/model/model.h"

// Changes to a model by program: for importers, and for bindings to other languages. Each one is done whole, with all
// references still leading to what they meant, or refused with a reason; then the model is as it was.
namespace gelenk::model {

// Adds an element, described as in a model file. An empty section adds a definition.
bool create(Model& model, const ElementAddress& address, const Node& description, Diagnostics& diagnostics);

// Sets keys of an element to new values; a null value takes the key away. An empty section means the definition itself:
// `gravity` or `simulation` of the root.
bool modify(Model& model, const ElementAddress& address, const Node& changes, Diagnostics& diagnostics);

// Takes an element away. Refused while something outside it refers to it; the first users are named.
bool remove(Model& model, const ElementAddress& address, Diagnostics& diagnostics);

// Gives an element a new name, in all paths and formulas of the model, too.
bool rename(Model& model, const ElementAddress& address, const std::string& new_name, Diagnostics& diagnostics);
// The same element in several definitions at once: an instance with `modify:` has a copy of what it uses.
bool rename(Model& model, std::span<const ElementAddress> addresses, const std::string& new_name,
            Diagnostics& diagnostics);

// Whether an element may get this name: valid, not reserved, not taken. Reports why not.
bool is_free_name(const Model& model, const ElementAddress& address, Diagnostics& diagnostics);

// Reports that there is no such element, with the nearest one that there is.
void report_missing(const Model& model, std::string_view path, Diagnostics& diagnostics);

// Reports why the elements cannot be removed, when something outside them refers to them. True when nothing does.
bool is_unused(const Model& model, std::span<const ElementAddress> addresses, Diagnostics& diagnostics);

}  // namespace gelenk::model
