#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gelenk {

// Every diagnostic has a stable number that is never reused. `gelenk explain GK1101` shows docs/errors/GK1101.md.
//   10xx the file and its syntax    11xx structure: keys and types    12xx values, units, expressions
//   13xx references                 14xx mechanics                    15xx edits    16xx limits
//   17xx from model to motion       18xx while it runs
// X(name, number, title)
#define GELENK_DIAGNOSTIC_CODES(X)                                               \
  X(file_not_found, 1001, "file not found")                                      \
  X(file_unreadable, 1002, "file cannot be read")                                \
  X(file_too_large, 1003, "file too large")                                      \
  X(not_utf8, 1004, "text is not UTF-8")                                         \
  X(binary_file, 1005, "not a text file")                                        \
  X(empty_file, 1006, "empty file")                                              \
  X(yaml_syntax, 1007, "syntax error")                                           \
  X(tab_character, 1008, "tab character")                                        \
  X(duplicate_key, 1009, "key written twice")                                    \
  X(anchor_refused, 1010, "anchors and aliases are not allowed")                 \
  X(tag_refused, 1011, "tags are not allowed")                                   \
  X(merge_key_refused, 1012, "merge keys are not allowed")                       \
  X(nesting_too_deep, 1013, "nested too deeply")                                 \
  X(too_many_values, 1014, "too many values")                                    \
  X(several_documents, 1015, "more than one document")                           \
  X(unit_after_list, 1016, "unit after a list")                                  \
  X(expression_cut, 1017, "expression split by a comma")                         \
  X(key_not_text, 1018, "key is not plain text")                                 \
  X(outside_folder, 1019, "file outside the model's folder")                     \
  X(use_cycle, 1020, "files or assemblies use each other in a circle")           \
  X(format_version, 1021, "format version missing or unknown")                   \
  X(file_unwritable, 1022, "file cannot be written")                             \
  X(unknown_key, 1101, "unknown key")                                            \
  X(missing_key, 1102, "missing key")                                            \
  X(wrong_kind, 1103, "wrong kind of value")                                     \
  X(unknown_type, 1104, "unknown type")                                          \
  X(unknown_choice, 1105, "unknown choice")                                      \
  X(bad_name, 1106, "name not allowed")                                          \
  X(conflicting_keys, 1107, "keys cannot be combined")                           \
  X(wrong_length, 1108, "wrong number of values")                                \
  X(key_without_effect, 1110, "key has no effect here")                          \
  X(not_a_number, 1201, "not a number")                                          \
  X(unknown_unit, 1202, "unknown unit")                                          \
  X(wrong_dimension, 1203, "wrong unit")                                         \
  X(hertz_for_angular_rate, 1204, "hertz where an angular rate is expected")     \
  X(expression_syntax, 1205, "expression cannot be read")                        \
  X(unknown_function, 1206, "unknown function")                                  \
  X(wrong_argument_count, 1207, "wrong number of arguments")                     \
  X(dimension_mismatch, 1208, "dimensions in an expression do not match")        \
  X(unknown_name, 1209, "unknown name in an expression")                         \
  X(not_constant, 1210, "value must not change with time")                       \
  X(not_finite, 1211, "value is not finite")                                     \
  X(out_of_range, 1212, "value out of range")                                    \
  X(parameter_cycle, 1213, "parameters depend on each other in a circle")        \
  X(parameter_limits, 1214, "parameter outside its limits")                      \
  X(bad_table, 1215, "table is not usable")                                      \
  X(expression_too_long, 1216, "expression too long or too deep")                \
  X(unknown_reference, 1301, "unknown reference")                                \
  X(past_a_port, 1302, "reaching past a port")                                   \
  X(unknown_coordinate, 1303, "unknown joint coordinate")                        \
  X(unknown_channel, 1304, "unknown channel")                                    \
  X(unknown_definition, 1305, "unknown assembly")                                \
  X(unknown_port, 1306, "unknown port")                                          \
  X(placement_cycle, 1307, "placements depend on each other in a circle")        \
  X(unknown_parameter, 1308, "unknown parameter")                                \
  X(modify_missing, 1309, "modification of something that does not exist")       \
  X(unknown_material, 1310, "unknown material")                                  \
  X(duplicate_name, 1311, "name used twice")                                     \
  X(previous_outside_repeat, 1312, "'previous' without repeat")                  \
  X(copy_cycle, 1313, "copies of each other in a circle")                        \
  X(sealed_component, 1314, "sealed component cannot be used")                   \
  X(cannot_be_sealed, 1315, "model cannot be sealed")                            \
  X(code_not_run, 1316, "code in C is not run here")                             \
  X(joint_to_itself, 1401, "joint between a part and itself")                    \
  X(zero_direction, 1402, "direction has no length")                             \
  X(mass_not_positive, 1403, "mass is not positive")                             \
  X(inertia_not_positive, 1404, "inertia is not positive definite")              \
  X(inertia_triangle, 1405, "inertia violates the triangle inequality")          \
  X(inertia_out_of_scale, 1406, "inertia does not match the size of the part")   \
  X(no_mass_properties, 1407, "part has no mass properties")                     \
  X(given_differs_from_shape, 1408, "given mass differs from that of the shape") \
  X(mesh_not_closed, 1409, "mesh is not closed")                                 \
  X(mesh_unreadable, 1410, "mesh cannot be read")                                \
  X(bad_shape, 1411, "shape has no proper size")                                 \
  X(driven_twice, 1412, "coordinate driven twice")                               \
  X(axes_not_perpendicular, 1413, "axes are not perpendicular")                  \
  X(assumed_density, 1414, "density assumed")                                    \
  X(no_parts, 1415, "model without parts")                                       \
  X(disk_lies_flat, 1416, "disk lies flat on its plane")                         \
  X(blade_without_plane, 1417, "nothing keeps a blade on a plane")               \
  X(bad_curve, 1418, "curve cannot be followed")                                 \
  X(edit_target_missing, 1501, "nothing to edit at this path")                   \
  X(edit_target_exists, 1502, "something already exists there")                  \
  X(edit_still_referenced, 1503, "element is still in use")                      \
  X(edit_refused, 1504, "edit refused")                                          \
  X(assemblies_too_deep, 1601, "assemblies nested too deeply")                   \
  X(too_many_elements, 1602, "too many elements")                                \
  X(reads_too_early, 1701, "reads a value that is not known yet")                \
  X(forces_in_circle, 1702, "forces read each other in a circle")                \
  X(welds_disagree, 1703, "fixed joints disagree")                               \
  X(cannot_assemble, 1704, "joints cannot be closed")                            \
  X(start_not_possible, 1705, "start values contradict the joints")              \
  X(node_not_held, 1706, "forces do not hold a node")                            \
  X(step_too_small, 1801, "step became too small")                               \
  X(became_not_finite, 1802, "a value is no longer a number")                    \
  X(not_solvable, 1803, "equations cannot be solved")                            \
  X(component_failed, 1804, "sealed component failed")                           \
  X(law_left_its_range, 1805, "law left its range")                              \
  X(no_equations, 1901, "equations cannot be written")

enum class Code : std::uint16_t {
  none = 0,
#define X(name, number, title) name = number,
  GELENK_DIAGNOSTIC_CODES(X)
#undef X
};

// "GK1101"
inline std::string code_label(Code code) { return "GK" + std::to_string(static_cast<int>(code)); }

constexpr std::string_view code_title(Code code) {
  switch (code) {
#define X(name, number, title) \
  case Code::name:             \
    return title;
    GELENK_DIAGNOSTIC_CODES(X)
#undef X
    case Code::none:
      break;
  }
  return "";
}

inline constexpr Code kAllCodes[] = {
#define X(name, number, title) Code::name,
    GELENK_DIAGNOSTIC_CODES(X)
#undef X
};

}  // namespace gelenk
