#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "apps/gelenk/analyses/linear_files.h"
#include "apps/gelenk/analyses/linearize.h"
#include "apps/gelenk/analyses/text_file.h"
#include "apps/gelenk/rest.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/base/text.h"
#include "gelenk/export/gnuplot.h"
#include "gelenk/expression/evaluate.h"
#include "gelenk/expression/expression.h"
#include "gelenk/math/dense_analysis.h"

namespace gelenk::app {
namespace {

using analysis::LinearModel;

constexpr std::size_t kFrequencies = 401;
constexpr double kStandstill = 1e-9;  // 1/s: slower is rounding
constexpr double kAround = 10.0;      // so far below the slowest and above the fastest motion
constexpr double kUsual = 1.0;        // Hz, where nothing moves by itself

std::string ending_of_file(const std::string& file) { return std::filesystem::path(file).extension().string(); }

std::vector<std::complex<double>> eigenvalues_of(const LinearModel& model) {
  const Eigen::VectorXcd values = eigenvalues(model.A);
  std::vector<std::complex<double>> list(values.begin(), values.end());
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    const double close = 1e-9 * (std::abs(a) + std::abs(b));
    if (std::abs(std::abs(a) - std::abs(b)) > close) return std::abs(a) < std::abs(b);
    return a.imag() > b.imag() + close;
  });
  return list;
}

std::string text_of(const AssembledMachine& machine, const LinearModel& model, bool at_start) {
  std::string text =
      fmt::format("{}: {}, {}, {} about {}\n", machine.system.name, counted(model.states.size(), "state"),
                  counted(model.inputs.size(), "input"), counted(model.outputs.size(), "output"),
                  at_start ? "the start pose" : "the pose of rest");
  text += "states: " + join(model.states, ", ") + "\n";
  if (!model.inputs.empty()) text += "inputs: " + join(model.inputs, ", ") + "\n";
  if (!model.outputs.empty()) text += "outputs: " + join(model.outputs, ", ") + "\n";
  if (model.inputs.empty()) text += "the model has no inputs: B and D have no columns\n";
  text += fmt::format("  {:>26}  {:>14}  {:>10}\n", "eigenvalue [1/s]", "frequency", "damping");
  for (const std::complex<double>& value : eigenvalues_of(model)) {
    if (value.imag() < 0.0) continue;
    const double size = std::abs(value);
    const double real = std::abs(value.real()) <= 1e-10 * size || size < kStandstill ? 0.0 : value.real();
    if (value.imag() > kStandstill) {
      text += fmt::format("  {:>26}  {:>14}  {:>10.4g}\n", fmt::format("{:.6g} +- {:.6g}i", real, value.imag()),
                          fmt::format("{:.6g} Hz", value.imag() / (2.0 * std::numbers::pi)), -real / size);
    } else {
      text += fmt::format("  {:>26}\n", fmt::format("{:.6g}", real));
    }
  }
  return text;
}

void write_matrix(JsonWriter& json, std::string_view name, const analysis::Matrix& matrix) {
  json.key(name).begin_array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    json.begin_array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) json.value(matrix(i, j));
    json.end_array();
  }
  json.end_array();
}

void write_names(JsonWriter& json, std::string_view key, const std::vector<std::string>& names) {
  json.key(key).begin_array();
  for (const std::string& name : names) json.value(name);
  json.end_array();
}

// In Hz, which a number without a unit is, too.
std::optional<double> read_hertz(const std::string& text) {
  const expression::ParseResult parsed = expression::parse_quantity(trim(text));
  if (!parsed.expression) return std::nullopt;
  if (parsed.has_unit && !expression::infer_dimension(*parsed.expression, {}).is_hertz) return std::nullopt;
  const double number = expression::evaluate(*parsed.expression, {});
  return number > 0.0 ? std::optional(number) : std::nullopt;
}

// "0.1 Hz..100 Hz", or around the motions of the machine.
bool read_frequencies(const std::string& text, const LinearModel& model, double& from, double& to, Console& console,
                      ExitCode& code) {
  if (text.empty()) {
    double slowest = 0.0, fastest = 0.0;
    for (const std::complex<double>& value : eigenvalues_of(model)) {
      const double frequency = std::abs(value) / (2.0 * std::numbers::pi);
      if (frequency < kStandstill) continue;
      slowest = slowest == 0.0 ? frequency : std::min(slowest, frequency);
      fastest = std::max(fastest, frequency);
    }
    from = (slowest > 0.0 ? slowest : kUsual) / kAround;
    to = (fastest > 0.0 ? fastest : kUsual) * kAround;
    return true;
  }
  const std::size_t dots = text.find("..");
  const bool has_both = dots != std::string::npos;
  const std::optional<double> first = has_both ? read_hertz(text.substr(0, dots)) : std::nullopt;
  const std::optional<double> second = has_both ? read_hertz(text.substr(dots + 2)) : std::nullopt;
  if (!first || !second || !(*first < *second)) {
    code = console.fail(ExitCode::usage_error,
                        fmt::format("--frequencies needs two of them, the lower one first, not {}", shown(text)),
                        "for example: --frequencies 0.1Hz..100Hz");
    return false;
  }
  from = *first;
  to = *second;
  return true;
}

