#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/generate/equation_pen.h"

namespace gelenk::generate {

// Lays out headings, lists and formulas. Formulas may have marks where a line may end, see equation_pen.h.
class EquationPage {
 public:
  explicit EquationPage(EquationPen pen);

  void title(std::string_view text);
  // Ends the section before; one without content is left out.
  void section(std::string_view heading);
  void remark(std::string_view text);
  // name = value, and what is to be said of it
  void definition(std::string name, std::string value, std::string note = "");
  void equation(std::string left, std::string right);
  // Words between equations.
  void label(std::string text);

  std::string take();

 private:
  struct Row {
    enum class Kind { definition, equation, label } kind;
    std::string left, right, note;
  };

  void end_section();
  void put_text_rows();
  void put_latex_rows();
  std::string text_definition(const Row& row, std::size_t name_width, std::size_t value_width) const;
  std::string text_equation(const Row& row) const;
  std::vector<std::string> latex_lines(const Row& row) const;

  EquationPen pen_;
  std::string text_;
  std::string heading_, remark_;
  std::vector<Row> rows_;
};

}  // namespace gelenk::generate
