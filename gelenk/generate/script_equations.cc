#include <fmt/format.h>

#include "gelenk/generate/function_writer.h"
#include "gelenk/generate/generated_file.h"

// The same functions as in C, for Python and MATLAB: numbers in, numbers out, no library beyond the language's own.
namespace gelenk::generate {
namespace {

using minimal::NamedNumber;
using minimal::TracedMachine;

// An array that a function gives: flat, or a matrix with that many columns.
struct Given {
  Results results;
  std::size_t columns = 0;
};

class Script {
 public:
  Script(const TracedMachine& machine, Language language)
      : machine_(machine), language_(language), writer_(machine, language) {}
  virtual ~Script() = default;
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  std::string functions() const {
    const std::size_t n = machine_.rates.size();
    std::string text = prepare();
    text += function("velocities", "w, x, v", {{{"xdot", &machine_.position_rates}}});
    text += function("motion", "w, t, x, v, s",
                     {{{"M", &machine_.mass}, n}, {{"f", &machine_.force}}, {{"sdot", &machine_.state_rates}}});
    if (machine_.rows.empty()) {
      text += function("accelerations", "w, t, x, v, s",
                       {{{"vdot", &machine_.accelerations}}, {{"sdot", &machine_.state_rates}}});
    } else {
      text += function("constraints", "w, t, x, v, s",
                       {{{"c", &machine_.row_values}},
                        {{"C", &machine_.row_matrix}, n},
                        {{"ct", &machine_.row_rates}},
                        {{"g", &machine_.row_biases}}});
    }
    return text + function("outputs", "w, t, x, v, s", {{{"y", &machine_.output_values}}});
  }

 protected:
  virtual std::string prepare() const = 0;
  virtual std::string function(std::string_view name, std::string_view parameters,
                               const std::vector<Given>& given) const = 0;

  std::string body(const std::vector<Given>& given) const {
    std::vector<Results> results;
    for (const Given& part : given) results.push_back(part.results);
    return writer_.body(results);
  }

  const TracedMachine& machine_;
  Language language_;
  FunctionWriter writer_;
};

class PythonScript final : public Script {
 public:
  explicit PythonScript(const TracedMachine& machine) : Script(machine, Language::python) {}

  std::string text(const std::string& name) const {
    std::string text =
        fmt::format("\"\"\"Equations of {}: SI units, t time, x positions, v rates, s states.\n\n", name);
    text +=
        "x' = velocities(w, x, v); M v' = f (+ C^T l), s' from motion(); rows c = 0, C v + ct = 0, C v' = g.\n"
        "w = prepare(p) whenever a parameter was changed.\n\n";
    for (const std::string& line : size_lines(machine_)) text += line + "\n";
    text += "\"\"\"\nimport math\n\n";
    text += dictionary("PARAMETERS", machine_.parameters) + dictionary("POSITIONS", machine_.positions) +
            dictionary("RATES", machine_.rates) + dictionary("STATES", machine_.states);
    text += "OUTPUTS = [";
    for (const NamedNumber& output : machine_.outputs) text += quoted_text(Language::python, output.name) + ", ";
    text += "]\nROWS = [";
    for (const std::string& row : machine_.rows) text += quoted_text(Language::python, row) + ", ";
    return text + "]\n" + functions();
  }

 private:
  static std::string dictionary(std::string_view name, const std::vector<NamedNumber>& numbers) {
    std::string text = fmt::format("{} = {{\n", name);
    for (const NamedNumber& number : numbers) {
      text += fmt::format("    {}: {},  # {}\n", quoted_text(Language::python, number.name),
                          number_text(Language::python, number.value), number.unit);
    }
    return text + "}\n";
  }

  std::string prepare() const override {
    return fmt::format(
        "\n\ndef prepare(parameters=None):\n"
        "    p = [(parameters or PARAMETERS)[name] for name in PARAMETERS]\n    w = [0.0] * {}\n{}"
        "    return w\n",
        writer_.prepared_count(), writer_.prepare());
  }

