#include "gelenk/base/document.h"

#include <algorithm>

namespace gelenk {

const Node::Entry* Node::find(std::string_view key) const {
  const auto it = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  return it == entries.end() ? nullptr : &*it;
}

Node::Entry* Node::find(std::string_view key) { return const_cast<Entry*>(static_cast<const Node*>(this)->find(key)); }

std::string_view kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return "text";
    case Node::Kind::list:
      return "a list";
    case Node::Kind::map:
      return "a map";
  }
  return "";
}

bool same_content(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.text != b.text) return false;
  if (a.items.size() != b.items.size() || a.entries.size() != b.entries.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!same_content(a.items[i], b.items[i])) return false;
  }
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    const Node::Entry& entry = a.entries[i];
    // Mostly the order is the same too; then no search is needed.
    const Node::Entry* other = b.entries[i].key == entry.key ? &b.entries[i] : b.find(entry.key);
    if (other == nullptr || !same_content(entry.value, other->value)) return false;
  }
  return true;
}

}  // namespace gelenk
