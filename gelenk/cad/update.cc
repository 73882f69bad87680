#include "gelenk/cad/update.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "gelenk/formats/imported_names.h"

namespace gelenk::cad {
namespace {

// Solids whose volumes agree to this are the same one under another name.
constexpr double kSameVolume = 1e-6;
// A joint sits on another surface when its axis is farther from the remembered one than this (rad, part of the size).
constexpr double kSameAxis = 1e-3;
// A joint that only its surfaces remember is worth a look.
constexpr double kKeptScore = 0.5;

using formats::ImportedEnd;
using formats::ImportedJoint;
using formats::ImportedLeaf;
using FrameKey = std::pair<std::string, std::string>;  // path of the part as it was, name of the frame

// Where a remembered frame is now.
struct FoundFrame {
  std::size_t leaf = 0;
  Pose X_PF;
  bool is_anchored = false;  // found again on its surface
  double size = 0.0;         // of the part, where it is anchored
};

class Update {
 public:
  Update(const ImportMemory& memory, StepContent& content)
      : memory_(memory), content_(content), model_(content.model), leaves_(formats::leaves(content.model)) {}

  UpdateFindings run(bool says_joints) {
    match_parts();
    find_frames();
    name_joints();
    if (!says_joints) keep_joints();
    keep_frames();
    return std::move(findings_);
  }

 private:
  // By path; then by the product's name; then by the volume; each only where there is no other choice.
  void match_parts() {
    std::map<std::string, std::size_t> by_path;
    for (std::size_t i = 0; i < leaves_.size(); ++i) by_path[path_text(model_, leaves_[i].path)] = i;
    std::vector<const ImportMemory::Part*> old;
    for (const ImportMemory::Part& part : memory_.parts) {
      const auto found = by_path.find(part.path);
      if (found == by_path.end()) {
        old.push_back(&part);
      } else {
        leaf_of_[part.path] = found->second;
        by_path.erase(found);
      }
    }
    const auto match = [&](const auto& is_same) {
      for (auto it = old.begin(); it != old.end();) {
        std::vector<std::map<std::string, std::size_t>::iterator> fits;
        for (auto other = by_path.begin(); other != by_path.end(); ++other) {
          if (is_same(**it, model_.parts[leaves_[other->second].part])) fits.push_back(other);
        }
        const auto rivals = std::count_if(old.begin(), old.end(), [&](const ImportMemory::Part* rival) {
          return !fits.empty() && is_same(*rival, model_.parts[leaves_[fits.front()->second].part]);
        });
        if (fits.size() == 1 && rivals == 1) {
          findings_.renamed.emplace_back((*it)->path, fits.front()->first);
          leaf_of_[(*it)->path] = fits.front()->second;
          by_path.erase(fits.front());
          it = old.erase(it);
        } else {
          ++it;
        }
      }
    };
    match([](const ImportMemory::Part& a, const formats::ImportedPart& b) { return a.product == b.product; });
    match([](const ImportMemory::Part& a, const formats::ImportedPart& b) {
      return a.volume > 0.0 && std::abs(a.volume - b.volume) <= kSameVolume * a.volume;
    });
  }

  void find_frames() {
    for (const ImportMemory::Frame& frame : memory_.frames) {
      const auto leaf = leaf_of_.find(frame.part);
      if (leaf == leaf_of_.end()) continue;
      FoundFrame found{leaf->second, frame.X_PF, false, 0.0};
      const std::size_t part = leaves_[leaf->second].part;
      if (frame.anchor && part < content_.features.size()) {
        const std::vector<Feature>& features = content_.features[part];
        const std::optional<FoundAnchor> surface = find_anchor(*frame.anchor, features);
        if (surface && surface->is_sure) {
          found.X_PF = moved_frame(*frame.anchor, frame.X_PF, features[surface->feature]);
          found.is_anchored = true;
          found.size = frame.anchor->part.diagonal();
        } else {
          lost_.insert({frame.part, frame.name});
        }
      }
      frames_[{frame.part, frame.name}] = found;
    }
  }

  // A joint is the same one when it has the same name, or joins the same parts as the only one.
  const ImportMemory::Joint* remembered(const ImportedJoint& joint) const {
    const ImportMemory::Joint* same_parts = nullptr;
    std::size_t fits = 0;
    for (const ImportMemory::Joint& known : memory_.joints) {
      if (!joins_same(known, joint)) continue;
      if (known.name == joint.name) return &known;
      same_parts = &known;
      ++fits;
    }
    return fits == 1 ? same_parts : nullptr;
  }

  std::optional<std::size_t> leaf(const std::string& part) const {
    const auto found = leaf_of_.find(part);
    return found == leaf_of_.end() ? std::nullopt : std::optional(found->second);
  }