  std::string function(std::string_view name, std::string_view parameters,
                       const std::vector<Given>& given) const override {
    std::string text = fmt::format("\n\ndef {}({}):\n", name, parameters);
    std::string answers;
    for (const Given& part : given) {
      text += fmt::format("    {} = [0.0] * {}\n", part.results.array, part.results.ids->size());
      answers += answers.empty() ? "" : ", ";
      answers += part.columns == 0 ? std::string(part.results.array)
                                   : fmt::format("[{0}[i:i + {1}] for i in range(0, len({0}), {1})]",
                                                 part.results.array, part.columns);
    }
    return text + body(given) + fmt::format("    return {}\n", answers);
  }
};

class MatlabScript final : public Script {
 public:
  explicit MatlabScript(const TracedMachine& machine) : Script(machine, Language::matlab) {}

  std::string text(const std::string& name) const {
    std::string text = fmt::format("function e = {}_equations()\n", name);
    for (const std::string& line :
         {fmt::format("Equations of {}: SI units, t time, x positions, v rates, s states.", name),
          std::string("x' = e.velocities(w, x, v); [M, f, sdot] = e.motion(w, t, x, v, s): M v' = f (+ C' l)."),
          std::string("Rows: [c, C, ct, g] = e.constraints(w, t, x, v, s): c = 0, C v + ct = 0, C v' = g."),
          std::string("w = e.prepare(e.p) whenever a parameter was changed.")}) {
      text += comment_text(Language::matlab, line);
    }
    for (const std::string& line : size_lines(machine_)) text += comment_text(Language::matlab, line);
    text += list("p", machine_.parameters) + list("x", machine_.positions) + list("v", machine_.rates) +
            list("s", machine_.states) + list("y", machine_.outputs);
    std::vector<std::string> names{"prepare", "velocities", "motion"};
    names.emplace_back(machine_.rows.empty() ? "accelerations" : "constraints");
    names.emplace_back("outputs");
    for (const std::string& function : names) text += fmt::format("  e.{0} = @{0};\n", function);
    text += "end\n\n";
    text += "function y = choose(condition, a, b)\n  if condition\n    y = a;\n  else\n    y = b;\n  end\nend\n\n";
    return text + functions();
  }

 private:
  static std::string list(std::string_view name, const std::vector<NamedNumber>& numbers) {
    std::string names, values;
    for (const NamedNumber& number : numbers) {
      names += fmt::format("    {}, ...  % {}\n", quoted_text(Language::matlab, number.name), number.unit);
      values += fmt::format(" {};", number_text(Language::matlab, number.value));
    }
    return fmt::format("  e.{0}_names = {{ ...\n{1}  }};\n  e.{0} = [{2}];\n", name, names, values);
  }

  std::string prepare() const override {
    return fmt::format("function w = prepare(p)\n  w = zeros({}, 1);\n{}end\n\n", writer_.prepared_count(),
                       writer_.prepare());
  }

  std::string function(std::string_view name, std::string_view parameters,
                       const std::vector<Given>& given) const override {
    std::string answers, begin, end;
    for (const Given& part : given) {
      answers += (answers.empty() ? "" : ", ") + std::string(part.results.array);
      begin += fmt::format("  {} = zeros({}, 1);\n", part.results.array, part.results.ids->size());
      if (part.columns > 0) {
        end += fmt::format("  {0} = reshape({0}, {1}, {2})';\n", part.results.array, part.columns,
                           part.results.ids->size() / part.columns);
      }
    }
    return fmt::format("function [{}] = {}({})\n{}{}{}end\n\n", answers, name, parameters, begin, body(given), end);
  }
};

}  // namespace

GeneratedFile python_equations(const TracedMachine& machine, const std::string& name) {
  return {name + "_equations.py", PythonScript(machine).text(name)};
}

GeneratedFile matlab_equations(const TracedMachine& machine, const std::string& name) {
  return {name + "_equations.m", MatlabScript(machine).text(name)};
}

}  // namespace gelenk::generate
