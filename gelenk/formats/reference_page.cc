#include "gelenk/formats/reference_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/expression/measures.h"
#include "gelenk/expression/operations.h"
#include "gelenk/formats/reference_page_text.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/materials.h"
#include "gelenk/model/part_types.h"

namespace gelenk::formats {
namespace {

using model::Channel;
using model::Coordinate;
using model::Family;
using model::Field;
using model::FieldKind;
using model::ObjectType;

// A field that at least so many types of a family have is described once for all of them.
constexpr int kSharedByAtLeast = 3;

std::string link_to(std::string_view title) {
  std::string anchor(title);
  std::replace(anchor.begin(), anchor.end(), ' ', '-');
  return fmt::format("[{}](#{})", title, anchor);
}

std::string in_code(std::string_view text) { return fmt::format("`{}`", text); }

std::string choices_text(const Field& field) {
  std::vector<std::string> texts;
  for (const std::string_view choice : field.choices) texts.push_back(in_code(choice));
  return join(texts, ", ");
}

std::string kind_text(const Field& field) {
  switch (field.kind) {
    case FieldKind::number:
      return "number";
    case FieldKind::signal:
      return field.refers_to == model::Refers::channel ? "channel, expression or " + link_to("table")
                                                       : "number, expression or " + link_to("table");
    case FieldKind::vector:
      return "three numbers";
    case FieldKind::numbers:
      return "list of numbers";
    case FieldKind::direction:
      return "`x`, `y`, `z`, `-x`, `-y`, `-z` or three numbers";
    case FieldKind::text:
      return "text";
    case FieldKind::flag:
      return "`true` or `false`";
    case FieldKind::choice:
      return choices_text(field);
    case FieldKind::reference:
      switch (field.refers_to) {
        case model::Refers::definition:
          return "name or path of a file";
        case model::Refers::coordinate:
          return "joint coordinate";
        case model::Refers::material:
          return link_to("material");
        case model::Refers::instance:
          return "name in this assembly";
        default:
          return "frame";
      }
    case FieldKind::pair:
      if (field.refers_to == model::Refers::contour) return "two contours";
      return field.refers_to == model::Refers::coordinate ? "two joint coordinates" : "two frames";
    case FieldKind::references:
      return field.refers_to == model::Refers::contour ? "list of contours, parts, assemblies" : "list of frames";
    case FieldKind::point:
      return "three numbers or a frame";
    case FieldKind::placement:
      return link_to("placement");
    case FieldKind::object:
      return link_to(field.object->name);
    case FieldKind::tagged:
      return fmt::format("{} or a list of them", link_to(field.family->name));
    case FieldKind::section:
      return fmt::format("map of names to {}", link_to(field.object->name));
    case FieldKind::typed_section:
      return fmt::format("map of names to {}", link_to(field.family->name));
    case FieldKind::coordinates:
      return "map of coordinates and rates to values";
    case FieldKind::limits:
      return "map of coordinates and rates to `{min, max}`";
    case FieldKind::settings:
      return "map of parameters to numbers";
    case FieldKind::signals:
      return "map of inputs to expressions";
    case FieldKind::units:
      return "map of quantities to [units](#display)";
    case FieldKind::gravity:
      return fmt::format("`none`, `earth`, three numbers, or `{{point: ...}}` with a {}", link_to("point_gravity"));
    case FieldKind::free:
      return field.key == "modify" ? "map of paths to changes" : "anything";
  }
  return "";
}

std::string unit_text(Quantity quantity) {
  const std::string_view symbol = quantity_info(quantity).si_symbol;
  return quantity == Quantity::any || symbol == "1" ? "" : std::string(symbol);
}

// Of a key whose unit depends on the joint coordinate: both.
std::string field_unit(const Field& field) {
  if (field.on_travel == Quantity::any) return unit_text(field.quantity);
  return fmt::format("{} or {}", unit_text(field.on_travel), unit_text(field.on_angle));
}

// Bars would end the cell.
std::string in_cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

// Doc lines begin with a small letter.
std::string sentence(std::string_view text) {
  std::string result(text);
  if (!result.empty() && result.front() >= 'a' && result.front() <= 'z') {
    result.front() = static_cast<char>(result.front() - 'a' + 'A');
  }
  return result;
}

class Page {
 public:
  std::string run() {
    out_ = kReferenceIntroduction;
    out_ += "## Keys\n\n*Default* applies when the key is left out; **needed** keys cannot be left out.\n\n";
    object(model::kFileType);
    for (std::size_t i = 0; i < to_write_.size(); ++i) {
      const ObjectType* type = to_write_[i].type;
      type != nullptr ? object(*type) : family(*to_write_[i].family);
    }
    display();
    channels();
    materials();
    units();
    functions();
    return std::move(out_);
  }

