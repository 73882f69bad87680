#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/shared_library.h"
#include "gelenk/component/checked_host.h"
#include "gelenk/component/host.h"
#include "gelenk/component/instance.h"

namespace gelenk::component {
namespace {

using Kind = ComponentFailure::Kind;

// Components with the same library share one copy of it while there is one: four copies of the same code drive each
// other out of the processor's caches, which costs as much as the work itself. Null, with a sentence part in `error`.
std::shared_ptr<const SharedLibrary> load_shared(std::string_view bytes, std::string& error) {
  // By content: comparing megabytes takes a thousandth of what their hash would take.
  struct Loaded {
    std::string bytes;
    std::weak_ptr<const SharedLibrary> code;
  };
  static std::mutex mutex;
  static std::vector<Loaded> all;
  const std::lock_guard<std::mutex> lock(mutex);
  std::erase_if(all, [](const Loaded& one) { return one.code.expired(); });
  for (const Loaded& one : all) {
    std::shared_ptr<const SharedLibrary> library = one.code.lock();
    if (library && one.bytes == bytes) return library;
  }
  std::optional<SharedLibrary> fresh = SharedLibrary::load(bytes, error);
  if (!fresh) return nullptr;
  const auto library = std::make_shared<const SharedLibrary>(*std::move(fresh));
  all.push_back({std::string(bytes), library});
  return library;
}

class InProcessHost final : public CheckedHost {
 public:
  InProcessHost(std::string_view library, const Manifest& manifest, const HostSettings& settings)
      : CheckedHost(manifest) {
    std::string error;
    library_ = load_shared(library, error);
    if (!library_) checks().fail(Kind::not_loaded, "cannot be loaded: " + error);
    if (!settings.code.empty()) {
      code_ = load_shared(settings.code, error);
      if (!code_) checks().fail(Kind::not_loaded, "has code that cannot be loaded: " + error);
    }
    learn(checks().named([&] {
      instance_.emplace(*library_, code_.get());
      instance_->create(settings);
      return instance_->describe();
    }));
  }

  std::string read(gelenk_bytes what, std::int32_t slot) override {
    std::string bytes;
    const std::uint32_t status = checks().named([&] { return instance_->read(what, slot, bytes); });
    checks().check_status(status, error_text(status));
    return bytes;
  }

  void write(gelenk_bytes what, std::int32_t slot, std::string_view bytes) override {
    const std::uint32_t status = instance_->write(what, slot, bytes);
    checks().check_status(status, error_text(status));
  }

 private:
  Description mount_there(const HostMounting& mounting) override {
    const std::uint32_t status = instance_->mount(mounting);
    checks().check_status(status, error_text(status));
    return checks().named([&] { return instance_->describe(); });
  }

  bool perform_there(std::span<const gelenk_command> commands) override {
    for (const gelenk_command& command : commands) {
      // What the component does not write must not look like an answer.
      if (command.out != nullptr) {
        std::fill_n(command.out, command.out_count, std::numeric_limits<double>::quiet_NaN());
      }
    }
    const auto [status, done] = instance_->perform(commands);
    const bool is_done = checks().check_outcome(status, done, commands.size(), error_text(status));
    for (const gelenk_command& command : commands.first(done)) checks().check_answer(command, sizes());
    return is_done;
  }

  std::string error_text(std::uint32_t status) const {
    return status == GELENK_OK || status == GELENK_NOT_SOLVABLE ? std::string() : instance_->last_error();
  }

  std::shared_ptr<const SharedLibrary> library_, code_;
  std::optional<Instance> instance_;
};

}  // namespace

std::unique_ptr<Host> host_in_process(std::string_view library, const Manifest& manifest,
                                      const HostSettings& settings) {
  return std::make_unique<InProcessHost>(library, manifest, settings);
}

}  // namespace gelenk::component
