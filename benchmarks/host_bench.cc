// What a call of a sealed component costs: in this process, and in a worker process. One batch of an explicit stage:
// the load of one stage goes down, D and r of the next come up.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "tests/hosts/hosts_test_support.h"

namespace gelenk::component::test {
namespace {

Batch stage_batch() {
  Batch batch;
  batch.add(GELENK_DOWN, 0, 0, {0.1, 0.2, -0.3, 0.01, 0.02, 0.03}, kMotions);
  batch.add(GELENK_TAKE, 0, 0);
  batch.add(GELENK_COMBINE, 0, 1, {1e-3, 0.0});
  batch.add(GELENK_LOAD, 1, 0, {0.7}, kLoadNumbers);
  batch.add(GELENK_FACTOR, 1, 0, {kRankTolerance}, kFactorNumbers);
  batch.add(GELENK_RIGHT_SIDE, 1, 0, {}, 2);
  batch.add(GELENK_UP, 1, 0, {}, kMotions);
  return batch;
}

// `pause`: what the owner does between two calls, in µs. A worker sleeps after some 30 µs.
void call(benchmark::State& state, Place place, std::chrono::microseconds pause) {
  const auto ball = mount(place, "free_body");
  const Batch batch = stage_batch();
  start(*ball);
  std::vector<double> times;
  for (auto _ : state) {
    if (pause.count() > 0) std::this_thread::sleep_for(pause);
    const auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(ball->perform(batch.commands()));
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    state.SetIterationTime(times.back() * 1e-6);
  }
  std::sort(times.begin(), times.end());
  state.counters["median_us"] = times[times.size() / 2];
  state.counters["p99_us"] = times[times.size() * 99 / 100];
}

BENCHMARK_CAPTURE(call, in_process, Place::in_process, std::chrono::microseconds(0))->UseManualTime();
BENCHMARK_CAPTURE(call, worker, Place::worker, std::chrono::microseconds(0))->UseManualTime();
BENCHMARK_CAPTURE(call, sleeping_worker, Place::worker, std::chrono::microseconds(200))
    ->UseManualTime()
    ->Iterations(5000);

void start_worker(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(mount(Place::worker, "free_body"));
}
BENCHMARK(start_worker)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gelenk::component::test
