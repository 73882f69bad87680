#pragma once

#include <chrono>

#include "apps/gelenk/console.h"

namespace gelenk::app {

// How far a run is: a bar on a terminal, a line now and then elsewhere, nothing when quiet.
class ProgressLine {
 public:
  ProgressLine(const Console& console, double start, double end);
  void show(double time);
  // Takes the bar off the terminal.
  void clear();

 private:
  const Console& console_;
  double start_, end_;
  bool is_terminal_;
  bool is_shown_ = false;
  int until_look_ = 0;  // steps before the clock is read again: reading it costs more than a small step
  std::chrono::steady_clock::time_point begun_, last_;
};

}  // namespace gelenk::app
