// Values that change: expressions and tables whose symbols are bound to parameters, time and channels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gelenk/base/text.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/expand/scope.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model::expanding {
namespace {

using expression::Expression;

const Dimension kTimeDimension = Dimension(0, 0, 1);

std::span<const Channel> channels_of(const ObjectType* type) {
  return type == nullptr ? std::span<const Channel>{} : type->channels;
}

}  // namespace

bool Expansion::pick_component(ChannelUse& use, const Channel& found, const std::string& component, Instance& scope,
                               const SourceRange& where) {
  const AssemblyNode& node = machine_.assemblies[scope.id.index()];
  const bool is_vector = found.shape == Channel::Shape::vector;
  if (found.shape == Channel::Shape::scalar) {
    if (component.empty()) return true;
    diagnostics_.error(Code::unknown_channel, where,
                       fmt::format("'{}' is a single number and has no component '{}'", found.name, component));
    return false;
  }
  if (is_vector && component == "magnitude") {
    use.pick = ChannelUse::Pick::magnitude;
    return true;
  }
  const std::string_view letters = is_vector ? "xyz" : "wxyz";
  const std::size_t place = component.size() == 1 ? letters.find(component.front()) : std::string_view::npos;
  if (place == std::string_view::npos) {
    diagnostics_.error(
        Code::unknown_channel, where,
        component.empty() ? fmt::format("'{}' has several components", found.name)
                          : fmt::format("'{}' has no component '{}'", found.name, component),
        fmt::format("name one: {}.{}", found.name, is_vector ? "x, .y, .z or .magnitude" : "w, .x, .y or .z"));
    return false;
  }
  use.pick = ChannelUse::Pick::component;
  use.component = static_cast<int>(place);
  use.weights = {0.0, 0.0, 0.0};
  if (!is_vector) {
    if (node.is_mirrored) {
      diagnostics_.error(Code::unknown_channel, where, "a mirrored assembly cannot read an orientation",
                         "read a joint coordinate instead");
      return false;
    }
    return true;
  }
  // What a mirrored assembly reads is what its original would read: component k of Mᵀ v. Parts and frames tell in world
  // axes, joints and forces in axes of their first frame F, which is mirrored as T F Tᵀ; so does what is told relative
  // to a frame.
  const bool is_in_world =
      use.element == ChannelUse::Element::part || (use.element == ChannelUse::Element::frame && use.relative_to < 0);
  const Matrix3& M = is_in_world ? node.world_mirror : node.mirror;
  const double sign = found.axial && node.is_mirrored ? -1.0 : 1.0;
  for (int i = 0; i < 3; ++i) {
    use.weights[static_cast<std::size_t>(i)] = sign * M(i, static_cast<Eigen::Index>(place));
  }
  return true;
}

std::optional<ChannelUse> Expansion::coordinate_channel(const JointNode& joint, std::size_t index,
                                                        const std::string& quantity, Instance& scope) {
  for (std::size_t i = 0; i < joint.type->coordinates.size(); ++i) {
    const Coordinate& c = joint.type->coordinates[i];
    if (c.motion == Coordinate::Motion::orientation) continue;
    if (c.name != quantity && c.rate != quantity) continue;
    ChannelUse use;
    use.element = ChannelUse::Element::joint;
    use.index = static_cast<std::int32_t>(index);
    use.quantity = quantity;
    use.measures = c.name == quantity ? c.quantity() : c.rate_quantity();
    use.dimension = quantity_info(use.measures).dimension;
    if (machine_.assemblies[scope.id.index()].is_mirrored) use.weights[0] = mirror_sign(*joint.type, i);
    return use;
  }
  return std::nullopt;
}