 private:
  struct Entry {
    const ObjectType* type;
    const Family* family;
  };

  void mention(const ObjectType* type, const Family* family) {
    const void* what = type != nullptr ? static_cast<const void*>(type) : family;
    if (what != nullptr && mentioned_.insert(what).second) to_write_.push_back({type, family});
  }

  void mention_what(const Field& field) {
    // A shape is written with its family, wherever it is used.
    const bool is_shape = field.object != nullptr && model::kShapeFamily.find(field.object->name) == field.object;
    mention(is_shape ? nullptr : field.object, is_shape ? &model::kShapeFamily : nullptr);
    mention(nullptr, field.family);
    if (field.kind == FieldKind::placement) mention(&model::kPlacementType, nullptr);
    if (field.kind == FieldKind::signal) mention(&model::kTableType, nullptr);
    if (field.kind == FieldKind::gravity) mention(&model::kPointGravityType, nullptr);
  }

  void begin_table(std::initializer_list<std::string_view> columns) {
    row(std::vector<std::string>(columns.begin(), columns.end()));
    for (std::size_t i = 0; i < columns.size(); ++i) out_ += "|---";
    out_ += "|\n";
  }

  void row(const std::vector<std::string>& cells) {
    for (const std::string& cell : cells) out_ += fmt::format("| {} ", in_cell(cell));
    out_ += "|\n";
  }

  void fields(const std::vector<const Field*>& list) {
    if (list.empty()) return;
    begin_table({"key", "value", "unit", "default", "description"});
    for (const Field* field : list) {
      mention_what(*field);
      const std::string fallback = field->required           ? "**needed**"
                                   : field->fallback.empty() ? ""
                                                             : in_code(field->fallback);
      row({in_code(field->key), kind_text(*field), field_unit(*field), fallback, std::string(field->doc)});
    }
    out_ += '\n';
  }

  void object(const ObjectType& type) {
    out_ += fmt::format("### {}\n\n{}.", type.name, sentence(type.doc));
    if (!type.shorthand.empty()) out_ += fmt::format(" A bare value is short for {}.", in_code(type.shorthand));
    out_ += "\n\n";
    // An assembly has the keys of a file but those of the head.
    if (&type == &model::kAssemblyType) {
      std::vector<std::string> keys;
      for (const Field& field : type.fields) keys.push_back(in_code(field.key));
      out_ += fmt::format("It takes these keys of a {}: {}.\n\n", link_to(model::kFileType.name), join(keys, ", "));
      return;
    }
    std::vector<const Field*> list;
    for (const Field& field : type.fields) list.push_back(&field);
    fields(list);
  }

  static int users_of(const Field& field, const Family& family) {
    int count = 0;
    for (const ObjectType* type : family.types) {
      for (const Field& other : type->fields) count += other.key == field.key && other.doc == field.doc ? 1 : 0;
    }
    return count;
  }

  void family(const Family& family) {
    out_ += fmt::format("### {}\n\n{}: ", family.name, sentence(family.doc));
    std::vector<std::string> names;
    for (const ObjectType* type : family.types) names.push_back(in_code(type->name));
    out_ += fmt::format("{} {}.\n\n", family.is_tagged ? "one key of" : "`type` is one of", join(names, ", "));
    std::vector<const Field*> common;
    for (const Field& field : family.common) common.push_back(&field);
    fields(common);
    if (&family == &model::kAttachFamily) {
      out_ += fmt::format("The other keys are those of the {}, without `between` and `at`.\n\n",
                          link_to(model::kJointFamily.name));
      return;
    }
    std::set<std::string_view> shared;
    std::vector<const Field*> of_several;
    for (const ObjectType* type : family.types) {
      for (const Field& field : type->fields) {
        if (users_of(field, family) < kSharedByAtLeast || !shared.insert(field.key).second) continue;
        of_several.push_back(&field);
      }
    }
    if (!of_several.empty()) out_ += "Keys of several types:\n\n";
    fields(of_several);
    if (&family == &model::kForceFamily) out_ += kReferenceForceExample;
    for (const ObjectType* type : family.types) member(*type, family, shared);
  }

