// Runs a fuzz target without libFuzzer: replay SEEDS [ROUNDS]. Every file of the folder goes in as it is, then ROUNDS
// altered copies of each: bits flipped, pieces cut out, doubled, or taken from another seed. The copies are the same in
// every run. The name of a seed is printed before it goes in, so that it is known where a sanitizer stopped.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr int kRounds = 60;
constexpr int kMostChanges = 4;  // of one copy

using Bytes = std::vector<std::uint8_t>;

struct Seed {
  std::string name;
  Bytes bytes;
};

std::vector<Seed> read_seeds(const std::filesystem::path& folder) {
  std::vector<Seed> seeds{{"nothing", {}}};
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::ifstream file(entry.path(), std::ios::binary);
      seeds.push_back({entry.path().filename().string(), Bytes(std::istreambuf_iterator<char>(file), {})});
    }
  }
  std::ranges::sort(seeds, {}, &Seed::name);  // folders have no order of their own
  return seeds;
}

class Alteration {
 public:
  explicit Alteration(const std::vector<Seed>& seeds) : seeds_(seeds) {}

  void operator()(Bytes& bytes) {
    for (int i = 0, count = 1 + below(kMostChanges); i < count; ++i) change(bytes);
  }

 private:
  // Not a std:: distribution: those differ between standard libraries.
  int below(std::size_t end) { return end == 0 ? 0 : static_cast<int>(random_() % end); }

  void change(Bytes& bytes) {
    constexpr int kBits = 8;
    constexpr int kKinds = 5;
    constexpr std::size_t kLongest = 64;
    const auto at = bytes.begin() + below(bytes.size() + 1);
    const auto rest = static_cast<std::size_t>(bytes.end() - at);
    const int length = below(std::min(kLongest, rest) + 1);
    switch (below(kKinds)) {
      case 0:
        if (at != bytes.end()) *at = static_cast<std::uint8_t>(*at ^ (1u << below(kBits)));
        return;
      case 1:
        bytes.erase(at, at + length);
        return;
      case 2: {
        const Bytes piece(at, at + length);
        bytes.insert(at, piece.begin(), piece.end());
        return;
      }
      case 3: {
        const Bytes& other = seeds_[static_cast<std::size_t>(below(seeds_.size()))].bytes;
        const int from = below(other.size() + 1);
        const int most = static_cast<int>(std::min(kLongest, other.size() - static_cast<std::size_t>(from)));
        bytes.insert(at, other.begin() + from, other.begin() + from + most);
        return;
      }
      default:
        if (at != bytes.end()) *at = static_cast<std::uint8_t>(random_());
    }
  }

  const std::vector<Seed>& seeds_;
  std::mt19937 random_{1};
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: replay SEEDS [ROUNDS]\n";
    return 2;
  }
  const std::vector<Seed> seeds = read_seeds(arguments[1]);
  const int rounds = count > 2 ? std::atoi(arguments[2]) : kRounds;
  Alteration alter(seeds);
  for (const Seed& seed : seeds) {
    std::cout << seed.name << std::endl;
    LLVMFuzzerTestOneInput(seed.bytes.data(), seed.bytes.size());
    for (int round = 0; round < rounds; ++round) {
      Bytes copy = seed.bytes;
      alter(copy);
      LLVMFuzzerTestOneInput(copy.data(), copy.size());
    }
  }
  std::cout << seeds.size() << " seeds, " << rounds << " altered copies of each\n";
}