std::optional<ChannelUse> Expansion::channel(const std::string& name, Instance& scope, const SourceRange& where) {
  const std::vector<std::string> segments = split(name, '.');
  if (scope.owner == nullptr && machine_.code && segments.front() == "code") return code_channel(name, segments, where);
  if (is_unclear(scope, segments.front())) return std::nullopt;
  bool is_frame = false;
  if (std::optional<ChannelUse> use = frame_channel(segments, scope, where, is_frame); is_frame) return use;
  // The longest leading path that is an element; the rest names its quantity.
  for (std::size_t count = segments.size(); count > 0; --count) {
    const auto it = elements_.find(element_path(scope, join(std::span(segments).first(count), ".")));
    if (it == elements_.end()) continue;
    const ElementRef& ref = it->second;
    if (ref.element == ChannelUse::Element::state && count == segments.size()) return state_channel(ref.index);
    const std::string rest = join(std::span(segments).subspan(count), ".");
    const ObjectType* type = &kPartType;
    std::vector<std::string> names;
    std::optional<Coordinate> driven;
    if (ref.element == ChannelUse::Element::joint) {
      const JointNode& joint = machine_.joints[ref.index];
      if (std::optional<ChannelUse> use = coordinate_channel(joint, ref.index, rest, scope)) return use;
      for (const Coordinate& c : joint.type->coordinates) {
        if (c.motion == Coordinate::Motion::orientation) continue;
        names.emplace_back(c.name);
        names.emplace_back(c.rate);
      }
      type = joint.type;
    } else if (ref.element == ChannelUse::Element::driver) {
      const DriverNode& driver = machine_.drivers[ref.index];
      if (!driver.drives.joint.is_set()) return std::nullopt;
      driven = machine_.joints[driver.drives.joint.index()].type->coordinates[driver.drives.coordinate];
      type = &kDriverType;
    } else if (ref.element == ChannelUse::Element::state) {
      type = nullptr;
    } else if (ref.element == ChannelUse::Element::force) {
      const ForceNode& force = machine_.forces[ref.index];
      type = force.type;
      for (const Object& state : states_of_force(ref.index)) names.push_back(state.name);
      if (force.drives)
        driven = machine_.joints[force.drives->joint.index()].type->coordinates[force.drives->coordinate];
    }
    for (const Channel& found : channels_of(type)) {
      // Only the effort that fits the coordinate exists.
      if (driven && (found.quantity == Quantity::torque || found.quantity == Quantity::force) &&
          found.quantity != driven->effort_quantity()) {
        continue;
      }
      names.emplace_back(found.name);
      const bool is_whole = rest == found.name;
      const bool is_prefix =
          rest.size() > found.name.size() && rest.starts_with(found.name) && rest[found.name.size()] == '.';
      if (!is_whole && !is_prefix) continue;
      ChannelUse use;
      use.element = ref.element;
      use.index = static_cast<std::int32_t>(ref.index);
      use.quantity = std::string(found.name);
      use.measures = found.quantity;
      use.dimension = quantity_info(found.quantity).dimension;
      const std::string component = is_whole ? "" : rest.substr(found.name.size() + 1);
      if (!pick_component(use, found, component, scope, where)) return std::nullopt;
      return use;
    }
    std::string hint = did_you_mean(rest, names);
    if (hint.empty() && ref.element == ChannelUse::Element::state) hint = "a state is a single number: name it alone";
    if (hint.empty() && ref.element == ChannelUse::Element::part && segments.size() > count + 1) {
      hint = did_you_mean(segments[count], frames_of_part(it->first));
    }
    if (hint.empty()) hint = names.empty() ? "it records nothing" : "it has " + join(names, ", ");
    diagnostics_.error(Code::unknown_channel, where,
                       rest.empty()
                           ? fmt::format("'{}' is an element: name one of its channels", name)
                           : fmt::format("'{}' has no channel '{}'", join(std::span(segments).first(count), "."), rest),
                       hint);
    return std::nullopt;
  }
  const NamedElement* known = scope.index->find(segments.front());
  if (known != nullptr && known->section != Section::assembly) {
    const bool is_disabled = !known->object->flag("enabled", true);
    if (!is_disabled && diagnostics_.has_errors()) return std::nullopt;  // the element itself could not be built
    diagnostics_.error(Code::unknown_channel, where,
                       fmt::format("'{}' {}", segments.front(), is_disabled ? "is disabled" : "records nothing"),
                       is_disabled ? "enable it, or leave out what reads it" : "");
    return std::nullopt;
  }
  std::vector<std::string> names;
  if (may_suggest(scope.index->names.size())) {
    for (const auto& [known_name, element] : scope.index->names) names.emplace_back(known_name);
  }
  std::sort(names.begin(), names.end());
  std::string hint = did_you_mean(segments.front(), names);
  if (const std::string frame = frame_hint(segments, scope); !frame.empty()) hint = frame;
  if (hint.empty() && scope.owner != nullptr && scope.owner->index->find(segments.front()) != nullptr) {
    hint = fmt::format("'{}' belongs to the owner: an assembly sees only what is inside it", segments.front());
  }
  diagnostics_.error(
      segments.size() == 1 ? Code::unknown_name : Code::unknown_channel, where,
      fmt::format("there is no {} '{}'", segments.size() == 1 ? "parameter or channel" : "channel", name), hint);
  return std::nullopt;
}

