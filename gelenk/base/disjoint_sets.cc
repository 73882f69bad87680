#include "gelenk/base/disjoint_sets.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace gelenk {

DisjointSets::DisjointSets(std::size_t count) : leaders_(count) {
  assert(count <= UINT32_MAX);
  std::iota(leaders_.begin(), leaders_.end(), 0U);
}

std::size_t DisjointSets::leader(std::size_t member) {
  while (leaders_[member] != member) member = leaders_[member] = leaders_[leaders_[member]];
  return member;
}

void DisjointSets::join(std::size_t a, std::size_t b) {
  const std::size_t one = leader(a);
  const std::size_t other = leader(b);
  leaders_[std::max(one, other)] = static_cast<std::uint32_t>(std::min(one, other));
}

std::vector<std::size_t> DisjointSets::numbers() {
  std::vector<std::size_t> result(size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t first = leader(i);
    result[i] = first == i ? count++ : result[first];
  }
  return result;
}

}  // namespace gelenk
