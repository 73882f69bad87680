#include "gelenk/base/parallel.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <optional>

namespace gelenk {
namespace {

int& count_of_threads() {
  static int count = 1;
  return count;
}

std::optional<oneapi::tbb::task_arena>& arena() {
  static std::optional<oneapi::tbb::task_arena> instance;
  return instance;
}

}  // namespace

void set_thread_count(int count) {
  count_of_threads() = std::max(1, count);
  arena().reset();
  if (count > 1) arena().emplace(count);
}

int thread_count() { return count_of_threads(); }

void detail::run_parts(std::size_t count, void (*run)(void* work, std::size_t part), void* work) {
  arena()->execute([&] {
    oneapi::tbb::parallel_for(
        std::size_t{0}, count, [&](std::size_t part) { run(work, part); }, oneapi::tbb::simple_partitioner{});
  });
}

}  // namespace gelenk
