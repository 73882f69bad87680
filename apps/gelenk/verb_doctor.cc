#include <fmt/core.h>

#include <cstdlib>
#include <optional>

#include "apps/gelenk/doctor_tools.h"
#include "apps/gelenk/verb.h"
#include "gelenk/base/json.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// The value of a line "key : value" of a file in /proc; empty when there is none.
std::string proc_value(const std::string& file, std::string_view key) {
  constexpr std::size_t kMaxBytes = 1u << 20;
  const ReadResult read = read_file(file, kMaxBytes);
  if (!read.text) return {};
  for (const std::string& line : split(*read.text, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || trim(std::string_view(line).substr(0, colon)) != key) continue;
    return std::string(trim(std::string_view(line).substr(colon + 1)));
  }
  return {};
}

std::string cpu_features() {
  std::string found;
#if defined(__x86_64__)
  const auto add = [&](bool is_there, const char* name) {
    if (is_there) found += (found.empty() ? "" : " ") + std::string(name);
  };
  add(__builtin_cpu_supports("sse4.2") != 0, "sse4.2");
  add(__builtin_cpu_supports("avx") != 0, "avx");
  add(__builtin_cpu_supports("avx2") != 0, "avx2");
  add(__builtin_cpu_supports("fma") != 0, "fma");
  add(__builtin_cpu_supports("avx512f") != 0, "avx512f");
#endif
  return found.empty() ? "no features known" : found;
}

// "16316412 kB" -> "15.6 GiB"
std::string gibibytes(const std::string& kilobytes) {
  constexpr double kKilobytesPerGibibyte = 1024.0 * 1024.0;
  const std::optional<double> value = parse_number(std::string_view(kilobytes).substr(0, kilobytes.find(' ')));
  return value ? format_rounded(*value / kKilobytesPerGibibyte, 3) + " GiB" : std::string("unknown");
}

Finding locale_finding() {
  std::string locale = environment("LC_ALL");
  if (locale.empty()) locale = environment("LC_CTYPE");
  if (locale.empty()) locale = environment("LANG");
  const bool is_utf8 = locale.find("UTF-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  if (is_utf8) return {"locale", Finding::State::ok, locale};
  return {"locale", Finding::State::note,
          fmt::format("{}; the program writes UTF-8 (units such as m²) anyway", locale.empty() ? "none set" : locale)};
}

Finding terminal_finding() {
  if (!is_terminal(kStderr))
    return {"terminal", Finding::State::note, "messages are not going to a terminal: no color"};
  const std::optional<int> width = terminal_width(kStderr);
  return {"terminal", Finding::State::ok,
          fmt::format("{}, {} columns", environment("TERM"), width ? std::to_string(*width) : "?")};
}

std::vector<Finding> examine() {
  using State = Finding::State;
  const std::string cpu = proc_value("/proc/cpuinfo", "model name");
  const std::string available = proc_value("/proc/meminfo", "MemAvailable");
  std::vector<Finding> findings{
      {"version", State::ok, fmt::format("gelenk {}, {} build", GELENK_VERSION, GELENK_BUILD_TYPE)},
      {"program", State::ok, executable_path().value_or("unknown")},
      {"compiler", State::ok, fmt::format("{}, C++ {}", __VERSION__, __cplusplus)},
      {"libraries", State::ok,
       fmt::format("Eigen {}, yaml-cpp {}, fmt {}.{}.{}, CLI11 {}, HDF5 {}", GELENK_EIGEN_VERSION,
                   GELENK_YAML_CPP_VERSION, FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100,
                   GELENK_CLI11_VERSION, GELENK_HDF5_VERSION)},
      {"cpu", State::ok, fmt::format("{}: {}", cpu.empty() ? "unknown model" : cpu, cpu_features())},
      {"memory", State::ok,
       fmt::format("{}, {} available", gibibytes(proc_value("/proc/meminfo", "MemTotal")), gibibytes(available))},
      locale_finding(),
      terminal_finding(),
  };
  for (Finding& finding : examine_tools()) findings.push_back(std::move(finding));
  return findings;
}

std::string_view state_name(Finding::State state) {
  switch (state) {
    case Finding::State::ok:
      return "OK";
    case Finding::State::missing:
      return "missing";
    case Finding::State::note:
      break;
  }
  return "note";
}

// Everything in one line, for programs
std::string whole_text(const Finding& finding) {
  std::string text = finding.text;
  if (!finding.loss.empty()) text += "; without it: " + finding.loss;
  if (!finding.cure.empty()) text += "; what to do: " + finding.cure;
  return text;
}

ExitCode report(Console& console) {
  const std::vector<Finding> findings = examine();
  if (console.json) {
    JsonWriter json;
    json.begin_object();
    for (const Finding& finding : findings) {
      json.key(finding.topic).begin_object().member("state", state_name(finding.state));
      json.member("text", whole_text(finding)).end_object();
    }
    console.out(json.end_object().take());
    return ExitCode::ok;
  }
  for (const Finding& finding : findings) {
    if (console.quiet && finding.state == Finding::State::ok) continue;
    console.out(fmt::format("{:<8} {:<14} {}\n", state_name(finding.state), finding.topic, finding.text));
    if (!finding.loss.empty()) console.out(fmt::format("{:>24}without it: {}\n", "", finding.loss));
    if (!finding.cure.empty()) console.out(fmt::format("{:>24}what to do: {}\n", "", finding.cure));
  }
  return ExitCode::ok;
}

}  // namespace

Action describe_doctor(Options&) {
  return [](Console& console) { return report(console); };
}

}  // namespace gelenk::app
