#pragma once

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <string>

// What the programs that time other libraries have in common; tools/peer_core.py builds and runs them.
namespace peers {

// Time of the processor, s: other jobs of the machine do not count.
inline double cpu_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Least mean time of one call among batches of 20 ms, for half a second.
template <class Call>
double best_time(Call call) {
  constexpr double kBatch = 0.02, kBudget = 0.5;
  const double start = cpu_time();
  call();
  const int count = std::max(1, static_cast<int>(kBatch / std::max(cpu_time() - start, 1e-9)));
  double best = 1e300;
  do {
    const double before = cpu_time();
    for (int i = 0; i < count; ++i) call();
    best = std::min(best, (cpu_time() - before) / count);
  } while (cpu_time() - start < kBudget);
  return best;
}

struct Value {
  const char* name;
  double value;
};

// One line for tools/peer_core.py: which of our benchmarks it is to be compared with, how it was done, seconds, errors.
inline void report(const std::string& benchmark, const std::string& how, double seconds,
                   std::initializer_list<Value> values = {}) {
  std::printf("{\"benchmark\": \"%s\", \"how\": \"%s\", \"time\": %.9g", benchmark.c_str(), how.c_str(), seconds);
  for (const Value& v : values) {
    // JSON has no NaN; a run that blew up has no error that could be reported.
    std::printf(", \"%s\": %.9g", v.name, std::isfinite(v.value) ? v.value : 1e300);
  }
  std::printf("}\n");
  std::fflush(stdout);
}

// Angle of a body in the plane of two axes, followed over full turns.
class TurnCounter {
 public:
  void follow(double angle) {
    total_ += std::remainder(angle - last_, 2.0 * 3.14159265358979323846);
    last_ = angle;
  }
  double total() const { return total_; }

 private:
  double total_ = 0.0, last_ = 0.0;
};

}  // namespace peers
