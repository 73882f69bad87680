#include "gelenk/geometry/dxf_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numbers>
#include <utility>

#include "gelenk/geometry/mesh_reader.h"
#include "gelenk/geometry/mesh_text.h"

namespace gelenk::geometry {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kEdgesOfTurn = 64.0;
// Of the size of the drawing: ends that are nearer meet.
constexpr double kJoin = 1e-6;

// A pair of lines: a number that says what the second one is.
struct Group {
  int code = 0;
  std::string_view text;
  std::size_t line = 0;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

class GroupReader {
 public:
  explicit GroupReader(std::string_view text) : text_(text) {}

  // Nothing at the end, or where no number stands.
  std::optional<Group> next() {
    Group group;
    group.line = line_ + 1;
    const std::optional<std::string_view> code = line();
    const std::optional<std::string_view> value = line();
    if (!code || !value) return std::nullopt;
    const std::optional<double> number = parse_coordinate(*code);
    if (!number || *number != std::floor(*number) || std::abs(*number) > 10'000.0) {
      is_broken_ = true;
      return std::nullopt;
    }
    group.code = static_cast<int>(*number);
    group.text = *value;
    return group;
  }
  bool is_broken() const { return is_broken_; }
  std::size_t line_number() const { return line_; }

 private:
  std::optional<std::string_view> line() {
    if (position_ >= text_.size()) return std::nullopt;
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    const std::string_view result = trimmed(text_.substr(position_, end - position_));
    position_ = end + 1;
    ++line_;
    return result;
  }

  std::string_view text_;
  std::size_t position_ = 0, line_ = 0;
  bool is_broken_ = false;
};

// What stands between two groups of code 0.
struct Entity {
  std::string_view type;
  std::size_t line = 0;
  std::vector<Group> groups;
};

// A line with two ends; closed ones have none.
struct Path {
  std::vector<PlanePoint> points;
  bool is_closed = false;
};

PlanePoint on_circle(const PlanePoint& center, double radius, double angle) {
  return {center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)};
}

// Points of an arc, both ends on it, those between so far out that the area is that of the arc.
std::vector<PlanePoint> arc_points(const PlanePoint& center, double radius, double from, double angle) {
  const double count = std::max(2.0, std::ceil(std::abs(angle) / kTurn * kEdgesOfTurn - 1e-9));
  const double step = angle / count;
  // sin(step) (2 k + (n - 2) k²) = angle
  const double inner = count - 2.0;
  const double target = angle / std::sin(step);
  const double k = inner == 0.0 ? 0.5 * target : (std::sqrt(1.0 + inner * target) - 1.0) / inner;
  std::vector<PlanePoint> points;
  for (double i = 0.0; i <= count; ++i) {
    const bool is_end = i == 0.0 || i == count;
    points.push_back(on_circle(center, is_end ? radius : k * radius, from + i * step));
  }
  return points;
}

struct Spline {
  std::size_t degree = 3;
  std::vector<double> knots, weights;  // weights: of all control points, or none
  std::vector<PlanePoint> controls;

  bool is_sound() const {
    return degree > 0 && degree < 12 && controls.size() > degree && knots.size() == controls.size() + degree + 1 &&
           (weights.empty() || weights.size() == controls.size()) && std::is_sorted(knots.begin(), knots.end()) &&
           std::all_of(weights.begin(), weights.end(), [](double weight) { return weight > 0.0; });
  }

  // De Boor's algorithm, t in the span from knots[span] to knots[span + 1].
  PlanePoint at(std::size_t span, double t) const {
    std::array<std::array<double, 3>, 12> d{};
    for (std::size_t j = 0; j <= degree; ++j) {
      const std::size_t i = span - degree + j;
      const double w = weights.empty() ? 1.0 : weights[i];
      d[j] = {w * controls[i].x, w * controls[i].y, w};
    }
    for (std::size_t r = 1; r <= degree; ++r) {
      for (std::size_t j = degree; j >= r; --j) {
        const double low = knots[j + span - degree];
        const double share = (t - low) / (knots[j + 1 + span - r] - low);
        for (std::size_t c = 0; c < 3; ++c) d[j][c] = (1.0 - share) * d[j - 1][c] + share * d[j][c];
      }
    }
    return {d[degree][0] / d[degree][2], d[degree][1] / d[degree][2]};
  }
};

class Drawing {
 public:
  DxfReadResult read(std::string_view text) {
    if (text.starts_with("AutoCAD Binary DXF")) return failed("it is a binary DXF file: save it as text");
    if (text.size() > kMaxDxfBytes) return failed("it is larger than 32 MB");
    GroupReader groups(text);
    Entity entity;
    bool has_end = false;
    while (const std::optional<Group> group = groups.next()) {
      if (group->code != 0) {
        entity.groups.push_back(*group);
        continue;
      }
      take(entity);
      if (!result_.error.empty()) return std::move(result_);
      entity = {group->text, group->line, {}};
      if (group->text == "EOF") {
        has_end = true;
        break;
      }
    }
    if (groups.is_broken()) {
      return failed(fmt::format("line {} is not a group code of a DXF file", groups.line_number() - 1));
    }
    if (!has_end) return failed("it ends in the middle");
    finish();
    return std::move(result_);
  }

