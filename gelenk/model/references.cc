#include "gelenk/model/references.h"

#include <algorithm>
#include <memory>
#include <span>
#include <unordered_map>

#include "gelenk/base/text.h"
#include "gelenk/expression/measures.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/materials.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model {
namespace {

using expression::Expression;

bool is_index(std::string_view segment) {
  return !segment.empty() && segment.find_first_not_of("0123456789") == std::string_view::npos;
}

struct NamedElement {
  std::string_view section;
  const Object* object = nullptr;
};

// The names of one definition. Searching the sections is enough for one element; a walk over a whole model asks often,
// so it lets them be indexed.
class Scope {
 public:
  Scope(const Definition& definition, bool is_indexed) : definition_(definition), is_indexed_(is_indexed) {
    if (!is_indexed) return;
    for (const std::string_view section : sections_sharing_names()) {
      for (const Object& object : definition.object.section(section)) {
        names_.try_emplace(object.name, NamedElement{section, &object});
      }
    }
  }

  const Definition& definition() const { return definition_; }

  NamedElement find(const std::string& name) const {
    if (is_indexed_) {
      const auto it = names_.find(name);
      return it == names_.end() ? NamedElement{} : it->second;
    }
    for (const std::string_view section : sections_sharing_names()) {
      if (const Object* found = find_named(definition_.object.section(section), name)) return {section, found};
    }
    return {};
  }

  // What `copy_of` and `mirror_of` lead to; the instance itself when it says what it uses.
  const Object* origin(const Object* instance) const {
    // A row of copies is at most as long as there are instances; longer ones are circles.
    std::size_t steps = definition_.object.section("assemblies").size();
    for (; instance != nullptr && steps > 0; --steps) {
      const std::string* source = instance->text("copy_of");
      if (source == nullptr) source = instance->text("mirror_of");
      if (source == nullptr) return instance;
      const NamedElement next = find(*source);
      instance = next.section == "assemblies" ? next.object : nullptr;
    }
    return nullptr;
  }

  // Whether the instance has a joint at this port; copies have those of their source.
  bool is_attached(const Object* instance, std::string_view port) const {
    if (instance->find("attach") == nullptr) instance = origin(instance);
    return instance != nullptr && find_named(instance->section("attach"), port) != nullptr;
  }

 private:
  const Definition& definition_;
  bool is_indexed_;
  std::unordered_map<std::string_view, NamedElement> names_;
};

class Walker {
 public:
  Walker(const Model& model, bool is_indexed) : model_(model), is_indexed_(is_indexed) {}

  void walk_model() {
    for (const Definition& definition : model_.definitions) {
      Place place;
      place.scope = &scope_of(definition);
      place.user.definition = definition.name;
      walk(definition.object, place);
    }
  }

  // Only what stands in one property of the definition, or in one element of a section.
  void walk_element(const ElementAddress& address) {
    const Definition* definition = model_.find(address.definition);
    const Property* property = definition == nullptr ? nullptr : definition->object.find(address.section);
    if (property == nullptr) return;
    Place place;
    place.scope = &scope_of(*definition);
    place.user = {address.definition, address.section, address.name};
    if (address.name.empty()) {
      walk_property(*property, definition->object, place);
    } else if (const Object* element = find_named(definition->object.section(address.section), address.name)) {
      walk_named(*element, place);
    }
  }

  std::vector<Reference> take() { return std::move(found_); }

 private:
  // Where a value stands, as far as names mean something else there.
  struct Place {
    const Scope* scope = nullptr;
    ElementAddress user;
    const Object* part = nullptr;      // its frames may be named alone
    const Object* instance = nullptr;  // `previous` is the one before it
    bool has_coordinate = false;       // `coordinate` and `rate` of an actuator
  };

  // A path as it is written: the text of a value, or a symbol of its formula.
  struct Written {
    const Value* value = nullptr;
    std::string path;
    std::uint32_t begin = 0;  // of the path in the text or the formula
    bool is_formula = false;
  };

  const Scope& scope_of(const Definition& definition) {
    std::unique_ptr<Scope>& slot = scopes_[&definition];
    if (slot == nullptr) slot = std::make_unique<Scope>(definition, is_indexed_);
    return *slot;
  }

