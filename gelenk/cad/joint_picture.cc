#include "gelenk/cad/joint_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "gelenk/cad/inference_joints.h"
#include "gelenk/cad/joint_symbol.h"
#include "gelenk/cad/picture_lines.h"

namespace gelenk::cad {
namespace {

using formats::ImportedEnd;
using formats::ImportedJoint;
using formats::ImportedLeaf;

// px
constexpr double kMachineWidth = 220.0, kCloseWidth = 330.0, kHeight = 270.0, kMargin = 10.0, kLegend = 44.0;
constexpr double kWidth = kMachineWidth + 2.0 * (kMargin + kCloseWidth);
constexpr double kInset = 8.0, kTitle = 17.0;
constexpr double kFilled = 0.92;  // part of a picture

// Letters for each kind of line of one body in one picture.
constexpr std::size_t kMostShown = 7000, kMostHidden = 3500, kMostArea = 3500;

// Blue and vermilion differ for everybody, on paper and on dark screens.
constexpr std::array<std::string_view, 2> kColors{"#0072b2", "#d55e00"};

// What changes on a dark screen.
constexpr const char* kStyle =
    ".jp-paper{fill:#fff}.jp-frame{fill:none;stroke:#8888}.jp-halo{stroke:#fff;stroke-opacity:.75}.jp-ink{stroke:#111}"
    ".jp-second{stroke:#d55e00}.jp-fill{fill:#111}.jp-text{fill:#333;stroke:#fff;stroke-width:3;paint-order:stroke}"
    "@media screen and (prefers-color-scheme:dark){.jp-paper{fill:#1b1d20}.jp-halo{stroke:#1b1d20}.jp-ink{stroke:#eee}"
    ".jp-fill{fill:#eee}.jp-text{fill:#ccc;stroke:#1b1d20}}";

Vector3 axis_named(std::string_view name) {
  const double sign = name.starts_with('-') ? -1.0 : 1.0;
  return sign * Vector3::Unit(std::clamp(name.back() - 'x', 0, 2));
}

std::string cut(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::string area_of(const DepthRaster& raster, std::uint32_t body) {
  constexpr double kTolerance = 0.6;  // px: the stairs of the cells
  std::vector<Polyline> borders;
  for (const Polyline& border : raster.border(body)) {
    Polyline line = thinned(border, kTolerance);
    if (line.size() > 2) borders.push_back(std::move(line));
  }
  return path_data(borders, true, kMostArea);
}

}  // namespace

JointPainter::JointPainter(const StepContent& content, std::string_view up)
    : content_(content), leaves_(formats::leaves(content.model)) {
  const Vector3 z = axis_named(up);
  // With z up, x points to the right and y to the back. With x up, z does not stay where it is.
  const Vector3 x = std::abs(z.x()) > 0.5 ? Vector3(-z.x() * Vector3::UnitZ()) : Vector3(Vector3::UnitX());
  R_WU_ << x, z.cross(x), z;
  for (std::size_t i = 0; i < content.model.assemblies.front().children.size(); ++i) host_.push_back(i);
  for (const ImportedJoint& joint : content.model.joints) {
    if (joint.reason == kFastenerReason) host_[joint.ends[1].path.front()] = joint.ends[0].path.front();
  }
}

const ImportedLeaf& JointPainter::leaf_of(const ImportedEnd& end) const {
  return *std::find_if(leaves_.begin(), leaves_.end(), [&](const ImportedLeaf& leaf) { return leaf.path == end.path; });
}

const geometry::TriangleMesh& JointPainter::mesh_of(const ImportedLeaf& leaf) const {
  return content_.model.parts[leaf.part].mesh;
}

std::size_t JointPainter::body_of(std::size_t child) const {
  while (host_[child] != child) child = host_[child];
  return child;
}

JointPainter::Bodies JointPainter::bodies_of(const ImportedJoint& joint) const {
  return {body_of(joint.ends[0].path.front()), body_of(joint.ends[1].path.front())};
}

const SmoothEdges& JointPainter::smooth_edges(std::size_t part) {
  return smooth_edges_.try_emplace(part, content_.model.parts[part].mesh).first->second;
}

// Where cylinders of a part about the axis of a joint reach, in the axes of the joint. Empty: it has none.
geometry::Bounds JointPainter::guiding(const ImportedEnd& end, const Pose& X_JW) const {
  constexpr double kParallel = 0.999, kApart = 1e-3;  // drawings are not always put together well
  const ImportedLeaf& leaf = leaf_of(end);
  const Pose X_JP = X_JW * leaf.X_WP;
  geometry::Bounds found;
  for (const Feature& feature : content_.features[leaf.part]) {
    if (feature.kind != Feature::Kind::cylinder) continue;
    const Vector3 direction = X_JP.rotation * feature.direction, point = X_JP * feature.point;
    if (std::abs(direction.z()) < kParallel || point.head<2>().norm() > kApart) continue;
    const Vector3 corner(feature.radius, feature.radius, 0.0);
    for (const double at : {feature.low, feature.high}) {
      const Vector3 middle(0.0, 0.0, point.z() + at * direction.z());
      found.add(middle + corner);
      found.add(middle - corner);
    }
  }
  return found;
}

JointPlace JointPainter::place_of(const ImportedJoint& joint) const {
  constexpr double kAround = 1.5, kAroundAxis = 2.2, kLeast = 0.15, kMost = 0.55;
  const Pose X_WJ = frame_of(joint.ends[0]), X_JW = X_WJ.inverse();
  const auto box_of = [&](const ImportedEnd& end) {
    const ImportedLeaf& leaf = leaf_of(end);
    return geometry::bounds(mesh_of(leaf), X_JW * leaf.X_WP);
  };
  const geometry::Bounds a = box_of(joint.ends[0]), b = box_of(joint.ends[1]);
  const geometry::Bounds guide = guiding(joint.ends[0], X_JW), guided = guiding(joint.ends[1], X_JW);
  const bool has_axis = joint.type == "revolute" || joint.type == "cylindrical" || joint.type == "prismatic";
  const bool is_round = has_axis && !guide.is_empty() && !guided.is_empty();
  // What both have in common, or what is between them.
  const geometry::Bounds &first = is_round ? guide : a, &second = is_round ? guided : b;
  geometry::Bounds common, both = a;
  common.add(first.lower.cwiseMax(second.lower));
  common.add(first.upper.cwiseMin(second.upper));
  both.add(b);
  // The center of a ball is what the joint is about.
  const Vector3 center = joint.type == "spherical" ? Vector3(Vector3::Zero()) : common.center();
  const double radius = 0.5 * (is_round ? kAroundAxis : kAround) * common.diagonal();
  const double least = kLeast * std::min(a.diagonal(), b.diagonal());
  return {X_WJ * center, std::clamp(radius, least, std::max(least, kMost * both.diagonal()))};
}

Vector3 JointPainter::corner(std::size_t number) const {
  const double x = number == 0 || number == 3 ? 1.0 : -1.0, y = number < 2 ? -1.0 : 1.0;
  return R_WU_ * Vector3(0.9 * x, 1.1 * y, 0.8).normalized();
}

geometry::PictureView JointPainter::looking(const Vector3& toward, const JointPlace& place, double width) const {
  // Upright, unless somebody looks from above or below.
  const bool is_from_above = std::abs(toward.dot(R_WU_.col(2))) > 0.99;
  return {geometry::viewing_axes(toward, R_WU_.col(is_from_above ? 1 : 2)), place.center,
          0.5 * kFilled * std::min(width, kHeight) / place.radius, width, kHeight};
}

geometry::PictureView JointPainter::cut_view(const ImportedJoint& joint) const {
  const Pose X_WJ = frame_of(joint.ends[0]);
  const Vector3 axis = X_WJ.rotation.col(2);
  const Vector3 level = axis.cross(R_WU_.col(2)), front = -R_WU_.col(1);
  // Level with the joint; from the front where the axis points upwards. The profile of a slide is seen along its axis.
  Vector3 toward = level.norm() > 0.1 ? level.normalized() : (front - front.dot(axis) * axis).normalized();
  if (joint.type == "prismatic") toward = axis;
  if (toward.dot(corner(0)) < 0.0) toward = -toward;
  const JointPlace place = place_of(joint);
  geometry::PictureView view = looking(toward, place, kCloseWidth);
  // Through the axis, which need not go through the middle of the place.
  view.cut = joint.type == "prismatic" || joint.type == "planar" || joint.type == "fixed"
                 ? 0.0
                 : view.scale * toward.dot(X_WJ.position - place.center);
  return view;
}

void JointPainter::add_body(std::size_t body, std::uint32_t number, DepthRaster& raster) const {
  for (const ImportedLeaf& leaf : leaves_) {
    if (body_of(leaf.path.front()) == body) raster.add(mesh_of(leaf), leaf.X_WP, number);
  }
}

// From where most is seen of that body of which less is seen; the first corner, unless another one is much better.
std::size_t JointPainter::best_corner(const ImportedJoint& joint, const JointPlace& place) const {
  constexpr double kMuch = 1.3, kAtTheEye = 0.9, kHardToRead = 0.5, kCoarse = 0.25;
  const Vector3 axis = frame_of(joint.ends[0]).rotation.col(2);
  const Bodies bodies = bodies_of(joint);
  std::size_t best = 0;
  double most = -1.0;
  for (std::size_t i = 0; i < kCorners; ++i) {
    const geometry::PictureView view = looking(corner(i), place, kCloseWidth);
    DepthRaster raster(view, kCoarse);
    for (const std::uint32_t side : {0U, 1U}) add_body(bodies[side], side + 1, raster);
    double seen = static_cast<double>(std::min(raster.count(1), raster.count(2)));
    if (std::abs(view.toward().dot(axis)) > kAtTheEye) seen *= kHardToRead;
    if (seen > kMuch * most) {
      most = seen;
      best = i;
    }
  }
  return best;
}

const std::string& JointPainter::machine(std::size_t corner, const geometry::PictureView& view) {
  std::optional<std::string>& known = machines_[corner];
  if (!known) {
    DepthRaster raster(view);
    for (std::size_t i = 0; i < host_.size(); ++i) add_body(i, static_cast<std::uint32_t>(i + 1), raster);
    known.emplace();
    for (std::size_t child = 0; child < host_.size(); ++child) {
      if (known->size() < 2 * kMostArea) *known += area_of(raster, static_cast<std::uint32_t>(child + 1));
    }
  }
  return *known;
}

void JointPainter::draw_machine(SvgPen pen, const ImportedJoint& joint, const JointPlace& place, std::size_t number) {
  constexpr double kLeastRing = 14.0;
  const geometry::Bounds& all = content_.model.size;
  const geometry::PictureView view = looking(corner(number), {all.center(), 0.5 * all.diagonal()}, kMachineWidth);
  pen.path(machine(number, view), "fill:#8888;fill-opacity:.3;stroke:#888;stroke-opacity:.6;stroke-width:6");
  const Bodies bodies = bodies_of(joint);
  for (std::uint32_t side = 0; side < 2; ++side) {
    DepthRaster alone(view);
    add_body(bodies[side], 1, alone);
    pen.path(area_of(alone, 1), fmt::format("fill:{0};fill-opacity:.45;stroke:{0};stroke-width:8", kColors[side]));
  }
  pen.ring(view(place.center), std::max(kLeastRing, view.scale * place.radius));
  pen.text(kInset, kTitle, "in the machine");
  pen.axes(view);
  pen.rectangle(0.0, 0.0, view.width, view.height, "jp-frame");
}

void JointPainter::draw_close(SvgPen pen, const ImportedJoint& joint, const JointPlace& place,
                              const geometry::PictureView& view) {
  const Bodies bodies = bodies_of(joint);
  DepthRaster raster(view);
  for (const std::uint32_t side : {0U, 1U}) add_body(bodies[side], side + 1, raster);
  for (std::uint32_t side = 0; side < 2; ++side) {
    pen.path(area_of(raster, side + 1), fmt::format("fill:{};fill-opacity:.14", kColors[side]));
    pen.path(area_of(raster, (side + 1) | DepthRaster::kCut),
             fmt::format("fill:{0};fill-opacity:.5;stroke:{0};stroke-width:13", kColors[side]));
  }
  std::array<PictureLines, 2> lines{PictureLines(view), PictureLines(view)};
  for (const ImportedLeaf& leaf : leaves_) {
    const std::size_t body = body_of(leaf.path.front());
    if (body != bodies[0] && body != bodies[1]) continue;
    PictureLines& of_body = lines[body == bodies[0] ? 0 : 1];
    const auto add_all = [&](const std::vector<Polyline>& found) {
      for (Polyline line : found) {
        for (Vector3& p : line) p = leaf.X_WP * p;
        of_body.add(line, raster);
      }
    };
    add_all(content_.edges[leaf.part]);
    add_all(smooth_edges(leaf.part).outline(leaf.X_WP.rotation.transpose() * view.toward()));
  }
  for (const bool is_hidden : {true, false}) {
    if (is_hidden && std::isfinite(view.cut)) continue;  // as in any drawing
    for (std::size_t side = 0; side < 2; ++side) {
      lines[side].sort();
      pen.path(
          path_data(is_hidden ? lines[side].hidden : lines[side].shown, false, is_hidden ? kMostHidden : kMostShown),
          fmt::format("fill:none;stroke:{};{}", kColors[side],
                      is_hidden ? "stroke-width:7;stroke-opacity:.45;stroke-dasharray:40 25"
                                : "stroke-width:13;stroke-linejoin:round"));
    }
  }
  draw_symbol(pen, joint, place, view);
  pen.text(kInset, kTitle, std::isfinite(view.cut) ? "cut open" : "from outside");
  pen.axes(view);
  pen.ruler(view);
  pen.rectangle(0.0, 0.0, view.width, view.height, "jp-frame");
}

void JointPainter::draw_symbol(SvgPen& pen, const ImportedJoint& joint, const JointPlace& place,
                               const geometry::PictureView& view) const {
  constexpr double kLine = 1.5, kHalo = 5.0, kDot = 4.0, kSeen = 1.0;
  Pose X_WJ = frame_of(joint.ends[0]);
  // Along the axis, the symbol goes where the parts are.
  if (joint.type != "spherical" && joint.type != "planar") {
    const Vector3 z = X_WJ.rotation.col(2);
    X_WJ.position += z.dot(place.center - X_WJ.position) * z;
  }
  const JointSymbol symbol = joint_symbol(joint.type, X_WJ, place.radius, view.toward());
  if (symbol.axis) {
    const Vector3 a = view(symbol.axis->front()), b = view(symbol.axis->back());
    if ((b - a).head<2>().norm() < kSeen) {
      // From its end: the tip of an arrow
      pen.ring(a, kDot + 3.0);
      pen.dot(a, kDot - 1.0, "jp-fill");
      return;
    }
    pen.line(a, b, "jp-halo", kHalo);
    // The axis of the second part, where it is drawn apart from that of the first.
    Pose X_WB = frame_of(joint.ends[1]);
    const Vector3 z = X_WB.rotation.col(2);
    if (joint.type != "planar") X_WB.position += z.dot(place.center - X_WB.position) * z;
    const JointSymbol second = joint_symbol(joint.type, X_WB, place.radius, view.toward());
    const Vector3 c = view(second.axis->front()), d = view(second.axis->back());
    if ((c - a).head<2>().norm() > kSeen || (d - b).head<2>().norm() > kSeen) {
      pen.line(c, d, "jp-second", kLine, "12 3 2 3");
    }
    pen.line(a, b, "jp-ink jp-axis", kLine, "12 3 2 3");
  }
  for (const Polyline& line : symbol.lines) pen.polyline(view, line, "jp-ink", kLine);
  for (const Polyline& arrow : symbol.arrows) {
    pen.polyline(view, arrow, "jp-halo", kHalo);
    pen.polyline(view, arrow, "jp-ink", kLine);
    pen.tip(view, arrow);
  }
  if (symbol.point && !symbol.is_locked) pen.dot(view(*symbol.point), kDot, "jp-fill");
  if (symbol.point && symbol.is_locked) pen.lock(view(*symbol.point));
}

void JointPainter::draw_legend(SvgPen pen, const ImportedJoint& joint) const {
  constexpr double kSquare = 11.0, kText = 17.0, kFirst = 13.0, kSecond = 32.0;
  constexpr std::size_t kMostLetters = 50;
  for (std::size_t i = 0; i < 2; ++i) {
    const double x = static_cast<double>(i) * 0.5 * kWidth;
    pen.square(x, kFirst - kSquare + 1.0, kSquare, std::string(kColors[i]));
    pen.text(x + kText, kFirst, cut(path_text(content_.model, joint.ends[i].path), kMostLetters));
  }
  pen.text(0.0, kSecond, fmt::format("{}: {}", joint.type, joint_motion(joint.type)));
  pen.text(kWidth, kSecond, "dashed: hidden", "end");
}

std::string JointPainter::draw(const ImportedJoint& joint) {
  const JointPlace place = place_of(joint);
  const std::size_t number = best_corner(joint, place);
  pugi::xml_document document;
  pugi::xml_node svg = document.append_child("svg");
  svg.append_attribute("xmlns") = "http://www.w3.org/2000/svg";
  svg.append_attribute("viewBox") = fmt::format("-1 -1 {:.0f} {:.0f}", kWidth + 2.0, kHeight + kLegend + 2.0).c_str();
  svg.append_attribute("role") = "img";
  svg.append_attribute("font-family") = "sans-serif";
  svg.append_attribute("font-size") = "12";
  svg.append_child("title").text().set((joint.name + ", " + joint.type).c_str());
  svg.append_child("style").text().set(kStyle);
  SvgPen pen(svg);
  pen.rectangle(-1.0, -1.0, kWidth + 2.0, kHeight + kLegend + 2.0, "jp-paper");
  draw_machine(pen.group(0.0, 0.0), joint, place, number);
  draw_close(pen.group(kMachineWidth + kMargin, 0.0), joint, place, looking(corner(number), place, kCloseWidth));
  draw_close(pen.group(kMachineWidth + kCloseWidth + 2.0 * kMargin, 0.0), joint, place, cut_view(joint));
  draw_legend(pen.group(0.0, kHeight + 4.0), joint);
  std::ostringstream text;
  document.save(text, "", pugi::format_raw | pugi::format_no_declaration);
  return text.str() + "\n";
}

}  // namespace gelenk::cad
