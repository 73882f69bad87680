#pragma once

#include <string>
#include <vector>

#include "gelenk/minimal/traced_machine.h"

namespace gelenk::generate {

struct GeneratedFile {
  std::string name;
  std::string text;
};

// What is said of a run beside the equations.
struct RunSettings {
  double end_time = 1.0, step = 1e-3, output_every = 1e-2;  // s
};

// A name that a program can have: letters, digits and underscores.
std::string program_name(const std::string& machine);

// NAME_equations.c: the equations in the form of gelenk_equations.h.
GeneratedFile c_equations(const minimal::TracedMachine& machine, const std::string& name, const RunSettings& settings);
// NAME.data: every parameter, start value and option of a stand-alone program.
GeneratedFile data_file(const minimal::TracedMachine& machine, const std::string& name, const RunSettings& settings);
// NAME_equations.py, NAME_equations.m: the same functions for other programs.
GeneratedFile python_equations(const minimal::TracedMachine& machine, const std::string& name);
GeneratedFile matlab_equations(const minimal::TracedMachine& machine, const std::string& name);

// How large the equations are, in two lines: coordinates and rows; operations.
std::vector<std::string> size_lines(const minimal::TracedMachine& machine);

}  // namespace gelenk::generate
