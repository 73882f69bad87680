#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/component/gelenk_component.h"
#include "gelenk/component/manifest.h"
#include "gelenk/subsystem/subsystem.h"

// How an owner reaches the code of a sealed component: in his own process, or in one of its own.
namespace gelenk::component {

// Ends a run: the component did what it must not do, or is not there any more. The text names nothing of its inside.
class ComponentFailure : public subsystem::Failure {
 public:
  enum class Kind { not_loaded, refused, failed, crashed, late, broken_numbers, wrong_sizes };
  ComponentFailure(Kind kind, const std::string& text) : Failure(text), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

// gelenk_settings and gelenk_mounting with room of their own.
struct HostSettings {
  std::string resource;
  std::vector<double> parameters;
  std::string code = {};  // second library, with forces that the maker wrote (gelenk_code.h); empty: none
};
struct HostMounting {
  std::vector<gelenk_mount> mounts;
  gelenk_mounting rest{};  // all but the mounts
};

struct ComponentSizes {
  std::size_t switches = 0, inputs = 0, signals = 0;
  std::size_t mounts = 0;  // at frames
  std::size_t outputs = 0;
  std::size_t shafts = 0;  // that are mounted, too
  std::size_t motions() const { return 6 * mounts + shafts; }
};

// A port that is a frame, as drawn in the component's own coordinates; axes row by row.
struct DrawnPort {
  double position[3] = {0.0, 0.0, 0.0};
  double rotation[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
};

// A component at work. Everything that comes back was looked at: counts as announced, numbers finite.
class Host {
 public:
  virtual ~Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  const ComponentSizes& sizes() const { return sizes_; }
  // In the order of the manifest; signals have the place of the component itself.
  const std::vector<DrawnPort>& ports() const { return ports_; }
  // Of its largest body, a power of two.
  double length() const { return length_; }

  // Once, before the first command.
  virtual void mount(const HostMounting& mounting) = 0;
  // All commands in their order. False: one of them was not solvable at this state, and those behind it were not run.
  // Throws ComponentFailure.
  virtual bool perform(std::span<const gelenk_command> commands) = 0;
  // A command without an answer that is always solvable. A host may keep it until it is asked for something else.
  virtual void post(const gelenk_command& command) = 0;
  // Commands that come next, one by one and in this order; their answers are wanted where `out` is not null. A host
  // may work on them already. When something else comes first, they are forgotten, but may have been run: only for
  // those that can be done twice.
  virtual void begin(std::span<const gelenk_command> /*commands*/) {}
  // Whether begin() does anything.
  virtual bool works_ahead() const { return false; }
  virtual std::string read(gelenk_bytes what, std::int32_t slot) = 0;
  virtual void write(gelenk_bytes what, std::int32_t slot, std::string_view bytes) = 0;

 protected:
  Host() = default;
  ComponentSizes sizes_;
  std::vector<DrawnPort> ports_;
  double length_ = 1.0;
};

// The library runs in this process: for makers who are trusted. Both check that the component is what the manifest
// says.
std::unique_ptr<Host> host_in_process(std::string_view library, const Manifest& manifest, const HostSettings& settings);

struct WorkerLimits {
  double call_seconds = 10.0;                 // deadline of one perform(), read() or write()
  double start_seconds = 30.0;                // of its start, and of mount()
  std::size_t memory = std::size_t{2} << 30;  // bytes of address space beyond what the program needs itself
  // Run even where the system offers nothing to keep the component in its sandbox.
  bool allows_no_sandbox = false;
  std::string program;  // path of gelenk-worker; empty: the one that is installed with this program
};
// The library runs in a process of its own, without files and network.
std::unique_ptr<Host> host_in_worker(std::string_view library, const Manifest& manifest, const HostSettings& settings,
                                     const WorkerLimits& limits = {});

}  // namespace gelenk::component
