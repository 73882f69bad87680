#pragma once

#include <signal.h>

#include <array>

namespace gelenk {

// Signals that would end the program in the middle of its work are taken care of as long as one of these lives; then
// everything is as before.
// - Ctrl-C (SIGINT), polite requests to end (SIGTERM) and the end of the terminal (SIGHUP) are remembered; the second
//   one ends the program at once. Some shells and makers of processes pass one Ctrl-C on twice: what comes within a
//   twentieth of a second counts as one. Who is started with `nohup` does not hear of the end of the terminal.
// - A file that grows beyond the limit of its size (SIGXFSZ) becomes an error of the write, as on a full disk.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  bool was_interrupted() const;

 private:
  std::array<struct sigaction, 4> before_{};
};

// For the whole program: a file that grows beyond the limit of its size (SIGXFSZ) is an error of the write.
void expect_full_files();

}  // namespace gelenk
