#include "gelenk/model/expand/couplings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/base/text.h"
#include "gelenk/model/expand/coordinates.h"

namespace gelenk::model::expanding {
namespace {

using Between = CouplingType::Between;
constexpr std::size_t kMostTerms = 3;

// A coordinate as it is written there: of a joint, or a shaft.
struct NamedCoordinate {
  std::string name;
  SourceRange where;
  CoordinateUse use;
  SealedPort shaft = {};  // its port counts SealedNode::shafts

  bool is_shaft() const { return shaft.is_set(); }
  bool is_same(const NamedCoordinate& other) const {
    if (is_shaft() || other.is_shaft()) return shaft == other.shaft;
    return use.joint == other.use.joint && use.coordinate == other.use.coordinate;
  }
};

class CouplingPass {
 public:
  CouplingPass(Numbers& numbers, Machine& machine, Elements& elements, Reports& reports)
      : numbers_(numbers),
        machine_(machine),
        elements_(elements),
        reports_(reports),
        diagnostics_(reports.diagnostics) {}

  void add_coupling(Instance& scope, const Object& written);
  void add_own_couplings();
  // Those whose laws are still to be bound.
  std::vector<Pending> take_laws() { return std::move(laws_); }

 private:
  std::optional<std::vector<NamedCoordinate>> coordinates_of(const Object& written, Instance& scope);
  bool takes_shafts(const Object& written, const std::vector<NamedCoordinate>& coordinates);
  const SealedNode* sealed_before(const std::string& name, const Instance& scope) const;
  bool find_shaft(NamedCoordinate& one, const SealedNode& component);
  bool is_travel(const NamedCoordinate& one) const {
    if (one.is_shaft()) return machine_.sealed[at(one.shaft.component)].shafts[at(one.shaft.port)].is_travel;
    return machine_.joints[one.use.joint.index()].type->coordinates[one.use.coordinate].motion ==
           Coordinate::Motion::translation;
  }
  Dimension dimension_of(const NamedCoordinate& one) const {
    return quantity_info(is_travel(one) ? Quantity::length : Quantity::angle).dimension;
  }
  bool fit(const Object& written, const std::vector<NamedCoordinate>& coordinates);
  bool read_data(const Object& written, const std::vector<NamedCoordinate>& coordinates, Instance& scope,
                 JointData& data);
  bool put_terms(const JointData& data, const std::vector<NamedCoordinate>& coordinates, CouplingNode& node);

