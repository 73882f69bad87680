#pragma once

#include <Interface_InterfaceModel.hxx>
#include <optional>

// For the files of this layer that include OpenCASCADE.
namespace gelenk::cad {

// OpenCASCADE 7.6 takes every mass unit of a density for gram, kilogram as well. What its densities must be multiplied
// with, by the mass units that the file has in derived units; nothing when they differ from each other.
std::optional<double> density_correction(const Handle(Interface_InterfaceModel) & model);

}  // namespace gelenk::cad
