#include <fmt/format.h>

#include "gelenk/generate/function_writer.h"
#include "gelenk/generate/generated_file.h"

namespace gelenk::generate {
namespace {

using minimal::NamedNumber;
using minimal::TracedMachine;

std::string list_of(std::string_view name, const std::vector<NamedNumber>& numbers) {
  if (numbers.empty()) return {};
  std::string text = fmt::format("static const gelenk_number {}[] = {{\n", name);
  for (const NamedNumber& number : numbers) {
    text += fmt::format("  {{{}, {}, {}}},\n", quoted_text(Language::c, number.name),
                        quoted_text(Language::c, number.unit), number_text(Language::c, number.value));
  }
  return text + "};\n";
}

struct Parameter {
  std::string_view type, name;
};
constexpr Parameter kW{"const double* ", "w"}, kT{"double ", "t"}, kX{"const double* ", "x"}, kV{"const double* ", "v"},
    kS{"const double* ", "s"};

class CFile {
 public:
  explicit CFile(const TracedMachine& machine) : machine_(machine), writer_(machine, Language::c) {}

  // A function of these parameters that fills these arrays.
  std::string function(std::string_view name, const std::vector<Parameter>& parameters,
                       const std::vector<Results>& results) const {
    std::string used;
    const std::string body = writer_.body(results, &used);
    std::string head = fmt::format("static void {}(", name);
    std::string unused;
    for (const Parameter& parameter : parameters) {
      head += fmt::format("{}{}, ", parameter.type, parameter.name);
      if (used.find(parameter.name) == std::string::npos) unused += fmt::format("  (void){};\n", parameter.name);
    }
    for (const Results& part : results) {
      head += fmt::format("double* {}, ", part.array);
      if (part.ids->empty()) unused += fmt::format("  (void){};\n", part.array);
    }
    head.resize(head.size() - 2);
    return head + ") {\n" + unused + body + "}\n\n";
  }

  std::string text(const std::string& name, const RunSettings& settings) const {
    const bool has_rows = !machine_.rows.empty();
    std::string text;
    for (const std::string& line : size_lines(machine_)) text += comment_text(Language::c, line);
    text += "#include <math.h>\n\n#include \"gelenk_equations.h\"\n\n";
    text += list_of("positions", machine_.positions) + list_of("rates", machine_.rates) +
            list_of("states", machine_.states) + list_of("parameters", machine_.parameters) +
            list_of("outputs", machine_.outputs) + balls();
    const std::string prepare = writer_.prepare();
    text += "\nstatic void prepare(const double* p, double* w) {\n";
    if (prepare.find("p[") == std::string::npos) text += "  (void)p;\n";
    if (prepare.find("w[") == std::string::npos) text += "  (void)w;\n";
    text += prepare + "}\n\n";
    text += function("velocities", {kW, kX, kV}, {{"xdot", &machine_.position_rates}});
    text += function("motion", {kW, kT, kX, kV, kS},
                     {{"M", &machine_.mass}, {"f", &machine_.force}, {"sdot", &machine_.state_rates}});
    if (has_rows) {
      text += function("constraints", {kW, kT, kX, kV, kS},
                       {{"c", &machine_.row_values},
                        {"C", &machine_.row_matrix},
                        {"ct", &machine_.row_rates},
                        {"g", &machine_.row_biases}});
    } else {
      text += function("accelerations", {kW, kT, kX, kV, kS},
                       {{"vdot", &machine_.accelerations}, {"sdot", &machine_.state_rates}});
    }
    text += function("values", {kW, kT, kX, kV, kS}, {{"y", &machine_.output_values}});
    return text + table(name, settings);
  }

 private:
  std::vector<std::size_t> ball_places() const {
    std::vector<std::size_t> places;
    for (const minimal::Link& link : machine_.tree.links) {
      if (link.kind == minimal::Link::Kind::ball) places.push_back(static_cast<std::size_t>(link.position));
    }
    return places;
  }
  std::string balls() const {
    const std::vector<std::size_t> places = ball_places();
    return places.empty() ? "" : fmt::format("static const int balls[] = {{{}}};\n", fmt::join(places, ", "));
  }

