#include "gelenk/view/places.h"

#include <algorithm>
#include <utility>

namespace gelenk::view {

Guest::Guest(std::shared_ptr<Places> places) : places_(std::move(places)) { places_->guests_.push_back(this); }

Guest::~Guest() { std::erase(places_->guests_, this); }

std::size_t Places::strangers() const {
  return static_cast<std::size_t>(
      std::count_if(guests_.begin(), guests_.end(), [](const Guest* guest) { return !guest->is_known(); }));
}

bool Places::make_room() {
  while (guests_.size() >= kMost || strangers() >= kMostStrangers) {
    const auto oldest =
        std::find_if(guests_.begin(), guests_.end(), [](const Guest* guest) { return !guest->is_known(); });
    if (oldest == guests_.end()) return false;
    // Its place is free at once; the connection itself ends a little later.
    Guest& guest = **oldest;
    guests_.erase(oldest);
    guest.let_go();
  }
  return true;
}

}  // namespace gelenk::view