std::optional<Expansion::SymbolFound> Expansion::signal_symbol(const std::string& name, Instance& scope,
                                                               const SignalLocals& locals, const SourceRange& where) {
  SymbolFound result;
  SymbolUse& use = result.use;
  if (name == "time") {
    use.kind = SymbolUse::Kind::time;
    result.dimension = kTimeDimension;
    return result;
  }
  if (locals.index && name == "index") {
    use.value = static_cast<double>(*locals.index);
    return result;
  }
  if (!locals.element.empty()) {
    const auto own = elements_.find(fmt::format("{}.{}", locals.element, name));
    if (own != elements_.end() && own->second.element == ChannelUse::Element::state) {
      use.kind = SymbolUse::Kind::channel;
      use.channel = state_channel(own->second.index);
      result.dimension = use.channel.dimension;
      return result;
    }
  }
  if (locals.coordinate && (name == "coordinate" || name == "rate")) {
    const JointNode& joint = machine_.joints[locals.coordinate->joint.index()];
    const Coordinate& c = joint.type->coordinates[locals.coordinate->coordinate];
    use.kind = SymbolUse::Kind::channel;
    use.channel.element = ChannelUse::Element::joint;
    use.channel.index = static_cast<std::int32_t>(locals.coordinate->joint.index());
    use.channel.quantity = std::string(name == "rate" ? c.rate : c.name);
    use.channel.measures = name == "rate" ? c.rate_quantity() : c.quantity();
    use.channel.dimension = quantity_info(use.channel.measures).dimension;
    use.channel.weights[0] = locals.coordinate->sign;
    result.dimension = use.channel.dimension;
    return result;
  }
  if (const std::optional<expression::Measure> measured = expression::split_measure(name)) {
    std::optional<ChannelUse> found = measure(*measured, scope, where);
    if (!found) return std::nullopt;
    use.kind = SymbolUse::Kind::channel;
    use.channel = *std::move(found);
    result.dimension = use.channel.dimension;
    return result;
  }
  const std::optional<ValuePlace> place = find_value(scope, split(name, '.'));
  if (place && place->is_parameter()) {
    const std::optional<Quantified> value = parameter(*place->scope, place->number);
    if (!value) return std::nullopt;
    use.value = value->value;
    result.dimension = value->dimension;
    result.is_hertz = value->is_hertz;
    return result;
  }
  if (place && !place->is_sealed) {
    result.nested =
        place->section == Section::input ? input(*place->scope, place->number) : output(*place->scope, place->number);
    if (result.nested == nullptr) return std::nullopt;
    result.dimension = result.nested->dimension;
    result.is_hertz = result.nested->is_hertz;
    return result;
  }
  std::optional<ChannelUse> found =
      place ? sealed_signal(*place->scope, name.substr(name.rfind('.') + 1), where) : channel(name, scope, where);
  if (!found) return std::nullopt;
  use.kind = SymbolUse::Kind::channel;
  use.channel = *std::move(found);
  result.dimension = use.channel.dimension;
  return result;
}