  Numbers& numbers_;
  Machine& machine_;
  Elements& elements_;
  Reports& reports_;
  Diagnostics& diagnostics_;
  std::vector<Pending> laws_;
};

// The sealed component of the assembly whose shaft `name` may be: all but the last word of it. Null: there is none.
const SealedNode* CouplingPass::sealed_before(const std::string& name, const Instance& scope) const {
  const std::size_t end = name.rfind('.');
  if (end == std::string::npos) return nullptr;
  const std::string path = element_path(scope, name.substr(0, end));
  for (const SealedNode& node : machine_.sealed) {
    if (node.path == path && machine_.assemblies[node.assembly.index()].owner == scope.id) return &node;
  }
  return nullptr;
}

// False: it has none of this name, which is reported.
bool CouplingPass::find_shaft(NamedCoordinate& one, const SealedNode& component) {
  const std::string name = one.name.substr(one.name.rfind('.') + 1);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < component.shafts.size(); ++i) {
    names.push_back(component.shafts[i].name);
    if (names.back() != name) continue;
    one.shaft = {static_cast<std::int32_t>(&component - machine_.sealed.data()), static_cast<std::int32_t>(i)};
    return true;
  }
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = names.empty() ? "it has none" : "it has " + join(names, ", ");
  diagnostics_.error(Code::unknown_coordinate, one.where,
                     fmt::format("the sealed component '{}' has no shaft '{}'", component.path, name), hint);
  return false;
}

std::optional<std::vector<NamedCoordinate>> CouplingPass::coordinates_of(const Object& written, Instance& scope) {
  std::vector<NamedCoordinate> result;
  const auto add = [&](const Value& value) {
    const std::string* name = value.get<std::string>();
    if (name != nullptr) result.push_back({*name, value.range, {}, {}});
  };
  for (const std::string_view key : written.type->coupling->keys) {
    const Value* value = written.value(key);
    if (value == nullptr) return std::nullopt;
    if (const auto* list = value->get<Value::List>()) {
      for (const Value& one : *list) add(one);
    } else {
      add(*value);
    }
  }
  bool are_known = true;
  for (NamedCoordinate& one : result) {
    if (const SealedNode* component = sealed_before(one.name, scope)) {
      are_known = find_shaft(one, *component) && are_known;
      continue;
    }
    const std::optional<CoordinateUse> use =
        coordinate_named(one.name, one.where, scope, machine_, elements_, reports_);
    are_known = are_known && use.has_value();
    if (use) one.use = *use;
  }
  if (!are_known) return std::nullopt;
  return result;
}

bool CouplingPass::fit(const Object& written, const std::vector<NamedCoordinate>& coordinates) {
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!coordinates[i].is_same(coordinates[j])) continue;
      diagnostics_.error(Code::conflicting_keys, coordinates[i].where,
                         fmt::format("'{}' is coupled with itself", coordinates[i].name),
                         "name coordinates of different joints");
      return false;
    }
  }
  if (coordinates.front().is_shaft()) {
    diagnostics_.error(Code::conflicting_keys, coordinates.front().where,
                       fmt::format("'{}' is a shaft, and the first coordinate of a {} must be one of a joint",
                                   coordinates.front().name, written.type->name),
                       "name the coordinate of a joint first, and change the ratio to match; two shafts need a wheel "
                       "between them");
    return false;
  }
  const Between between = written.type->coupling->between;
  std::size_t travels = 0;
  const NamedCoordinate* wrong = nullptr;
  for (const NamedCoordinate& one : coordinates) {
    if (!is_travel(one)) continue;
    ++travels;
    if (wrong == nullptr) wrong = &one;
  }
  if (between == Between::angles && travels > 0) {
    diagnostics_.error(Code::conflicting_keys, wrong->where,
                       fmt::format("a {} couples angles, and '{}' is a travel", written.type->name, wrong->name),
                       "a `rack` couples an angle with a travel, a `coupler` any two coordinates");
    return false;
  }
  if (between == Between::angle_and_travel && travels != 1) {
    diagnostics_.error(Code::conflicting_keys, coordinates.back().where,
                       fmt::format("a {} couples an angle with a travel, and both of these are {}", written.type->name,
                                   travels == 0 ? "angles" : "travels"),
                       travels == 0 ? "a `gear` couples two angles" : "a `coupler` couples any two coordinates");
    return false;
  }
  return true;
}

// Numbers without a dimension of their own, those of a coupler, have that of the coordinates.
bool CouplingPass::read_data(const Object& written, const std::vector<NamedCoordinate>& coordinates, Instance& scope,
                             JointData& data) {
  bool is_good = true;
  for (const Property& property : written.properties) {
    const Field& field = *property.field;
    if (field.store == nullptr) continue;
    std::optional<double> value;
    if (field.quantity != Quantity::any) {
      value = numbers_.number(property.value, field, scope);
    } else {
      const Dimension second = dimension_of(coordinates[1]);
      const Dimension first = dimension_of(coordinates[0]);
      const Dimension wanted = field.key == "ratio" ? second / first : second;
      const std::optional<Quantified> given = numbers_.evaluate(property.value, scope, {});
      if (given && !given->fits_all && !property.value.is_bare && !(given->dimension == wanted)) {
        diagnostics_.error(
            Code::wrong_dimension, property.value.range,
            fmt::format("`{}` is {}, and '{}' and '{}' need {}", field.key, describe_dimension(given->dimension),
                        coordinates[0].name, coordinates[1].name, describe_dimension(wanted)),
            "second coordinate = ratio × first + offset");
      } else if (given) {
        value = given->value;
      }
    }
    is_good = is_good && value.has_value();
    if (value) field.store(data_pointer(data), *value);
  }
  return is_good;
}

// False: a factor is zero.
bool CouplingPass::put_terms(const JointData& data, const std::vector<NamedCoordinate>& coordinates,
                             CouplingNode& node) {
  std::array<bool, kMostTerms> travels{};
  std::array<double, kMostTerms> factors{};
  const std::size_t count = coordinates.size();
  for (std::size_t i = 0; i < count; ++i) travels[i] = is_travel(coordinates[i]);
  JointData copy = data;
  node.type->coupling->put_factors(data_pointer(copy), std::span(travels).first(count),
                                   std::span(factors).first(count));
  if (node.type->coupling->constant != nullptr) node.constant = node.type->coupling->constant(data_pointer(copy));
  bool is_good = true;
  for (std::size_t i = 0; i < count; ++i) {
    const NamedCoordinate& one = coordinates[i];
    is_good = is_good && factors[i] != 0.0 && std::isfinite(factors[i]);
    if (one.is_shaft()) {
      node.shafts.push_back({one.shaft, factors[i]});
    } else {
      node.terms.push_back({one.use, one.use.sign * factors[i]});
    }
  }
  return is_good;
}

