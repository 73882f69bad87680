#include "apps/gelenk/analyses/linear_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

static_assert(std::endian::native == std::endian::little, "MAT files are written as they are in memory");

void put_int(std::string& out, std::int32_t number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

// `kind`: 0 for double precision, 1 for text; both as doubles, column by column.
void put_matrix(std::string& out, const std::string& name, const analysis::Matrix& matrix, std::int32_t kind) {
  put_int(out, kind);
  put_int(out, static_cast<std::int32_t>(matrix.rows()));
  put_int(out, static_cast<std::int32_t>(matrix.cols()));
  put_int(out, 0);  // real
  put_int(out, static_cast<std::int32_t>(name.size() + 1));
  out.append(name.c_str(), name.size() + 1);
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      const double number = matrix(i, j);
      out.append(reinterpret_cast<const char*>(&number), sizeof(number));
    }
  }
}

// One name in each row, with blanks behind it.
analysis::Matrix text_matrix(const std::vector<std::string>& names) {
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  analysis::Matrix result(static_cast<Eigen::Index>(names.size()), static_cast<Eigen::Index>(longest));
  result.setConstant(' ');
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t k = 0; k < names[i].size(); ++k) {
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = static_cast<unsigned char>(names[i][k]);
    }
  }
  return result;
}

}  // namespace

std::string mat_file(const analysis::LinearModel& model) {
  constexpr std::int32_t kText = 1;
  std::string out;
  put_matrix(out, "A", model.A, 0);
  put_matrix(out, "B", model.B, 0);
  put_matrix(out, "C", model.C, 0);
  put_matrix(out, "D", model.D, 0);
  put_matrix(out, "states", text_matrix(model.states), kText);
  put_matrix(out, "inputs", text_matrix(model.inputs), kText);
  put_matrix(out, "outputs", text_matrix(model.outputs), kText);
  return out;
}

std::string matrix_table(const analysis::LinearModel& model) {
  std::string text;
  for (const std::vector<std::string>* names : {&model.states, &model.inputs}) {
    for (const std::string& name : *names) text += ',' + name;
  }
  text += '\n';
  const auto row = [&](const std::string& name, const analysis::Matrix& left, const analysis::Matrix& right,
                       std::size_t i) {
    text += name;
    for (const analysis::Matrix* matrix : {&left, &right}) {
      for (Eigen::Index j = 0; j < matrix->cols(); ++j) {
        text += ',' + format_number((*matrix)(static_cast<Eigen::Index>(i), j));
      }
    }
    text += '\n';
  };
  for (std::size_t i = 0; i < model.states.size(); ++i) row("rate of " + model.states[i], model.A, model.B, i);
  for (std::size_t i = 0; i < model.outputs.size(); ++i) row(model.outputs[i], model.C, model.D, i);
  return text;
}

Bode bode_of(const analysis::LinearModel& model, double from, double to, std::size_t count) {
  Bode bode;
  for (const std::string& input : model.inputs) {
    for (const std::string& output : model.outputs) bode.responses.push_back({input, output, {}, {}});
  }
  for (std::size_t k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count - 1);
    const double frequency = from * std::pow(to / from, share);
    bode.frequencies.push_back(frequency);
    const Eigen::MatrixXcd G = analysis::frequency_response(model, 2.0 * std::numbers::pi * frequency);
    for (std::size_t r = 0; r < bode.responses.size(); ++r) {
      const auto output = static_cast<Eigen::Index>(r % model.outputs.size());
      const std::complex<double> value = G(output, static_cast<Eigen::Index>(r / model.outputs.size()));
      Response& response = bode.responses[r];
      double phase = std::arg(value);
      if (!response.phases.empty()) {
        const double turns = std::round((response.phases.back() - phase) / (2.0 * std::numbers::pi));
        phase += 2.0 * std::numbers::pi * turns;
      }
      response.magnitudes.push_back(std::abs(value));
      response.phases.push_back(phase);
    }
  }
  return bode;
}

std::string bode_table(const Bode& bode) {
  std::string text = "frequency [Hz]";
  for (const Response& one : bode.responses) {
    text += fmt::format(",{0} by {1},phase of {0} by {1} [deg]", one.output, one.input);
  }
  text += '\n';
  for (std::size_t k = 0; k < bode.frequencies.size(); ++k) {
    text += format_number(bode.frequencies[k]);
    for (const Response& one : bode.responses) {
      text += ',' + format_number(one.magnitudes[k]) + ',' + format_number(one.phases[k] * 180.0 / std::numbers::pi);
    }
    text += '\n';
  }
  return text;
}

}  // namespace gelenk::app
