// The section `code:` of an assembly.
#include <array>

#include "gelenk/model/assembly_types.h"

namespace gelenk::model {
namespace {

constexpr std::array kCodeStateFields{
    Field{.key = "start", .kind = FieldKind::number, .doc = "value at the start, with its unit", .required = true},
    Field{.key = "doc", .kind = FieldKind::text, .doc = "description"},
};
constexpr ObjectType kCodeStateType{
    .name = "code state", .doc = "a state that the code integrates", .fields = kCodeStateFields, .shorthand = "start"};
constexpr std::array kCodeInputFields{
    Field{.key = "value",
          .kind = FieldKind::signal,
          .doc = "number, or expression over parameters, time and channels",
          .required = true},
    Field{.key = "doc", .kind = FieldKind::text, .doc = "description"},
};
constexpr ObjectType kCodeInputType{
    .name = "code input", .doc = "a value that changes with time", .fields = kCodeInputFields, .shorthand = "value"};
constexpr std::array kCodeParameterFields{
    Field{.key = "value",
          .kind = FieldKind::number,
          .doc = "number with unit, or expression over parameters",
          .required = true},
    Field{.key = "doc", .kind = FieldKind::text, .doc = "description"},
};
constexpr ObjectType kCodeParameterType{
    .name = "code parameter", .doc = "a constant", .fields = kCodeParameterFields, .shorthand = "value"};
constexpr std::array kCodeOutputFields{
    Field{.key = "unit",
          .kind = FieldKind::text,
          .doc = "its unit, SI without a factor; 1 for a pure number",
          .required = true},
    Field{.key = "doc", .kind = FieldKind::text, .doc = "description"},
};
constexpr ObjectType kCodeOutputType{
    .name = "code output", .doc = "a value that the code returns", .fields = kCodeOutputFields, .shorthand = "unit"};
constexpr std::array kCodeFrameFields{
    Field{.key = "frame",
          .kind = FieldKind::reference,
          .doc = "frame of one of its own parts, or port of a sub-assembly",
          .required = true,
          .refers_to = Refers::frame},
    Field{.key = "doc", .kind = FieldKind::text, .doc = "description"},
};
constexpr ObjectType kCodeFrameType{.name = "code frame",
                                    .doc = "a frame whose motion the code reads and on which it acts",
                                    .fields = kCodeFrameFields,
                                    .shorthand = "frame"};
constexpr std::array kCodeFields{
    Field{.key = "source",
          .kind = FieldKind::text,
          .doc = "its C file, relative to the folder of the file where it is written; compiled when it is needed"},
    Field{.key = "frames",
          .kind = FieldKind::section,
          .doc = "frames whose motion it reads and on which it acts",
          .object = &kCodeFrameType},
    Field{.key = "states",
          .kind = FieldKind::section,
          .doc = "numbers whose rates it returns; expressions read them as `code.NAME`",
          .object = &kCodeStateType},
    Field{
        .key = "inputs", .kind = FieldKind::section, .doc = "values that change with time", .object = &kCodeInputType},
    Field{.key = "parameters", .kind = FieldKind::section, .doc = "constants", .object = &kCodeParameterType},
    Field{.key = "outputs",
          .kind = FieldKind::section,
          .doc = "other values that it returns; outputs read them as `code.NAME`",
          .object = &kCodeOutputType},
};

}  // namespace

constinit const ObjectType kCodeType{
    .name = "code", .doc = "what the C code gets and returns, in this order", .fields = kCodeFields};

}  // namespace gelenk::model
