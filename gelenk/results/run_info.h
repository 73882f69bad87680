#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What a file of results says beside its numbers.
namespace gelenk::results {

enum class RunStatus : std::uint8_t { running, done, failed, stopped };
std::string_view status_name(RunStatus status);  // "done"

struct SourceText {
  std::string file;
  std::string text;
};

struct RunInfo {
  std::string program_version;
  std::string run_id;               // 32 digits that distinguish its checkpoints from those of other runs; empty: any
  std::vector<SourceText> sources;  // the files of the model, the root first
  // Bytes of the meshes and pictures that the resolved model names, by these names.
  std::vector<SourceText> files{};
  std::string resolved_model;  // one text with everything, see formats::write_model()
  std::string options;         // of the run, as JSON
  // How many rows there will be, roughly; keeps the file of a short run small. 0: not known.
  std::size_t expected_rows = 0;
};

// Something that happened at one instant: a switch, a jump of a law, a warning.
struct Event {
  double time = 0.0;
  std::string kind;     // "switch", or kFailureEvent
  std::string element;  // path, or empty
  std::string text;
};

// Of the event at which a run that failed ended; its element is to blame. It is the run's own, not of the motion.
inline constexpr std::string_view kFailureEvent = "failure";

// The sentences of docs/conventions.md that one needs to read the numbers, kept in every file.
struct Convention {
  std::string_view name;
  std::string_view text;
};
std::vector<Convention> conventions();

}  // namespace gelenk::results