std::optional<ExitCode> draw_bode(const Bode& bode, const std::string& file, const std::string& title,
                                  Console& console) {
  std::vector<exporting::Curve> curves;
  for (const bool is_phase : {false, true}) {
    for (const Response& one : bode.responses) {
      exporting::Curve curve{
          fmt::format("{} by {}", one.output, one.input), is_phase ? "deg" : "dB", bode.frequencies, {}};
      for (std::size_t k = 0; k < bode.frequencies.size(); ++k) {
        curve.values.push_back(is_phase ? one.phases[k] * 180.0 / std::numbers::pi
                                        : 20.0 * std::log10(one.magnitudes[k]));
      }
      curves.push_back(std::move(curve));
    }
  }
  exporting::PictureOptions options;
  const std::string ending = ending_of_file(file);
  options.format = ending == ".svg"   ? exporting::PictureFormat::svg
                   : ending == ".pdf" ? exporting::PictureFormat::pdf
                                      : exporting::PictureFormat::png;
  options.file = file;
  options.title = title;
  options.has_frequencies = true;
  std::string hint;
  const std::string error = draw_picture(curves, options, hint);
  if (error.empty()) return std::nullopt;
  return console.fail(ExitCode::file_error, error, hint);
}

// What the names of the files say, before anything is computed.
std::optional<ExitCode> refuse_files(const AnalyzeRequest& request, const model::Machine& machine, Console& console) {
  const std::string ending = ending_of_file(request.output), picture = ending_of_file(request.bode);
  if (!request.output.empty() && ending != ".mat" && ending != ".csv") {
    return console.fail(ExitCode::usage_error, fmt::format("matrices are not written to {}", shown(request.output)),
                        "the name of the file ends in .mat or .csv");
  }
  if (!request.bode.empty() && picture != ".csv" && picture != ".png" && picture != ".svg" && picture != ".pdf") {
    return console.fail(ExitCode::usage_error, fmt::format("--bode: nothing is drawn to {}", shown(request.bode)),
                        "the name of the file ends in .csv, .png, .svg or .pdf");
  }
  if (!request.bode.empty() && (machine.inputs.empty() || machine.outputs.empty())) {
    return console.fail(ExitCode::usage_error, "--bode needs an input and an output of the model",
                        "write inputs: {force: {value: 0 N}} and outputs: {place: slide.travel}");
  }
  if (request.bode.empty() && !request.frequencies.empty()) {
    return console.fail(ExitCode::usage_error, "--frequencies belongs to --bode");
  }
  for (const std::string& file : {request.output, request.bode}) {
    if (file.empty()) continue;
    if (const std::optional<ExitCode> refused = refuse_existing(file, request.force, console)) return refused;
  }
  return std::nullopt;
}

std::optional<ExitCode> write_bode(const AnalyzeRequest& request, const AssembledMachine& machine,
                                   const LinearModel& model, Console& console) {
  if (request.bode.empty()) return std::nullopt;
  double from = 0.0, to = 0.0;
  ExitCode code = ExitCode::ok;
  if (!read_frequencies(request.frequencies, model, from, to, console, code)) return code;
  const Bode bode = bode_of(model, from, to, kFrequencies);
  if (ending_of_file(request.bode) == ".csv") return save_text(request.bode, bode_table(bode), request.force, console);
  return draw_bode(bode, request.bode, machine.system.name, console);
}

}  // namespace

ExitCode analyze_linearize(const AnalyzeRequest& request, ModelInput& input, const AssembledMachine& machine,
                           Console& console) {
  if (const std::optional<ExitCode> refused = refuse_files(request, *input.machine, console)) return *refused;
  const bool at_start = request.at == "start";
  ExitCode code = ExitCode::ok;
  const std::optional<analysis::Equilibrium> found =
      at_start ? hold_start(machine.system, machine.params, machine.assembly, console, code)
               : find_rest(machine.system, machine.params, machine.assembly, console, code);
  if (!found) return code;
  std::vector<std::string> inputs;
  for (const model::InputNode& node : input.machine->inputs) inputs.push_back(node.name);
  const LinearModel model = analysis::linear_model(machine.system, machine.params, inputs, found->state,
                                                   analysis::run_rank_tolerance(machine.assembly));
  if (!request.output.empty()) {
    const std::string text = ending_of_file(request.output) == ".mat" ? mat_file(model) : matrix_table(model);
    if (const std::optional<ExitCode> failed = save_text(request.output, text, request.force, console)) return *failed;
  }
  if (const std::optional<ExitCode> failed = write_bode(request, machine, model, console)) return *failed;
  if (!console.json) {
    console.out(text_of(machine, model, at_start));
    return ExitCode::ok;
  }
  JsonWriter json;
  json.begin_object().member("file", request.model.file).member("ok", true).key("linear").begin_object();
  write_names(json, "states", model.states);
  write_names(json, "inputs", model.inputs);
  write_names(json, "outputs", model.outputs);
  write_matrix(json, "A", model.A);
  write_matrix(json, "B", model.B);
  write_matrix(json, "C", model.C);
  write_matrix(json, "D", model.D);
  json.key("eigenvalues").begin_array();
  for (const std::complex<double>& value : eigenvalues_of(model)) {
    json.begin_array().value(value.real()).value(value.imag()).end_array();
  }
  json.end_array().member("evaluations", model.evaluations).end_object();
  console.out(json.end_object().take());
  return ExitCode::ok;
}

}  // namespace gelenk::app