  const Scope* scope_of_instance(const Scope& scope, const Object* instance) {
    const Object* origin = scope.origin(instance);
    const std::string* used = origin == nullptr ? nullptr : origin->text("use");
    const Definition* definition = used == nullptr ? nullptr : model_.find(*used);
    return definition == nullptr ? nullptr : &scope_of(*definition);
  }

  // --- what is found

  static SourceRange place_of(const Written& written, const expression::TextSpan& span) {
    const Value& value = *written.value;
    if (written.is_formula) return value.range_of(span);
    // As long as the text: plain. Two characters more: in quotes, without escapes. Otherwise the name may be anywhere.
    const std::size_t length = value.range.end - value.range.begin;
    const bool is_exact = length == written.path.size() || length == written.path.size() + 2;
    if (!value.range.is_known() || !is_exact) return value.range;
    const std::uint32_t begin = value.range.begin + (length == written.path.size() ? 0 : 1);
    return {value.range.file, begin + span.begin, begin + span.end};
  }

  Reference& add(const Place& place, const Written& written, std::size_t segment) {
    Reference& reference = found_.emplace_back();
    reference.user = place.user;
    reference.value = written.value;
    reference.path = written.path;
    reference.segment = segment;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < segment; ++i) begin = written.path.find('.', begin) + 1;
    const std::size_t end = std::min(written.path.find('.', begin), written.path.size());
    reference.span = {written.begin + static_cast<std::uint32_t>(begin),
                      written.begin + static_cast<std::uint32_t>(end)};
    reference.where = place_of(written, reference.span);
    return reference;
  }

  void add_target(const Place& place, const Written& written, std::size_t segment, ElementAddress target) {
    add(place, written, segment).target = std::move(target);
  }

  void add_unknown(const Place& place, const Written& written, std::size_t segment) {
    add(place, written, segment).is_resolved = false;
  }

  void add_element(const Place& place, const Written& written, std::size_t segment, const Scope& scope,
                   const NamedElement& element) {
    add_target(place, written, segment, {scope.definition().name, std::string(element.section), element.object->name});
  }

  // A name as the key of `set:` or `attach:`.
  void add_key(const Place& place, const Object& keyed, std::string_view section) {
    const Scope* inner = scope_of_instance(*place.scope, place.instance);
    if (inner == nullptr) return;  // what is used is not known: reported there
    Reference& reference = found_.emplace_back();
    reference.user = place.user;
    reference.key = &keyed;
    reference.path = keyed.name;
    reference.span = {0, static_cast<std::uint32_t>(keyed.name.size())};
    reference.where = keyed.name_range;
    reference.is_resolved = find_named(inner->definition().object.section(section), keyed.name) != nullptr;
    if (reference.is_resolved) reference.target = {inner->definition().name, std::string(section), keyed.name};
  }

  // --- what paths mean

  void port(const Place& place, const Written& written, std::size_t segment, const std::string& name,
            const Scope* inner) {
    if (inner == nullptr) return;
    const bool is_known = find_named(inner->definition().object.section("ports"), name) != nullptr;
    if (is_known) {
      add_target(place, written, segment, {inner->definition().name, "ports", name});
    } else {
      add_unknown(place, written, segment);
    }
  }

  void frame_of(const Place& place, const Written& written, const Object* owner, const std::string& name,
                std::size_t segment) {
    frame_of(place, written, owner, name, segment, *place.scope);
  }
  void frame_of(const Place& place, const Written& written, const Object* owner, const std::string& name,
                std::size_t segment, const Scope& scope) {
    const bool is_known = owner != nullptr && find_named(owner->section("frames"), name) != nullptr;
    if (!is_known) {
      add_unknown(place, written, segment);
      return;
    }
    const std::string owner_name = owner->type == &kGroundType ? "ground" : owner->name;
    add_target(place, written, segment, {scope.definition().name, "frames", name, owner_name});
  }

