#include "gelenk/cad/picture_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace gelenk::cad {
namespace {

constexpr double kTolerance = 0.3;  // px
constexpr double kStep = 0.5;       // px, at which a line is asked whether it is hidden
constexpr double kOnCut = 0.1;      // px: edges in the plane of a cut are drawn
constexpr double kShortest = 1.5;   // px; shorter pieces are not seen

double length_of(const Polyline& line) {
  double length = 0.0;
  for (std::size_t i = 1; i < line.size(); ++i) length += (line[i] - line[i - 1]).head<2>().norm();
  return length;
}

// The piece of a segment inside of the picture (Liang and Barsky): where it begins and ends, from 0 to 1.
std::optional<std::pair<double, double>> clipped(const Vector3& a, const Vector3& b,
                                                 const geometry::PictureView& view) {
  double begin = 0.0, end = 1.0;
  const auto cut = [&](double delta, double room) {  // delta * t <= room
    if (delta == 0.0) return room >= 0.0;
    const double t = room / delta;
    if (delta < 0.0) {
      begin = std::max(begin, t);
    } else {
      end = std::min(end, t);
    }
    return begin < end;
  };
  const Vector3 d = b - a;
  if (!cut(-d.x(), a.x()) || !cut(d.x(), view.width - a.x())) return std::nullopt;
  if (!cut(-d.y(), a.y()) || !cut(d.y(), view.height - a.y())) return std::nullopt;
  return std::pair{begin, end};
}

double distance_to_segment(const Vector3& p, const Vector3& a, const Vector3& b) {
  const double length2 = (b - a).head<2>().squaredNorm();
  const double t = length2 > 0.0 ? std::clamp((p - a).head<2>().dot((b - a).head<2>()) / length2, 0.0, 1.0) : 0.0;
  return (p - a - t * (b - a)).head<2>().norm();
}

// Douglas and Peucker: keeps the farthest point of a piece as long as it is too far from the straight line.
void mark_kept(std::span<const Vector3> line, double tolerance, std::size_t from, std::size_t to,
               std::vector<bool>& is_kept) {
  std::vector<std::pair<std::size_t, std::size_t>> pieces{{from, to}};
  while (!pieces.empty()) {
    const auto [begin, end] = pieces.back();
    pieces.pop_back();
    double farthest = tolerance;
    std::size_t middle = begin;
    for (std::size_t i = begin + 1; i < end; ++i) {
      const double distance = distance_to_segment(line[i], line[begin], line[end]);
      if (distance > farthest) {
        farthest = distance;
        middle = i;
      }
    }
    if (middle == begin) continue;
    is_kept[middle] = true;
    pieces.emplace_back(begin, middle);
    pieces.emplace_back(middle, end);
  }
}

}  // namespace

void PictureLines::add(const Polyline& line_W, const DepthRaster& in_front) {
  Polyline piece;  // of the line, as long as it is inside and either hidden or not
  bool is_hidden = false;
  const auto close = [&] {
    if (piece.size() > 1 && length_of(piece) >= kShortest) {
      (is_hidden ? hidden : shown).push_back(thinned(piece, kTolerance));
    }
    piece.clear();
  };
  for (std::size_t i = 1; i < line_W.size(); ++i) {
    const Vector3 a = view_(line_W[i - 1]), b = view_(line_W[i]);
    const auto inside = clipped(a, b, view_);
    if (!inside) {
      close();
      continue;
    }
    if (inside->first > 0.0) close();
    const double length = (b - a).head<2>().norm() * (inside->second - inside->first);
    const int steps = std::max(1, static_cast<int>(std::ceil(length / kStep)));
    for (int k = 0; k < steps; ++k) {
      const auto at = [&](double part) -> Vector3 {
        return a + (inside->first + (inside->second - inside->first) * part / steps) * (b - a);
      };
      const Vector3 middle = at(k + 0.5);
      if (middle.z() > view_.cut + kOnCut) {
        close();
        continue;
      }
      const bool is_hidden_here = in_front.is_hidden(middle);
      if (is_hidden_here != is_hidden) {
        close();
        is_hidden = is_hidden_here;
      }
      if (piece.empty()) piece.push_back(at(k));
      piece.push_back(at(k + 1.0));
    }
    if (inside->second < 1.0) close();
  }
  close();
}

void PictureLines::sort() {
  for (std::vector<Polyline>* lines : {&shown, &hidden}) {
    std::stable_sort(lines->begin(), lines->end(),
                     [](const Polyline& a, const Polyline& b) { return length_of(a) > length_of(b); });
  }
}

Polyline thinned(std::span<const Vector3> line, double tolerance) {
  if (line.size() < 3) return {line.begin(), line.end()};
  std::vector<bool> is_kept(line.size(), false);
  is_kept.front() = is_kept.back() = true;
  mark_kept(line, tolerance, 0, line.size() - 1, is_kept);
  Polyline result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (is_kept[i]) result.push_back(line[i]);
  }
  return result;
}

std::string path_data(std::span<const Polyline> lines, bool are_closed, std::size_t most) {
  constexpr double kTenths = 10.0;
  std::string data;
  for (const Polyline& line : lines) {
    std::string piece;
    long x = 0, y = 0;
    for (const Vector3& point : line) {
      const long new_x = std::lround(kTenths * point.x()), new_y = std::lround(kTenths * point.y());
      if (piece.empty()) {
        fmt::format_to(std::back_inserter(piece), "M{} {}", new_x, new_y);
      } else if (new_x != x || new_y != y) {
        fmt::format_to(std::back_inserter(piece), "l{}{}{}", new_x - x, new_y < y ? "" : " ", new_y - y);
      }
      x = new_x;
      y = new_y;
    }
    if (are_closed) piece += 'z';
    if (data.size() + piece.size() > most) continue;
    data += piece;
  }
  return data;
}

}  // namespace gelenk::cad
