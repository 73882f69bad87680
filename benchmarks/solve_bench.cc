// The flat solver alone: blocks at hand, one factor with kept pivots, one sweep.
#include <benchmark/benchmark.h>

#include "gelenk/solve/machine_test_support.h"

namespace gelenk::solve {
namespace {

constexpr double kTau = 1e-6;

// range(0): bodies or cells; range(1): 1 for sparse.
template <class Make>
FlatSolver make_solver(const test::Machine& machine, const benchmark::State& state, Make) {
  return test::make_solver(machine, state.range(1) == 1 ? Storage::sparse : Storage::dense);
}

template <class Make>
void factor(benchmark::State& state, Make make) {
  const test::Machine machine = make(static_cast<std::size_t>(state.range(0)));
  FlatSolver solver = make_solver(machine, state, make);
  PivotSet pivots;
  solver.factor(machine.bodies, machine.blocks, kTau, pivots);
  for (auto _ : state) {
    benchmark::DoNotOptimize(solver.factor(machine.bodies, machine.blocks, kTau, pivots));
  }
  state.counters["rows"] = static_cast<double>(machine.rows.size());
  state.counters["rank"] = static_cast<double>(solver.rank());
}

template <class Make>
void sweep(benchmark::State& state, Make make) {
  test::Machine machine = make(static_cast<std::size_t>(state.range(0)));
  FlatSolver solver = make_solver(machine, state, make);
  PivotSet pivots;
  solver.factor(machine.bodies, machine.blocks, kTau, pivots);
  const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
  const std::vector<double> u = machine.rates(machine.numbers(r.size()));
  std::vector<double> a(r.size());
  std::vector<double> lambda(u.size());
  for (auto _ : state) benchmark::DoNotOptimize(solver.sweep(r, u, a, lambda));
}

const auto kChain = [](std::size_t count) { return test::chain(count, test::Link::revolute); };
const auto kLadder = [](std::size_t count) { return test::ladder(count); };
const auto kStar = [](std::size_t count) { return test::star(count, test::Link::revolute); };

BENCHMARK_CAPTURE(factor, chain, kChain)->ArgsProduct({{4, 10, 20, 60}, {0, 1}})->Args({1000, 1})->Args({10000, 1});
BENCHMARK_CAPTURE(sweep, chain, kChain)->ArgsProduct({{4, 10, 20, 60}, {0, 1}})->Args({1000, 1})->Args({10000, 1});
BENCHMARK_CAPTURE(factor, ladder, kLadder)->ArgsProduct({{1, 6, 16}, {0, 1}})->Args({40, 1})->Args({1000, 1});
BENCHMARK_CAPTURE(sweep, ladder, kLadder)->ArgsProduct({{1, 6, 16}, {0, 1}})->Args({40, 1})->Args({1000, 1});
BENCHMARK_CAPTURE(factor, hub, kStar)->ArgsProduct({{4, 20, 60}, {0, 1}})->Args({200, 1});

}  // namespace
}  // namespace gelenk::solve
