#include "apps/gelenk/machine_overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/expression/evaluate.h"

namespace gelenk::app {
namespace {

constexpr double kStandardGravity = 9.80665;  // m/s², CGPM 1901

using model::Coordinate;

struct Failure {
  std::string message;
  std::string hint;
};

// "an angle", "a length".
std::string with_article(Quantity quantity) {
  const std::string_view name = quantity_info(quantity).name;
  return fmt::format("{} {}", std::string_view("aeiou").find(name.front()) == std::string_view::npos ? "a" : "an",
                     name);
}

// A value as on a command line: "60 rpm", "=10 (rad/s) * sin(3 (rad/s) * time)".
struct Given {
  expression::Expression formula;
  Dimension dimension;
  bool has_unit = false;
};

std::optional<Given> read_given(std::string_view text, bool may_use_time, Failure& failure) {
  text = trim(text);
  const bool is_formula = text.starts_with('=');
  const expression::ParseResult parsed =
      is_formula ? expression::parse(text.substr(1)) : expression::parse_quantity(text);
  if (!parsed.expression) {
    failure.message = fmt::format("cannot understand {}", shown(text));
    if (!parsed.errors.empty()) {
      failure.message += ": " + parsed.errors.front().message;
      failure.hint = parsed.errors.front().hint;
    }
    return std::nullopt;
  }
  std::vector<expression::SymbolMeaning> meanings;
  for (const expression::Symbol& symbol : parsed.expression->symbols()) {
    if (!may_use_time || symbol.name != "time") {
      failure.message = fmt::format("'{}' cannot be used here", symbol.name);
      failure.hint = may_use_time ? "only `time` can be used on the command line" : "give a number with its unit";
      return std::nullopt;
    }
    meanings.push_back({quantity_info(Quantity::time).dimension});
  }
  const expression::DimensionResult dimension = expression::infer_dimension(*parsed.expression, meanings);
  if (!dimension.errors.empty()) {
    failure = {dimension.errors.front().message, dimension.errors.front().hint};
    return std::nullopt;
  }
  if (dimension.is_hertz) {
    failure = {fmt::format("{} is in Hz, which counts turns: an angular rate needs rad/s", shown(text)),
               "multiply by 2*pi, or write rpm"};
    return std::nullopt;
  }
  return Given{*parsed.expression, dimension.dimension, parsed.has_unit || is_formula};
}

std::optional<std::pair<std::string, std::string>> split_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  return std::pair{std::string(trim(std::string_view(text).substr(0, equals))), text.substr(equals + 1)};
}

model::JointNode* find_joint(model::Machine& machine, std::string_view path) {
  const auto found = std::find_if(machine.joints.begin(), machine.joints.end(),
                                  [&](const model::JointNode& joint) { return joint.path == path; });
  return found == machine.joints.end() ? nullptr : &*found;
}

std::string joint_hint(const model::Machine& machine, std::string_view path) {
  std::vector<std::string> names;
  for (const model::JointNode& joint : machine.joints) names.push_back(joint.path);
  std::string hint = did_you_mean(path, names);
  if (hint.empty() && !names.empty() && names.size() <= 8) hint = "there are " + join(names, ", ");
  return hint;
}

// A driver where the joint is meant that it drives.
std::string driver_hint(const model::Machine& machine, std::string_view path) {
  for (const model::DriverNode& driver : machine.drivers) {
    if (driver.path != path) continue;
    return fmt::format("'{}' is a driver: name the joint that it drives, '{}'", path,
                       machine.joints[driver.drives.joint.index()].path);
  }
  return {};
}

struct Target {
  model::JointNode* joint = nullptr;
  std::size_t coordinate = 0;
  bool is_rate = false;
};

// "joint.coordinate", "joint.rate" or, with one coordinate only, "joint".
std::optional<Target> find_target(model::Machine& machine, const std::string& path, Failure& failure) {
  if (model::JointNode* joint = find_joint(machine, path)) {
    std::vector<std::string> names;
    for (const Coordinate& c : joint->type->coordinates) names.push_back(fmt::format("{}.{}", path, c.name));
    if (names.size() == 1) return Target{joint, 0, false};
    failure.message = fmt::format("joint '{}' has {} coordinates", path, names.empty() ? "no" : "several");
    if (!names.empty()) failure.hint = "write " + join(names, " or ");
    return std::nullopt;
  }
  const std::size_t dot = path.rfind('.');
  model::JointNode* joint = dot == std::string::npos ? nullptr : find_joint(machine, path.substr(0, dot));
  if (joint == nullptr) {
    const std::string name = dot == std::string::npos ? path : path.substr(0, dot);
    failure.message = fmt::format("there is no joint '{}'", dot == std::string::npos ? path : name);
    failure.hint = driver_hint(machine, path);
    if (failure.hint.empty()) failure.hint = joint_hint(machine, name);
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < joint->type->coordinates.size(); ++i) {
    const Coordinate& c = joint->type->coordinates[i];
    if (path.substr(dot + 1) == c.name) return Target{joint, i, false};
    if (path.substr(dot + 1) == c.rate) return Target{joint, i, true};
    names.emplace_back(c.name);
    names.emplace_back(c.rate);
  }
  failure.message = fmt::format("joint '{}' has no coordinate '{}'", joint->path, path.substr(dot + 1));
  failure.hint = did_you_mean(path.substr(dot + 1), names);
  if (failure.hint.empty() && !names.empty()) failure.hint = "it has " + join(names, ", ");
  return std::nullopt;
}

bool fits(const Given& given, Quantity quantity) { return given.dimension == quantity_info(quantity).dimension; }

bool apply_start(const std::string& text, model::Machine& machine, Failure& failure) {
  const auto setting = split_setting(text);
  if (!setting) {
    failure = {fmt::format("expected JOINT.COORDINATE=VALUE, not {}", shown(text)),
               "for example: --start main_bearing.rate=\"60 rpm\""};
    return false;
  }
  const std::optional<Target> target = find_target(machine, setting->first, failure);
  if (!target) return false;
  const Coordinate& c = target->joint->type->coordinates[target->coordinate];
  if (c.motion == Coordinate::Motion::orientation) {
    failure = {fmt::format("the {} of '{}' cannot be given here", c.name, target->joint->path),
               "write it in the model"};
    return false;
  }
  const std::optional<Given> given = read_given(setting->second, false, failure);
  if (!given) return false;
  const Quantity quantity = target->is_rate ? c.rate_quantity() : c.quantity();
  if (!fits(*given, quantity) && given->has_unit) {
    failure = {fmt::format("{} is not {}", shown(setting->second), with_article(quantity)), {}};
    return false;
  }
  std::erase_if(target->joint->start, [&](const model::CoordinateStart& start) {
    return start.coordinate == target->coordinate && start.is_rate == target->is_rate;
  });
  model::CoordinateStart start;
  start.coordinate = target->coordinate;
  start.is_rate = target->is_rate;
  start.value[0] = expression::evaluate(given->formula, {});
  target->joint->start.push_back(start);
  return true;
}

// A prescribed coordinate starts where its law says: what the model says about its start is not asked for any more.
void drop_starts(model::JointNode& joint, const model::DriverNode& driver) {
  using Level = model::DriverNode::Level;
  const auto is_decided = [&](const model::CoordinateStart& start) {
    if (start.coordinate != driver.drives.coordinate) return false;
    return driver.level == Level::position || (driver.level == Level::rate && start.is_rate);
  };
  std::erase_if(joint.start, is_decided);
  std::erase_if(joint.guess, is_decided);
}

bool apply_drive(const std::string& text, model::Machine& machine, Failure& failure) {
  const auto setting = split_setting(text);
  if (!setting) {
    failure = {fmt::format("expected JOINT=VALUE, not {}", shown(text)),
               "for example: --drive main_bearing=\"60 rpm\""};
    return false;
  }
  const std::optional<Target> target = find_target(machine, setting->first, failure);
  if (!target) return false;
  const Coordinate& c = target->joint->type->coordinates[target->coordinate];
  if (c.motion == Coordinate::Motion::orientation) {
    failure = {fmt::format("the {} of '{}' cannot be driven", c.name, target->joint->path), {}};
    return false;
  }
  const std::optional<Given> given = read_given(setting->second, true, failure);
  if (!given) return false;
  model::DriverNode driver;
  if (target->is_rate || fits(*given, c.rate_quantity())) {
    driver.level = model::DriverNode::Level::rate;
  } else if (fits(*given, c.acceleration_quantity())) {
    driver.level = model::DriverNode::Level::acceleration;
  } else if (!fits(*given, c.quantity())) {
    failure = {fmt::format("{} is not {}, {} or {}", shown(setting->second), with_article(c.quantity()),
                           with_article(c.rate_quantity()), with_article(c.acceleration_quantity())),
               "the unit selects what is prescribed"};
    return false;
  }
  const model::JointId joint(static_cast<std::size_t>(target->joint - machine.joints.data()));
  // It takes the place of a driver that is there, so that what reads that one goes on.
  const auto same = std::find_if(machine.drivers.begin(), machine.drivers.end(), [&](const model::DriverNode& other) {
    return other.drives.joint == joint && other.drives.coordinate == target->coordinate;
  });
  driver.path = same != machine.drivers.end() ? same->path : target->joint->path + "_drive";
  driver.assembly = target->joint->assembly;
  driver.drives = {joint, target->coordinate, 1.0};
  driver.law.formula = given->formula;
  driver.law.dimension = given->dimension;
  for (std::size_t i = 0; i < given->formula.symbols().size(); ++i) {
    driver.law.symbols.emplace_back().kind = model::SymbolUse::Kind::time;
  }
  drop_starts(*target->joint, driver);
  if (same != machine.drivers.end()) {
    *same = std::move(driver);
  } else {
    machine.drivers.push_back(std::move(driver));
  }
  return true;
}

bool apply_gravity(const std::string& text, model::Machine& machine, Failure& failure) {
  if (text == "none") {
    machine.gravity = model::NoGravity{};
    return true;
  }
  if (text == "earth") {
    machine.gravity = model::UniformGravity{-kStandardGravity * machine.up};
    return true;
  }
  std::string list(trim(text));
  if (list.starts_with('[') && list.ends_with(']')) list = list.substr(1, list.size() - 2);
  const std::vector<std::string> items = split(list, ',');
  Vector3 acceleration = Vector3::Zero();
  for (std::size_t k = 0; k < 3 && items.size() == 3; ++k) {
    const std::optional<Given> given = read_given(items[k], false, failure);
    if (!given) return false;
    if (given->has_unit && !fits(*given, Quantity::acceleration)) {
      failure = {fmt::format("{} is not an acceleration", shown(items[k])), {}};
      return false;
    }
    acceleration(static_cast<Eigen::Index>(k)) = expression::evaluate(given->formula, {});
  }
  if (items.size() != 3) {
    failure = {fmt::format("expected none, earth or three accelerations, not {}", shown(text)),
               "for example: --gravity \"0, 0, -1.62\""};
    return false;
  }
  machine.gravity = model::UniformGravity{acceleration};
  return true;
}

// "warning: --start: 30 without a unit means 30 rad": where people see degrees, they may mean degrees.
void warn_if_bare(std::string_view option, const std::string& text, model::Machine& machine, Console& console) {
  const auto setting = split_setting(text);
  Failure failure;
  const std::optional<Target> target = setting ? find_target(machine, setting->first, failure) : std::nullopt;
  const std::optional<double> number = setting ? parse_number(trim(setting->second)) : std::nullopt;
  if (!target || !number || *number == 0.0) return;
  const Coordinate& c = target->joint->type->coordinates[target->coordinate];
  if (c.motion == Coordinate::Motion::orientation) return;
  const Quantity quantity = target->is_rate ? c.rate_quantity() : c.quantity();
  const ShownUnit usual = shown_unit(machine.display, quantity);
  if (usual.factor == 1.0 || console.quiet) return;
  const std::string written(trim(setting->second));
  console.error_text(fmt::format(
      "warning: {0}: {1} without a unit means {1} {2}\n  hint: write {0} {3}=\"{1} {4}\" if that is meant\n", option,
      written, quantity_info(quantity).si_symbol, setting->first, usual.symbol));
}

}  // namespace

