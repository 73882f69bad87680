#include "gelenk/model/expand/couplings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "gelenk/model/expand/coordinates.h"

namespace gelenk::model::expanding {
namespace {

using Between = CouplingType::Between;
constexpr std::size_t kMostTerms = 3;

// A coordinate as it is written there.
struct NamedCoordinate {
  std::string name;
  SourceRange where;
  CoordinateUse use;
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

 private:
  std::optional<std::vector<NamedCoordinate>> coordinates_of(const Object& written, Instance& scope);
  const Coordinate& type_of(const CoordinateUse& use) const {
    return machine_.joints[use.joint.index()].type->coordinates[use.coordinate];
  }
  bool is_travel(const CoordinateUse& use) const { return type_of(use).motion == Coordinate::Motion::translation; }
  bool fit(const Object& written, const std::vector<NamedCoordinate>& coordinates);
  bool read_data(const Object& written, const std::vector<NamedCoordinate>& coordinates, Instance& scope,
                 JointData& data);
  bool put_terms(const JointData& data, const std::vector<CoordinateUse>& uses, CouplingNode& node);

  Numbers& numbers_;
  Machine& machine_;
  Elements& elements_;
  Reports& reports_;
  Diagnostics& diagnostics_;
};

std::optional<std::vector<NamedCoordinate>> CouplingPass::coordinates_of(const Object& written, Instance& scope) {
  std::vector<NamedCoordinate> result;
  const auto add = [&](const Value& value) {
    const std::string* name = value.get<std::string>();
    if (name != nullptr) result.push_back({*name, value.range, {}});
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
      const bool is_same = coordinates[i].use.joint == coordinates[j].use.joint &&
                           coordinates[i].use.coordinate == coordinates[j].use.coordinate;
      if (!is_same) continue;
      diagnostics_.error(Code::conflicting_keys, coordinates[i].where,
                         fmt::format("'{}' is coupled with itself", coordinates[i].name),
                         "name coordinates of different joints");
      return false;
    }
  }
  const Between between = written.type->coupling->between;
  std::size_t travels = 0;
  const NamedCoordinate* wrong = nullptr;
  for (const NamedCoordinate& one : coordinates) {
    if (!is_travel(one.use)) continue;
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
      const Dimension second = quantity_info(type_of(coordinates[1].use).quantity()).dimension;
      const Dimension first = quantity_info(type_of(coordinates[0].use).quantity()).dimension;
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
bool CouplingPass::put_terms(const JointData& data, const std::vector<CoordinateUse>& uses, CouplingNode& node) {
  std::array<bool, kMostTerms> travels{};
  std::array<double, kMostTerms> factors{};
  for (std::size_t i = 0; i < uses.size(); ++i) travels[i] = is_travel(uses[i]);
  JointData copy = data;
  node.type->coupling->put_factors(data_pointer(copy), std::span(travels).first(uses.size()),
                                   std::span(factors).first(uses.size()));
  if (node.type->coupling->constant != nullptr) node.constant = node.type->coupling->constant(data_pointer(copy));
  bool is_good = true;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    is_good = is_good && factors[i] != 0.0 && std::isfinite(factors[i]);
    node.terms.push_back({uses[i], uses[i].sign * factors[i]});
  }
  return is_good;
}

void CouplingPass::add_coupling(Instance& scope, const Object& written) {
  const std::string path = element_path(scope, written.name);
  const ElementScope element(diagnostics_, path, "joint");
  const std::optional<std::vector<NamedCoordinate>> coordinates = coordinates_of(written, scope);
  if (!coordinates || !fit(written, *coordinates)) return;
  JointData data = make_data<JointData>(written.type);
  if (!read_data(written, *coordinates, scope, data)) return;
  CouplingNode node{path, scope.id, written.type, {}, 0.0, written.name_range};
  std::vector<CoordinateUse> uses;
  for (const NamedCoordinate& one : *coordinates) uses.push_back(one.use);
  if (!put_terms(data, uses, node)) {
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
    std::vector<CoordinateUse> uses;
    for (std::size_t c = 0; c < joint.type->coordinates.size(); ++c) {
      uses.push_back({JointId(j), c, is_mirrored ? mirror_sign(*joint.type, c) : 1.0});
    }
    CouplingNode node{joint.path, joint.assembly, joint.type, {}, 0.0, joint.where};
    const ElementScope element(diagnostics_, joint.path, "joint");
    if (!put_terms(joint.data, uses, node)) {
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

// Sealed components would not feel what couplings do: the sweep that they end with has no forces of couplings.
void refuse_beside_sealed(const Machine& machine, Diagnostics& diagnostics) {
  for (const CouplingNode& coupling : machine.couplings) {
    const ElementScope element(diagnostics, coupling.path, "joint");
    diagnostics.error(Code::conflicting_keys, coupling.where,
                      fmt::format("a {} cannot be in one machine with a sealed component yet, and '{}' is sealed",
                                  coupling.type->name, machine.sealed.front().path),
                      "use the open assembly, or a joint, driver or force that does the same");
  }
}

}  // namespace

void add_couplings(Instances& instances, Numbers& numbers, Machine& machine, Elements& elements, Reports& reports) {
  CouplingPass pass(numbers, machine, elements, reports);
  pass.add_own_couplings();
  for (Instance& instance : instances) {
    for (const Object& written : instance.object().section("joints")) {
      if (!written.flag("enabled", true) || written.type->coupling == nullptr) continue;
      if (!written.type->coupling->keys.empty()) pass.add_coupling(instance, written);
    }
  }
  if (!machine.sealed.empty()) refuse_beside_sealed(machine, reports.diagnostics);
}

}  // namespace gelenk::model::expanding
