#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Topics of `gelenk help`: pages of docs/help. Where a page says {{joints}}, a table made from the descriptors stands,
// so that it cannot disagree with the program.
namespace gelenk::app {

struct Topic {
  std::string_view name;
  std::string_view title;  // the page's heading
};

std::vector<Topic> all_topics();
std::vector<std::string> topic_names();
// The page in Markdown, tables filled in.
std::optional<std::string> topic_page(std::string_view name);

}  // namespace gelenk::app
