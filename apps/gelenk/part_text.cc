#include "apps/gelenk/part_text.h"

#include <fmt/format.h>

#include <optional>

#include "gelenk/base/shown_quantity.h"

namespace gelenk::app {
namespace {

constexpr int kDigits = 5;

std::string vector_text(const model::Machine& machine, const Vector3& value, Quantity quantity) {
  const ShownUnit unit = shown_unit(machine.display, quantity);
  return fmt::format("({:.{}g}, {:.{}g}, {:.{}g}) {}", unit.shown(value.x()), kDigits, unit.shown(value.y()), kDigits,
                     unit.shown(value.z()), kDigits, unit.symbol);
}

}  // namespace

std::string parts_text(const model::Machine& machine) {
  std::string text;
  const auto shown = [&](double value, Quantity quantity) {
    return shown_quantity(machine.display, value, quantity, kDigits);
  };
  for (const model::PartNode& part : machine.parts) {
    const MassProperties& body = part.mass_properties;
    text += fmt::format("{:<13} {}, center {}", part.path, shown(body.mass, Quantity::mass),
                        vector_text(machine, body.center, Quantity::length));
    if (!part.shapes.empty()) text += fmt::format(", volume {:.{}g} m^3", geometry::volume(part.shapes), kDigits);
    if (const std::optional<double> area = geometry::surface_area(part.shapes)) {
      text += fmt::format(", surface {:.{}g} m^2", *area, kDigits);
    }
    // What rounding leaves of a product that is zero is not shown.
    const Matrix3 J = (body.inertia.array().abs() < 1e-14 * body.inertia.trace()).select(0.0, body.inertia);
    text += fmt::format("\n{:<13} about the center: xx {}, yy {}, zz {}", "", shown(J(0, 0), Quantity::inertia),
                        shown(J(1, 1), Quantity::inertia), shown(J(2, 2), Quantity::inertia));
    if (J(0, 1) != 0.0 || J(0, 2) != 0.0 || J(1, 2) != 0.0) {
      text += fmt::format(", xy {}, xz {}, yz {}", shown(J(0, 1), Quantity::inertia), shown(J(0, 2), Quantity::inertia),
                          shown(J(1, 2), Quantity::inertia));
    }
    text += "\n";
  }
  return text;
}

void write_parts_json(JsonWriter& json, const model::Machine& machine) {
  json.begin_array();
  for (const model::PartNode& part : machine.parts) {
    const MassProperties& body = part.mass_properties;
    const Matrix3& J = body.inertia;
    json.begin_object().member("path", part.path).member("mass", body.mass).key("centerOfMass").begin_array();
    for (int i = 0; i < 3; ++i) json.value(body.center[i]);
    json.end_array().key("inertia").begin_object();
    json.member("xx", J(0, 0)).member("yy", J(1, 1)).member("zz", J(2, 2));
    json.member("xy", J(0, 1)).member("xz", J(0, 2)).member("yz", J(1, 2)).end_object();
    json.key("volume");
    if (part.shapes.empty()) {
      json.null();
    } else {
      json.value(geometry::volume(part.shapes));
    }
    json.key("surface");
    if (const std::optional<double> area = geometry::surface_area(part.shapes)) {
      json.value(*area);
    } else {
      json.null();
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace gelenk::app
