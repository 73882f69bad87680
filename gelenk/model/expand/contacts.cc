#include "gelenk/model/expand/contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gelenk/base/text.h"

namespace gelenk::model::expanding {
namespace {

constexpr std::array<std::string_view, contact::kContourKinds> kKindNames{"sphere", "capsule", "cylinder", "box",
                                                                          "plane"};
std::string_view name_of(contact::ContourKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

class ContactPass {
 public:
  ContactPass(Numbers& numbers, Machine& machine, Reports& reports)
      : numbers_(numbers), machine_(machine), reports_(reports), diagnostics_(reports.diagnostics) {}

  void add(const Object& written, Instance& scope) {
    ContactNode contact;
    contact.path = element_path(scope, written.name);
    contact.where = written.name_range;
    const ElementScope element(diagnostics_, contact.path, "contact");
    contact.friction = numbers_.number_or(written, "friction", 0.0, scope).value_or(0.0);
    contact.restitution = numbers_.number_or(written, "restitution", 0.0, scope).value_or(0.0);
    if (!has_right_keys(written)) return;
    bool is_complete = true;
    if (const Value* between = written.value("between")) {
      const auto& names = *between->get<Value::List>();
      is_complete = find(names[0], scope, contact.first) && find(names[1], scope, contact.second);
    } else {
      contact.is_group = true;
      for (const Value& name : *written.value("among")->get<Value::List>()) {
        is_complete = find(name, scope, contact.first) && is_complete;
      }
      if (const Value* with = written.value("with")) {
        for (const Value& name : *with->get<Value::List>())
          is_complete = find(name, scope, contact.second) && is_complete;
      }
    }
    if (is_complete && is_between_parts(contact, written) && has_known_pairs(contact, written))
      machine_.contacts.push_back(std::move(contact));
  }

 private:
  bool has_right_keys(const Object& written) {
    const bool has_pair = written.find("between") != nullptr;
    const bool has_group = written.find("among") != nullptr;
    if (has_pair != has_group && !(has_pair && written.find("with") != nullptr)) return true;
    if (written.is_incomplete) return false;
    const bool is_missing = !has_pair && !has_group;
    diagnostics_.error(is_missing ? Code::missing_key : Code::conflicting_keys, written.name_range,
                       is_missing ? "it is between nothing" : "`between` cannot be combined with `among` and `with`",
                       is_missing ? "give two contours in `between`, or any number in `among`" : "keep one of them");
    return false;
  }

  // All contours that a name stands for: itself, or those of a part, of the ground, of a sub-assembly.
  bool find(const Value& value, const Instance& scope, std::vector<std::int32_t>& found) {
    const std::string& name = *value.get<std::string>();
    const std::vector<std::string> segments = split(name, '.');
    if (is_unclear(scope, segments.front())) return false;
    const NamedElement* owner = scope.index->find(segments.front());
    const bool is_own = segments.front() == "ground" || (owner != nullptr && owner->section == Section::part);
    const bool is_assembly = owner != nullptr && owner->section == Section::assembly;
    const std::size_t before = found.size();
    if ((is_own && segments.size() <= 2) || (is_assembly && segments.size() <= 2)) {
      const std::string path = element_path(scope, name);
      for (std::size_t c = 0; c < machine_.contours.size(); ++c) {
        const std::string& other = machine_.contours[c].path;
        const bool is_inside = other.size() > path.size() && other.starts_with(path) && other[path.size()] == '.';
        // "crates.0" is the first of a row; what a sub-assembly has inside has no name here.
        const bool is_hidden = is_assembly && segments.size() == 2 && !is_index(segments[1]);
        if ((other == path && is_own) || (is_inside && !is_hidden)) found.push_back(static_cast<std::int32_t>(c));
      }
    }
    if (found.size() > before) return true;
    report_unknown(name, value, is_own || is_assembly);
    return false;
  }

  static bool is_index(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  }

  void report_unknown(const std::string& name, const Value& value, bool has_owner) {
    std::vector<std::string> names;
    if (reports_.may_suggest(machine_.contours.size())) {
      for (const ContourNode& contour : machine_.contours) names.push_back(contour.path);
    }
    std::string hint = did_you_mean(name, names);
    if (hint.empty()) {
      hint = has_owner ? "contours are written at their part, or at `ground`: `contours: {skin: {from: shape}}`"
                       : "a contour is named by its part, `ball.skin`, or by the ground, `ground.base`";
    }
    diagnostics_.error(Code::unknown_reference, value.range, fmt::format("there is no contour '{}' here", name),
                       std::move(hint));
  }

  bool is_between_parts(const ContactNode& contact, const Object& written) {
    if (contact.is_group) return true;
    const auto part_of = [&](std::int32_t c) { return machine_.contours[static_cast<std::size_t>(c)].frame.part; };
    if (part_of(contact.first.front()) != part_of(contact.second.front())) return true;
    diagnostics_.error(Code::joint_to_itself, written.range_of("between"), "both contours are on the same part",
                       "contours touch those of other parts, or of the ground");
    return false;
  }

  // The first two that could touch and whose pair nobody has written.
  bool has_known_pairs(const ContactNode& contact, const Object& written) {
    const auto check = [&](std::int32_t a, std::int32_t b) {
      const ContourNode& first = machine_.contours[static_cast<std::size_t>(a)];
      const ContourNode& second = machine_.contours[static_cast<std::size_t>(b)];
      const bool is_same = first.frame.part == second.frame.part;
      if (is_same || contact::is_known_pair(first.contour.kind, second.contour.kind)) return true;
      diagnostics_.error(
          Code::bad_shape, written.name_range,
          fmt::format("'{}' is a {} and '{}' a {}, and contact between these is not computed yet", first.path,
                      name_of(first.contour.kind), second.path, name_of(second.contour.kind)),
          "spheres touch everything; boxes touch boxes, spheres and planes; capsules touch capsules, "
          "spheres and planes; cylinders touch spheres and planes");
      return false;
    };
    for (std::size_t i = 0; i < contact.first.size(); ++i) {
      for (const std::int32_t b : contact.second) {
        if (!check(contact.first[i], b)) return false;
      }
      for (std::size_t j = i + 1; contact.is_group && j < contact.first.size(); ++j) {
        if (!check(contact.first[i], contact.first[j])) return false;
      }
    }
    return true;
  }

  Numbers& numbers_;
  Machine& machine_;
  Reports& reports_;
  Diagnostics& diagnostics_;
};

}  // namespace

void add_contacts(Instances& instances, Numbers& numbers, Machine& machine, Reports& reports) {
  ContactPass pass(numbers, machine, reports);
  for (Instance& instance : instances) {
    for (const Object& written : instance.object().section("contacts")) {
      if (!written.flag("enabled", true)) {
        ++machine.disabled_count;
        continue;
      }
      pass.add(written, instance);
    }
  }
}

void list_contacts(const Machine& machine, Elements& elements) {
  for (std::size_t c = 0; c < machine.contacts.size(); ++c) {
    elements.emplace(machine.contacts[c].path, ElementRef{ChannelUse::Element::contact, c});
  }
}

}  // namespace gelenk::model::expanding
