#pragma once

#include "gelenk/contact/contour.h"

// Points of two contours of given kinds, in closed form; as find_points().
namespace gelenk::contact {

void sphere_with_sphere(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                        ContactPoints& points);
void sphere_with_capsule(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                         ContactPoints& points);
void sphere_with_cylinder(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                          ContactPoints& points);
void sphere_with_box(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                     ContactPoints& points);
void sphere_with_plane(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                       ContactPoints& points);
// Two points, one at each end of the overlap, where the axes are parallel.
void capsule_with_capsule(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                          ContactPoints& points);
// One point for each end.
void capsule_with_plane(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                        ContactPoints& points);
// Of each end the lowest point of its rim, and two more a third of the rim away, on which it stands.
void cylinder_with_plane(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                         ContactPoints& points);
// One point for each corner.
void box_with_plane(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                    ContactPoints& points);
// The axis along which they overlap least, or are furthest apart: of a face, with the corners of the other box's face
// clipped to it (at most eight), or of two edges, with their nearest points.
void box_with_box(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                  ContactPoints& points);

}  // namespace gelenk::contact
