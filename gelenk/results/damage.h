#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gelenk::results {

// What in a file of results is not as it was written.
class Damage {
 public:
  // Rows in rising order.
  void add_row(std::size_t row);
  // "the certificate cannot be read"
  void add(std::string sentence) { others_.push_back(std::move(sentence)); }

  bool is_found() const { return row_count_ > 0 || !others_.empty(); }
  std::size_t row_count() const { return row_count_; }
  // "3 rows are not as they were recorded: 17, 20 to 21"; the first few of each kind.
  std::vector<std::string> sentences() const;
  std::string text() const;  // all of them in one line

 private:
  struct Range {
    std::size_t first = 0, last = 0;
  };
  std::vector<Range> rows_;  // the first ones
  std::size_t row_count_ = 0;
  std::vector<std::string> others_;
};

}  // namespace gelenk::results
