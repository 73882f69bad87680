#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gelenk/base/diagnostic_codes.h"
#include "gelenk/base/source.h"

namespace gelenk {

enum class Severity { error, warning };

// A second place that explains the first: the other definition, the end of a cycle ...
struct DiagnosticNote {
  SourceRange where;
  std::string text;
};

// One thing that is wrong, for a person: where, which element, what, what to try.
struct Diagnostic {
  Severity severity = Severity::error;
  Code code{};
  SourceRange where;
  std::string element;       // path of the element: "front_left.strut"; empty when none is concerned
  std::string element_kind;  // "joint"; empty when it has none
  std::string message;       // what is wrong, one sentence, lower case, no full stop
  std::string hint;          // what to try: "did you mean 'rod'?"; shown beside the caret
  std::vector<DiagnosticNote> notes;
};

// Collects everything that is wrong in one pass; readers never throw and never stop at the first error.
// The same thing about the same place is kept and counted once, however many instances find it. Keeps at most
// `kMaxKept` of each severity so that rubbish cannot fill the memory; counts all.
class Diagnostics {
 public:
  static constexpr std::size_t kMaxKept = 200;

  Diagnostic& error(Code code, SourceRange where, std::string message, std::string hint = {});
  Diagnostic& warning(Code code, SourceRange where, std::string message, std::string hint = {});

  std::size_t error_count() const { return error_count_; }
  std::size_t warning_count() const { return warning_count_; }
  bool has_errors() const { return error_count_ > 0; }

  // In the order found.
  const std::vector<Diagnostic>& all() const { return kept_; }
  // By file, then place, errors before warnings at the same place.
  std::vector<Diagnostic> sorted() const;

  // Elements found from here on belong to this path; see ElementScope.
  const std::string& element() const { return element_; }
  const std::string& element_kind() const { return element_kind_; }
  void set_element(std::string path, std::string kind = {}) {
    element_ = std::move(path);
    element_kind_ = std::move(kind);
  }

 private:
  Diagnostic& add(Severity severity, Code code, SourceRange where, std::string message, std::string hint);

  std::vector<Diagnostic> kept_;
  Diagnostic overflow_;  // handed out for what is not kept
  std::string element_;
  std::string element_kind_;
  std::size_t error_count_ = 0;
  std::size_t warning_count_ = 0;
};

// Names the element that is being read or checked for as long as it lives.
class ElementScope {
 public:
  ElementScope(Diagnostics& diagnostics, std::string path, std::string kind = {})
      : diagnostics_(diagnostics), before_(diagnostics.element()), kind_before_(diagnostics.element_kind()) {
    diagnostics_.set_element(std::move(path), std::move(kind));
  }
  ~ElementScope() { diagnostics_.set_element(std::move(before_), std::move(kind_before_)); }
  ElementScope(const ElementScope&) = delete;
  ElementScope& operator=(const ElementScope&) = delete;

 private:
  Diagnostics& diagnostics_;
  std::string before_;
  std::string kind_before_;
};

}  // namespace gelenk