 private:
  DxfReadResult failed(std::string why) {
    result_.outline.clear();
    result_.error = std::move(why);
    return std::move(result_);
  }

  static std::string_view text_of(const Entity& entity, int code) {
    for (const Group& group : entity.groups) {
      if (group.code == code) return group.text;
    }
    return {};
  }

  // Of the first group with the code; an error where it is not a number.
  double number(const Entity& entity, int code, double fallback) {
    for (const Group& group : entity.groups) {
      if (group.code == code) return number_of(group);
    }
    return fallback;
  }
  double number_of(const Group& group) {
    const std::optional<double> value = parse_coordinate(group.text);
    if (value && std::abs(*value) < kMaxMeshCoordinate) return *value;
    if (result_.error.empty()) {
      result_.error = fmt::format("line {}: '{}' is not a number", group.line + 1, printable(group.text));
    }
    return 0.0;
  }

  void take(const Entity& entity) {
    if (entity.type == "SECTION") section_ = text_of(entity, 2);
    if (section_ == "HEADER") take_unit(entity);
    if (section_ != "ENTITIES" || entity.type == "SECTION" || entity.type == "ENDSEC") return;
    if (number(entity, 67, 0.0) == 1.0) return;  // on paper, not in the model
    const std::size_t first = paths_.size();
    if (entity.type == "LINE") {
      paths_.push_back(
          {{{number(entity, 10, 0.0), number(entity, 20, 0.0)}, {number(entity, 11, 0.0), number(entity, 21, 0.0)}}});
    } else if (entity.type == "ARC" || entity.type == "CIRCLE") {
      take_arc(entity);
    } else if (entity.type == "ELLIPSE") {
      take_ellipse(entity);
    } else if (entity.type == "LWPOLYLINE") {
      take_polyline(entity);
    } else if (entity.type == "POLYLINE") {
      // Its own point is a dummy: its vertices come after it.
      polyline_ = entity;
      std::erase_if(polyline_->groups, [](const Group& group) { return group.code == 10 || group.code == 20; });
      return;
    } else if (entity.type == "VERTEX" && polyline_) {
      std::copy_if(entity.groups.begin(), entity.groups.end(), std::back_inserter(polyline_->groups),
                   [](const Group& group) { return group.code != 70; });  // flags of the vertex
      return;
    } else if (entity.type == "SEQEND" && polyline_) {
      take_polyline(*std::exchange(polyline_, std::nullopt));
    } else if (entity.type == "SPLINE") {
      take_spline(entity);
    } else if (entity.type == "INSERT") {
      result_.error = fmt::format("line {}: it has a block that is inserted, which is not read", entity.line + 1);
    } else {
      ++left_out_[std::string(printable(entity.type))];
    }
    // Seen from below: x runs the other way.
    if (number(entity, 230, 1.0) < 0.0 && entity.type != "LINE") {
      for (std::size_t p = first; p < paths_.size(); ++p) {
        for (PlanePoint& point : paths_[p].points) point.x = -point.x;
      }
    }
  }

  // $INSUNITS
  void take_unit(const Entity& entity) {
    for (std::size_t i = 0; i + 1 < entity.groups.size(); ++i) {
      if (entity.groups[i].code != 9 || entity.groups[i].text != "$INSUNITS") continue;
      static const std::map<int, double> kUnits{{1, 0.0254}, {2, 0.3048}, {4, 1e-3}, {5, 1e-2}, {6, 1.0}};
      const auto known = kUnits.find(static_cast<int>(number_of(entity.groups[i + 1])));
      if (known != kUnits.end()) result_.unit = known->second;
    }
  }

