#include "gelenk/model/expand/definitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gelenk/base/text.h"

namespace gelenk::model::expanding {
namespace {

struct SectionKey {
  std::string_view key;
  Section section;
};
constexpr std::array kSections{
    SectionKey{"parameters", Section::parameter}, SectionKey{"inputs", Section::input},
    SectionKey{"frames", Section::frame},         SectionKey{"parts", Section::part},
    SectionKey{"joints", Section::joint},         SectionKey{"drivers", Section::driver},
    SectionKey{"forces", Section::force},         SectionKey{"contacts", Section::contact},
    SectionKey{"states", Section::state},         SectionKey{"outputs", Section::output},
    SectionKey{"assemblies", Section::assembly},
};

}  // namespace

Matrix3 reflection(const std::string& plane) {
  Matrix3 S = Matrix3::Identity();
  const int normal = plane == "yz" ? 0 : plane == "xz" ? 1 : 2;
  S(normal, normal) = -1.0;
  return S;
}

Object overlaid(const Object& source, const Object& own) {
  Object result = own;
  for (const Property& property : source.properties) {
    const std::string_view key = property.field->key;
    const bool is_merged = key == "set" || key == "inputs" || key == "frames";
    if (is_merged && own.find(key) != nullptr) {
      // Settings are merged one by one: a copy may change a single parameter.
      auto* mine = result.find(key)->value.get<Value::Objects>();
      for (const Object& setting : *property.value.get<Value::Objects>()) {
        const bool has =
            std::any_of(mine->begin(), mine->end(), [&](const Object& o) { return o.name == setting.name; });
        if (!has) mine->push_back(setting);
      }
    } else if (own.find(key) == nullptr) {
      result.properties.push_back(property);
    }
  }
  return result;
}

namespace {

std::size_t count_values(const Value& value) {
  std::size_t count = 1;
  if (const auto* formula = value.get<expression::Expression>()) count += formula->nodes().size();
  if (const auto* list = value.get<Value::List>()) {
    for (const Value& item : *list) count += count_values(item);
  }
  if (const auto* objects = value.get<Value::Objects>()) {
    for (const Object& object : *objects) count += expanding::count_values(object);
  }
  return count;
}

}  // namespace

std::size_t count_values(const Object& object) {
  std::size_t count = 1;
  for (const Property& property : object.properties) count += count_values(property.value);
  return count;
}

Definitions::Definitions(const Model& model, std::size_t max_elements, Reports& reports)
    : reports_(reports), diagnostics_(reports.diagnostics), copied_{.max_elements = max_elements} {
  for (const Definition& definition : model.definitions) by_name_.emplace(definition.name, &definition);
}

void Definitions::index_names(ScopeIndex& index) {
  const Object& object = index.object();
  for (const SectionKey& section : kSections) {
    const std::vector<Object>& elements = object.section(section.key);
    index.element_count += elements.size();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      index.element_count += elements[i].section("frames").size() + elements[i].section("contours").size();
      const auto [it, is_new] =
          index.names.try_emplace(elements[i].name, NamedElement{section.section, &elements[i], i});
      if (is_new) continue;
      index.shared.insert(elements[i].name);
      Diagnostic& d = diagnostics_.error(
          Code::duplicate_name, elements[i].name_range,
          fmt::format("the name '{}' is already used by a {}", elements[i].name, section_word(it->second.section)),
          "all elements of an assembly share one namespace, so that paths are unique");
      d.notes.push_back(
          {it->second.object->name_range, fmt::format("the {} is here", section_word(it->second.section))});
    }
  }
}

const ScopeIndex& Definitions::index_of(const Definition& definition) {
  std::unique_ptr<ScopeIndex>& slot = indices_[&definition];
  if (slot == nullptr) {
    slot = std::make_unique<ScopeIndex>();
    slot->definition = &definition;
    resolve_parts(*slot);
    index_names(*slot);
    slot->value_count = count_values(slot->object());
    plan_instances(*slot);
  }
  return *slot;
}

void Definitions::plan_instances(ScopeIndex& index) {
  const std::vector<Object>& written = index.definition->object.section("assemblies");
  index.plans.resize(written.size());
  std::vector<std::size_t> in_progress;
  for (std::size_t i = 0; i < written.size(); ++i) plan_instance(index, i, in_progress);
}

