// Definitions with their names, instances with their copies, mirrors and repetitions.
#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/text.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/expand/scope.h"

namespace gelenk::model::expanding {
namespace {

constexpr std::size_t kMaxAssemblyDepth = 64;
constexpr std::size_t kMaxNamesInHint = 8;
constexpr std::size_t kMaxNamesCompared = 500'000;
// Numbers, names and steps of formulas that an element has in a large but honest machine, on average.
constexpr std::size_t kValuesPerElement = 50;

struct SectionKey {
  std::string_view key;
  Section section;
};
constexpr std::array kSections{
    SectionKey{"parameters", Section::parameter}, SectionKey{"inputs", Section::input},
    SectionKey{"frames", Section::frame},         SectionKey{"parts", Section::part},
    SectionKey{"joints", Section::joint},         SectionKey{"drivers", Section::driver},
    SectionKey{"forces", Section::force},         SectionKey{"states", Section::state},
    SectionKey{"outputs", Section::output},       SectionKey{"assemblies", Section::assembly},
};

Matrix3 reflection(const std::string& plane) {
  Matrix3 S = Matrix3::Identity();
  const int normal = plane == "yz" ? 0 : plane == "xz" ? 1 : 2;
  S(normal, normal) = -1.0;
  return S;
}

// The properties of `own`, and those of `source` that `own` does not have.
Object overlaid(const Object& source, const Object& own) {
  Object result = own;
  for (const Property& property : source.properties) {
    const std::string_view key = property.field->key;
    if ((key == "set" || key == "inputs") && own.find(key) != nullptr) {
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

std::size_t count_values(const Object& object);

std::size_t count_values(const Value& value) {
  std::size_t count = 1;
  if (const auto* formula = value.get<expression::Expression>()) count += formula->nodes().size();
  if (const auto* list = value.get<Value::List>()) {
    for (const Value& item : *list) count += count_values(item);
  }
  if (const auto* objects = value.get<Value::Objects>()) {
    for (const Object& object : *objects) count += count_values(object);
  }
  return count;
}

std::size_t count_values(const Object& object) {
  std::size_t count = 1;
  for (const Property& property : object.properties) count += count_values(property.value);
  return count;
}

}  // namespace

std::string circle_text(const std::vector<std::string>& chain, const std::string& path) {
  std::vector<std::string> circle(std::find(chain.begin(), chain.end(), path), chain.end());
  circle.push_back(path);
  return join(circle, " > ");
}

std::string some_of(const std::vector<std::string>& names) {
  if (names.size() <= kMaxNamesInHint) return join(names, ", ");
  return join(std::span(names).first(kMaxNamesInHint), ", ") + ", ...";
}

bool Expansion::may_suggest(std::size_t name_count) {
  names_compared_ += name_count;
  return names_compared_ <= kMaxNamesCompared;
}

bool Expansion::is_left_out(const Object& owner, std::string_view name) {
  return std::find(owner.unread_names.begin(), owner.unread_names.end(), name) != owner.unread_names.end();
}

bool Expansion::is_unclear(const Instance& scope, std::string_view name) {
  return is_left_out(scope.object(), name) || scope.index->shared.contains(name);
}

std::string_view section_word(Section section) {
  switch (section) {
    case Section::parameter:
      return "parameter";
    case Section::input:
      return "input";
    case Section::frame:
      return "frame";
    case Section::part:
      return "part";
    case Section::joint:
      return "joint";
    case Section::driver:
      return "driver";
    case Section::force:
      return "force";
    case Section::state:
      return "state";
    case Section::output:
      return "output";
    case Section::assembly:
      return "assembly";
  }
  return "";
}

const Field& field_of(const Object& object, std::string_view key) {
  const Property* property = object.find(key);
  if (property != nullptr) return *property->field;
  for (const Field& field : object.type->fields) {
    if (field.key == key) return field;
  }
  return object.type->fields.front();
}

void Expansion::index_names(ScopeIndex& index) {
  const Object& object = index.definition->object;
  for (const SectionKey& section : kSections) {
    const std::vector<Object>& elements = object.section(section.key);
    index.element_count += elements.size();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      index.element_count += elements[i].section("frames").size();
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

const ScopeIndex& Expansion::index_of(const Definition& definition) {
  std::unique_ptr<ScopeIndex>& slot = indices_[&definition];
  if (slot == nullptr) {
    slot = std::make_unique<ScopeIndex>();
    slot->definition = &definition;
    index_names(*slot);
    slot->value_count = count_values(definition.object);
    plan_instances(*slot);
  }
  return *slot;
}

void Expansion::plan_instances(ScopeIndex& index) {
  const std::vector<Object>& written = index.definition->object.section("assemblies");
  index.plans.resize(written.size());
  std::vector<std::size_t> in_progress;
  for (std::size_t i = 0; i < written.size(); ++i) plan_instance(index, i, in_progress);
}

bool Expansion::plan_instance(ScopeIndex& index, std::size_t number, std::vector<std::size_t>& in_progress) {
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
    const auto used = definitions_.find(*written.text("use"));
    plan.definition = used == definitions_.end() ? nullptr : used->second;
    return plan.definition != nullptr;
  }

  const std::string& source_name = *written.text(origins.front());
  const NamedElement* source = index.find(source_name);
  if (source == nullptr || source->section != Section::assembly) {
    plan.written = &written;
    if (is_left_out(index.definition->object, source_name)) return false;
    std::vector<std::string> names;
    const std::vector<Object>& others = index.definition->object.section("assemblies");
    if (may_suggest(others.size())) {
      for (const Object& other : others) {
        if (other.name != written.name) names.push_back(other.name);
      }
    }
    diagnostics_.error(Code::unknown_reference, written.range_of(origins.front()),
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
  plan.mirror = is_mirror ? Matrix3(reflection(*written.text("plane")) * from.mirror) : from.mirror;
  plan.definition = from.definition;
  return true;
}

std::size_t Expansion::repeat_count(const InstancePlan& plan, Instance& owner) {
  const Value* repeat = plan.effective.value("repeat");
  if (repeat == nullptr) return 1;
  const std::optional<double> count = number(*repeat, field_of(plan.effective, "repeat"), owner);
  if (!count) return 0;
  if (*count != std::floor(*count)) {
    diagnostics_.error(Code::out_of_range, repeat->range,
                       fmt::format("'repeat' must be a whole number, but is {}", format_rounded(*count, 6)));
    return 0;
  }
  return static_cast<std::size_t>(*count);
}

void Expansion::add_children(Instance& instance, std::size_t depth) {
  instance.children.resize(instance.index->plans.size());
  for (std::size_t i = 0; i < instance.index->plans.size(); ++i) {
    const InstancePlan& plan = instance.index->plans[i];
    if (plan.definition == nullptr) continue;
    if (!plan.effective.flag("enabled", true)) {
      ++machine_.disabled_count;
      continue;
    }
    const std::string& name = plan.written->name;
    const ElementScope scope(diagnostics_, element_path(instance, name), "assembly");
    const bool is_repeated = plan.effective.find("repeat") != nullptr;
    const std::size_t count = repeat_count(plan, instance);
    const ScopeIndex& index = index_of(*plan.definition);
    if (!has_room(index, count, plan.effective.range_of("repeat"))) return;
    PlaceInRow row;
    for (std::size_t k = 0; k < count; ++k) {
      if (is_repeated) row.index = k;
      Instance* child =
          add_instance(index, &plan, &instance, is_repeated ? fmt::format("{}.{}", name, k) : name, depth + 1, row);
      if (child == nullptr) return;
      row.previous = child;
      instance.children[i].push_back(child);
    }
  }
}

bool Expansion::has_room(const ScopeIndex& index, std::size_t count, const SourceRange& where) {
  const std::size_t most = options_.max_elements;
  const auto fits = [count](std::size_t used, std::size_t each, std::size_t limit) {
    return used < limit && count <= (limit - used) / each;
  };
  if (is_too_large_) return false;
  if (fits(element_count_, index.element_count + 1, most) &&
      fits(value_count_, index.value_count, kValuesPerElement * most)) {
    return true;
  }
  is_too_large_ = true;
  diagnostics_.error(Code::too_many_elements, where, fmt::format("the machine would have more than {} elements", most),
                     "look for a `repeat` that is too large");
  return false;
}

Instance* Expansion::add_instance(const ScopeIndex& index, const InstancePlan* plan, Instance* owner, std::string name,
                                  std::size_t depth, const PlaceInRow& row) {
  if (!has_room(index, 1, plan == nullptr ? index.definition->object.range : plan->written->name_range)) return nullptr;
  element_count_ += index.element_count + 1;
  value_count_ += index.value_count;
  if (depth > kMaxAssemblyDepth) {
    const ElementScope scope(diagnostics_, plan->written->name, "assembly");  // the full path would fill the screen
    diagnostics_.error(Code::assemblies_too_deep, plan->written->name_range,
                       fmt::format("assemblies are nested more than {} deep", kMaxAssemblyDepth));
    return nullptr;
  }
  Instance& instance = instances_.emplace_back();
  instance.id = AssemblyId(machine_.assemblies.size());
  instance.index = &index;
  instance.plan = plan;
  instance.owner = owner;
  instance.repeat_index = row.index;
  instance.previous = row.previous;
  instance.path = owner == nullptr ? "" : element_path(*owner, name);
  const Object& object = index.definition->object;
  instance.parameters.resize(object.section("parameters").size());
  instance.inputs.resize(object.section("inputs").size());
  instance.outputs.resize(object.section("outputs").size());
  instance.parts.resize(object.section("parts").size());
  instance.frames.resize(object.section("frames").size());
  instance.part_ids.resize(instance.parts.size());

  AssemblyNode& node = machine_.assemblies.emplace_back();
  node.path = instance.path;
  node.name = std::move(name);
  node.definition = index.definition;
  node.where = plan == nullptr ? object.range : plan->written->name_range;
  if (owner != nullptr) {
    node.owner = owner->id;
    machine_.assemblies[owner->id.index()].children.push_back(instance.id);
  }
  add_children(instance, depth);
  return &instance;
}

ChildStep Expansion::step_into_child(Instance& scope, const std::vector<std::string>& segments,
                                     const SourceRange& where) {
  const NamedElement* element = scope.index->find(segments.front());
  if (element == nullptr || element->section != Section::assembly) return {};
  const std::vector<Instance*>& children = scope.children[element->index];
  const InstancePlan& plan = scope.index->plans[element->index];
  if (plan.effective.find("repeat") == nullptr) {
    if (children.empty()) {
      if (plan.definition != nullptr) {
        diagnostics_.error(Code::unknown_reference, where, fmt::format("assembly '{}' is disabled", segments.front()),
                           "enable it, or disable what uses it");
      }
      return {nullptr, 1, true};
    }
    return {children.front(), 1, false};
  }
  const std::optional<double> number = segments.size() > 1 ? parse_number(segments[1]) : std::nullopt;
  if (!number || *number < 0 || *number >= static_cast<double>(children.size())) {
    if (!children.empty()) {
      diagnostics_.error(
          Code::unknown_reference, where,
          fmt::format("'{}' {} {} assemblies", segments.front(), number ? "has only" : "is a list of", children.size()),
          fmt::format("name one of them: {}.0 ... {}.{}", segments.front(), segments.front(), children.size() - 1));
    }
    return {nullptr, 1, true};
  }
  return {children[static_cast<std::size_t>(*number)], 2, false};
}

}  // namespace gelenk::model::expanding
