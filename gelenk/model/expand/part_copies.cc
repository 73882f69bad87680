// Parts that are copies or mirror images of other parts of their assembly.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/model/expand/definitions.h"

namespace gelenk::model::expanding {
namespace {

// Keys that a mirror image may have of its own.
constexpr std::array<std::string_view, 7> kOwnOfMirror{"mirror_of", "plane", "start", "enabled", "note", "meta", "doc"};

bool is_copy(const Object& part) { return part.find("copy_of") != nullptr || part.find("mirror_of") != nullptr; }

class PartCopies {
 public:
  PartCopies(ScopeIndex& index, Reports& reports)
      : index_(index), reports_(reports), diagnostics_(reports.diagnostics) {}

  void resolve();

 private:
  enum class Progress : std::uint8_t { untouched, running, done };
  void resolve_one(std::size_t number, std::size_t depth);
  bool is_well_formed(const Object& written, bool is_mirror);
  // Of what `written` is made; nothing: reported, or not to be told twice.
  std::optional<std::size_t> source_of(const Object& written, std::string_view key);

  ScopeIndex& index_;
  Reports& reports_;
  Diagnostics& diagnostics_;
  std::vector<Object>* parts_ = nullptr;
  std::vector<Progress> progress_;
};

bool PartCopies::is_well_formed(const Object& written, bool is_mirror) {
  if (is_mirror && written.find("copy_of") != nullptr) {
    diagnostics_.error(Code::conflicting_keys, written.range_of("mirror_of"),
                       "'copy_of' and 'mirror_of' cannot be combined", "keep one of them");
    return false;
  }
  if (is_mirror != (written.find("plane") != nullptr)) {
    if (is_mirror && written.is_incomplete) return false;
    diagnostics_.error(is_mirror ? Code::missing_key : Code::key_without_effect, written.range_of("plane"),
                       is_mirror ? "a mirror image needs a `plane`" : "`plane` has an effect only with `mirror_of`",
                       is_mirror ? "one of xy, yz, xz" : "leave it out, or mirror another part");
    return false;
  }
  if (!is_mirror) return true;
  for (const Property& property : written.properties) {
    const std::string_view key = property.field->key;
    if (std::find(kOwnOfMirror.begin(), kOwnOfMirror.end(), key) != kOwnOfMirror.end()) continue;
    diagnostics_.error(Code::conflicting_keys, property.value.range,
                       fmt::format("'{}' of a mirror image comes from what it mirrors", key), "leave it out");
    return false;
  }
  return true;
}

std::optional<std::size_t> PartCopies::source_of(const Object& written, std::string_view key) {
  const std::string& name = *written.text(key);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parts_->size(); ++i) {
    if ((*parts_)[i].name == name) return i;
    if ((*parts_)[i].name != written.name) names.push_back((*parts_)[i].name);
  }
  if (is_left_out(index_.definition->object, name)) return std::nullopt;
  diagnostics_.error(Code::unknown_reference, written.range_of(key), fmt::format("there is no part '{}' here", name),
                     reports_.may_suggest(names.size()) ? did_you_mean(name, names) : "");
  return std::nullopt;
}

void PartCopies::resolve_one(std::size_t number, std::size_t depth) {
  if (progress_[number] == Progress::done) return;
  const Object written = (*parts_)[number];
  index_.part_plans[number].source = number;
  progress_[number] = Progress::running;
  const ElementScope scope(diagnostics_, written.name, "part");
  const bool is_mirror = written.find("mirror_of") != nullptr;
  std::optional<std::size_t> source;
  if (is_copy(written) && is_well_formed(written, is_mirror)) {
    source = source_of(written, is_mirror ? "mirror_of" : "copy_of");
  }
  if (source && (progress_[*source] == Progress::running || depth > kMaxChain)) {
    diagnostics_.error(Code::copy_cycle, written.name_range, fmt::format("'{}' is a copy of itself", written.name),
                       "write one of the parts in the circle out");
    source.reset();
  }
  // Nothing more is said about what could not be copied.
  (*parts_)[number].is_incomplete = written.is_incomplete || is_copy(written);
  if (source) {
    resolve_one(*source, depth + 1);
    const PartPlan& from = index_.part_plans[*source];
    if (from.is_mirror && !is_mirror) {
      diagnostics_.error(Code::conflicting_keys, written.range_of("copy_of"),
                         fmt::format("'{}' is a mirror image, which cannot be copied", *written.text("copy_of")),
                         "mirror the part that it mirrors");
    } else {
      Object result = overlaid((*parts_)[*source], written);
      if (written.find("enabled") == nullptr) {
        std::erase_if(result.properties, [](const Property& one) { return one.field->key == "enabled"; });
      }
      result.is_incomplete = written.is_incomplete || (*parts_)[*source].is_incomplete;
      (*parts_)[number] = std::move(result);
      if (is_mirror) {
        const Matrix3 S = reflection(*written.text("plane"));
        PartPlan image{from.source, Matrix3(S * from.mirror), true};
        if (written.find("start") == nullptr) image.start_mirror = S * from.start_mirror;
        index_.part_plans[number] = image;
      }
    }
  }
  progress_[number] = Progress::done;
}

void PartCopies::resolve() {
  auto resolved = std::make_unique<Object>(index_.definition->object);
  parts_ = resolved->find("parts")->value.get<Value::Objects>();
  progress_.assign(parts_->size(), Progress::untouched);
  index_.part_plans.resize(parts_->size());
  for (std::size_t i = 0; i < parts_->size(); ++i) resolve_one(i, 0);
  index_.resolved = std::move(resolved);
}

}  // namespace

void Definitions::resolve_parts(ScopeIndex& index) {
  const std::vector<Object>& parts = index.definition->object.section("parts");
  if (std::any_of(parts.begin(), parts.end(), is_copy)) PartCopies(index, reports_).resolve();
}

}  // namespace gelenk::model::expanding
