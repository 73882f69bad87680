#pragma once

#include <string>

#include "apps/gelenk/console.h"
#include "gelenk/view/live_control.h"
#include "gelenk/view/viewer_data.h"

namespace gelenk::app {

class ModelBench;

struct ServeOptions {
  bool has_browser = true;               // it is opened for the user
  view::LiveControl* control = nullptr;  // of the run that has started us: the first one
  ModelBench* bench = nullptr;           // of a model, whose files are followed and which can be run from the page
};

// Serves the page until Ctrl-C, or until the owner of the control ends. Runs that are being written are followed.
ExitCode serve_viewer(view::ViewerData& data, const ServeOptions& options, Console& console);

// The address on a line of its own: to stdout, at once, but where that is for one JSON object.
void announce_page(const std::string& address, Console& console);

}  // namespace gelenk::app
