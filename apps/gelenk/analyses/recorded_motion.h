#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gelenk/results/reader.h"
#include "gelenk/system/system.h"

// The motion of a machine as a results file has it.
namespace gelenk::app {

class RecordedMotion {
 public:
  // Null, with a sentence in `error`: the file is not readable, or lacks something of this machine.
  static std::unique_ptr<RecordedMotion> open(const std::string& file, const system::System& system,
                                              const system::Params& params, std::string& error);

  std::size_t rows() const { return reader_->row_count(); }
  struct Row {
    system::State state;
    std::vector<double> accelerations;  // of the bodies, six each
  };
  // What went wrong, or nothing. `row` has a state of the machine, whose times and motion are replaced.
  std::string read(std::size_t number, Row& row);

 private:
  struct Place {
    results::ChannelSource source;
    std::size_t index = 0;
  };
  RecordedMotion(const system::System& system, const system::Params& params) : system_(system), params_(params) {}
  bool find(const std::string& name, std::size_t index, std::vector<Place>& places, std::string& error) const;
  void put_body(std::size_t body, Row& row) const;

  const system::System& system_;
  const system::Params& params_;
  std::unique_ptr<results::Reader> reader_;
  std::vector<Place> parts_;   // 19 of each body: pose, twist and acceleration of its first part
  std::vector<Place> extras_;  // states and tracked angles, by their places in State::extra
  results::Frame frame_;
};

}  // namespace gelenk::app
