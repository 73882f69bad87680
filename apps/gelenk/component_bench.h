#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "apps/gelenk/trial_bed.h"

// How long a sealed component takes, at both places where its code can work.
namespace gelenk::app {

struct Timing {
  double median_us = 0.0;
  double high_us = 0.0;  // 99 % take less
};

// Of what took so long; there must be some.
inline Timing timing_of(std::vector<double> times_us) {
  std::sort(times_us.begin(), times_us.end());
  return {times_us[times_us.size() / 2], times_us[times_us.size() * 99 / 100]};
}

inline double microseconds_since(std::chrono::steady_clock::time_point before) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count();
}

// Each call by itself.
template <class Call>
Timing measure(int count, Call&& call) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto before = std::chrono::steady_clock::now();
    call();
    times.push_back(microseconds_since(before));
  }
  return timing_of(std::move(times));
}

struct HostTimes {
  std::string host;              // "in process" or "worker"
  Timing evaluation;             // load, factor, right side, up and down in one call
  std::vector<Timing> commands;  // each of them in a call of its own, as a run does
  Timing step;                   // of the method rk4, of a whole machine: four evaluations and both projections
};

struct ComponentBench {
  std::string name, version, identity;
  std::size_t ports = 0;         // frames that are mounted
  std::vector<HostTimes> hosts;  // in process alone when its maker is trusted, and worker
};

// As `component test` mounts it. Returns why there are no times, or nothing. Throws component::ComponentFailure.
std::string bench_component(const TrialSetup& setup, Console& console, ComponentBench& bench);

}  // namespace gelenk::app
