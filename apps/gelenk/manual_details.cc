#include "apps/gelenk/manual_details.h"

#include <fmt/format.h>

#include <vector>

#include "apps/gelenk/roff.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

constexpr std::string_view kExamples = "examples:", kExamplesAtEnd = " Examples:";

class DetailsReader {
 public:
  void read(std::string_view line) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == std::string_view::npos) {
      finish_block();
      is_in_examples_ = false;
    } else if (indent > 0 && column_ > 0 && indent == column_) {
      paragraph_ += " " + std::string(trim(line));  // goes on with the term
    } else if (indent > 0) {
      add_verbatim(line.substr(indent >= kMargin ? kMargin : indent));
    } else {
      read_text(line);
    }
  }

  ManualDetails finish() {
    finish_block();
    return result_;
  }

 private:
  static constexpr std::size_t kMargin = 2;  // of verbatim lines in the help

  void read_text(std::string_view line) {
    if (column_ > 0 || !verbatim_.empty()) finish_block();
    is_in_examples_ = false;
    if (line == kExamples) {
      finish_block();
      is_in_examples_ = true;
      return;
    }
    const std::size_t gap = line.find("  ");
    if (gap != std::string_view::npos && line.find(' ') == gap) {
      finish_block();
      term_ = line.substr(0, gap);
      column_ = line.find_first_not_of(' ', gap);
      paragraph_ = line.substr(column_);
      return;
    }
    const bool are_next = line.ends_with(kExamplesAtEnd);
    if (are_next) line.remove_suffix(kExamplesAtEnd.size());
    paragraph_ += (paragraph_.empty() ? "" : " ") + std::string(line);
    if (!are_next) return;
    finish_block();
    is_in_examples_ = true;
  }

  void add_verbatim(std::string_view line) {
    if (!paragraph_.empty()) finish_block();
    verbatim_ += roff_verbatim(line) + "\n";
  }

  void finish_block() {
    std::string& text = is_in_examples_ ? result_.examples : result_.description;
    if (column_ > 0) {
      text += roff_term(roff_bold(term_), paragraph_);
    } else if (!paragraph_.empty()) {
      text += ".PP\n" + roff_filled(paragraph_) + "\n";
    }
    if (!verbatim_.empty()) text += ".PP\n.RS 4\n.nf\n" + verbatim_ + ".fi\n.RE\n";
    paragraph_.clear();
    verbatim_.clear();
    column_ = 0;
  }

  ManualDetails result_;
  std::string paragraph_;
  std::string verbatim_;
  std::string term_;
  std::size_t column_ = 0;  // where the text of a term stands; 0: there is none
  bool is_in_examples_ = false;
};

}  // namespace

ManualDetails manual_details(std::string_view details) {
  DetailsReader reader;
  for (const std::string& line : split(details, '\n')) reader.read(line);
  return reader.finish();
}

}  // namespace gelenk::app
