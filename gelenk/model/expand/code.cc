#include "gelenk/model/expand/code.h"

#include <fmt/format.h>

#include <utility>

#include "gelenk/model/element_address.h"

namespace gelenk::model::expanding {
namespace {

void refuse_inner_code(const Instances& instances, Diagnostics& diagnostics) {
  for (const Instance& instance : instances) {
    if (instance.owner == nullptr) continue;
    const Object* const written = instance.object().object("code");
    if (written == nullptr) continue;
    const ElementScope element(diagnostics, instance.path, "assembly");
    diagnostics.error(Code::code_not_run, written->range,
                      "its file has code in C, which runs only in sealed components",
                      "seal the file with `gelenk seal`, and use the component");
  }
}

}  // namespace

std::optional<CodeNode> declared_code(Instances& instances, Numbers& numbers, Diagnostics& diagnostics) {
  refuse_inner_code(instances, diagnostics);
  Instance& root = instances.front();
  const Object* const written = root.object().object("code");
  if (written == nullptr) return std::nullopt;
  const ElementScope element(diagnostics, "code", "section");
  if (const NamedElement* const other = root.index->find("code")) {
    diagnostics.error(Code::duplicate_name, other->object->name_range,
                      "nothing else may be called 'code' in a model with a section `code:`", "choose another name");
  }
  CodeNode code;
  code.where = written->range;
  for (const Object& state : written->section("states")) {
    const Value* const start = state.value("start");
    const std::optional<Quantified> value = start == nullptr ? std::nullopt : numbers.evaluate(*start, root, {});
    if (value) code.states.push_back({state.name, value->value, value->dimension});
  }
  for (const Object& parameter : written->section("parameters")) {
    const Value* const value = parameter.value("value");
    const std::optional<Quantified> number = value == nullptr ? std::nullopt : numbers.evaluate(*value, root, {});
    if (number) code.parameters.push_back(number->value);
  }
  for (const Object& output : written->section("outputs")) {
    const std::string* const unit = output.text("unit");
    if (unit == nullptr) continue;
    const UnitParse parsed = parse_unit(*unit);
    if (!parsed.unit) {
      diagnostics.error(Code::unknown_unit, output.range_of("unit"), parsed.error,
                        parsed.suggestion.empty() ? "" : fmt::format("did you mean '{}'?", parsed.suggestion));
    } else if (parsed.unit->factor != 1.0 || parsed.unit->offset != 0.0) {
      diagnostics.error(Code::unknown_unit, output.range_of("unit"),
                        "code returns SI values, but this unit has a factor", "use one without, such as N or N*m");
    } else {
      code.outputs.push_back({output.name, parsed.unit->dimension});
    }
    if (find_named(written->section("states"), output.name) == nullptr) continue;
    diagnostics.error(Code::duplicate_name, output.name_range, fmt::format("'{}' is already a state", output.name),
                      "leave it out: outputs can read states directly");
  }
  return code;
}

void bind_code(Instance& root, Places& places, Signals& signals, CodeNode& code, Diagnostics& diagnostics) {
  const Object& written = *root.object().object("code");
  const ElementScope element(diagnostics, "code", "section");
  for (const Object& frame : written.section("frames")) {
    const std::string* const name = frame.text("frame");
    if (name == nullptr) continue;
    const SourceRange where = frame.range_of("frame");
    const std::optional<FrameInAssembly> place = places.resolve_frame(*name, root, where);
    if (!place) continue;
    if (place->is_disabled || place->sealed.is_set()) {
      diagnostics.error(Code::unknown_reference, where,
                        place->is_disabled ? fmt::format("'{}' is disabled", *name)
                                           : fmt::format("'{}' is a port of another sealed component", *name),
                        "name a part, or a frame of a part");
      continue;
    }
    code.frames.push_back(places.on_machine(*place, root));
  }
  for (const Object& input : written.section("inputs")) {
    const Value* const value = input.value("value");
    std::optional<Signal> law =
        value == nullptr ? std::nullopt : signals.signal(*value, "value", Quantity::any, root, {});
    if (law) code.inputs.push_back(*std::move(law));
  }
}

}  // namespace gelenk::model::expanding
