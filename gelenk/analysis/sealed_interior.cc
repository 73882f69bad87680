#include "gelenk/analysis/sealed_interior.h"

#include <utility>

namespace gelenk::analysis {

component::ComponentSizes SealedInterior::sizes() const {
  return mounted_ ? mounted_->server->sizes() : component::ComponentSizes{};
}

gelenk_status SealedInterior::perform(std::span<const gelenk_command> commands, std::size_t& done) {
  done = 0;
  if (!mounted_) {
    keep_error("it is not mounted");
    return GELENK_REFUSED;
  }
  const gelenk_status status = mounted_->server->perform(commands, done);
  if (status != GELENK_OK) keep_error(mounted_->server->error());
  return status;
}

std::string SealedInterior::read(gelenk_bytes what, std::int32_t slot) const {
  return mounted_ ? mounted_->server->read(what, slot) : std::string();
}

bool SealedInterior::write(gelenk_bytes what, std::int32_t slot, std::string_view bytes) {
  return mounted_ && mounted_->server->write(what, slot, bytes);
}

}  // namespace gelenk::analysis
