#include "gelenk/model/expand/tree.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "gelenk/base/text.h"

namespace gelenk::model::expanding {
namespace {

constexpr std::size_t kMaxAssemblyDepth = 64;
// Numbers, names and steps of formulas that an element has in a large but honest machine, on average.
constexpr std::size_t kValuesPerElement = 50;

}  // namespace

bool Tree::build(const Model& model) {
  const Instance* const root = add_instance(definitions_.index_of(model.root()), nullptr, nullptr, model.name, 0, {});
  return root != nullptr && !is_too_large_;
}

std::size_t Tree::repeat_count(const InstancePlan& plan, Instance& owner) {
  const Value* repeat = plan.effective.value("repeat");
  if (repeat == nullptr) return 1;
  const std::optional<double> count = numbers_.number(*repeat, field_of(plan.effective, "repeat"), owner);
  if (!count) return 0;
  if (*count != std::floor(*count)) {
    diagnostics_.error(Code::out_of_range, repeat->range,
                       fmt::format("'repeat' must be a whole number, but is {}", format_rounded(*count, 6)));
    return 0;
  }
  return static_cast<std::size_t>(*count);
}

void Tree::add_children(Instance& instance, std::size_t depth) {
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
    const ScopeIndex& index = definitions_.index_of(*plan.definition);
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

bool Tree::has_room(const ScopeIndex& index, std::size_t count, const SourceRange& where) {
  const std::size_t most = max_elements_;
  const auto fits = [count](std::size_t used, std::size_t each, std::size_t limit) {
    return used < limit && count <= (limit - used) / each;
  };
  if (is_too_large_) return false;
  if (!definitions_.has_too_many_copies() && fits(element_count_, index.element_count + 1, most) &&
      fits(value_count_, index.value_count, kValuesPerElement * most)) {
    return true;
  }
  is_too_large_ = true;
  if (definitions_.has_too_many_copies()) return false;
  diagnostics_.error(Code::too_many_elements, where, fmt::format("the machine would have more than {} elements", most),
                     "look for a `repeat` that is too large");
  return false;
}

Instance* Tree::add_instance(const ScopeIndex& index, const InstancePlan* plan, Instance* owner, std::string name,
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

}  // namespace gelenk::model::expanding