void warn_about_bare_overrides(const MachineOverrides& overrides, model::Machine& machine, Console& console) {
  for (const std::string& text : overrides.drives) warn_if_bare("--drive", text, machine, console);
  for (const std::string& text : overrides.starts) warn_if_bare("--start", text, machine, console);
}

void add_override_options(Options& options, MachineOverrides& overrides) {
  options.values.push_back({.names = "--start",
                            .value_name = "JOINT.COORDINATE=VALUE",
                            .doc = "start value of a joint coordinate or rate; may be repeated",
                            .list = &overrides.starts});
  options.values.push_back(
      {.names = "--drive",
       .value_name = "JOINT=VALUE",
       .doc = "drive a joint: position, rate or acceleration, depending on the unit; may be repeated",
       .list = &overrides.drives});
  options.values.push_back({.names = "--gravity",
                            .value_name = "none|earth|X,Y,Z",
                            .doc = "gravity to use instead of the model's",
                            .target = &overrides.gravity});
}

std::optional<ExitCode> apply_overrides(const MachineOverrides& overrides, model::Machine& machine, Console& console) {
  Failure failure;
  // Drivers first: they take the start values of the model away, not those that are asked for here.
  for (const std::string& text : overrides.drives) {
    if (!apply_drive(text, machine, failure)) {
      return console.fail(ExitCode::usage_error, "--drive: " + failure.message, failure.hint);
    }
  }
  for (const std::string& text : overrides.starts) {
    if (!apply_start(text, machine, failure)) {
      return console.fail(ExitCode::usage_error, "--start: " + failure.message, failure.hint);
    }
  }
  if (!overrides.gravity.empty() && !apply_gravity(overrides.gravity, machine, failure)) {
    return console.fail(ExitCode::usage_error, "--gravity: " + failure.message, failure.hint);
  }
  return std::nullopt;
}

}  // namespace gelenk::app
