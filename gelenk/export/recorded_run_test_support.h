#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gelenk/results/reader.h"
#include "gelenk/results/synthetic_machine_test_support.h"

namespace gelenk::exporting {

using FillRow = std::function<void(const results::Row& row, double time)>;

// Records rows of results::small_machine() at the given times and opens the file.
inline std::unique_ptr<results::Reader> recorded(const std::string& path, const std::vector<double>& times,
                                                 const FillRow& fill, const results::RunInfo& info = {},
                                                 const results::Selection& selection = {},
                                                 results::RunStatus status = results::RunStatus::done) {
  std::string error;
  const auto recorder =
      results::Recorder::open(path, results::make_layout(results::small_machine(), selection), info, error);
  EXPECT_TRUE(recorder) << error;
  if (!recorder) return nullptr;
  for (const double time : times) {
    fill(recorder->row(time), time);
    EXPECT_TRUE(recorder->commit());
  }
  EXPECT_EQ(recorder->close(status), "");
  std::unique_ptr<results::Reader> reader = results::Reader::open(path, error);
  EXPECT_TRUE(reader) << error;
  return reader;
}

}  // namespace gelenk::exporting
