#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/analysis/linear/linear_model.h"

// Linear models in files of other programs.
namespace gelenk::app {

// A, B, C, D and the names of states, inputs and outputs as a MAT file of level 4, which MATLAB, Octave and SciPy read.
std::string mat_file(const analysis::LinearModel& model);
// One table: rows are rates of the states, then outputs; columns states, then inputs.
std::string matrix_table(const analysis::LinearModel& model);

// Of one input and one output.
struct Response {
  std::string input, output;
  std::vector<double> magnitudes, phases;  // rad, without jumps
};
struct Bode {
  std::vector<double> frequencies;  // Hz
  std::vector<Response> responses;
};
Bode bode_of(const analysis::LinearModel& model, double from, double to, std::size_t count);
std::string bode_table(const Bode& bode);

}  // namespace gelenk::app
