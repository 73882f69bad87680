#include "gelenk/cad/surface_fit.h"

#include <algorithm>
#include <cmath>

#include "gelenk/math/principal_axes.h"

namespace gelenk::cad {
namespace {

// c and r with p - r n = c for all samples, in the sense of least squares; `P` takes away what lies along the axis.
struct CenterFit {
  Vector3 center = Vector3::Zero();
  double radius = 0.0;  // negative: the normals look inwards
  double error = 0.0;
};

std::optional<CenterFit> fit_center(std::span<const SurfaceSample> samples, const Matrix3& P) {
  Vector3 mean_point = Vector3::Zero(), mean_normal = Vector3::Zero();
  for (const SurfaceSample& sample : samples) {
    mean_point += P * sample.point;
    mean_normal += P * sample.normal;
  }
  mean_point /= static_cast<double>(samples.size());
  mean_normal /= static_cast<double>(samples.size());
  double along = 0.0, square = 0.0;
  for (const SurfaceSample& sample : samples) {
    const Vector3 n = P * sample.normal - mean_normal;
    along += n.dot(P * sample.point - mean_point);
    square += n.squaredNorm();
  }
  if (!(square > 0.0)) return std::nullopt;
  CenterFit fit;
  fit.radius = along / square;
  fit.center = mean_point - fit.radius * mean_normal;
  for (const SurfaceSample& sample : samples) {
    fit.error = std::max(fit.error, (P * sample.point - fit.center - fit.radius * (P * sample.normal)).norm());
  }
  if (!(fit.error <= kFitTolerance * std::abs(fit.radius))) return std::nullopt;
  return fit;
}

std::optional<FittedSurface> fit_plane(std::span<const SurfaceSample> samples) {
  Vector3 normal = Vector3::Zero(), middle = Vector3::Zero();
  for (const SurfaceSample& sample : samples) {
    normal += sample.normal;
    middle += sample.point;
  }
  middle /= static_cast<double>(samples.size());
  const std::optional<Vector3> unit = unit_vector(normal);
  if (!unit) return std::nullopt;
  double extent = 0.0, error = 0.0;
  for (const SurfaceSample& sample : samples) {
    extent = std::max(extent, (sample.point - middle).norm());
    error = std::max(error, std::abs((sample.point - middle).dot(*unit)));
    if (sample.normal.dot(*unit) < 1.0 - kFitTolerance) return std::nullopt;
  }
  if (!(error <= kFitTolerance * extent)) return std::nullopt;
  return FittedSurface{Feature::Kind::plane, middle, *unit, 0.0};
}

}  // namespace

std::optional<FittedSurface> fit_surface(std::span<const SurfaceSample> samples) {
  if (samples.empty()) return std::nullopt;
  if (const std::optional<FittedSurface> plane = fit_plane(samples)) return plane;
  Matrix3 spread = Matrix3::Zero();
  for (const SurfaceSample& sample : samples) spread += sample.normal * sample.normal.transpose();
  const PrincipalAxes axes = principal_axes(spread / static_cast<double>(samples.size()));
  // All normals of a cylinder are perpendicular to its axis.
  if (axes.values[0] < kFitTolerance * kFitTolerance) {
    const Vector3 axis = axes.axes.col(0);
    const Matrix3 across = Matrix3::Identity() - axis * axis.transpose();
    if (const std::optional<CenterFit> fit = fit_center(samples, across)) {
      return FittedSurface{Feature::Kind::cylinder, fit->center, axis, std::abs(fit->radius)};
    }
    return std::nullopt;
  }
  if (const std::optional<CenterFit> fit = fit_center(samples, Matrix3::Identity())) {
    return FittedSurface{Feature::Kind::sphere, fit->center, Vector3::UnitZ(), std::abs(fit->radius)};
  }
  return std::nullopt;
}

}  // namespace gelenk::cad
