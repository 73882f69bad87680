#include "gelenk/generate/function_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gelenk::generate {
namespace {

using minimal::TracedMachine;
using symbolic::Id;
using symbolic::Node;
using symbolic::Op;

std::size_t place(Id id) { return static_cast<std::size_t>(id); }

// What the functions give, all of them.
std::vector<Id> all_results(const TracedMachine& machine) {
  std::vector<Id> results;
  for (const std::vector<Id>* part :
       {&machine.position_rates, &machine.mass, &machine.force, &machine.state_rates, &machine.row_values,
        &machine.row_matrix, &machine.row_rates, &machine.row_biases, &machine.output_values, &machine.accelerations}) {
    results.insert(results.end(), part->begin(), part->end());
  }
  return results;
}

}  // namespace

struct FunctionWriter::Scope {
  bool is_before = false;  // in prepare()
  std::string used;        // arrays that were read
};

FunctionWriter::FunctionWriter(const TracedMachine& machine, Language language)
    : machine_(machine),
      language_(language),
      is_known_before_(known_before(machine.graph)),
      place_in_w_(machine.graph.nodes().size(), -1),
      names_of_symbols_(machine.graph.symbols().size()) {
  const auto name = [&](const std::vector<Id>& ids, std::string_view array) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      names_of_symbols_[place(machine.graph.node(ids[i]).symbol)] = element_text(language, array, i);
    }
  };
  names_of_symbols_[place(machine.graph.node(machine.time).symbol)] = "t";
  name(machine.x, "x");
  name(machine.v, "v");
  name(machine.s, "s");
  name(machine.p, "p");

  const std::vector<Id> results = all_results(machine);
  const std::vector<bool> is_needed = needed(machine.graph, results);
  const auto hand_on = [&](Id id) {
    if (id < 0 || !is_known_before_[place(id)] || machine.graph.is_constant(id) || place_in_w_[place(id)] >= 0) return;
    place_in_w_[place(id)] = static_cast<std::int32_t>(prepared_count_++);
  };
  for (std::size_t i = 0; i < is_needed.size(); ++i) {
    if (!is_needed[i] || is_known_before_[i]) continue;
    const Node& node = machine.graph.nodes()[i];
    for (const Id operand : {node.a, node.b, node.c}) hand_on(operand);
  }
  for (const Id result : results) hand_on(result);
}

std::string FunctionWriter::variable(std::int32_t symbol, Scope& scope) const {
  const std::string& name = names_of_symbols_[place(symbol)];
  if (scope.used.find(name.front()) == std::string::npos) scope.used += name.front();
  return name;
}

std::string FunctionWriter::reference(Id id, Scope& scope) const {
  const Node& node = machine_.graph.node(id);
  if (node.op == Op::constant) return number_text(language_, node.value);
  if (!scope.is_before && place_in_w_[place(id)] >= 0) {
    if (scope.used.find('w') == std::string::npos) scope.used += 'w';
    return element_text(language_, "w", place(place_in_w_[place(id)]));
  }
  if (node.op == Op::symbol) return variable(node.symbol, scope);
  return fmt::format("{}{}", scope.is_before ? "c" : "t", id);
}

std::string FunctionWriter::statement(Id id, Scope& scope) const {
  const Node& node = machine_.graph.node(id);
  const auto operand = [&](Id of) { return of < 0 ? std::string() : reference(of, scope); };
  const std::string name = fmt::format("{}{}", scope.is_before ? "c" : "t", id);
  return assignment_text(language_, name,
                         operation_text(language_, node.op, operand(node.a), operand(node.b), operand(node.c)), true);
}

bool FunctionWriter::is_written(Id id, bool before) const {
  const Op op = machine_.graph.node(id).op;
  return op != Op::constant && op != Op::symbol && is_known_before_[place(id)] == before;
}

std::string FunctionWriter::prepare() const {
  Scope scope{true, {}};
  std::vector<Id> handed_on;
  for (std::size_t i = 0; i < place_in_w_.size(); ++i) {
    if (place_in_w_[i] >= 0) handed_on.push_back(static_cast<Id>(i));
  }
  const std::vector<bool> is_needed = needed(machine_.graph, handed_on);
  std::string text;
  for (std::size_t i = 0; i < is_needed.size(); ++i) {
    const auto id = static_cast<Id>(i);
    if (!is_needed[i]) continue;
    if (is_written(id, true)) text += statement(id, scope);
    if (place_in_w_[i] >= 0) {
      text +=
          assignment_text(language_, element_text(language_, "w", place(place_in_w_[i])), reference(id, scope), false);
    }
  }
  return text;
}

std::string FunctionWriter::body(const std::vector<Results>& results, std::string* used) const {
  Scope scope;
  std::vector<Id> ids;
  for (const Results& part : results) ids.insert(ids.end(), part.ids->begin(), part.ids->end());
  const std::vector<bool> is_needed = needed(machine_.graph, ids);
  std::string text;
  for (std::size_t i = 0; i < is_needed.size(); ++i) {
    if (is_needed[i] && is_written(static_cast<Id>(i), false)) text += statement(static_cast<Id>(i), scope);
  }
  for (const Results& part : results) {
    for (std::size_t i = 0; i < part.ids->size(); ++i) {
      text +=
          assignment_text(language_, element_text(language_, part.array, i), reference((*part.ids)[i], scope), false);
    }
  }
  if (used != nullptr) *used = scope.used;
  return text;
}

}  // namespace gelenk::generate