// What a law makes of a shaft is not known where the shaft is.
bool CouplingPass::takes_shafts(const Object& written, const std::vector<NamedCoordinate>& coordinates) {
  if (!written.type->coupling->has_law) return true;
  for (const NamedCoordinate& one : coordinates) {
    if (!one.is_shaft()) continue;
    diagnostics_.error(
        Code::conflicting_keys, one.where,
        fmt::format("'{}' is a shaft, and a {} takes coordinates of joints", one.name, written.type->name),
        "couple the shaft to a wheel by a `gear`, and name the hinge of the wheel here");
    return false;
  }
  return true;
}

void CouplingPass::add_coupling(Instance& scope, const Object& written) {
  const std::string path = element_path(scope, written.name);
  const ElementScope element(diagnostics_, path, "joint");
  if (written.type == &kExpression) {
    elements_.emplace(path, ElementRef{ChannelUse::Element::coupling, machine_.couplings.size()});
    machine_.couplings.push_back({path, scope.id, written.type, {}, {}, 0.0, written.name_range, Signal{}});
    laws_.push_back({machine_.couplings.size() - 1, &written, &scope});
    return;
  }
  const std::optional<std::vector<NamedCoordinate>> coordinates = coordinates_of(written, scope);
  if (!coordinates || !takes_shafts(written, *coordinates) || !fit(written, *coordinates)) return;
  if (written.type->coupling->has_law) {
    elements_.emplace(path, ElementRef{ChannelUse::Element::coupling, machine_.couplings.size()});
    CouplingNode node{path, scope.id, written.type, {}, {}, 0.0, written.name_range, Signal{}};
    for (const NamedCoordinate& one : *coordinates) node.terms.push_back({one.use, 1.0});
    machine_.couplings.push_back(std::move(node));
    laws_.push_back({machine_.couplings.size() - 1, &written, &scope});
    return;
  }
  JointData data = make_data<JointData>(written.type);
  if (!read_data(written, *coordinates, scope, data)) return;
  CouplingNode node{path, scope.id, written.type, {}, {}, 0.0, written.name_range};
  if (!put_terms(data, *coordinates, node)) {
    diagnostics_.error(Code::out_of_range, written.name_range, "its ratio or radius is zero: it couples nothing",
                       "give a number other than zero, or disable it");
    return;
  }
  elements_.emplace(path, ElementRef{ChannelUse::Element::coupling, machine_.couplings.size()});
  machine_.couplings.push_back(std::move(node));
}

// Joints whose own coordinates are coupled.
void CouplingPass::add_own_couplings() {
  for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
    const JointNode& joint = machine_.joints[j];
    if (joint.type->coupling == nullptr) continue;
    const bool is_mirrored = machine_.assemblies[joint.assembly.index()].is_mirrored;
    std::vector<NamedCoordinate> own;
    for (std::size_t c = 0; c < joint.type->coordinates.size(); ++c) {
      own.push_back({{}, {}, {JointId(j), c, is_mirrored ? mirror_sign(*joint.type, c) : 1.0}, {}});
    }
    CouplingNode node{joint.path, joint.assembly, joint.type, {}, {}, 0.0, joint.where};
    const ElementScope element(diagnostics_, joint.path, "joint");
    if (!put_terms(joint.data, own, node)) {
      // A pitch that is missing is reported already.
      const bool is_reported = std::any_of(diagnostics_.all().begin(), diagnostics_.all().end(),
                                           [&](const Diagnostic& one) { return one.element == joint.path; });
      if (is_reported) continue;
      diagnostics_.error(Code::out_of_range, joint.where, "its pitch is zero: turning does not move it",
                         "use a `revolute` joint, or give the travel per turn");
      continue;
    }
    machine_.couplings.push_back(std::move(node));
  }
}

}  // namespace

std::vector<Pending> add_couplings(Instances& instances, Numbers& numbers, Machine& machine, Elements& elements,
                                   Reports& reports) {
  CouplingPass pass(numbers, machine, elements, reports);
  pass.add_own_couplings();
  for (Instance& instance : instances) {
    for (const Object& written : instance.object().section("joints")) {
      if (!written.flag("enabled", true) || written.type->coupling == nullptr) continue;
      if (!written.type->coupling->keys.empty()) pass.add_coupling(instance, written);
    }
  }
  return pass.take_laws();
}

}  // namespace gelenk::model::expanding
