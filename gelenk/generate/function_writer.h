#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gelenk/generate/language.h"
#include "gelenk/minimal/traced_machine.h"

namespace gelenk::generate {

// Where a function leaves results: number i in element i of the array.
struct Results {
  std::string_view array;
  const std::vector<symbolic::Id>* ids = nullptr;
};

// Writes the bodies of functions: one statement for each operation, in the order in which they arose. What depends on
// parameters alone is computed once, by prepare(), and handed on in the array w.
class FunctionWriter {
 public:
  FunctionWriter(const minimal::TracedMachine& machine, Language language);

  // Of prepare(p, w).
  std::string prepare() const;
  // Of a function of w, t, x, v and s. `used`: which of these it reads, if it is wanted.
  std::string body(const std::vector<Results>& results, std::string* used = nullptr) const;

  std::size_t prepared_count() const { return prepared_count_; }

 private:
  struct Scope;
  std::string reference(symbolic::Id id, Scope& scope) const;
  std::string statement(symbolic::Id id, Scope& scope) const;
  std::string variable(std::int32_t symbol, Scope& scope) const;
  bool is_written(symbolic::Id id, bool before) const;

  const minimal::TracedMachine& machine_;
  Language language_;
  std::vector<bool> is_known_before_;
  std::vector<std::int32_t> place_in_w_;       // of each node, -1: none
  std::vector<std::string> names_of_symbols_;  // x[2]
  std::size_t prepared_count_ = 0;
};

}  // namespace gelenk::generate
