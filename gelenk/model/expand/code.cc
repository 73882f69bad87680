#include "gelenk/model/expand/code.h"

#include <fmt/format.h>

#include <utility>

#include "gelenk/model/element_address.h"

namespace gelenk::model::expanding {
namespace {

CodeNode declared_code(const Model& model, Instance& owner, const Object& written, Numbers& numbers,
                       Diagnostics& diagnostics) {
  CodeNode code;
  code.path = element_path(owner, "code");
  code.assembly = owner.id;
  code.where = written.range;
  const ElementScope element(diagnostics, code.path, "section");
  if (const NamedElement* const other = owner.index->find("code")) {
    diagnostics.error(Code::duplicate_name, other->object->name_range,
                      "nothing else may be called 'code' in an assembly with a section `code:`", "choose another name");
  }
  if (const std::string* const source = written.text("source")) {
    code.source_where = written.range_of("source");
    code.source = model.resolve_path(*source, code.source_where);
  }
  for (const Object& state : written.section("states")) {
    const Value* const start = state.value("start");
    const std::optional<Quantified> value = start == nullptr ? std::nullopt : numbers.evaluate(*start, owner, {});
    if (value) code.states.push_back({state.name, value->value, value->dimension});
  }
  for (const Object& parameter : written.section("parameters")) {
    const Value* const value = parameter.value("value");
    const std::optional<Quantified> number = value == nullptr ? std::nullopt : numbers.evaluate(*value, owner, {});
    if (number) code.parameters.push_back(number->value);
  }
  for (const Object& output : written.section("outputs")) {
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
    if (find_named(written.section("states"), output.name) == nullptr) continue;
    diagnostics.error(Code::duplicate_name, output.name_range, fmt::format("'{}' is already a state", output.name),
                      "leave it out: outputs can read states directly");
  }
  return code;
}

void bind_code(Instance& owner, Places& places, Signals& signals, CodeNode& code, Diagnostics& diagnostics) {
  const Object& written = *owner.object().object("code");
  const ElementScope element(diagnostics, code.path, "section");
  for (const Object& frame : written.section("frames")) {
    const std::string* const name = frame.text("frame");
    if (name == nullptr) continue;
    const SourceRange where = frame.range_of("frame");
    const std::optional<FrameInAssembly> place = places.resolve_frame(*name, owner, where);
    if (!place) continue;
    if (place->node >= 0) {
      diagnostics.error(Code::unknown_reference, where, fmt::format("'{}' is a node, which code cannot push", *name),
                        "name a part, or a frame of a part");
      continue;
    }
    if (place->is_disabled || place->sealed.is_set()) {
      diagnostics.error(Code::unknown_reference, where,
                        place->is_disabled ? fmt::format("'{}' is disabled", *name)
                                           : fmt::format("'{}' is a port of another sealed component", *name),
                        "name a part, or a frame of a part");
      continue;
    }
    code.frames.push_back(places.on_machine(*place, owner));
  }
  for (const Object& input : written.section("inputs")) {
    const Value* const value = input.value("value");
    std::optional<Signal> law =
        value == nullptr ? std::nullopt : signals.signal(*value, "value", Quantity::any, owner, {});
    if (law) code.inputs.push_back(*std::move(law));
  }
}

}  // namespace

std::vector<CodeNode> declared_codes(const Model& model, Instances& instances, Numbers& numbers,
                                     Diagnostics& diagnostics) {
  std::vector<CodeNode> codes;
  for (Instance& instance : instances) {
    const Object* const written = instance.object().object("code");
    if (written != nullptr) codes.push_back(declared_code(model, instance, *written, numbers, diagnostics));
  }
  return codes;
}

void bind_codes(Instances& instances, Places& places, Signals& signals, std::vector<CodeNode>& codes,
                Diagnostics& diagnostics) {
  auto code = codes.begin();
  for (Instance& instance : instances) {
    if (code == codes.end() || code->assembly != instance.id) continue;
    bind_code(instance, places, signals, *code++, diagnostics);
  }
}

}  // namespace gelenk::model::expanding
