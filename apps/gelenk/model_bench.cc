#include "apps/gelenk/model_bench.h"

#include "gelenk/base/json.h"
#include "gelenk/base/text.h"
#include "gelenk/export/flat_json.h"

namespace gelenk::app {
namespace {

constexpr unsigned kBadRequest = 400, kNotFound = 404, kConflict = 409;

}  // namespace

view::Answer ModelBench::post(const view::HttpTarget& target, const std::string& body) {
  const bool is_run = target.path == "/api/run";
  if (!is_run && target.path != "/api/settings") {
    return view::error_answer(kNotFound, "there is nothing at this address");
  }
  std::string error;
  const std::optional<view::RunWish> wish = read_wish(body, model_.settings(), error);
  if (!wish) return view::error_answer(kBadRequest, error);
  model_.apply(*wish);
  is_announced_ = false;
  if (is_run) error = start(*wish);
  if (!error.empty()) return view::error_answer(kConflict, error);
  JsonWriter json;
  json.begin_object().member("scene", model_.scene_count()).end_object();
  return {.type = "application/json", .body = json.take()};
}

std::string ModelBench::start(const view::RunWish& wish) {
  if (std::string obstacle = model_.obstacle(); !obstacle.empty()) return obstacle;
  const view::ModelSettings& settings = model_.settings();
  PageRunCall call{.model = model_.model(),
                   .settings = settings_text(wish.parameters, settings.parameters),
                   .starts = model_.starts()};
  for (std::string& start : settings_text(wish.starts, settings.starts)) call.starts.push_back(std::move(start));
  if (wish.duration) call.duration = format_number(*wish.duration);
  call.title = wish_title(wish, settings);
  if (wish.is_kept) call.kept_name = model_.name();
  return runs_.start(call);
}

std::string ModelBench::runs_text() const {
  JsonWriter json;
  json.begin_object().member("type", "runs").key("numbers").begin_array();
  for (std::size_t number = 0; number < data_.runs.size(); ++number) {
    if (data_.runs[number]) json.value(number);
  }
  return exporting::flat_json(json.end_array().end_object().take());
}

std::vector<std::string> ModelBench::greeting() const { return {model_.versions_text(), runs_text()}; }

void ModelBench::look(view::Server& server) {
  if (model_.look() || !is_announced_) server.announce(model_.versions_text());
  is_announced_ = true;
  if (runs_.look()) server.announce(runs_text());
  if (const std::string complaint = runs_.take_complaint(); !complaint.empty()) {
    JsonWriter json;
    json.begin_object().member("type", "not_started").member("message", complaint);
    server.announce(exporting::flat_json(json.end_object().take()));
  }
}

}  // namespace gelenk::app
