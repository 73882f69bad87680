#include "gelenk/cad/svg_pen.h"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "gelenk/base/text.h"

namespace gelenk::cad {
namespace {

pugi::xml_node add(pugi::xml_node to, const char* element,
                   std::initializer_list<std::pair<const char*, std::string>> attributes) {
  pugi::xml_node node = to.append_child(element);
  for (const auto& [name, value] : attributes) node.append_attribute(name) = value.c_str();
  return node;
}

std::string px(double value) {
  const std::string text = fmt::format("{:.1f}", value);
  return text == "-0.0" ? "0.0" : text;
}

std::string px(const Vector3& point) { return px(point.x()) + "," + px(point.y()); }

// 1, 2 or 5 times a power of ten, not larger than this.
double round_length(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  return most >= 5.0 * power ? 5.0 * power : most >= 2.0 * power ? 2.0 * power : power;
}

}  // namespace

SvgPen SvgPen::group(double x, double y) {
  return SvgPen(add(to_, "g", {{"transform", fmt::format("translate({:.0f} {:.0f})", x, y)}}));
}

void SvgPen::rectangle(double x, double y, double width, double height, const char* class_name) {
  add(to_, "rect", {{"x", px(x)}, {"y", px(y)}, {"width", px(width)}, {"height", px(height)}, {"class", class_name}});
}

void SvgPen::path(const std::string& data, const std::string& looks) {
  if (!data.empty()) add(to_, "path", {{"transform", "scale(.1)"}, {"style", looks}, {"d", data}});
}

void SvgPen::text(double x, double y, const std::string& words, const char* anchor) {
  add(to_, "text", {{"x", px(x)}, {"y", px(y)}, {"text-anchor", anchor}, {"class", "jp-text"}})
      .text()
      .set(words.c_str());
}

void SvgPen::square(double x, double y, double side, const std::string& color) {
  add(to_, "rect", {{"x", px(x)}, {"y", px(y)}, {"width", px(side)}, {"height", px(side)}, {"fill", color}});
}

void SvgPen::line(const Vector3& a, const Vector3& b, const char* class_name, double width, const char* dashes) {
  pugi::xml_node node = add(to_, "line",
                            {{"x1", px(a.x())},
                             {"y1", px(a.y())},
                             {"x2", px(b.x())},
                             {"y2", px(b.y())},
                             {"class", class_name},
                             {"stroke-width", px(width)}});
  if (dashes != nullptr) node.append_attribute("stroke-dasharray") = dashes;
}

void SvgPen::dot(const Vector3& center, double radius, const char* class_name) {
  add(to_, "circle", {{"cx", px(center.x())}, {"cy", px(center.y())}, {"r", px(radius)}, {"class", class_name}});
}

void SvgPen::ring(const Vector3& center, double radius) {
  add(to_, "circle",
      {{"cx", px(center.x())},
       {"cy", px(center.y())},
       {"r", px(radius)},
       {"class", "jp-ink"},
       {"fill", "none"},
       {"stroke-width", "1.5"}});
}

void SvgPen::lock(const Vector3& center) {
  constexpr double kHalf = 7.0, kUp = 12.0;
  const auto at = [&](double x, double y) { return px(Vector3(center + Vector3(x, y, 0.0))); };
  const std::string bow = fmt::format("M{} V{} A{r} {r} 0 0 1 {} V{}", at(-4.5, -1.0), px(center.y() - 6.0),
                                      at(4.5, -6.0), px(center.y() - 1.0), fmt::arg("r", 4.5));
  add(to_, "path", {{"d", bow}, {"class", "jp-ink"}, {"fill", "none"}, {"stroke-width", "2"}});
  add(to_, "rect",
      {{"x", px(center.x() - kHalf)},
       {"y", px(center.y() - 1.0)},
       {"width", px(2.0 * kHalf)},
       {"height", px(kUp)},
       {"rx", "2"},
       {"class", "jp-fill jp-halo"}});
}

void SvgPen::polyline(const geometry::PictureView& view, const Polyline& line_W, const char* class_name, double width) {
  std::string points;
  for (const Vector3& p_W : line_W) points += (points.empty() ? "" : " ") + px(view(p_W));
  add(to_, "polyline", {{"points", points}, {"class", class_name}, {"fill", "none"}, {"stroke-width", px(width)}});
}

void SvgPen::tip(const geometry::PictureView& view, const Polyline& line_W) {
  constexpr double kLength = 10.0, kHalf = 4.0, kSeen = 0.3;
  const Vector3 end = view(line_W.back());
  Vector3 along = end - view(line_W[line_W.size() - 2]);
  along.z() = 0.0;
  if (along.norm() < kSeen) return;
  along.normalize();
  const Vector3 across(-along.y(), along.x(), 0.0), foot = end - kLength * along;
  const std::string points =
      px(end) + " " + px(Vector3(foot + kHalf * across)) + " " + px(Vector3(foot - kHalf * across));
  add(to_, "polygon", {{"points", points}, {"class", "jp-fill"}});
}

void SvgPen::axes(const geometry::PictureView& view) {
  constexpr double kLength = 16.0, kInset = 26.0, kLetter = 6.0, kHalfLetter = 3.5, kSeen = 0.1;
  const Vector3 origin(kInset, view.height - kInset, 0.0);
  for (int i = 0; i < 3; ++i) {
    const Vector3 direction(view.axes(0, i), -view.axes(1, i), 0.0);
    if (direction.norm() < kSeen) continue;
    line(origin, origin + kLength * direction, "jp-ink", 1.0);
    const Vector3 at = origin + kLength * direction + kLetter * direction.normalized();
    text(at.x(), at.y() + kHalfLetter, std::string(1, static_cast<char>('x' + i)), "middle");
  }
}

void SvgPen::ruler(const geometry::PictureView& view) {
  constexpr double kMost = 0.25, kInset = 12.0, kAbove = 5.0, kMillimeters = 1e3;
  const double length = round_length(kMost * view.width / view.scale);
  const Vector3 right(view.width - kInset, view.height - kInset, 0.0);
  line(right - Vector3(length * view.scale, 0.0, 0.0), right, "jp-ink", 2.0);
  text(right.x(), right.y() - kAbove, format_rounded(length * kMillimeters) + " mm", "end");
}

}  // namespace gelenk::cad
