#pragma once

#include <signal.h>

#include <array>

namespace gelenk {

// Signals that would end the program in the middle of its work are taken care of as long as one of these lives; then
// everything is as before.
// - Ctrl-C (SIGINT) and polite requests to end (SIGTERM) are remembered. Some shells and makers of processes pass one
//   Ctrl-C on twice, so only the third ends the program at once.
// - A file that grows beyond the limit of its size (SIGXFSZ) becomes an error of the write, as on a full disk.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  bool was_interrupted() const;

 private:
  std::array<struct sigaction, 3> before_{};
};

}  // namespace gelenk