  // Between the same children of the root: which of their parts carry the surfaces may change.
  bool joins_same(const ImportMemory::Joint& known, const ImportedJoint& joint) const {
    const std::optional<std::size_t> a = leaf(known.parts[0]), b = leaf(known.parts[1]);
    if (!a || !b) return false;
    return pair_of(leaves_[*a].path, leaves_[*b].path) == pair_of(joint.ends[0].path, joint.ends[1].path);
  }

  static std::pair<std::size_t, std::size_t> pair_of(const formats::ImportedPath& a, const formats::ImportedPath& b) {
    return std::minmax(a.front(), b.front());
  }

  void name_joints() {
    for (ImportedJoint& joint : model_.joints) {
      const ImportMemory::Joint* known = remembered(joint);
      if (known == nullptr) continue;
      for (ImportedEnd& end : joint.ends) {
        for (std::size_t side = 0; side < 2; ++side) {
          const FrameKey key{known->parts[side], known->frames[side]};
          const auto frame = frames_.find(key);
          if (frame == frames_.end() || leaves_[frame->second.leaf].path != end.path) continue;
          end.name = key.second;
          used_.insert(key);
          lost_.erase(key);
          if (frame->second.is_anchored && !has_same_axis(frame->second, end.frame, joint.type)) {
            findings_.doubts.push_back(
                fmt::format("joint {} is on a different surface of {} than before", joint.name, key.first));
          }
        }
      }
    }
  }

  static bool has_same_axis(const FoundFrame& before, const Pose& now, const std::string& type) {
    const Vector3 from = now.position - before.X_PF.position, z = before.X_PF.rotation.col(2);
    const double near = kSameAxis * before.size;
    if (type == "fixed" || type == "prismatic") return true;  // the place along a slide means nothing
    if (type == "spherical") return from.norm() <= near;
    if (z.cross(now.rotation.col(2)).norm() > kSameAxis) return false;
    return type == "planar" ? std::abs(z.dot(from)) <= near : (from - z * z.dot(from)).norm() <= near;
  }

  // Joints that the new drawing does not show: parts were changed, but not put together anew.
  void keep_joints() {
    formats::NameRegister names;
    for (const formats::ImportedChild& child : model_.assemblies.front().children) names.unique(child.name);
    for (const ImportedJoint& joint : model_.joints) names.unique(joint.name);
    const std::vector<ImportedJoint> drawn = model_.joints;
    for (const ImportMemory::Joint& known : memory_.joints) {
      if (known.origin == formats::Origin::assumed || known.origin == formats::Origin::cad) continue;
      if (std::any_of(drawn.begin(), drawn.end(), [&](const ImportedJoint& j) { return joins_same(known, j); }))
        continue;
      ImportedJoint joint;
      bool is_found = true;
      for (std::size_t side = 0; side < 2; ++side) {
        const auto frame = frames_.find({known.parts[side], known.frames[side]});
        is_found = is_found && frame != frames_.end() && frame->second.is_anchored;
        if (!is_found) break;
        joint.ends[side] = {leaves_[frame->second.leaf].path, frame->second.X_PF, known.frames[side]};
      }
      if (!is_found || joint.ends[0].path.front() == joint.ends[1].path.front()) continue;
      joint.name = names.unique(known.name);
      joint.type = known.type;
      joint.origin = known.origin;
      joint.score = kKeptScore * known.score;
      joint.reason = "kept from the previous import: its surfaces are there, but do not meet as drawn";
      for (std::size_t side = 0; side < 2; ++side) used_.insert({known.parts[side], known.frames[side]});
      findings_.kept_joints.push_back(joint.name);
      model_.joints.push_back(std::move(joint));
    }
  }

  void keep_frames() {
    for (const ImportMemory::Frame& frame : memory_.frames) {
      const FrameKey key{frame.part, frame.name};
      const auto found = frames_.find(key);
      if (found == frames_.end() || used_.contains(key)) continue;
      if (lost_.contains(key)) {
        findings_.doubts.push_back(fmt::format(
            "the surface of frame {}.{} was not found again; the frame stays where it was", frame.part, frame.name));
      }
      model_.frames.push_back({leaves_[found->second.leaf].path, frame.name, found->second.X_PF});
    }
  }

  const ImportMemory& memory_;
  StepContent& content_;
  formats::ImportedModel& model_;
  std::vector<ImportedLeaf> leaves_;
  std::map<std::string, std::size_t> leaf_of_;  // by the path of the part as it was
  std::map<FrameKey, FoundFrame> frames_;
  std::set<FrameKey> used_;  // by joints
  std::set<FrameKey> lost_;  // whose surface is not found again
  UpdateFindings findings_;
};

}  // namespace

UpdateFindings go_on_from(const ImportMemory& memory, bool says_joints, StepContent& content) {
  return Update(memory, content).run(says_joints);
}

}  // namespace gelenk::cad