  void frame(const Place& place, const Written& written) {
    const std::vector<std::string> names = split(written.path, '.');
    if (names[0] == "ground") {
      if (names.size() > 1) frame_of(place, written, place.scope->definition().object.object("ground"), names[1], 1);
      return;
    }
    if (names[0] == "previous") {
      if (place.instance == nullptr || names.size() < 2) return;
      port(place, written, 1, names[1], scope_of_instance(*place.scope, place.instance));
      return;
    }
    if (place.part != nullptr && find_named(place.part->section("frames"), written.path) != nullptr) {
      frame_of(place, written, place.part, written.path, 0);
      return;
    }
    const NamedElement element = place.scope->find(names[0]);
    const bool may_hold = element.section == "parts" || element.section == "assemblies" || element.section == "frames";
    if (!may_hold) {
      add_unknown(place, written, 0);
      return;
    }
    add_element(place, written, 0, *place.scope, element);
    if (element.section == "parts" && names.size() > 1) frame_of(place, written, element.object, names[1], 1);
    if (element.section != "assemblies") return;
    const std::size_t next = names.size() > 1 && is_index(names[1]) ? 2 : 1;
    if (names.size() > next) {
      port(place, written, next, names[next], scope_of_instance(*place.scope, element.object));
    }
  }

  static bool is_motion(const std::string& name) {
    const std::span<const Channel> channels = frame_channels();
    return std::any_of(channels.begin(), channels.end(), [&](const Channel& channel) { return channel.name == name; });
  }

  // Whether what follows a part is one of its frames: all of the path is a frame, or goes on with a channel of it.
  static bool is_frame_of(const Object& part, std::span<const std::string> rest, bool is_frame) {
    if (rest.empty()) return false;
    if (is_frame) return true;
    const bool has_channel = rest.size() > 1 && is_motion(rest[1]);
    return (has_channel || !is_motion(rest[0])) && find_named(part.section("frames"), rest[0]) != nullptr;
  }

