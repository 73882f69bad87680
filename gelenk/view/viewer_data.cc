#include "gelenk/view/viewer_data.h"

#include <algorithm>

#include "gelenk/base/json.h"
#include "gelenk/base/source.h"
#include "gelenk/export/flat_json.h"

namespace gelenk::view {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kNumbers = "application/octet-stream";

void write_blocks(JsonWriter& json, const RunData& run) {
  json.key("blocks").begin_array();
  for (std::size_t block = 0; block < run.block_count(); ++block) {
    json.begin_object().member("name", run.reader().blocks()[block + 1].name);
    json.member("width", run.block_width(block)).end_object();
  }
  json.end_array();
}

Answer numbers_or(const Problem& problem, std::string bytes) {
  if (problem) return error_answer(problem.status, problem.text);
  return {200, std::string(kNumbers), std::move(bytes)};
}

Answer answer_numbers(const ViewerData& data, const HttpTarget& target) {
  const std::optional<std::size_t> run_number = target.number("run");
  const std::optional<std::size_t> first = target.number("first", 0);
  if (!run_number || !first) return error_answer(400, "'run' and 'first' must be whole numbers");
  if (*run_number >= data.runs.size() || !data.runs[*run_number]) return error_answer(404, "there is no such run");
  const RunData& run = *data.runs[*run_number];
  std::string bytes;
  if (target.path == "/api/times") {
    const Problem problem = run.times(*first, bytes);
    return numbers_or(problem, std::move(bytes));
  }
  if (target.path == "/api/channel") {
    const std::string* name = target.find("name");
    if (name == nullptr) return error_answer(400, "'name' is missing");
    const Problem problem = run.channel(*name, *first, bytes);
    return numbers_or(problem, std::move(bytes));
  }
  const std::optional<std::size_t> block = target.number("block"), count = target.number("count");
  if (!block || !count) return error_answer(400, "'block' and 'count' must be whole numbers");
  const Problem problem = run.table(*block, *first, *count, bytes);
  return numbers_or(problem, std::move(bytes));
}

}  // namespace

Message note_message(std::string text) {
  return {.severity = "note", .text = std::move(text), .code = {}, .hint = {}, .element = {}, .file = {}};
}

std::vector<Message> messages_of(const Diagnostics& diagnostics, const SourceMap& sources) {
  std::vector<Message> messages;
  for (const Diagnostic& diagnostic : diagnostics.sorted()) {
    Message message;
    message.severity = diagnostic.severity == Severity::error ? "error" : "warning";
    message.text = diagnostic.message;
    message.code = code_label(diagnostic.code);
    message.hint = diagnostic.hint;
    message.element = diagnostic.element;
    message.kind = diagnostic.element_kind;
    if (diagnostic.where.is_known()) {
      const SourceFile& file = sources.file(diagnostic.where.file);
      message.file = file.path();
      message.line = file.line_column(diagnostic.where.begin).line;
    }
    messages.push_back(std::move(message));
  }
  return messages;
}

std::string ViewerData::runs_json() const {
  JsonWriter json;
  json.begin_array();
  for (std::size_t number = 0; number < runs.size(); ++number) {
    if (!runs[number]) continue;
    json.begin_object().member("number", number);
    runs[number]->write_members(json);
    write_blocks(json, *runs[number]);
    json.end_object();
  }
  return exporting::flat_json(json.end_array().take());
}

std::string ViewerData::messages_json() const {
  JsonWriter json;
  json.begin_array();
  for (const Message& message : messages) {
    json.begin_object().member("severity", message.severity).member("text", message.text);
    const std::pair<std::string_view, const std::string&> optional[] = {{"code", message.code},
                                                                        {"hint", message.hint},
                                                                        {"element", message.element},
                                                                        {"kind", message.kind},
                                                                        {"file", message.file}};
    for (const auto& [name, text] : optional) {
      if (!text.empty()) json.member(name, text);
    }
    if (message.line > 0) json.member("line", message.line);
    json.end_object();
  }
  return exporting::flat_json(json.end_array().take());
}

Answer error_answer(unsigned status, std::string_view text) {
  JsonWriter json;
  json.begin_object().member("error", text).end_object();
  return {status, std::string(kJson), json.take()};
}

Answer answer(const ViewerData& data, const HttpTarget& target) {
  if (target.path == "/api/scene") return {200, std::string(kJson), data.scene};
  if (target.path == "/api/runs") return {200, std::string(kJson), data.runs_json()};
  if (target.path == "/api/diagnostics") return {200, std::string(kJson), data.messages_json()};
  for (const std::string_view path : {"/api/times", "/api/rows", "/api/channel"}) {
    if (target.path == path) return answer_numbers(data, target);
  }
  return error_answer(404, "there is nothing at this address");
}

}  // namespace gelenk::view
