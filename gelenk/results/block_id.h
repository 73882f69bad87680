#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace gelenk::results {

// The name of a block, which is that of its dataset: "parts/pose". There is no list of blocks: what makes a layout and
// what fills its rows agree on a name. It is a literal, and as fast to compare as a number.
class BlockId {
 public:
  constexpr BlockId() = default;
  template <std::size_t N>
  constexpr BlockId(const char (&name)[N])
      : name_(name, N - 1) {  // NOLINT(google-explicit-constructor): a name is an id
    for (const char letter : name_) key_ = (key_ ^ static_cast<unsigned char>(letter)) * kPrime;
  }

  constexpr std::string_view name() const { return name_; }
  friend constexpr bool operator==(const BlockId& a, const BlockId& b) {
    return a.key_ == b.key_ && a.name_ == b.name_;
  }

  // Blocks that many files speak of. Vectors are in the axes that docs/conventions.md names; SI.
  // NOLINTBEGIN(readability-identifier-naming): values of a type, named as enumerators would be
  static const BlockId pose;          // parts × 7: position of the origin x y z, quaternion w x y z; world
  static const BlockId twist;         // parts × 6: velocity of the origin, angular velocity; world axes
  static const BlockId acceleration;  // parts × 6: acceleration of the origin, angular acceleration; world axes
  static const BlockId coordinate;    // joint coordinates, one joint after the other; an orientation takes 4
  static const BlockId rate;          // their rates; an angular velocity takes 3
  static const BlockId reaction;      // joints × 6: force, moment on the second part, in axes of the first frame
  static const BlockId effort;        // drivers × 2: torque or force, power
  static const BlockId coupling;      // couplings: torque or force on the first coordinate
  static const BlockId force;         // the channels of the forces' types, one force after the other; vectors take 3
  static const BlockId output;        // the model's outputs
  static const BlockId energy;   // kinetic; potential: gravity and all springs; their sum; works of forces, drivers and
                                 // impacts so far
  static const BlockId state;    // states of assemblies, forces and code: numbers that are integrated
  static const BlockId code;     // outputs of code in C; only where there is some
  static const BlockId contact;  // what contacts do, model::kContactNumbers each; only where there are some
                                 // NOLINTEND(readability-identifier-naming)

 private:
  static constexpr std::uint64_t kPrime = 1099511628211U;  // of FNV-1a

  std::string_view name_;
  std::uint64_t key_ = 14695981039346656037U;
};

inline const BlockId BlockId::pose{"parts/pose"};
inline const BlockId BlockId::twist{"parts/twist"};
inline const BlockId BlockId::acceleration{"parts/acceleration"};
inline const BlockId BlockId::coordinate{"joints/coordinate"};
inline const BlockId BlockId::rate{"joints/rate"};
inline const BlockId BlockId::reaction{"joints/reaction"};
inline const BlockId BlockId::effort{"drivers/effort"};
inline const BlockId BlockId::coupling{"couplings/effort"};
inline const BlockId BlockId::force{"forces/value"};
inline const BlockId BlockId::output{"outputs/value"};
inline const BlockId BlockId::energy{"energy"};
inline const BlockId BlockId::state{"states/value"};
inline const BlockId BlockId::code{"code/value"};
inline const BlockId BlockId::contact{"contacts/value"};

// Something for each block of a layout.
template <class T>
class PerBlock {
 public:
  PerBlock() = default;
  explicit PerBlock(std::span<const BlockId> ids) : ids_(ids.begin(), ids.end()), values_(ids.size()) {}

  // In the order of the layout.
  std::span<const BlockId> ids() const { return ids_; }

  // The layout must have the block.
  T& operator[](BlockId id) {
    const std::size_t place = place_of(id);
    assert(place < values_.size());
    return values_[place];
  }
  // Nothing, an empty T, for a block that the layout does not have.
  const T& operator[](BlockId id) const {
    const std::size_t place = place_of(id);
    return place < values_.size() ? values_[place] : none_;
  }

 private:
  std::size_t place_of(BlockId id) const {
    return static_cast<std::size_t>(std::find(ids_.begin(), ids_.end(), id) - ids_.begin());
  }

  std::vector<BlockId> ids_;
  std::vector<T> values_;
  T none_{};
};

}  // namespace gelenk::results
