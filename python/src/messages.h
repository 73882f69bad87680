#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/source.h"

// What is wrong, for Python: a value that needs no sources to be read.
namespace gelenk::python {

struct Message {
  std::string code;      // "GK1203"; empty: none
  std::string severity;  // "error", "warning"
  std::string message, hint;
  std::string element, element_kind;
  std::string file;                                                  // empty: at no place
  std::uint32_t line = 0, column = 0, end_line = 0, end_column = 0;  // from 1; 0: at no place
};

Message message_of(const Diagnostic& diagnostic, const SourceMap& sources);
// In the order in which the program prints them.
std::vector<Message> messages_of(const Diagnostics& diagnostics, const SourceMap& sources);

// Becomes an exception of gelenk.errors.
class Failure : public std::exception {
 public:
  enum class Kind : std::uint8_t { usage, model, assembly, simulation, file, component, interrupted };

  Failure(Kind kind, std::string text, std::vector<Message> messages = {})
      : kind_(kind), text_(std::move(text)), messages_(std::move(messages)) {}
  // All that was found, as the program prints it.
  Failure(Kind kind, const Diagnostics& diagnostics, const SourceMap& sources);

  Kind kind() const { return kind_; }
  const char* what() const noexcept override { return text_.c_str(); }
  const std::vector<Message>& messages() const { return messages_; }

 private:
  Kind kind_;
  std::string text_;
  std::vector<Message> messages_;
};

}  // namespace gelenk::python
