#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/view/model_settings.h"

namespace gelenk::view {

// A number that the page wants to be another one, SI.
struct Change {
  std::string path;
  double value = 0.0;

  bool operator==(const Change&) const = default;
};

// What the page wants of a model: the numbers that it has changed, all of them, and how to run it.
struct RunWish {
  std::vector<Change> parameters, starts;
  std::optional<double> duration;  // s; none: as the model says
  bool is_kept = false;            // the file of results lies beside the model and stays

  bool is_same_machine(const RunWish& other) const { return parameters == other.parameters && starts == other.starts; }
};

// No wish of the page is larger.
constexpr std::size_t kMostWishBytes = std::size_t{64} << 10;

// Reads `{"parameters": {"speed": 70}, "starts": {...}, "duration": 2, "keep": true}`. Nothing, with a sentence for the
// user, when it names what the model does not have, or a value beyond its limits.
std::optional<RunWish> read_wish(std::string_view text, const ModelSettings& settings, std::string& error);

// Forgets what the model does not have, or does not allow, any more.
void forget_unfit(RunWish& wish, const ModelSettings& settings);

// As `--set` and `--start` take them, "path=value". What the model does not have is left out.
std::vector<std::string> settings_text(const std::vector<Change>& changes, const std::vector<Setting>& known);

// What is special about a run, in a few words: "speed=700 rpm, 2 s"; empty: nothing.
std::string wish_title(const RunWish& wish, const ModelSettings& settings);

// Says in the settings which of them are changed; their values are so already.
void mark_changes(const RunWish& wish, ModelSettings& settings);

}  // namespace gelenk::view
