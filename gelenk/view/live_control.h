#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "gelenk/base/memory_file.h"

namespace gelenk::view {

// What a run and the process that shows it exchange during the run: memory that both see. Nobody waits
// for the other.
class LiveControl {
 public:
  enum class Wish : std::uint32_t { go_on, pause, stop };
  enum class Phase : std::uint32_t { running, paused, over };

  // By who starts the other process, which gets descriptor(): a run its viewer, or a viewer a run.
  static std::optional<LiveControl> create(std::string& error);
  static std::optional<LiveControl> attach(Descriptor file, std::string& error);

  int descriptor() const { return memory_.descriptor(); }

  // Written by the run
  void set_time(double time) { shared().time.store(time, std::memory_order_relaxed); }
  void set_phase(Phase phase) { shared().phase.store(phase); }
  void set_token(const std::string& token);  // before the other process starts
  void set_readable() { shared().is_readable.store(1); }
  // Written by who shows it
  void set_wish(Wish wish) { shared().wish.store(wish); }
  void set_port(std::uint16_t port) { shared().port.store(port); }

  double time() const { return shared().time.load(std::memory_order_relaxed); }
  Phase phase() const { return shared().phase.load(); }
  Wish wish() const { return shared().wish.load(); }
  std::uint16_t port() const { return static_cast<std::uint16_t>(shared().port.load()); }  // 0: not yet open
  bool is_readable() const { return shared().is_readable.load() != 0; }  // the file of a run that others started
  std::string token() const;

 private:
  static constexpr std::size_t kMostToken = 64;
  struct Shared {
    std::atomic<double> time;
    std::atomic<Phase> phase;
    std::atomic<Wish> wish;
    std::atomic<std::uint32_t> port;
    std::atomic<std::uint32_t> is_readable;
    char token[kMostToken];
  };
  static_assert(std::atomic<double>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);

  explicit LiveControl(SharedMemory memory) : memory_(std::move(memory)) {}
  // All zero is a valid beginning: running, nothing wished, no port, nothing to read.
  Shared& shared() const { return *reinterpret_cast<Shared*>(memory_.bytes().data()); }

  SharedMemory memory_;
};

}  // namespace gelenk::view