  void take_arc(const Entity& entity) {
    const PlanePoint center{number(entity, 10, 0.0), number(entity, 20, 0.0)};
    const double radius = number(entity, 40, 0.0);
    if (!(radius > 0.0)) return;
    if (entity.type == "CIRCLE") return add_circle(center, radius);
    const double from = number(entity, 50, 0.0) * kTurn / 360.0;
    double angle = std::fmod(number(entity, 51, 360.0) * kTurn / 360.0 - from, kTurn);
    if (angle <= 1e-12) angle += kTurn;
    if (angle > kTurn - 1e-9) return add_circle(center, radius);
    paths_.push_back({arc_points(center, radius, from, angle)});
  }

  void add_circle(const PlanePoint& center, double radius) {
    Path path{{}, true};
    const double step = kTurn / kEdgesOfTurn;
    const double k = std::sqrt(step / std::sin(step));
    for (double i = 0.0; i < kEdgesOfTurn; ++i) path.points.push_back(on_circle(center, k * radius, i * step));
    paths_.push_back(std::move(path));
  }

  // An ellipse is a circle that was stretched, and so are its areas.
  void take_ellipse(const Entity& entity) {
    const PlanePoint center{number(entity, 10, 0.0), number(entity, 20, 0.0)};
    const PlanePoint major{number(entity, 11, 0.0), number(entity, 21, 0.0)};
    const double ratio = number(entity, 40, 1.0);
    const double from = number(entity, 41, 0.0);
    double angle = std::fmod(number(entity, 42, kTurn) - from, kTurn);
    if (angle <= 1e-12) angle += kTurn;
    const std::size_t first = paths_.size();
    if (angle > kTurn - 1e-6) {
      add_circle({}, 1.0);
    } else {
      paths_.push_back({arc_points({}, 1.0, from, angle)});
    }
    for (PlanePoint& point : paths_[first].points) {
      point = {center.x + point.x * major.x - ratio * point.y * major.y,
               center.y + point.x * major.y + ratio * point.y * major.x};
    }
  }

  // A B-spline by its control points: so many edges for each span of its knots.
  void take_spline(const Entity& entity) {
    constexpr std::size_t kEdgesOfSpan = 16;
    Spline spline;
    spline.degree = static_cast<std::size_t>(std::clamp(number(entity, 71, 3.0), 0.0, 100.0));
    for (const Group& group : entity.groups) {
      if (group.code == 40) spline.knots.push_back(number_of(group));
      if (group.code == 41) spline.weights.push_back(number_of(group));
      if (group.code == 10) spline.controls.push_back({number_of(group), 0.0});
      if (group.code == 20 && !spline.controls.empty()) spline.controls.back().y = number_of(group);
    }
    if (!result_.error.empty()) return;
    if (!spline.is_sound()) {
      result_.error =
          fmt::format("line {}: it has a spline without control points and knots that fit", entity.line + 1);
      return;
    }
    Path path;
    for (std::size_t span = spline.degree; span < spline.controls.size(); ++span) {
      const double from = spline.knots[span], to = spline.knots[span + 1];
      if (!(to > from)) continue;
      for (std::size_t i = path.points.empty() ? 0 : 1; i <= kEdgesOfSpan; ++i) {
        path.points.push_back(spline.at(span, from + (to - from) * static_cast<double>(i) / kEdgesOfSpan));
      }
    }
    paths_.push_back(std::move(path));
  }

  // Corners with what follows each: a straight edge, or an arc of which `bulge` is the tangent of a quarter.
  struct Corner {
    PlanePoint at;
    double bulge = 0.0;
  };