  std::string table(const std::string& name, const RunSettings& settings) const {
    const bool has_rows = !machine_.rows.empty();
    const auto list = [](const std::vector<NamedNumber>& numbers, std::string_view array) {
      return numbers.empty() ? std::string_view("0") : array;
    };
    std::string text = "static const gelenk_equations machine = {\n";
    const auto member = [&text](std::string_view key, const std::string& value) {
      text += fmt::format("  .{} = {},\n", key, value);
    };
    const auto count = [&](std::string_view key, std::size_t value) { member(key, fmt::format("{}", value)); };
    member("name", quoted_text(Language::c, name));
    count("positions", machine_.positions.size());
    count("rates", machine_.rates.size());
    count("states", machine_.states.size());
    count("parameters", machine_.parameters.size());
    count("prepared", writer_.prepared_count());
    count("rows", machine_.rows.size());
    count("outputs", machine_.outputs.size());
    member("position_list", std::string(list(machine_.positions, "positions")));
    member("rate_list", std::string(list(machine_.rates, "rates")));
    member("state_list", std::string(list(machine_.states, "states")));
    member("parameter_list", std::string(list(machine_.parameters, "parameters")));
    member("output_list", std::string(list(machine_.outputs, "outputs")));
    count("balls", ball_places().size());
    member("ball_positions", ball_places().empty() ? "0" : "balls");
    member("end_time", number_text(Language::c, settings.end_time));
    member("step", number_text(Language::c, settings.step));
    member("output_every", number_text(Language::c, settings.output_every));
    member("prepare", "prepare");
    member("velocities", "velocities");
    member("motion", "motion");
    member("accelerations", has_rows ? "0" : "accelerations");
    member("constraints", has_rows ? "constraints" : "0");
    member("values", "values");
    return text + "};\n\nconst gelenk_equations* gelenk_machine(void) { return &machine; }\n";
  }

  const TracedMachine& machine_;
  FunctionWriter writer_;
};

std::string data_line(const std::string& name, double value, const std::string& unit) {
  return fmt::format("{} = {}{}\n", name, value, unit == "1" || unit == "SI" ? "" : " " + unit);
}

}  // namespace

std::string program_name(const std::string& machine) {
  std::string name;
  for (const char c : machine) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += is_plain ? c : '_';
  }
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) name = "machine_" + name;
  return name;
}

GeneratedFile c_equations(const TracedMachine& machine, const std::string& name, const RunSettings& settings) {
  return {name + "_equations.c", CFile(machine).text(name, settings)};
}

GeneratedFile data_file(const TracedMachine& machine, const std::string& name, const RunSettings& settings) {
  std::string text = "# Numbers of the machine: they are read at every start, nothing has to be compiled again.\n";
  for (const NamedNumber& number : machine.parameters) text += data_line(number.name, number.value, number.unit);
  text += "\n# Where it starts.\n";
  for (const std::vector<NamedNumber>* part : {&machine.positions, &machine.rates, &machine.states}) {
    for (const NamedNumber& number : *part) text += data_line("start." + number.name, number.value, number.unit);
  }
  text += "\n# How it is integrated: rk4 or adams, with fixed steps.\nrun.method = rk4\n";
  text += data_line("run.end_time", settings.end_time, "s") + data_line("run.step", settings.step, "s") +
          data_line("run.output_every", settings.output_every, "s");
  return {name + ".data", std::move(text)};
}

std::vector<std::string> size_lines(const TracedMachine& machine) {
  std::vector<symbolic::Id> results = machine.mass;
  for (const std::vector<symbolic::Id>* part :
       {&machine.force, &machine.state_rates, &machine.row_values, &machine.row_matrix, &machine.row_rates,
        &machine.row_biases, &machine.accelerations}) {
    results.insert(results.end(), part->begin(), part->end());
  }
  if (!machine.accelerations.empty()) {
    results = machine.accelerations;
    results.insert(results.end(), machine.state_rates.begin(), machine.state_rates.end());
  }
  const symbolic::OperationCount each = count_operations(machine.graph, results, false);
  const symbolic::OperationCount once = count_operations(machine.graph, results, true);
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{} {} for {} {}, {} {} of loops and drivers", machine.rates.size(),
                              machine.rates.size() == 1 ? "coordinate" : "coordinates",
                              machine.tree.link_of_body.size(),
                              machine.tree.link_of_body.size() == 1 ? "body" : "bodies", machine.rows.size(),
                              machine.rows.size() == 1 ? "row" : "rows"));
  lines.push_back(fmt::format(
      "operations: {} asked, {} written ({} sums, {} products, {} divisions, {} functions), "
      "{} once for each set of parameters",
      machine.graph.asked(), each.total(), each.sums, each.products, each.quotients, each.functions, once.total()));
  return lines;
}

}  // namespace gelenk::generate