  // Elements deep inside: channels, joint coordinates, parameters. What follows the last element names a quantity, or
  // nothing does and the path is that of a frame.
  void element(const Place& place, const Written& written, bool is_frame = false) {
    const std::vector<std::string> names = split(written.path, '.');
    const Scope* scope = place.scope;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == "ground") {
        if (i + 1 < names.size()) {
          frame_of(place, written, scope->definition().object.object("ground"), names[i + 1], i + 1, *scope);
        }
        return;
      }
      const NamedElement found = scope->find(names[i]);
      if (found.object == nullptr) {
        add_unknown(place, written, i);
        return;
      }
      add_element(place, written, i, *scope, found);
      if (found.section == "parts" && is_frame_of(*found.object, std::span(names).subspan(i + 1), is_frame)) {
        frame_of(place, written, found.object, names[i + 1], i + 1, *scope);
      }
      if (found.section != "assemblies") return;
      const Scope* inner = scope_of_instance(*scope, found.object);
      if (i + 1 < names.size() && is_index(names[i + 1])) ++i;
      if (inner == nullptr || i + 1 >= names.size()) return;
      // The joint of an attachment is called `instance.port`; what has a value or is a part inside comes before it.
      const std::string_view section = inner->find(names[i + 1]).section;
      const bool is_last = i + 2 == names.size();
      const bool is_inside =
          section == "parts" || section == "parameters" || (is_last && (section == "inputs" || section == "outputs"));
      const bool is_port =
          section.empty() && find_named(inner->definition().object.section("ports"), names[i + 1]) != nullptr;
      if (is_port || (!is_inside && scope->is_attached(found.object, names[i + 1]))) {
        port(place, written, i + 1, names[i + 1], inner);
        return;
      }
      scope = inner;
    }
  }

  void formula(const Place& place, const Value& value, const Expression& expression) {
    for (const expression::ExpressionNode& node : expression.nodes()) {
      if (node.op != expression::Op::symbol) continue;
      const std::string& name = expression.symbols()[static_cast<std::size_t>(node.index)].name;
      if (const std::optional<expression::Measure> measure = expression::split_measure(name)) {
        for (const expression::Measure::Frame& frame : measure->frames) {
          const auto begin = node.span.begin + static_cast<std::uint32_t>(frame.begin);
          const bool is_frame = measure->function != "reaction" || &frame != &measure->frames.front();
          element(place, {&value, std::string(frame.path), begin, true}, is_frame);
        }
        continue;
      }
      const bool is_local =
          name == "time" || name == "index" || (place.has_coordinate && (name == "coordinate" || name == "rate"));
      if (!is_local) element(place, {&value, name, node.span.begin, true});
    }
  }

  void definition(const Place& place, const Written& written) {
    if (model_.find(written.path) == nullptr) {
      add_unknown(place, written, 0);
      return;
    }
    // The loader gave the definition a name of its own; the file may say another.
    Reference& reference = add(place, written, 0);
    reference.target = {written.path, "", ""};
    reference.where = written.value->range;
  }

  void material(const Place& place, const Written& written) {
    const Definition& here = place.scope->definition();
    if (find_named(here.object.section("materials"), written.path) != nullptr) {
      add(place, written, 0).target = {here.name, "materials", written.path};
    } else if (find_built_in_material(written.path) == nullptr) {
      add_unknown(place, written, 0);
    }
  }

  void text(const Place& place, const Value& value, const std::string& path, const Field& field) {
    const Written written{&value, path, 0, false};
    if (field.kind == FieldKind::point || field.kind == FieldKind::placement) return frame(place, written);
    const bool is_name =
        field.kind == FieldKind::reference || field.kind == FieldKind::pair || field.kind == FieldKind::references;
    if (!is_name) return;
    switch (field.refers_to) {
      case Refers::frame:
        return frame(place, written);
      case Refers::contour:
      case Refers::coordinate:
      case Refers::channel:
      case Refers::instance:
        return element(place, written);
      case Refers::definition:
        return definition(place, written);
      case Refers::material:
        return material(place, written);
      case Refers::nothing:
        return;
    }
  }

  // --- where values stand

  void walk_value(const Value& value, const Field& field, const Place& place) {
    if (const auto* path = value.get<std::string>()) {
      text(place, value, *path, field);
    } else if (const auto* expression = value.get<Expression>()) {
      formula(place, value, *expression);
    } else if (const auto* list = value.get<Value::List>()) {
      for (const Value& item : *list) walk_value(item, field, place);
    } else if (const auto* objects = value.get<Value::Objects>()) {
      for (const Object& object : *objects) {
        if (field.kind == FieldKind::settings) add_key(place, object, "parameters");
        if (field.kind == FieldKind::signals) add_key(place, object, "inputs");
        if (field.family == &kAttachFamily) add_key(place, object, "ports");
        walk_named(object, place);
      }
    }
  }

  void walk_named(const Object& object, const Place& outside) {
    Place place = outside;
    if (object.type == &kInstanceType) place.instance = &object;
    if (object.find("drives") != nullptr) place.has_coordinate = true;
    walk(object, place);
  }

  void walk_property(const Property& property, const Object& object, Place place) {
    // A part's frames may be named alone in all that belongs to it, but the part itself is placed in the assembly.
    if (object.type == &kPartType) place.part = property.field->key == "at" ? nullptr : &object;
    walk_value(property.value, *property.field, place);
  }

  void walk(const Object& object, const Place& outside) {
    const bool is_definition = outside.user.section.empty();
    for (const Property& property : object.properties) {
      Place place = outside;
      if (is_definition) place.user.section = property.field->key;
      const auto* elements = is_definition ? property.value.get<Value::Objects>() : nullptr;
      const bool is_section =
          property.field->kind == FieldKind::section || property.field->kind == FieldKind::typed_section;
      if (elements == nullptr || !is_section) {
        walk_property(property, object, place);
        continue;
      }
      for (const Object& element : *elements) {
        place.user.name = element.name;
        walk_named(element, place);
      }
    }
  }

  const Model& model_;
  bool is_indexed_;
  std::unordered_map<const Definition*, std::unique_ptr<Scope>> scopes_;
  std::vector<Reference> found_;
};

}  // namespace

std::vector<Reference> references(const Model& model) {
  Walker walker(model, true);
  walker.walk_model();
  return walker.take();
}

std::vector<Reference> references_to(const Model& model, const ElementAddress& address) {
  std::vector<Reference> result = references(model);
  std::erase_if(result, [&](const Reference& r) { return !r.is_resolved || !(r.target == address); });
  return result;
}

std::vector<Reference> references_in(const Model& model, const ElementAddress& address) {
  Walker walker(model, false);
  walker.walk_element(address);
  return walker.take();
}

}  // namespace gelenk::model
