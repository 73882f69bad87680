#pragma once

namespace gelenk {

// Ctrl-C (SIGINT) and polite requests to end (SIGTERM) are remembered instead of ending the program, as long as one of
// these lives; a second Ctrl-C ends it at once.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  bool was_interrupted() const;
};

}  // namespace gelenk
