#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/gelenk/shown_machine.h"
#include "gelenk/view/viewer_data.h"

namespace gelenk::app {

struct ViewRequest {
  ShowRequest show;                // what is shown first
  std::vector<std::string> other;  // runs that are shown with it
  bool without_browser = false;    // the user opens it himself
  bool without_folders = false;    // files are told by their names alone: it is for other people
};

// Reads what the page is to show. Says what is wrong and returns the exit code.
std::optional<ExitCode> read_viewed(const ViewRequest& request, Console& console, view::ViewerData& data);

// `gelenk view`: shows them until Ctrl-C.
ExitCode view_files(ViewRequest request, Console& console);

}  // namespace gelenk::app
