#include "apps/gelenk/help_topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "apps/gelenk/embedded_text.h"
#include "apps/gelenk/program_facts.h"
#include "gelenk/base/text.h"
#include "gelenk/base/units.h"
#include "gelenk/expression/operations.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/materials.h"

namespace gelenk::app {
namespace {

std::string materials_table() {
  std::string table = fmt::format("{:<18} {:>8}  {}\n", "name", "kg/m³", "source");
  for (const model::Material& material : model::built_in_materials()) {
    table += fmt::format("{:<18} {:>8}  {}\n", material.name, format_rounded(material.density, 6), material.source);
  }
  return table;
}

std::string coordinates_of(const model::ObjectType& joint) {
  std::string text;
  for (const model::Coordinate& coordinate : joint.coordinates) {
    text += fmt::format("{}{}/{}", text.empty() ? "" : " ", coordinate.name, coordinate.rate);
  }
  return text;
}

// In rows of a readable width, behind "  keys: ".
std::string keys_of(const model::ObjectType& type) {
  constexpr std::size_t kWidth = 90;
  std::string text;
  std::size_t row = 0;
  for (const model::Field& field : type.fields) {
    const std::string key = fmt::format("{}{}", field.key, field.required ? "*" : "");
    const bool is_full = row + key.size() > kWidth;
    if (!text.empty()) text += is_full ? "\n        " : " ";
    text += key;
    row = (is_full ? 0 : row) + key.size() + 1;
  }
  return text;
}

std::string family_table(const model::Family& family) {
  std::string table;
  for (const model::ObjectType* type : family.types) {
    const std::string name = fmt::format("{:<24}", type->name);
    const Fact row{name, type->doc};
    table += facts_table(std::span(&row, 1));
    table += fmt::format("  keys: {}\n", keys_of(*type));
    const std::string coordinates = coordinates_of(*type);
    if (!coordinates.empty()) table += fmt::format("  coordinate/rate: {}\n", coordinates);
  }
  return table;
}

// Words in rows of a readable width.
std::string filled(const std::vector<std::string>& words) {
  constexpr std::size_t kWidth = 90;
  std::string text;
  std::string row;
  for (const std::string& word : words) {
    if (row.size() + word.size() > kWidth) {
      text += row + "\n";
      row.clear();
    }
    row += (row.empty() ? "" : "  ") + word;
  }
  return text + row + "\n";
}

std::string units_table() {
  std::vector<std::string> symbols;
  for (const UnitSymbol& unit : unit_symbols()) symbols.emplace_back(unit.symbol);
  return filled(symbols);
}

std::string quantities_table() {
  std::string table;
  for (const model::DisplayKey& key : model::display_keys()) {
    const QuantityInfo& info = quantity_info(key.quantity);
    table += fmt::format("{:<22} {}\n", info.name, info.si_symbol);
  }
  return table;
}

std::string functions_table() {
  constexpr std::array<std::string_view, 3> kArguments{"(a)", "(a, b)", "(condition, a, b)"};
  std::vector<std::string> words;
  for (const expression::Function& function : expression::functions()) {
    const bool takes_many = function.max_arguments == expression::kAnyCount;
    const std::size_t index = std::min(function.min_arguments, kArguments.size()) - 1;
    words.push_back(fmt::format("{}{}", function.name, takes_many ? "(a, b, ...)" : kArguments[index]));
  }
  return filled(words);
}

struct Table {
  std::string_view mark;
  std::string (*make)();
};
constexpr Table kTables[] = {
    {"{{materials}}\n", materials_table},
    {"{{joints}}\n", [] { return family_table(model::kJointFamily); }},
    {"{{forces}}\n", [] { return family_table(model::kForceFamily); }},
    {"{{units}}\n", units_table},
    {"{{quantities}}\n", quantities_table},
    {"{{functions}}\n", functions_table},
    {"{{exit_codes}}\n", [] { return facts_table(exit_codes()); }},
    {"{{variables}}\n", [] { return facts_table(environment_variables()); }},
    {"{{files}}\n", [] { return facts_table(user_files()); }},
};

}  // namespace

std::vector<Topic> all_topics() {
  std::vector<Topic> topics;
  for (const EmbeddedText& page : help_topics()) {
    const std::string_view heading = page.text.substr(0, page.text.find('\n'));
    topics.push_back({page.name, trim(heading.substr(std::min(heading.find_first_not_of("# "), heading.size())))});
  }
  return topics;
}

std::vector<std::string> topic_names() {
  std::vector<std::string> names;
  for (const EmbeddedText& page : help_topics()) names.emplace_back(page.name);
  return names;
}

std::optional<std::string> topic_page(std::string_view name) {
  const EmbeddedText* page = find_text(help_topics(), name);
  if (page == nullptr) return std::nullopt;
  std::string text(page->text);
  for (const Table& table : kTables) {
    const std::size_t at = text.find(table.mark);
    if (at != std::string::npos) text.replace(at, table.mark.size(), "```\n" + table.make() + "```\n");
  }
  return text;
}

}  // namespace gelenk::app
