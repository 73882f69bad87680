#include "apps/gelenk/component_pair.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

namespace gelenk::app {
namespace {

constexpr int kSteps = 20;                       // of a walk
constexpr double kPairStep = 1e-4;               // s
constexpr int kLeastWalks = 20;                  // of each
constexpr std::chrono::milliseconds kLong{300};  // or more of them, for so long
constexpr std::size_t kBoth = 2;

// They fall in different directions, and are pushed with different loads.
const std::array<Vector3, kBoth> kPairGravity{Vector3(0.0, 0.0, -9.81), Vector3(3.0, -2.0, -7.0)};
constexpr std::array<double, kBoth> kPush{1.0, -3.0};

// All that a component reports on its way.
struct Answer {
  std::vector<double> numbers;
  std::string state;
  bool operator==(const Answer&) const = default;
};

// One of the two. It lives where it was made.
class Walker {
 public:
  // Returns why not, or nothing.
  std::string make(TrialBed& bed, std::size_t which) {
    if (std::string error = bed.make(input_); !error.empty()) return error;
    bed.mount(host(), kPairGravity.at(which));
    push_ = kPush.at(which);
    walk();  // it may keep decisions about the rank of its rows, which it makes on its first way
    return {};
  }

  // From where it is drawn, a few steps of Euler under loads that change. What is not solvable there ends it.
  Answer walk() {
    Answer answer;
    Evaluation evaluation(host().sizes());
    bool is_good = begin(host());
    const double terms[] = {kPairStep, 0.0};  // times rate 0
    for (int k = 0; k < kSteps && is_good; ++k) {
      for (std::size_t i = 0; i < evaluation.size(); ++i) {
        evaluation.load[i] = push_ * static_cast<double>((static_cast<std::size_t>(k) + 3 * i) % 7);
      }
      const gelenk_command on[] = {{GELENK_TAKE, GELENK_ACCELERATIONS, 0, 0, 0.0, nullptr, nullptr, 0, 0},
                                   {GELENK_COMBINE, 0, 0, 1, (k + 1) * kPairStep, terms, nullptr, 2, 0},
                                   {GELENK_COPY, 0, 1, 0, 0.0, nullptr, nullptr, 0, 0}};
      is_good = host().perform(evaluation.commands()) && host().perform(on);
      for (const std::vector<double>* numbers : {&evaluation.D, &evaluation.r, &evaluation.a}) {
        answer.numbers.insert(answer.numbers.end(), numbers->begin(), numbers->end());
      }
    }
    answer.state = host().read(GELENK_STATE, 0);
    return answer;
  }

 private:
  component::Host& host() { return *input_.sealed->hosts().front(); }

  ModelInput input_;
  double push_ = 0.0;
};

struct Walks {
  int count = 0;
  std::string failure;
};

// Again and again, beside the other one, until somebody finds something.
void walk_on(Walker& walker, const Answer& expected, std::atomic<std::size_t>& ready, std::atomic<bool>& is_over,
             Walks& walks) {
  try {
    ++ready;
    while (ready < kBoth) std::this_thread::yield();
    const auto end = std::chrono::steady_clock::now() + kLong;
    while (!is_over && (walks.count < kLeastWalks || std::chrono::steady_clock::now() < end)) {
      if (!(walker.walk() == expected)) {
        walks.failure = "its numbers differ from those of one alone: two instances share something that they change";
      }
      ++walks.count;
      if (!walks.failure.empty()) is_over = true;
    }
  } catch (const std::exception& failure) {
    walks.failure = failure.what();
    is_over = true;
  }
}

}  // namespace

PairOutcome try_pair(TrialBed& bed) {
  std::array<Answer, kBoth> alone;
  std::array<Walker, kBoth> walkers;
  std::array<Walks, kBoth> walks;
  PairOutcome outcome;
  for (std::size_t i = 0; i < kBoth; ++i) {
    Walker walker;  // gone before there is another one
    outcome.failure = walker.make(bed, i);
    if (!outcome.failure.empty()) return outcome;
    alone.at(i) = walker.walk();
  }
  for (std::size_t i = 0; i < kBoth && outcome.failure.empty(); ++i) outcome.failure = walkers.at(i).make(bed, i);
  if (!outcome.failure.empty()) return outcome;
  std::atomic<std::size_t> ready{0};
  std::atomic<bool> is_over{false};
  std::thread other([&] { walk_on(walkers[1], alone[1], ready, is_over, walks[1]); });
  walk_on(walkers[0], alone[0], ready, is_over, walks[0]);
  other.join();
  outcome.walks = walks[0].count + walks[1].count;
  outcome.failure = walks[0].failure.empty() ? walks[1].failure : walks[0].failure;
  return outcome;
}

}  // namespace gelenk::app
