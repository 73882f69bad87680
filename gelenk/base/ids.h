#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace gelenk {

// Index of one kind of thing: ids of different kinds do not mix, and "none" is no number.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : index_(static_cast<std::int32_t>(index)) {}

  constexpr bool is_set() const { return index_ >= 0; }
  constexpr std::size_t index() const { return static_cast<std::size_t>(index_); }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;

 private:
  std::int32_t index_ = -1;
};

}  // namespace gelenk
