#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

struct sock_filter;

namespace gelenk {

// A program of the kernel's packet filter over one system call: rules by number, each of which decides; the first one
// for a number counts.
class CallFilter {
 public:
  CallFilter();
  ~CallFilter();
  CallFilter(const CallFilter&) = delete;
  CallFilter& operator=(const CallFilter&) = delete;

  void allow(std::initializer_list<long> calls);
  // They return this error.
  void refuse(std::initializer_list<long> calls, int error);
  // They are answered by the handler of SIGSYS.
  void trap(std::initializer_list<long> calls);
  // They end the process, by SIGSYS.
  void kill(std::initializer_list<long> calls);
  // Only when the argument, a 32-bit number, is one of these; others end the process.
  void allow_if(long call, unsigned argument, std::span<const int> values);
  void allow_if(long call, unsigned argument, std::initializer_list<int> values) {
    allow_if(call, argument, std::span(values.begin(), values.size()));
  }
  // Only when the argument has none of these bits; others get the error.
  void allow_without(long call, unsigned argument, std::uint32_t bits, int error);
  // Memory without a file, or of these files.
  void allow_mmap(std::span<const int> files);
  // What any code may do: its own memory, its own thread, the clock, its end, and writing to stdout and stderr.
  void allow_harmless();

  // False, with errno. What has no rule ends the process, or returns an error when that is not 0. On top of the filters
  // that are there already: the strictest answer counts.
  bool install(int error = 0);

 private:
  void add(int code, std::uint32_t value, std::uint8_t if_true = 0, std::uint8_t if_false = 0);
  void load(std::size_t offset);
  void load_argument(unsigned index);
  void decide(std::uint32_t answer);
  void begin_rule(long call);
  void end_rule();
  void rule_for_all(std::initializer_list<long> calls, std::uint32_t answer);

  std::vector<sock_filter> code_;
  std::size_t rule_begin_ = 0;
};

}  // namespace gelenk