bool Definitions::plan_instance(ScopeIndex& index, std::size_t number, std::vector<std::size_t>& in_progress) {
  InstancePlan& plan = index.plans[number];
  if (plan.written != nullptr) return plan.definition != nullptr;
  const Object& written = index.definition->object.section("assemblies")[number];
  const ElementScope scope(diagnostics_, written.name, "assembly");
  if (std::find(in_progress.begin(), in_progress.end(), number) != in_progress.end()) {
    diagnostics_.error(Code::copy_cycle, written.name_range, fmt::format("'{}' is a copy of itself", written.name),
                       "give one of the instances in the circle a `use`");
    return false;
  }
  if (in_progress.size() >= kMaxChain) {
    diagnostics_.error(Code::too_many_elements, written.name_range,
                       fmt::format("more than {} assemblies are copies of each other in a chain", kMaxChain),
                       "copy the first one directly");
    return false;
  }
  std::vector<std::string_view> origins;
  for (const std::string_view key : {"use", "copy_of", "mirror_of"}) {
    if (written.find(key) != nullptr) origins.push_back(key);
  }
  if (origins.size() != 1) {
    plan.written = &written;
    if (origins.empty() && written.is_incomplete) return false;
    diagnostics_.error(origins.empty() ? Code::missing_key : Code::conflicting_keys,
                       origins.empty() ? written.name_range : written.range_of(origins[1]),
                       origins.empty() ? std::string("an assembly needs `use`, `copy_of` or `mirror_of`")
                                       : fmt::format("'{}' and '{}' cannot be combined", origins[0], origins[1]),
                       origins.empty() ? "for example `use: corner`" : "keep one of them");
    return false;
  }
  const bool is_mirror = origins.front() == "mirror_of";
  if (is_mirror != (written.find("plane") != nullptr)) {
    plan.written = &written;
    if (is_mirror && written.is_incomplete) return false;
    diagnostics_.error(is_mirror ? Code::missing_key : Code::key_without_effect, written.range_of("plane"),
                       is_mirror ? "a mirror image needs a `plane`" : "`plane` has an effect only with `mirror_of`",
                       is_mirror ? "one of xy, yz, xz" : "leave it out, or mirror another assembly");
    return false;
  }
  if (is_mirror) {
    for (const std::string_view key : {"at", "repeat", "attach"}) {
      if (written.find(key) == nullptr) continue;
      diagnostics_.error(Code::conflicting_keys, written.range_of(key),
                         fmt::format("'{}' of a mirror image comes from what it mirrors", key), "leave it out");
    }
  }
  if (origins.front() == "use") {
    plan.written = &written;
    plan.effective = written;
    const auto used = by_name_.find(*written.text("use"));
    plan.definition = used == by_name_.end() ? nullptr : used->second;
    return plan.definition != nullptr;
  }
  return plan_copy(index, number, origins.front(), in_progress);
}

// `origin`: copy_of or mirror_of.
bool Definitions::plan_copy(ScopeIndex& index, std::size_t number, std::string_view origin,
                            std::vector<std::size_t>& in_progress) {
  InstancePlan& plan = index.plans[number];
  const Object& written = index.definition->object.section("assemblies")[number];
  const std::string& source_name = *written.text(origin);
  const NamedElement* source = index.find(source_name);
  if (source == nullptr || source->section != Section::assembly) {
    plan.written = &written;
    if (is_left_out(index.definition->object, source_name)) return false;
    std::vector<std::string> names;
    const std::vector<Object>& others = index.definition->object.section("assemblies");
    if (reports_.may_suggest(others.size())) {
      for (const Object& other : others) {
        if (other.name != written.name) names.push_back(other.name);
      }
    }
    diagnostics_.error(Code::unknown_reference, written.range_of(origin),
                       fmt::format("there is no assembly '{}' here", source_name), did_you_mean(source_name, names));
    return false;
  }
  in_progress.push_back(number);
  const bool found = plan_instance(index, source->index, in_progress);
  in_progress.pop_back();
  plan.written = &written;
  if (!found) return false;
  const InstancePlan& from = index.plans[source->index];
  plan.effective = overlaid(from.effective, written);
  plan.mirror = origin == "mirror_of" ? Matrix3(reflection(*written.text("plane")) * from.mirror) : from.mirror;
  plan.definition = from.definition;
  return true;
}

}  // namespace gelenk::model::expanding
