#include <memory>

#include "apps/gelenk/run_model.h"

namespace gelenk::app {

Action describe_run(Options& options) {
  const auto request = std::make_shared<RunRequest>();
  add_run_options(options, *request);
  options.details =
      "examples:\n"
      "  gelenk run crank_slider.yaml\n"
      "  gelenk run crank_slider.yaml -o fast.h5 --set speed=\"900 rpm\" --duration \"2 s\"\n"
      "  gelenk run engine.yaml --drive main_bearing=\"60 rpm\" --gravity none\n"
      "  gelenk run car.yaml --method rk4 --step \"1 ms\" --record 'chassis.*'\n"
      "\n"
      "Exit codes: 0 success, 1 the simulation failed, 2 the command was not understood, 3 the model has errors,\n"
      "4 a file cannot be read or written, or there is not enough memory, 130 stopped by Ctrl-C (SIGINT, SIGTERM,\n"
      "SIGHUP) at the next row. The results so far are kept. A second Ctrl-C ends the program at once.\n";
  return [request](Console& console) { return run_model(*request, console); };
}

}  // namespace gelenk::app
