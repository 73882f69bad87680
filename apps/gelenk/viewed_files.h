#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/gelenk/shown_machine.h"
#include "gelenk/view/model_settings.h"
#include "gelenk/view/viewer_data.h"

namespace gelenk::app {

struct ViewRequest {
  ShowRequest show;                // what is shown first
  std::vector<std::string> other;  // runs that are shown with it
  bool without_browser = false;    // the user opens it himself
  bool without_folders = false;    // files are given by their names alone: it is for other people
};

// A machine as the page shows it.
struct ViewedMachine {
  std::string scene;  // JSON
  std::vector<view::Message> messages;
  view::ModelSettings settings;  // of a model
  std::string name;
  bool is_incomplete = false;  // see ShownMachine
};

// Reads the first file. Says what is wrong and returns the exit code; the messages are there also then.
std::optional<ExitCode> read_viewed_machine(const ViewRequest& request, Console& console, ViewedMachine& viewed);
// Opens the runs. Says what is wrong and returns the exit code.
std::optional<ExitCode> open_viewed_runs(const ViewRequest& request, Console& console, view::ViewerData& data);
// Both.
std::optional<ExitCode> read_viewed(const ViewRequest& request, Console& console, view::ViewerData& data);

// `gelenk view`: shows them until Ctrl-C.
ExitCode view_files(ViewRequest request, Console& console);

}  // namespace gelenk::app
