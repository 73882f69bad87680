#include <memory>

#include "apps/gelenk/check_model.h"

namespace gelenk::app {

Action describe_run(Options& options) {
  const auto request = std::make_shared<CheckRequest>();
  add_check_options(options, *request);
  return [request](Console& console) {
    const ExitCode code = check_model(*request, console);
    if (code == ExitCode::ok) console.message("This version checks models; simulating them comes with a later one.\n");
    return code;
  };
}

}  // namespace gelenk::app
