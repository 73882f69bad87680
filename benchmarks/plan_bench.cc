// Planning of large blocks: how long it takes to find the order in which a machine is eliminated. Ten thousand bodies
// in one block are to take less than five seconds.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <utility>

#include "gelenk/solve/elimination_planner.h"
#include "gelenk/solve/mechanisms_test_support.h"

namespace gelenk::solve {
namespace {

void plan(benchmark::State& state, const test::JointMachine& m) {
  ProgramCost cost;
  for (auto _ : state) {
    const Program program = plan_elimination(m.layout, m.masses, m.values);
    cost = cost_of(program);
    benchmark::DoNotOptimize(cost);
  }
  const auto bodies = static_cast<double>(m.masses.size());
  state.counters["bodies"] = bodies;
  state.counters["operations_per_body"] = (cost.factor + cost.sweep) / bodies;
}

void plan_rod_grid(benchmark::State& state) { plan(state, test::rod_grid(static_cast<std::size_t>(state.range(0)))); }
void plan_hinge_net(benchmark::State& state) { plan(state, test::hinge_net(static_cast<std::size_t>(state.range(0)))); }
void plan_four_bars(benchmark::State& state) { plan(state, test::four_bars(static_cast<std::size_t>(state.range(0)))); }
void plan_ladder(benchmark::State& state) { plan(state, test::rung_ladder(static_cast<std::size_t>(state.range(0)))); }

BENCHMARK(plan_rod_grid)->Arg(10)->Arg(32)->Arg(70)->Arg(100)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_hinge_net)->Arg(6)->Arg(18)->Arg(58)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_four_bars)->Arg(50)->Arg(500)->Arg(5000)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_ladder)->Arg(33)->Arg(333)->Arg(3333)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gelenk::solve
