#include "gelenk/base/diagnostics.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gelenk {

Diagnostic& Diagnostics::error(Code code, SourceRange where, std::string message, std::string hint) {
  return add(Severity::error, code, where, std::move(message), std::move(hint));
}

Diagnostic& Diagnostics::warning(Code code, SourceRange where, std::string message, std::string hint) {
  return add(Severity::warning, code, where, std::move(message), std::move(hint));
}

Diagnostic& Diagnostics::add(Severity severity, Code code, SourceRange where, std::string message, std::string hint) {
  overflow_ = Diagnostic{};
  // A type used a thousand times must not say the same thing a thousand times, nor push out what others have to say.
  const bool repeated = std::any_of(kept_.begin(), kept_.end(), [&](const Diagnostic& kept) {
    return kept.where == where && kept.code == code && kept.severity == severity && kept.message == message;
  });
  if (repeated) return overflow_;
  std::size_t& count = severity == Severity::error ? error_count_ : warning_count_;
  if (++count > kMaxKept) return overflow_;
  kept_.push_back({severity, code, where, element_, element_kind_, std::move(message), std::move(hint), {}});
  return kept_.back();
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = kept_;
  const auto key = [](const Diagnostic& d) {
    return std::make_tuple(d.where.file, d.where.begin, d.severity, static_cast<int>(d.code));
  };
  std::stable_sort(result.begin(), result.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  return result;
}

}  // namespace gelenk