  void member(const ObjectType& type, const Family& family, const std::set<std::string_view>& shared) {
    out_ += fmt::format("#### {}\n\n{}.", type.name, sentence(type.doc));
    out_ += "\n\n";
    std::vector<std::string> also;
    std::vector<const Field*> own;
    for (const Field& field : type.fields) {
      const bool is_shared = shared.contains(field.key) && users_of(field, family) >= kSharedByAtLeast;
      if (is_shared) {
        also.push_back(in_code(field.key));
      } else {
        own.push_back(&field);
      }
    }
    fields(own);
    if (!also.empty()) out_ += fmt::format("{}: {}.\n\n", own.empty() ? "Keys" : "Also", join(also, ", "));
    if (type.coordinates.empty()) return;
    std::vector<std::string> texts;
    for (const Coordinate& c : type.coordinates) {
      const bool is_scalar = c.motion != Coordinate::Motion::orientation;
      texts.push_back(fmt::format("{}{} with rate {} ({})", in_code(c.name),
                                  is_scalar ? fmt::format(" ({})", quantity_info(c.quantity()).si_symbol) : "",
                                  in_code(c.rate), quantity_info(c.rate_quantity()).si_symbol));
    }
    out_ += fmt::format("Coordinates: {}.\n\n", join(texts, "; "));
  }

  void display() {
    out_ += "### display\n\nUnits shown to people, for each of these quantities.\n\n";
    begin_table({"key", "unit of", "default"});
    for (const model::DisplayKey& key : model::display_keys()) {
      const QuantityInfo& info = quantity_info(key.quantity);
      row({in_code(key.key), std::string(info.name), shown_unit({}, key.quantity).symbol});
    }
    out_ += '\n';
  }

  void channel_rows(std::string_view element, std::span<const Channel> list) {
    for (const Channel& channel : list) {
      const std::string_view shape = channel.shape == Channel::Shape::scalar   ? "number"
                                     : channel.shape == Channel::Shape::vector ? "vector"
                                                                               : "orientation";
      row({std::string(element), in_code(channel.name), std::string(shape), unit_text(channel.quantity),
           std::string(channel.doc)});
    }
  }

  void channels() {
    out_ += kReferenceChannels;
    begin_table({"element", "channel", "kind", "unit", "description"});
    channel_rows("part", model::part_channels());
    channel_rows("frame", model::frame_channels());
    channel_rows("`relative(a, b)`", model::relative_channels());
    channel_rows("joint", model::kReactionChannels);
    channel_rows("driver", model::kDriverType.channels);
    for (const ObjectType* type : model::kForceFamily.types) channel_rows(type->name, type->channels);
    out_ += '\n';
  }

  void materials() {
    out_ += fmt::format(
        "## Built-in materials\n\nDensities at room temperature; `materials:` adds others. A shape without material is "
        "assumed to be {}, and the check reports it.\n\n",
        model::kAssumedMaterial);
    begin_table({"name", "density (kg/m^3)", "source"});
    for (const model::Material& material : model::built_in_materials()) {
      row({in_code(material.name), format_number(material.density), std::string(material.source)});
    }
    out_ += '\n';
  }

  void units() {
    out_ += "## Units\n\n";
    begin_table({"symbol", "name", "in SI"});
    for (const UnitSymbol& known : unit_symbols()) {
      if (known.symbol == "1") continue;
      std::string size = format_rounded(known.unit.factor, 10);
      if (!known.unit.dimension.is_none()) size += " " + known.unit.dimension.text();
      if (known.unit.offset != 0.0) size += fmt::format(", counted from {}", known.unit.offset);
      row({in_code(known.symbol), std::string(known.name), size});
    }
    out_ += '\n';
  }

  void functions() {
    out_ += "## Functions\n\n";
    begin_table({"call", "value"});
    for (const expression::Function& function : expression::functions()) function_row(function.name);
    for (const expression::MeasureFunction& measure : expression::measure_functions()) function_row(measure.name);
  }

  void function_row(std::string_view name) {
    const auto texts = function_texts();
    const auto text = std::find_if(texts.begin(), texts.end(), [&](const FunctionText& t) { return t.name == name; });
    if (text != texts.end()) {
      row({in_code(text->call), std::string(text->what)});
    } else {
      row({in_code(name), ""});
    }
  }

  std::string out_;
  std::set<const void*> mentioned_{&model::kFileType};
  std::vector<Entry> to_write_;
};

}  // namespace

std::string model_format_page() { return Page().run(); }

}  // namespace gelenk::formats
