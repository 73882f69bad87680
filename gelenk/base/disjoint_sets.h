#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gelenk {

// The numbers 0 ... count-1 in sets that grow together (union-find). Each set has a leader, its smallest member: which
// one it is does not depend on the order of join().
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count);

  std::size_t size() const { return leaders_.size(); }
  // Shortens the way to the leader for the next time.
  std::size_t leader(std::size_t member);
  void join(std::size_t a, std::size_t b);
  // For each member the number of its set; sets are numbered in the order of their leaders.
  std::vector<std::size_t> numbers();

 private:
  // Of each member one that is not larger; of a leader itself. Meshes have many members: four bytes each.
  std::vector<std::uint32_t> leaders_;
};

}  // namespace gelenk
