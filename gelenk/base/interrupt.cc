#include "gelenk/base/interrupt.h"

#include <signal.h>

namespace gelenk {
namespace {

volatile sig_atomic_t interrupts = 0;

extern "C" void remember_interrupt(int number) {
  interrupts = interrupts + 1;
  if (interrupts > 1) signal(number, SIG_DFL);  // the next one is not caught
}

void set_handlers(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // a write to disk in progress is not torn
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptWatch::InterruptWatch() {
  interrupts = 0;
  set_handlers(remember_interrupt);
}

InterruptWatch::~InterruptWatch() { set_handlers(SIG_DFL); }

bool InterruptWatch::was_interrupted() const { return interrupts > 0; }

}  // namespace gelenk
