#include "gelenk/base/interrupt.h"

#include <cstddef>

namespace gelenk {
namespace {

volatile sig_atomic_t interrupts = 0;

extern "C" void remember_interrupt(int number) {
  interrupts = interrupts + 1;
  if (interrupts > 1) signal(number, SIG_DFL);  // the next one is not caught
}

struct Watched {
  int number;
  void (*handler)(int);
};
const std::array<Watched, 3> kWatched{
    {{SIGINT, remember_interrupt}, {SIGTERM, remember_interrupt}, {SIGXFSZ, SIG_IGN}}};

}  // namespace

InterruptWatch::InterruptWatch() {
  interrupts = 0;
  for (std::size_t i = 0; i < kWatched.size(); ++i) {
    struct sigaction action = {};
    action.sa_handler = kWatched[i].handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;  // a write to disk in progress is not torn
    sigaction(kWatched[i].number, &action, &before_[i]);
  }
}

InterruptWatch::~InterruptWatch() {
  for (std::size_t i = 0; i < kWatched.size(); ++i) sigaction(kWatched[i].number, &before_[i], nullptr);
}

bool InterruptWatch::was_interrupted() const { return interrupts > 0; }

}  // namespace gelenk
