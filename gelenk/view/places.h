#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace gelenk::view {

class Places;

// Somebody with a place at the server, as long as it lives or until it is let go.
class Guest {
 public:
  explicit Guest(std::shared_ptr<Places> places);
  virtual ~Guest();
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  // Hangs up, without waiting for the other side.
  virtual void let_go() = 0;

  // Has shown the token. Others are strangers.
  bool is_known() const { return is_known_; }
  void set_known() { is_known_ = true; }

 private:
  std::shared_ptr<Places> places_;
  bool is_known_ = false;
};

// The places of a server. All who come are on this computer and look alike until they show the token: so strangers
// together have a share only, and who is new takes the place of the one that has said nothing for the longest time. Who
// has the token finds room, whatever the others do.
class Places {
 public:
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kMostStrangers = 32;

  // Before somebody new comes. False: all places belong to who has shown the token.
  bool make_room();
  std::size_t taken() const { return guests_.size(); }

 private:
  friend class Guest;
  std::size_t strangers() const;

  std::vector<Guest*> guests_;  // in the order in which they came
};

}  // namespace gelenk::view
