// The section `code:` of the root: what forces and states that are written in C see and say.
#include <fmt/format.h>

#include "gelenk/base/text.h"
#include "gelenk/model/element_address.h"
#include "gelenk/model/expand/scope.h"

namespace gelenk::model::expanding {

void Expansion::refuse_inner_code() {
  for (const Instance& instance : instances_) {
    if (instance.owner == nullptr) continue;
    const Object* const written = instance.object().object("code");
    if (written == nullptr) continue;
    const ElementScope element(diagnostics_, instance.path, "assembly");
    diagnostics_.error(Code::code_not_run, written->range,
                       "its file has code in C, which runs only in sealed components",
                       "seal the file with `gelenk seal`, and use the component");
  }
}

// Everything but what depends on other elements.
void Expansion::declare_code(Instance& root) {
  refuse_inner_code();
  const Object* const written = root.object().object("code");
  if (written == nullptr) return;
  const ElementScope element(diagnostics_, "code", "section");
  if (const NamedElement* const other = root.index->find("code")) {
    diagnostics_.error(Code::duplicate_name, other->object->name_range,
                       "nothing else may be called 'code' in a model with a section `code:`", "choose another name");
  }
  CodeNode& code = machine_.code.emplace();
  code.where = written->range;
  for (const Object& state : written->section("states")) {
    const Value* const start = state.value("start");
    const std::optional<Quantified> value = start == nullptr ? std::nullopt : evaluate(*start, root, {});
    if (value) code.states.push_back({state.name, value->value, value->dimension});
  }
  for (const Object& parameter : written->section("parameters")) {
    const Value* const value = parameter.value("value");
    const std::optional<Quantified> number = value == nullptr ? std::nullopt : evaluate(*value, root, {});
    if (number) code.parameters.push_back(number->value);
  }
  for (const Object& output : written->section("outputs")) {
    const std::string* const unit = output.text("unit");
    if (unit == nullptr) continue;
    const UnitParse parsed = parse_unit(*unit);
    if (!parsed.unit) {
      diagnostics_.error(Code::unknown_unit, output.range_of("unit"), parsed.error,
                         parsed.suggestion.empty() ? "" : fmt::format("did you mean '{}'?", parsed.suggestion));
    } else if (parsed.unit->factor != 1.0 || parsed.unit->offset != 0.0) {
      diagnostics_.error(Code::unknown_unit, output.range_of("unit"),
                         "code returns SI values, but this unit has a factor", "use one without, such as N or N*m");
    } else {
      code.outputs.push_back({output.name, parsed.unit->dimension});
    }
    if (find_named(written->section("states"), output.name) == nullptr) continue;
    diagnostics_.error(Code::duplicate_name, output.name_range, fmt::format("'{}' is already a state", output.name),
                       "leave it out: outputs can read states directly");
  }
}

void Expansion::bind_code(Instance& root) {
  if (!machine_.code) return;
  const Object& written = *root.object().object("code");
  const ElementScope element(diagnostics_, "code", "section");
  for (const Object& frame : written.section("frames")) {
    const std::string* const name = frame.text("frame");
    if (name == nullptr) continue;
    const SourceRange where = frame.range_of("frame");
    const std::optional<FrameInAssembly> place = resolve_frame(*name, root, where);
    if (!place) continue;
    if (place->is_disabled || place->sealed.is_set()) {
      diagnostics_.error(Code::unknown_reference, where,
                         place->is_disabled ? fmt::format("'{}' is disabled", *name)
                                            : fmt::format("'{}' is a port of another sealed component", *name),
                         "name a part, or a frame of a part");
      continue;
    }
    machine_.code->frames.push_back(frame_on_machine(*place, root));
  }
  for (const Object& input : written.section("inputs")) {
    const Value* const value = input.value("value");
    std::optional<Signal> law = value == nullptr ? std::nullopt : signal(*value, "value", Quantity::any, root, {});
    if (law) machine_.code->inputs.push_back(*std::move(law));
  }
}

std::optional<ChannelUse> Expansion::code_channel(const std::string& name, const std::vector<std::string>& segments,
                                                  const SourceRange& where) {
  const CodeNode& code = *machine_.code;
  ChannelUse use;
  use.element = ChannelUse::Element::code;
  std::vector<std::string> names;
  const auto find = [&](const auto& list, const char* quantity) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      names.push_back("code." + list[i].name);
      if (names.back() != name) continue;
      use.index = static_cast<std::int32_t>(i);
      use.quantity = quantity;
      use.dimension = list[i].dimension;
    }
  };
  find(code.states, "state");
  find(code.outputs, "output");
  if (use.index >= 0) return use;
  if (diagnostics_.has_errors()) return std::nullopt;  // it may be one of those that could not be read
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = names.empty() ? "it has no states and no outputs" : "there are " + some_of(names);
  diagnostics_.error(Code::unknown_channel, where,
                     segments.size() == 1 ? "'code' is a section: name one of its states or outputs"
                                          : fmt::format("the code has no state or output '{}'", segments[1]),
                     hint);
  return std::nullopt;
}

}  // namespace gelenk::model::expanding
