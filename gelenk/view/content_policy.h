#pragma once

#include <string>
#include <string_view>

namespace gelenk::view {

// The Content-Security-Policy with which a page is served: the one that it has in its head, which names its scripts and
// styles by their hashes, and what only a server can say. Nothing runs in a page that has none.
std::string content_policy(std::string_view page);

}  // namespace gelenk::view
