#include <nanobind/stl/string.h>

#include <cmath>
#include <string>

#include "python/src/bindings.h"
#include "python/src/messages.h"

namespace nb = nanobind;

namespace gelenk::python {
namespace {

// Of what a program passes; deeper ones refer to themselves.
constexpr int kMostLevels = 60;

Node scalar(std::string text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::move(text);
  return node;
}

std::string number_text(nb::handle number) {
  const double value = nb::cast<double>(nb::float_(number));
  if (!std::isfinite(value)) throw Failure(Failure::Kind::usage, "numbers of a model must be finite");
  return nb::cast<std::string>(nb::repr(nb::float_(number)));
}

Node convert(nb::handle value, int level) {
  if (level > kMostLevels) throw Failure(Failure::Kind::usage, "the description is too deep: does it contain itself?");
  Node node;
  if (value.is_none()) return node;
  if (nb::isinstance<nb::bool_>(value)) return scalar(nb::cast<bool>(value) ? "true" : "false");
  if (nb::isinstance<nb::str>(value)) return scalar(nb::cast<std::string>(value));
  if (nb::isinstance<nb::int_>(value)) return scalar(nb::cast<std::string>(nb::str(value)));
  if (nb::isinstance<nb::dict>(value)) {
    node.kind = Node::Kind::map;
    for (const auto& [key, item] : nb::borrow<nb::dict>(value)) {
      node.entries.push_back({nb::cast<std::string>(nb::str(key)), {}, convert(item, level + 1)});
    }
    return node;
  }
  if (PyObject_HasAttrString(value.ptr(), "__float__") != 0) return scalar(number_text(value));
  if (PyObject_HasAttrString(value.ptr(), "__iter__") != 0) {
    node.kind = Node::Kind::list;
    for (const nb::handle item : nb::iter(value)) node.items.push_back(convert(item, level + 1));
    return node;
  }
  throw nb::type_error("a model consists of dictionaries, lists, texts, numbers, truth values and None");
}

}  // namespace

Node node_of(nb::handle value) { return convert(value, 0); }

nb::object value_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      break;
    case Node::Kind::scalar:
      return nb::cast(node.text);
    case Node::Kind::list: {
      nb::list items;
      for (const Node& item : node.items) items.append(value_of(item));
      return items;
    }
    case Node::Kind::map: {
      nb::dict entries;
      for (const Node::Entry& entry : node.entries) entries[nb::cast(entry.key)] = value_of(entry.value);
      return entries;
    }
  }
  return nb::none();
}

}  // namespace gelenk::python
