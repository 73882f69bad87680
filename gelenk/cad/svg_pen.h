#pragma once

#include <pugixml.hpp>
#include <string>

#include "gelenk/cad/polyline.h"
#include "gelenk/geometry/picture_view.h"

namespace gelenk::cad {

// Draws into one element of an SVG. Texts are escaped when the document is written out.
class SvgPen {
 public:
  explicit SvgPen(pugi::xml_node to) : to_(to) {}

  // A place with its own upper left corner.
  SvgPen group(double x, double y);
  void rectangle(double x, double y, double width, double height, const char* class_name);
  // `data` in tenths of px, see path_data()
  void path(const std::string& data, const std::string& looks);
  void text(double x, double y, const std::string& words, const char* anchor = "start");
  void square(double x, double y, double side, const std::string& color);
  void line(const Vector3& a, const Vector3& b, const char* class_name, double width, const char* dashes = nullptr);
  void dot(const Vector3& center, double radius, const char* class_name);
  void ring(const Vector3& center, double radius);
  void lock(const Vector3& center);

  // These take what is in the world.
  void polyline(const geometry::PictureView& view, const Polyline& line_W, const char* class_name, double width);
  void tip(const geometry::PictureView& view,
           const Polyline& line_W);               // at its end; none when the line is seen from its end
  void axes(const geometry::PictureView& view);   // of the world, in the lower left corner
  void ruler(const geometry::PictureView& view);  // in the lower right corner

 private:
  pugi::xml_node to_;
};

}  // namespace gelenk::cad
