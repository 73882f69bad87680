#include "apps/gelenk/viewed_model.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "gelenk/base/json.h"
#include "gelenk/base/text.h"
#include "gelenk/export/flat_json.h"

namespace gelenk::app {
namespace {

void append_texts(std::vector<std::string>& list, std::vector<std::string> more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

bool has_error_message(const std::vector<view::Message>& messages) {
  return std::any_of(messages.begin(), messages.end(),
                     [](const view::Message& message) { return message.severity == "error"; });
}

// What was said on the way to nowhere, as a message; of several lines the first.
view::Message overheard_message(std::string_view text) {
  constexpr std::string_view kErrorPrefix = "error: ";
  text = text.substr(0, text.find('\n'));
  if (text.starts_with(kErrorPrefix)) text.remove_prefix(kErrorPrefix.size());
  view::Message message = view::note_message(text.empty() ? "the model cannot be shown" : std::string(text));
  message.severity = "error";
  return message;
}

}  // namespace

ViewedModel::Reading ViewedModel::read(const view::RunWish& wish) const {
  Reading reading;
  ViewRequest request = request_;
  append_texts(request.show.model.settings, settings_text(wish.parameters, settings_.parameters));
  append_texts(request.show.starts, settings_text(wish.starts, settings_.starts));
  request.show.model.watch = &reading.watch;
  Console console;
  std::string overheard;
  console.overheard = &overheard;
  reading.is_failed = read_viewed_machine(request, console, reading.machine).has_value();
  std::vector<view::Message>& messages = reading.machine.messages;
  if (reading.is_failed && !has_error_message(messages)) messages.push_back(overheard_message(overheard));
  return reading;
}

std::optional<ExitCode> ViewedModel::open(Console& console) {
  Reading reading;
  ViewRequest request = request_;
  request.show.model.watch = &reading.watch;
  if (const std::optional<ExitCode> failed = read_viewed_machine(request, console, reading.machine)) return failed;
  show(std::move(reading));
  return std::nullopt;
}

bool ViewedModel::look() {
  if (!watch_.has_changed()) return false;
  read_again(true);
  return true;
}

void ViewedModel::apply(const view::RunWish& wish) {
  const bool is_same = wish.is_same_machine(wish_);
  wish_ = wish;
  if (is_same) {
    publish_settings();
  } else {
    read_again(false);
  }
}

void ViewedModel::read_again(bool may_forget) {
  Reading reading = read(wish_);
  const bool has_wish = !wish_.parameters.empty() || !wish_.starts.empty();
  if (may_forget && !reading.is_good() && has_wish) {
    // Perhaps the file has no place any more for what was chosen on the page.
    Reading plain = read({});
    if (plain.is_good()) {
      forget_unfit(wish_, plain.machine.settings);
      reading = read(wish_);
      if (!reading.is_good()) {
        wish_.parameters.clear();
        wish_.starts.clear();
        reading = std::move(plain);
      }
    }
  }
  show(std::move(reading));
}

// The last good scene stays while somebody is half through with a change.
void ViewedModel::show(Reading reading) {
  watch_ = std::move(reading.watch);
  ViewedMachine& machine = reading.machine;
  data_.messages = std::move(machine.messages);
  ++message_count_;
  if (!reading.is_good() && has_good_scene_) return;
  has_good_scene_ = reading.is_good();
  name_ = machine.name;
  settings_ = std::move(machine.settings);
  const std::string before = std::move(data_.scene);
  data_.scene = view::open_scene(std::move(machine.scene));
  plain_bytes_ = data_.scene.size();
  publish_settings();
  // Another comment in the file is no reason to draw everything anew.
  if (data_.scene == before) return;
  ++scene_count_;
  publish_settings();
}

void ViewedModel::publish_settings() {
  mark_changes(wish_, settings_);
  const std::string file = std::filesystem::path(model().file).filename().string();
  data_.scene.resize(plain_bytes_);
  data_.scene += view::model_member(settings_, file, scene_count_);
}

std::string ViewedModel::obstacle() const {
  const auto error = std::find_if(data_.messages.begin(), data_.messages.end(),
                                  [](const view::Message& message) { return message.severity == "error"; });
  return error == data_.messages.end() ? std::string() : "the model has errors: " + error->text;
}

std::string ViewedModel::versions_text() const {
  JsonWriter json;
  json.begin_object().member("type", "model").member("scene", scene_count_).member("messages", message_count_);
  return exporting::flat_json(json.end_object().take());
}

}  // namespace gelenk::app
