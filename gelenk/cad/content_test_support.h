#pragma once

#include <gtest/gtest.h>

#include "gelenk/cad/step_reader.h"

namespace gelenk::cad {

// Who does not want to know how far it is.
inline void quietly(std::string_view) {}

// What is in a file that can be read.
inline StepContent read_content(const std::string& path) {
  std::string error;
  std::optional<StepContent> content = read_step(path, quietly, error);
  EXPECT_EQ(error, "");
  return content ? *std::move(content) : StepContent{};
}

}  // namespace gelenk::cad
