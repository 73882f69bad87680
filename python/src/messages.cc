#include "python/src/messages.h"

#include "gelenk/base/diagnostic_printer.h"

namespace gelenk::python {
namespace {

std::string printed(const Diagnostics& diagnostics, const SourceMap& sources) {
  return print_diagnostics(diagnostics, sources) + diagnostic_counts(diagnostics);
}

}  // namespace

Message message_of(const Diagnostic& diagnostic, const SourceMap& sources) {
  Message result;
  if (diagnostic.code != Code::none) result.code = code_label(diagnostic.code);
  result.severity = diagnostic.severity == Severity::error ? "error" : "warning";
  result.message = diagnostic.message;
  result.hint = diagnostic.hint;
  result.element = diagnostic.element;
  result.element_kind = diagnostic.element_kind;
  if (!diagnostic.where.is_known()) return result;
  const SourceFile& file = sources.file(diagnostic.where.file);
  const LineColumn begin = file.line_column(diagnostic.where.begin);
  const LineColumn end = file.line_column(diagnostic.where.end);
  result.file = file.path();
  result.line = begin.line;
  result.column = begin.column;
  result.end_line = end.line;
  result.end_column = end.column;
  return result;
}

std::vector<Message> messages_of(const Diagnostics& diagnostics, const SourceMap& sources) {
  std::vector<Message> result;
  for (const Diagnostic& diagnostic : diagnostics.sorted()) result.push_back(message_of(diagnostic, sources));
  return result;
}

Failure::Failure(Kind kind, const Diagnostics& diagnostics, const SourceMap& sources)
    : Failure(kind, printed(diagnostics, sources), messages_of(diagnostics, sources)) {}

}  // namespace gelenk::python
