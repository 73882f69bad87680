#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "gelenk/solve/flat_solver.h"
#include "gelenk/solve/machine_test_support.h"

namespace {
std::atomic<long> allocation_count{0};
}  // namespace

// Counts every allocation of this test program. Not inlined: the compiler would take the free() below for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocation_count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocation_count;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace gelenk::solve {
namespace {

TEST(FlatSolverAllocation, NoneAfterTheFirstStep) {
  for (const Storage storage : {Storage::dense, Storage::sparse}) {
    test::Machine machine = test::ladder(4);
    const test::Machine moved = test::ladder(4, 1.001);
    const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
    const std::vector<double> u = machine.rates(r);
    std::vector<double> a(r.size());
    std::vector<double> lambda(u.size());
    PivotSet pivots;
    const long before_solver = allocation_count;
    FlatSolver solver = test::make_solver(machine, storage);
    const auto step = [&](const test::Machine& pose) {
      solver.factor(pose.bodies, pose.blocks, 1e-6, pivots);
      const SweepReport report = solver.sweep(r, u, a, lambda);
      solver.share(lambda);
      return report.residual;
    };
    step(machine);
    const long before = allocation_count;
    EXPECT_GT(before, before_solver);
    double sum = step(moved);
    solver.set_blocks(machine.bodies, machine.blocks);
    sum += solver.sweep(r, u, a, lambda).residual;
    sum += step(machine);
    const long after = allocation_count;
    EXPECT_EQ(after - before, 0);
    EXPECT_LT(sum, 1e-9);
  }
}

}  // namespace
}  // namespace gelenk::solve
