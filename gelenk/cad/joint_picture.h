#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/cad/depth_raster.h"
#include "gelenk/cad/smooth_edges.h"
#include "gelenk/cad/step_reader.h"
#include "gelenk/cad/svg_pen.h"

namespace gelenk::cad {

// The place that a joint is about, world: where its two parts are near each other.
struct JointPlace {
  Vector3 center = Vector3::Zero();
  double radius = 0.0;  // m
};

// Draws joints so that a person can judge them: where they are in the machine, and the two bodies at the joint from
// two sides with the axis. Equal models give equal bytes.
class JointPainter {
 public:
  // `up`: the axis of the drawing that points upwards, "z", "-y" ... The content outlives the painter.
  JointPainter(const StepContent& content, std::string_view up);

  // A whole SVG.
  std::string draw(const formats::ImportedJoint& joint);

  JointPlace place_of(const formats::ImportedJoint& joint) const;
  // The picture on the right: cut through the middle of the place, along the axis, or across the axis of a slide.
  geometry::PictureView cut_view(const formats::ImportedJoint& joint) const;

 private:
  using Bodies = std::array<std::size_t, 2>;
  static constexpr std::size_t kCorners = 4;  // from which the machine is looked at

  const formats::ImportedLeaf& leaf_of(const formats::ImportedEnd& end) const;
  geometry::Bounds guiding(const formats::ImportedEnd& end, const Pose& X_JW) const;
  Pose frame_of(const formats::ImportedEnd& end) const { return leaf_of(end).X_WP * end.frame; }
  const geometry::TriangleMesh& mesh_of(const formats::ImportedLeaf& leaf) const;
  std::size_t body_of(std::size_t child) const;
  Bodies bodies_of(const formats::ImportedJoint& joint) const;
  const SmoothEdges& smooth_edges(std::size_t part);

  Vector3 corner(std::size_t number) const;
  geometry::PictureView looking(const Vector3& toward, const JointPlace& place, double width) const;
  std::size_t best_corner(const formats::ImportedJoint& joint, const JointPlace& place) const;
  void add_body(std::size_t body, std::uint32_t number, DepthRaster& raster) const;
  // The outline of all that can be seen of the machine.
  const std::string& machine(std::size_t corner, const geometry::PictureView& view);

  void draw_machine(SvgPen pen, const formats::ImportedJoint& joint, const JointPlace& place, std::size_t corner);
  void draw_close(SvgPen pen, const formats::ImportedJoint& joint, const JointPlace& place,
                  const geometry::PictureView& view);
  void draw_symbol(SvgPen& pen, const formats::ImportedJoint& joint, const JointPlace& place,
                   const geometry::PictureView& view) const;
  void draw_legend(SvgPen pen, const formats::ImportedJoint& joint) const;

  const StepContent& content_;
  Matrix3 R_WU_;  // columns: right, back and up, for somebody who stands before the machine
  std::vector<formats::ImportedLeaf> leaves_;
  std::vector<std::size_t> host_;  // of each child of the root: what it is a fastener of, or itself
  std::map<std::size_t, SmoothEdges> smooth_edges_;
  std::array<std::optional<std::string>, kCorners> machines_;
};

}  // namespace gelenk::cad
