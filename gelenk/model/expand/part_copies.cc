// Parts that are copies or mirror images of other parts of their assembly.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/model/expand/definitions.h"

namespace gelenk::model::expanding {
namespace {

// Keys that a mirror image may have of its own.
constexpr std::array<std::string_view, 7> kOwnOfMirror{"mirror_of", "plane", "start", "enabled", "note", "meta", "doc"};

bool is_copy(const Object& part) { return part.find("copy_of") != nullptr || part.find("mirror_of") != nullptr; }

// Numbers, names and steps of formulas that an element has on average, where it is a copy: each takes memory of its
// own.
constexpr std::size_t kCopiedValuesPerElement = 10;

class PartCopies {
 public:
  PartCopies(ScopeIndex& index, CopiedParts& copied, Reports& reports)
      : index_(index), copied_(copied), reports_(reports), diagnostics_(reports.diagnostics) {}

  void resolve();

 private:
  enum class Progress : std::uint8_t { untouched, running, done };
  // A part, and of what it is made.
  struct Link {
    std::size_t number = 0;
    std::optional<std::size_t> source;
  };
  void resolve_one(std::size_t number);
  Link begin(std::size_t number);
  void make_copy(std::size_t number, std::size_t source);
  bool is_well_formed(const Object& written, bool is_mirror);
  // Of what `written` is made; nothing: reported, or not to be reported twice.
  std::optional<std::size_t> source_of(const Object& written, std::string_view key);
  bool has_room(const Object& written, std::size_t source);

  ScopeIndex& index_;
  CopiedParts& copied_;
  Reports& reports_;
  Diagnostics& diagnostics_;
  std::vector<Object>* parts_ = nullptr;
  std::unordered_map<std::string, std::size_t> numbers_;  // of the first part of each name
  std::vector<Progress> progress_;
  std::vector<std::size_t> value_counts_;  // of parts that something is made of; 0: not counted
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
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  if (is_left_out(index_.definition->object, name)) return std::nullopt;
  std::vector<std::string> names;
  if (reports_.may_suggest(parts_->size())) {
    for (const Object& part : *parts_) {
      if (part.name != written.name) names.push_back(part.name);
    }
  }
  diagnostics_.error(Code::unknown_reference, written.range_of(key), fmt::format("there is no part '{}' here", name),
                     did_you_mean(name, names));
  return std::nullopt;
}

bool PartCopies::has_room(const Object& written, std::size_t source) {
  if (copied_.is_full) return false;
  std::size_t& value_count = value_counts_[source];
  if (value_count == 0) value_count = count_values((*parts_)[source]);
  copied_.value_count += value_count;
  copied_.element_count += 1 + (*parts_)[source].section("frames").size();
  if (copied_.element_count <= copied_.max_elements &&
      copied_.value_count / kCopiedValuesPerElement <= copied_.max_elements) {
    return true;
  }
  copied_.is_full = true;
  diagnostics_.error(Code::too_many_elements, written.name_range,
                     fmt::format("the machine would have more than {} elements, most of them in copies of parts",
                                 copied_.max_elements),
                     "look for a part with very many frames or shapes that is copied very often");
  return false;
}

PartCopies::Link PartCopies::begin(std::size_t number) {
  Object& written = (*parts_)[number];
  index_.part_plans[number].source = number;
  if (!is_copy(written)) {
    progress_[number] = Progress::done;
    return {number, std::nullopt};
  }
  progress_[number] = Progress::running;
  const ElementScope scope(diagnostics_, written.name, "part");
  const bool is_mirror = written.find("mirror_of") != nullptr;
  Link link{number, std::nullopt};
  if (is_well_formed(written, is_mirror)) link.source = source_of(written, is_mirror ? "mirror_of" : "copy_of");
  if (link.source && progress_[*link.source] == Progress::running) {
    diagnostics_.error(Code::copy_cycle, written.name_range, fmt::format("'{}' is a copy of itself", written.name),
                       "write one of the parts in the circle out");
    link.source.reset();
  }
  return link;
}

void PartCopies::make_copy(std::size_t number, std::size_t source) {
  Object& part = (*parts_)[number];
  const bool was_incomplete = part.is_incomplete;
  // Nothing more is said about what could not be copied.
  part.is_incomplete = true;
  const ElementScope scope(diagnostics_, part.name, "part");
  const bool is_mirror = part.find("mirror_of") != nullptr;
  const PartPlan& from = index_.part_plans[source];
  if (from.is_mirror && !is_mirror) {
    diagnostics_.error(Code::conflicting_keys, part.range_of("copy_of"),
                       fmt::format("'{}' is a mirror image, which cannot be copied", *part.text("copy_of")),
                       "mirror the part that it mirrors");
    return;
  }
  if (!has_room(part, source)) return;
  Object result = overlaid((*parts_)[source], part);
  if (part.find("enabled") == nullptr) {
    std::erase_if(result.properties, [](const Property& one) { return one.field->key == "enabled"; });
  }
  result.is_incomplete = was_incomplete || (*parts_)[source].is_incomplete;
  if (is_mirror) {
    const Matrix3 S = reflection(*part.text("plane"));
    PartPlan image{from.source, Matrix3(S * from.mirror), true};
    if (part.find("start") == nullptr) image.start_mirror = S * from.start_mirror;
    index_.part_plans[number] = image;
  }
  part = std::move(result);
}

// Follows the chain to a part that is known, and comes back: chains may be as long as the file.
void PartCopies::resolve_one(std::size_t number) {
  std::vector<Link> chain;
  for (std::optional<std::size_t> next = number; next && progress_[*next] == Progress::untouched;) {
    chain.push_back(begin(*next));
    next = chain.back().source;
  }
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    if (link->source) {
      make_copy(link->number, *link->source);
    } else if (progress_[link->number] == Progress::running) {
      (*parts_)[link->number].is_incomplete = true;
    }
    progress_[link->number] = Progress::done;
  }
}

void PartCopies::resolve() {
  auto resolved = std::make_unique<Object>(index_.definition->object);
  parts_ = resolved->find("parts")->value.get<Value::Objects>();
  progress_.assign(parts_->size(), Progress::untouched);
  value_counts_.assign(parts_->size(), 0);
  index_.part_plans.resize(parts_->size());
  for (std::size_t i = 0; i < parts_->size(); ++i) numbers_.try_emplace((*parts_)[i].name, i);
  for (std::size_t i = 0; i < parts_->size(); ++i) resolve_one(i);
  index_.resolved = std::move(resolved);
}

}  // namespace

void Definitions::resolve_parts(ScopeIndex& index) {
  const std::vector<Object>& parts = index.definition->object.section("parts");
  if (std::any_of(parts.begin(), parts.end(), is_copy)) PartCopies(index, copied_, reports_).resolve();
}

}  // namespace gelenk::model::expanding
