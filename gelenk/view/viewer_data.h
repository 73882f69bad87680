#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/view/http_target.h"
#include "gelenk/view/run_data.h"

namespace gelenk::view {

// Something that the page tells about the model; see viewer/PROTOCOL.md.
struct Message {
  std::string severity;  // "error", "warning", "note"
  std::string text;
  std::string code, hint, element, file;  // may be empty
  std::uint32_t line = 0;
};
std::vector<Message> messages_of(const Diagnostics& diagnostics, const SourceMap& sources);

// Everything that the page shows.
struct ViewerData {
  std::string scene;  // JSON
  std::vector<std::unique_ptr<RunData>> runs;
  std::vector<Message> messages;

  std::string runs_json() const;
  std::string messages_json() const;
};

struct Answer {
  unsigned status = 200;
  std::string type;  // "application/json"
  std::string body;
};
Answer error_answer(unsigned status, std::string_view text);

// `GET api/...`; 404 for what there is not.
Answer answer(const ViewerData& data, const HttpTarget& target);

// The page with the data in it: one file that needs nothing else. It is handed to `write` in pieces; what that returns
// is what went wrong, and ends it. Large runs are read piece by piece.
struct PackedSize {
  std::size_t numbers = 0;  // bytes before they are compressed
};
PackedSize packed_size(const ViewerData& data);
std::string write_page(std::string_view page, const ViewerData& data,
                       const std::function<std::string(std::string_view)>& write);

}  // namespace gelenk::view
