#include <fmt/format.h>

#include <cmath>

#include "gelenk/analysis/certify.h"
#include "gelenk/base/index.h"
#include "gelenk/base/name_list.h"
#include "gelenk/base/text.h"

namespace gelenk::analysis {
namespace {

constexpr std::size_t kMostNames = 8;

std::string counted(std::size_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string gravity_text(const model::Gravity& gravity) {
  if (const auto* uniform = std::get_if<model::UniformGravity>(&gravity)) {
    const Vector3& g = uniform->acceleration;
    const Vector3 direction = g.norm() > 0.0 ? Vector3(g / g.norm()) : g;
    constexpr double kAlong = 1e-12;  // of a unit vector
    for (int k = 0; k < 3; ++k) {
      if (std::abs(std::abs(direction(k)) - 1.0) > kAlong) continue;
      return fmt::format("gravity is {} m/s² along {}{}", format_rounded(g.norm(), 6), direction(k) < 0.0 ? "-" : "+",
                         "xyz"[k]);
    }
    if (g.norm() == 0.0) return "there is no gravity";
    return fmt::format("gravity is ({}, {}, {}) m/s²", format_rounded(g.x(), 6), format_rounded(g.y(), 6),
                       format_rounded(g.z(), 6));
  }
  if (std::holds_alternative<model::PointGravity>(gravity)) {
    return "gravity pulls towards a point and acts at the center of mass of each part";
  }
  return "there is no gravity";
}

// Joints of which some reaction could be shared in more than one way, in some recorded row.
std::vector<std::string> joints_sharing_loads(const CertifiedRun& run) {
  const SharedDirections shared = run.result.audit.sharing.result();
  std::vector<std::string> names;
  for (std::size_t d = 0; d < shared.group.size(); ++d) {
    if (shared.is_unique(d)) continue;
    const std::string& name = direction_element(run.system, d);
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

void add_redundancy(const CertifiedRun& run, std::vector<std::string>& sentences) {
  const std::size_t twice = run.system.row_count() - run.result.independent_rows;
  if (twice == 0 || run.result.independent_rows == 0) return;
  const std::vector<std::string> names = joints_sharing_loads(run);
  sentences.push_back(
      fmt::format("{} held twice: {} shared {}", counted(twice, "joint direction is", "joint directions are"),
                  names.empty() ? "reactions are" : fmt::format("reactions of {} are", list_names(names, kMostNames)),
                  split_words(run.options.split)));
  if (run.assembly.residual > kResidualToWarn) {
    sentences.push_back(
        fmt::format("redundant joints contradict each other by {} of the machine's size, and stay open by that",
                    format_rounded(run.assembly.residual, 2)));
  }
}

void add_masses(const CertifiedRun& run, std::vector<std::string>& sentences) {
  std::vector<std::string> assumed;
  for (const model::PartNode& part : run.machine.parts) {
    if (part.mass_source == model::MassSource::shape_with_assumed_density) assumed.push_back(part.path);
  }
  if (assumed.empty()) return;
  sentences.push_back(fmt::format("the density of {} is assumed, as the model gives neither mass nor material",
                                  list_names(assumed, kMostNames)));
}

void add_welds(const CertifiedRun& run, std::vector<std::string>& sentences) {
  std::size_t merged = 0;
  std::size_t fixed = 0;
  for (const system::Body& body : run.system.bodies) {
    if (body.parts.size() > 1) merged += body.parts.size();
  }
  for (const system::Part& part : run.system.parts) fixed += part.body == system::kGround ? 1 : 0;
  if (merged > 0) sentences.push_back(fmt::format("{} parts that are fixed to each other move as one body", merged));
  if (fixed > 0) sentences.push_back(fmt::format("{} fixed to the ground", counted(fixed, "part is", "parts are")));
}

}  // namespace

std::vector<std::string> assumptions(const CertifiedRun& run, bool is_step_error_estimated) {
  std::vector<std::string> sentences{"parts are rigid", "joints have neither play nor friction"};
  if (!run.system.hard_laws.empty())
    sentences.back() = "joints have play, stops and dry friction only where forces say so";
  sentences.push_back(gravity_text(run.params.gravity));
  add_redundancy(run, sentences);
  add_welds(run, sentences);
  add_masses(run, sentences);
  if (run.machine.disabled_count > 0) {
    sentences.push_back(fmt::format("{} disabled in the model and left out",
                                    counted(run.machine.disabled_count, "element is", "elements are")));
  }
  if (!run.result.branch.empty()) sentences.push_back(run.result.branch);
  if (!run.system.contacts.empty()) {
    sentences.emplace_back("parts touch only where `contacts` name them, and pass through each other elsewhere");
  } else if (run.system.parts.size() > 1) {
    sentences.emplace_back("parts that touch pass through each other");
  }
  if (!run.params.limits.empty()) sentences.emplace_back("limits of joints are watched, not enforced");
  if (!is_step_error_estimated) sentences.emplace_back("the error of the time steps was not estimated");
  return sentences;
}

}  // namespace gelenk::analysis