std::optional<Signal> Expansion::bound_formula(const Value& value, const Expression& formula, Instance& scope,
                                               const SignalLocals& locals, Quantified& shape) {
  Signal result;
  result.formula = formula;
  result.where = value.range;
  std::vector<expression::SymbolMeaning> meanings;
  std::vector<SymbolFound> found;
  bool is_known = true;
  for (const expression::Symbol& used : formula.symbols()) {
    const std::optional<SymbolFound> one = signal_symbol(used.name, scope, locals, value.range_of(used.span));
    is_known = is_known && one.has_value();
    if (!one) continue;
    meanings.push_back({one->dimension, one->is_hertz});
    found.push_back(*one);
  }
  if (!is_known) return std::nullopt;
  const expression::DimensionResult inferred = expression::infer_dimension(formula, meanings);
  for (const expression::ExpressionError& error : inferred.errors) {
    diagnostics_.error(error.code, value.range_of(error.span), error.message, error.hint);
  }
  if (!inferred.errors.empty() || !put_in(result, found)) return std::nullopt;
  shape = {0.0, inferred.dimension, inferred.is_hertz, inferred.is_zero};
  result.dimension = inferred.dimension;
  result.is_hertz = inferred.is_hertz;
  return result;
}

std::optional<Signal> Expansion::signal(const Value& value, std::string_view key, Quantity quantity, Instance& scope,
                                        const SignalLocals& locals) {
  if (const auto* objects = value.get<Value::Objects>()) {
    return objects->empty() ? std::nullopt : table_signal(objects->front(), key, quantity, scope, locals);
  }
  const auto* formula = value.get<Expression>();
  if (formula == nullptr) return std::nullopt;
  Quantified shape;
  std::optional<Signal> result = bound_formula(value, *formula, scope, locals, shape);
  if (!result || !fits(shape, value.is_bare, key, quantity, value.range)) return std::nullopt;
  if (quantity != Quantity::any) result->dimension = quantity_info(quantity).dimension;
  return result;
}

std::optional<std::vector<double>> Expansion::column(const Value& values, std::string_view key, Instance& scope,
                                                     const Dimension* expected, Dimension& found) {
  std::vector<double> result;
  bool is_first = true;
  for (const Value& value : *values.get<Value::List>()) {
    const std::optional<Quantified> number_read = evaluate(value, scope, {});
    if (!number_read) return std::nullopt;
    result.push_back(number_read->value);
    if (value.is_bare || number_read->fits_all) continue;
    const Dimension& wanted = expected != nullptr ? *expected : is_first ? number_read->dimension : found;
    if (!(number_read->dimension == wanted)) {
      diagnostics_.error(Code::wrong_dimension, value.range,
                         fmt::format("column '{}' of the table is {}, but this is {}", key, describe_dimension(wanted),
                                     describe_dimension(number_read->dimension)));
      return std::nullopt;
    }
    found = number_read->dimension;
    is_first = false;
  }
  if (expected != nullptr) found = *expected;
  return result;
}

std::optional<Signal> Expansion::table_signal(const Object& table, std::string_view key, Quantity quantity,
                                              Instance& scope, const SignalLocals& locals) {
  const Value* of = table.value("of");
  const Value* x = table.value("x");
  const Value* y = table.value("y");
  if (of == nullptr || x == nullptr || y == nullptr) return std::nullopt;
  std::optional<Signal> argument = signal(*of, "of", Quantity::any, scope, locals);
  if (!argument) return std::nullopt;
  Dimension x_dimension;
  Dimension y_dimension;
  const Dimension* wanted = quantity == Quantity::any ? nullptr : &quantity_info(quantity).dimension;
  std::optional<std::vector<double>> xs = column(*x, "x", scope, &argument->dimension, x_dimension);
  std::optional<std::vector<double>> ys = column(*y, key, scope, wanted, y_dimension);
  if (!xs || !ys) return std::nullopt;
  const std::string* kind = table.text("interpolation");
  Interpolation interpolation = Interpolation::linear;
  if (kind != nullptr && *kind == "cubic") interpolation = Interpolation::cubic;
  if (kind != nullptr && *kind == "akima") interpolation = Interpolation::akima;
  std::string error;
  std::optional<Table> made = Table::make(*std::move(xs), *std::move(ys), interpolation, &error);
  if (!made) {
    diagnostics_.error(Code::bad_table, table.range, error);
    return std::nullopt;
  }
  made->argument_dimension = argument->dimension;
  made->value_dimension = y_dimension;
  Signal result = *std::move(argument);
  result.formula = Expression::table(std::make_shared<const Table>(*std::move(made)), result.formula);
  result.dimension = y_dimension;
  result.where = table.range;
  return result;
}

}  // namespace gelenk::model::expanding
