#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/view/http_target.h"
#include "gelenk/view/run_data.h"

namespace gelenk::view {

// Something that the page shows about the model; see viewer/PROTOCOL.md.
struct Message {
  std::string severity;  // "error", "warning", "note"
  std::string text;
  std::string code, hint, element, file;  // may be empty
  std::uint32_t line = 0;
  std::string kind{};  // of the element: "joint"; may be empty
};
Message note_message(std::string text);
std::vector<Message> messages_of(const Diagnostics& diagnostics, const SourceMap& sources);

// Everything that the page shows.
struct ViewerData {
  std::string scene;  // JSON
  // By their numbers, which stay; null: it is not shown any more.
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

// The page with the data in it: one file that needs nothing else. Returns what went wrong, or nothing.
std::string write_page(std::string_view page, const ViewerData& data, std::string& file);
// Bytes of all numbers, before they are compressed.
std::size_t number_bytes(const ViewerData& data);

}  // namespace gelenk::view