  void add_corners(const std::vector<Corner>& corners, bool is_closed) {
    Path path{{}, is_closed};
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Corner& here = corners[i];
      const bool is_last = i + 1 == corners.size();
      if (path.points.empty() || path.points.back().x != here.at.x || path.points.back().y != here.at.y) {
        path.points.push_back(here.at);
      }
      if (here.bulge == 0.0 || (is_last && !is_closed)) continue;
      const PlanePoint& to = corners[(i + 1) % corners.size()].at;
      const double angle = 4.0 * std::atan(here.bulge);
      const double chord = std::hypot(to.x - here.at.x, to.y - here.at.y);
      if (!(chord > 0.0)) continue;
      const double radius = chord / (2.0 * std::sin(0.5 * angle));
      const double aside = radius * std::cos(0.5 * angle);
      const PlanePoint center{0.5 * (here.at.x + to.x) - aside * (to.y - here.at.y) / chord,
                              0.5 * (here.at.y + to.y) + aside * (to.x - here.at.x) / chord};
      const double from = std::atan2(here.at.y - center.y, here.at.x - center.x);
      const std::vector<PlanePoint> arc = arc_points(center, std::abs(radius), from, angle);
      path.points.insert(path.points.end(), arc.begin() + 1, arc.end() - 1);
    }
    paths_.push_back(std::move(path));
  }

  void take_polyline(const Entity& entity) {
    std::vector<Corner> corners;
    for (const Group& group : entity.groups) {
      if (group.code == 10) corners.push_back({{number_of(group), 0.0}, 0.0});
      if (corners.empty()) continue;
      if (group.code == 20) corners.back().at.y = number_of(group);
      if (group.code == 42) corners.back().bulge = number_of(group);
    }
    const int flags = static_cast<int>(std::clamp(number(entity, 70, 0.0), 0.0, 1e4));
    add_corners(corners, flags % 2 == 1);
  }

  void finish() {
    for (const auto& [type, count] : left_out_) {
      result_.remarks.push_back(fmt::format("{} {} left out", count, type));
    }
    if (!result_.error.empty()) return;
    join_paths();
    if (result_.error.empty()) {
      result_.error = result_.outline.empty() ? "it has no closed line" : problem(result_.outline);
    }
    if (!result_.error.empty()) result_.outline.clear();
  }

  double size() const {
    double left = 0.0, right = 0.0, low = 0.0, high = 0.0;
    bool is_first = true;
    for (const Path& path : paths_) {
      for (const PlanePoint& p : path.points) {
        left = is_first ? p.x : std::min(left, p.x);
        right = is_first ? p.x : std::max(right, p.x);
        low = is_first ? p.y : std::min(low, p.y);
        high = is_first ? p.y : std::max(high, p.y);
        is_first = false;
      }
    }
    return std::hypot(right - left, high - low);
  }

  void join_paths() {
    std::size_t corners = 0;
    for (const Path& path : paths_) corners += path.points.size();
    if (corners > 2 * kMaxOutlineCorners) {
      result_.error = fmt::format("it has {} corners, more than {}", corners, kMaxOutlineCorners);
      return;
    }
    const double near = kJoin * size();
    const auto meets = [near](const PlanePoint& a, const PlanePoint& b) {
      return std::hypot(a.x - b.x, a.y - b.y) <= near;
    };
    std::vector<Path> open;
    for (Path& path : paths_) {
      path.points.erase(std::unique(path.points.begin(), path.points.end(), meets), path.points.end());
      if (!path.is_closed && path.points.size() > 2 && meets(path.points.front(), path.points.back())) {
        path.points.pop_back();
        path.is_closed = true;
      }
      if (path.is_closed) {
        while (path.points.size() > 1 && meets(path.points.front(), path.points.back())) path.points.pop_back();
        result_.outline.push_back(std::move(path.points));
      } else if (path.points.size() > 1) {
        open.push_back(std::move(path));
      }
    }
    while (!open.empty()) {
      Loop line = std::move(open.back().points);
      open.pop_back();
      while (!meets(line.front(), line.back())) {
        const auto next = std::find_if(open.begin(), open.end(), [&](const Path& path) {
          return meets(path.points.front(), line.back()) || meets(path.points.back(), line.back());
        });
        if (next == open.end()) {
          result_.error = fmt::format("its line is open at ({:.6g}, {:.6g})", line.back().x, line.back().y);
          return;
        }
        if (!meets(next->points.front(), line.back())) std::reverse(next->points.begin(), next->points.end());
        line.insert(line.end(), next->points.begin() + 1, next->points.end());
        open.erase(next);
      }
      line.pop_back();
      result_.outline.push_back(std::move(line));
    }
  }

  DxfReadResult result_;
  std::string section_;
  std::vector<Path> paths_;
  std::optional<Entity> polyline_;
  std::map<std::string, int> left_out_;
};

}  // namespace

DxfReadResult read_dxf(std::string_view bytes) { return Drawing().read(bytes); }

}  // namespace gelenk::geometry
