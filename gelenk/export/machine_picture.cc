#include "gelenk/export/machine_picture.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "gelenk/base/signing.h"
#include "gelenk/base/text.h"
#include "gelenk/export/machine_raster.h"
#include "gelenk/export/markup.h"
#include "gelenk/export/png.h"

namespace gelenk::exporting {
namespace {

using geometry::PictureView;

constexpr double kSeenLength = 0.1;  // of an axis that points at the eye less than this is left

std::string point_text(const Vector3& point) { return fmt::format("{:.1f},{:.1f}", point.x(), point.y()); }

std::string stroke_svg(const Vector3& from, const Vector3& to, std::string_view looks) {
  return fmt::format("<path d=\"M{} L{}\" {}/>", point_text(from), point_text(to), looks);
}

// Of the world, in the lower left corner.
std::string axes_svg(const PictureView& view) {
  constexpr double kLength = 34.0, kInset = 46.0, kLetter = 11.0, kHalfLetter = 5.0;
  const Vector3 origin(kInset, view.height - kInset, 0.0);
  std::string text;
  for (int i = 0; i < 3; ++i) {
    const Vector3 direction(view.axes(0, i), -view.axes(1, i), 0.0);
    if (direction.norm() < kSeenLength) continue;
    text += stroke_svg(origin, origin + kLength * direction, "stroke=\"#333\" stroke-width=\"1.5\"");
    const Vector3 letter = origin + kLength * direction + kLetter * direction.normalized();
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", letter.x(),
                        letter.y() + kHalfLetter, "xyz"[i]);
  }
  return text;
}

// 1, 2 or 5 times a power of ten, not larger than this.
double round_length(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  return most >= 5.0 * power ? 5.0 * power : most >= 2.0 * power ? 2.0 * power : power;
}

// In units of the ruler.
double ruler_length(const PictureView& view, const ShownUnit& unit) {
  constexpr double kMost = 0.2;  // of the picture
  return round_length(kMost * view.width / view.scale / unit.factor);
}

// In the lower right corner.
std::string ruler_svg(const PictureView& view, const ShownUnit& unit) {
  constexpr double kInset = 16.0, kAbove = 6.0;
  const double length = ruler_length(view, unit);
  const Vector3 right(view.width - kInset, view.height - kInset, 0.0);
  const Vector3 left = right - Vector3(length * unit.factor * view.scale, 0.0, 0.0);
  return stroke_svg(left, right, "stroke=\"#333\" stroke-width=\"2.5\"") +
         fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", right.x(), right.y() - kAbove,
                     html_escaped(format_rounded(length) + " " + unit.symbol));
}

bool is_in_picture(const Vector3& point, const PictureView& view) {
  return point.x() >= 0.0 && point.x() <= view.width && point.y() >= 0.0 && point.y() <= view.height;
}

// An arrow that points at the eye is a ring only.
std::string load_svg(const PictureView& view, const LoadMark& load) {
  constexpr double kLength = 90.0, kTip = 14.0, kHalfTip = 6.0, kRing = 7.0;
  constexpr std::string_view kColor = "#d00000";
  const Vector3 start = view(load.point_W);
  std::string text = fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"none\" stroke=\"#fff\" stroke-width=\"5\"/>"
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.5\"/>",
      start.x(), start.y(), kRing, start.x(), start.y(), kRing, kColor);
  const Vector3 seen = view.axes * load.direction_W;
  const Vector3 across_picture(seen.x(), -seen.y(), 0.0);
  const double length = kLength * across_picture.norm();
  if (!(length > kTip)) return text;
  const Vector3 along = across_picture.normalized(), side(-along.y(), along.x(), 0.0);
  Vector3 tail = start, end = start + length * along;
  // At the edge of the picture it points onto the place instead of away from it.
  if (!is_in_picture(end, view) && is_in_picture(start - length * along, view)) {
    tail = start - length * along;
    end = start - kRing * along;
  }
  const Vector3 foot = end - kTip * along;
  text += stroke_svg(tail, foot, "stroke=\"#fff\" stroke-width=\"6\"");
  text += stroke_svg(tail, foot, fmt::format("stroke=\"{}\" stroke-width=\"3\"", kColor));
  return text + fmt::format("<path d=\"M{} L{} L{} Z\" fill=\"{}\" stroke=\"#fff\"/>", point_text(end),
                            point_text(foot + kHalfTip * side), point_text(foot - kHalfTip * side), kColor);
}

}  // namespace

std::string machine_picture(const Scene& scene, std::span<const Pose> poses, const PictureView& view,
                            const MachinePictureOptions& options) {
  std::string text = fmt::format("{} viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\"><title>{}</title>", kMachinePictureMark,
                                 view.width, view.height, html_escaped(options.title));
  std::optional<FloorGrid> floor;
  if (options.floor && !options.floor->is_empty()) {
    const double spacing = ruler_length(view, options.length_unit) * options.length_unit.factor;
    if (std::isfinite(spacing) && options.floor->lower.allFinite() && options.floor->upper.allFinite()) {
      floor = FloorGrid{*options.floor, spacing};
    }
  }
  text += fmt::format("<image width=\"{:.0f}\" height=\"{:.0f}\" href=\"data:image/png;base64,{}\"/>", view.width,
                      view.height, to_base64(png_file(draw_machine(scene, poses, view, floor))));
  // Letters can be read on parts, too.
  text +=
      "<g font-family=\"sans-serif\" font-size=\"15\" fill=\"#333\" stroke=\"#fff\" stroke-width=\"3\" "
      "paint-order=\"stroke\">";
  text += axes_svg(view) + ruler_svg(view, options.length_unit) + "</g>";
  if (options.load && options.load->point_W.allFinite() && options.load->direction_W.allFinite()) {
    text += load_svg(view, *options.load);
  }
  return text + "</svg>";
}

}  // namespace gelenk::exporting
