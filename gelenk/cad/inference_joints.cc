#include "gelenk/cad/inference_joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numbers>

#include "gelenk/base/text.h"
#include "gelenk/cad/inference_choice.h"
#include "gelenk/cad/loose_parts.h"
#include "gelenk/formats/imported_choices.h"
#include "gelenk/formats/imported_names.h"

namespace gelenk::cad {
namespace {

using formats::ImportedChild;
using formats::ImportedJoint;
using formats::ImportedLeaf;
using Kind = Contact::Kind;

bool has_fastener_name(const std::string& name) {
  static constexpr std::array<std::string_view, 16> kWords{
      "bolt",  "bolts",   "screw",    "screws", "nut",      "nuts",     "washer",  "washers",
      "rivet", "circlip", "schraube", "mutter", "capscrew", "setscrew", "locknut", "unterlegscheibe"};
  const std::vector<std::string> words = split(formats::model_name(name, "part"), '_');
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
  });
}

// Six planes around one axis, 60 degrees from each other and equally far from it: the head of a bolt, a nut, or the
// socket of a screw.
bool has_hexagon(const std::vector<Feature>& features, const Feature& axis) {
  constexpr double kAngle = 0.02, kDistance = 0.02;
  std::vector<double> angles, distances;
  const Matrix3 R = rotation_with_z(axis.direction);
  for (const Feature& feature : features) {
    if (feature.kind != Feature::Kind::plane || std::abs(feature.direction.dot(axis.direction)) > kAngle) continue;
    const Vector3 n = R.transpose() * feature.direction;
    angles.push_back(std::atan2(n.y(), n.x()));
    distances.push_back(std::abs(feature.direction.dot(feature.point - axis.point)));
  }
  if (angles.size() != 6) return false;
  const auto [least, most] = std::minmax_element(distances.begin(), distances.end());
  if (*most - *least > kDistance * *most) return false;
  std::sort(angles.begin(), angles.end());
  for (std::size_t i = 1; i < angles.size(); ++i) {
    if (std::abs(angles[i] - angles[i - 1] - std::numbers::pi / 3.0) > kAngle) return false;
  }
  return true;
}

struct BodyPair {
  std::size_t first, second;
  bool operator<(const BodyPair& other) const {
    return first != other.first ? first < other.first : second < other.second;
  }
};

class Inference {
 public:
  Inference(StepContent& content, const Progress& progress)
      : model_(content.model),
        features_(content.features),
        progress_(progress),
        leaves_(formats::leaves(content.model)),
        placed_(place_features(leaves_, content.features)),
        body_(content.model.assemblies.front().children.size()),
        is_named_(body_.size(), false) {
    for (std::size_t i = 0; i < body_.size(); ++i) {
      body_[i] = i;
      names_.unique(children()[i].name);
    }
  }

  InferenceReport run() {
    collect_contacts();
    merge_fasteners();
    std::vector<JointCandidate> found;
    for (const auto& [pair, contacts] : contacts_of_bodies()) {
      if (std::optional<InferredJoint> joint = infer_joint(contacts)) {
        found.push_back({pair.first, pair.second, *std::move(joint)});
      }
    }
    const JointChoice choice = choose_joints(std::move(found), body_.size());
    for (const JointCandidate& one : choice.joints) add_joint({one.first, one.second}, one.joint);
    if (choice.fixed_planes > 0) {
      model_.notes.push_back(
          fmt::format("{} of parts that only touch {} taken as fixed, as if bolted or glued",
                      choice.fixed_planes == 1 ? "1 pair" : fmt::format("{} pairs", choice.fixed_planes),
                      choice.fixed_planes == 1 ? "is" : "are"));
    }
    return report();
  }

  std::optional<InferenceReport> run(std::span<const GivenJoint> given, std::string& error) {
    collect_contacts();
    std::vector<std::optional<GivenEnds>> ends;
    for (const GivenJoint& joint : given) {
      ends.push_back(find_ends(joint, error));
      if (!ends.back()) continue;
      for (const std::size_t child : ends.back()->children) is_named_[child] = true;
    }
    merge_fasteners();
    const PairContacts pairs = contacts_of_bodies();
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (ends[i]) add_given(given[i], *ends[i], pairs, error);
    }
    return error.empty() ? std::optional(report()) : std::nullopt;
  }

 private:
  const std::vector<ImportedChild>& children() const { return model_.assemblies.front().children; }
  std::size_t child_of(std::size_t leaf) const { return leaves_[leaf].path.front(); }

  void collect_contacts() {
    for (std::size_t a = 0; a < leaves_.size(); ++a) {
      progress_(fmt::format("looking for joints, part {} of {}", a + 1, leaves_.size()));
      for (std::size_t b = a + 1; b < leaves_.size(); ++b) {
        if (child_of(a) == child_of(b)) continue;
        const std::vector<Contact> found = find_contacts(placed_, a, b, kDrawnWell);
        contacts_.insert(contacts_.end(), found.begin(), found.end());
      }
    }
  }

  // A child of the root that is nothing but fasteners.
  bool is_fastener_child(std::size_t child) const {
    bool has_one = false;
    for (const ImportedLeaf& leaf : leaves_) {
      if (leaf.path.front() != child) continue;
      if (!is_fastener(model_.parts[leaf.part], features_[leaf.part])) return false;
      has_one = true;
    }
    return has_one;
  }

  std::size_t count_leaves(std::size_t child) const {
    return static_cast<std::size_t>(std::count_if(
        leaves_.begin(), leaves_.end(), [&](const ImportedLeaf& leaf) { return leaf.path.front() == child; }));
  }

  // Every fastener goes with the neighbor that it holds on to best: a touching plane counts more than a bore, because a
  // bolt may go through parts in which it does not rest.
  void merge_fasteners() {
    std::vector<bool> is_one(children().size());
    std::size_t others = 0;
    for (std::size_t i = 0; i < is_one.size(); ++i) {
      is_one[i] = !is_named_[i] && is_fastener_child(i);
      others += is_one[i] ? 0U : 1U;
    }
    if (others == 0) return;
    for (const bool only_to_others : {true, false}) {
      for (std::size_t i = 0; i < is_one.size(); ++i) {
        if (!is_one[i] || body_[i] != i) continue;
        const std::optional<std::size_t> host = host_of(i, is_one, only_to_others);
        if (!host || body_of(*host) == i) continue;
        body_[i] = body_of(*host);
        report_.fasteners += count_leaves(i);
        model_.joints.push_back(hold_as_drawn(model_, leaves_, *host, i, std::string(kFastenerReason), names_));
      }
    }
  }

  std::optional<std::size_t> host_of(std::size_t fastener, const std::vector<bool>& is_one, bool only_to_others) const {
    std::map<std::size_t, double> weights;
    for (const Contact& contact : contacts_) {
      const std::size_t a = child_of(contact.first), b = child_of(contact.second);
      if (a != fastener && b != fastener) continue;
      const std::size_t other = a == fastener ? b : a;
      if (only_to_others && is_one[other]) continue;
      weights[other] += contact.kind == Kind::touching_planes ? 2.0 : contact.score;
    }
    const auto best = std::max_element(weights.begin(), weights.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return best == weights.end() ? std::nullopt : std::optional(best->first);
  }

  std::size_t body_of(std::size_t child) const {
    while (body_[child] != child) child = body_[child];
    return child;
  }

  using PairContacts = std::map<BodyPair, std::vector<Contact>>;

  PairContacts contacts_of_bodies() const {
    PairContacts pairs;
    for (const Contact& contact : contacts_) add(pairs, contact);
    // Bodies between which nothing was found, but which a careless drawing may have left apart.
    PairContacts loose;
    for (std::size_t a = 0; a < leaves_.size(); ++a) {
      for (std::size_t b = a + 1; b < leaves_.size(); ++b) {
        const std::size_t p = body_of(child_of(a)), q = body_of(child_of(b));
        if (p == q || guides(pairs, {std::min(p, q), std::max(p, q)})) continue;
        for (const Contact& contact : find_contacts(placed_, a, b, kDrawnLoosely)) add(loose, contact);
      }
    }
    for (auto& [pair, contacts] : loose) pairs[pair] = std::move(contacts);
    return pairs;
  }

  InferenceReport report() {
    for (std::size_t i = 0; i < body_.size(); ++i) report_.bodies += body_[i] == i ? 1U : 0U;
    return report_;
  }

  // What a given joint is between: children of the root, and the placed parts that carry it when it says where it is.
  struct GivenEnds {
    std::array<std::size_t, 2> children{}, leaves{};
  };

  std::optional<GivenEnds> find_ends(const GivenJoint& given, std::string& error) {
    if (names_.unique(given.name) != given.name) {
      add_mistake(fmt::format("{}: there is already something called {}", given.where, shown(given.name)), error);
      return std::nullopt;
    }
    GivenEnds ends;
    std::vector<std::string> known;
    for (const ImportedChild& child : children()) known.push_back(child.name);
    for (const ImportedLeaf& leaf : leaves_) {
      if (leaf.path.size() > 1) known.push_back(path_text(model_, leaf.path));
    }
    for (std::size_t side = 0; side < 2; ++side) {
      const std::string& name = given.between[side];
      const auto found = std::find_if(leaves_.begin(), leaves_.end(), [&](const ImportedLeaf& leaf) {
        return children()[leaf.path.front()].name == name || path_text(model_, leaf.path) == name;
      });
      if (found == leaves_.end()) {
        const std::string hint = did_you_mean(name, known);
        add_mistake(fmt::format("{}: there is no part {}; {}", given.where, shown(name),
                                hint.empty() ? "there are " + join(known, ", ") : hint),
                    error);
        return std::nullopt;
      }
      ends.leaves[side] = static_cast<std::size_t>(found - leaves_.begin());
      ends.children[side] = found->path.front();
    }
    if (ends.children[0] == ends.children[1]) {
      add_mistake(fmt::format("{}: {} and {} are one rigid body", given.where, given.between[0], given.between[1]),
                  error);
      return std::nullopt;
    }
    return ends;
  }

  void add_given(const GivenJoint& given, const GivenEnds& ends, const PairContacts& pairs, std::string& error) {
    const std::size_t a = body_of(ends.children[0]), b = body_of(ends.children[1]);
    const BodyPair pair{std::min(a, b), std::max(a, b)};
    std::optional<InferredJoint> found;
    if (given.at) {
      found = InferredJoint{};
      found->X_WA = {rotation_with_z(given.axis.value_or(Vector3::UnitZ())), *given.at};
      found->X_WB = found->X_WA;
      found->first = ends.leaves[a < b ? 0 : 1];
      found->second = ends.leaves[a < b ? 1 : 0];
      found->reason = "as given";
    } else if (const auto contacts = pairs.find(pair); contacts != pairs.end()) {
      found = infer_joint_of_type(contacts->second, given.type);
    }
    if (!found) {
      add_mistake(fmt::format("{}: no surfaces of {} and {} show where a {} joint is; give it: at: [X, Y, Z], axis: z",
                              given.where, given.between[0], given.between[1], given.type),
                  error);
      return;
    }
    found->type = given.type;
    found->score = 1.0;
    add_joint(pair, *found);
    ImportedJoint& joint = model_.joints.back();
    joint.name = given.name;
    joint.origin = formats::Origin::user;
    // In the order in which the user names them: the second moves against the first.
    if (a > b) std::swap(joint.ends[0], joint.ends[1]);
  }

  // Whether something more than planes was found.
  static bool guides(const PairContacts& pairs, const BodyPair& pair) {
    const auto found = pairs.find(pair);
    return found != pairs.end() && infer_joint(found->second).has_value();
  }

  void add(PairContacts& pairs, Contact contact) const {
    const std::size_t a = body_of(child_of(contact.first)), b = body_of(child_of(contact.second));
    if (a == b) return;
    if (a > b) {
      // The first part belongs to the second body.
      std::swap(contact.first, contact.second);
      std::swap(contact.on_first, contact.on_second);
    }
    pairs[{std::min(a, b), std::max(a, b)}].push_back(contact);
  }

  void add_joint(const BodyPair& pair, const InferredJoint& found) {
    ImportedJoint joint;
    joint.name = names_.unique(children()[pair.first].name + "_" + children()[pair.second].name);
    joint.type = found.type;
    const ImportedLeaf &a = leaves_[found.first], &b = leaves_[found.second];
    joint.ends = {formats::ImportedEnd{a.path, a.X_WP.inverse() * found.X_WA},
                  formats::ImportedEnd{b.path, b.X_WP.inverse() * found.X_WB}};
    joint.origin = formats::Origin::inferred;
    joint.score = found.score;
    joint.reason = found.reason;
    model_.joints.push_back(std::move(joint));
  }

  formats::ImportedModel& model_;
  const std::vector<std::vector<Feature>>& features_;
  const Progress& progress_;
  std::vector<ImportedLeaf> leaves_;
  std::vector<PlacedFeatures> placed_;
  std::vector<std::size_t> body_;  // of each child of the root: another child with which it goes, or itself
  std::vector<bool> is_named_;     // by a joint that the user says: no fastener then
  std::vector<Contact> contacts_;
  formats::NameRegister names_;
  InferenceReport report_;
};

}  // namespace

bool is_fastener(const formats::ImportedPart& part, const std::vector<Feature>& features) {
  if (has_fastener_name(part.product)) return true;
  return std::any_of(features.begin(), features.end(), [&](const Feature& feature) {
    return feature.kind == Feature::Kind::cylinder && has_hexagon(features, feature);
  });
}

InferenceReport infer_joints(StepContent& content, const Progress& progress) {
  return Inference(content, progress).run();
}

std::optional<InferenceReport> place_joints(StepContent& content, std::span<const GivenJoint> given,
                                            const Progress& progress, std::string& error) {
  return Inference(content, progress).run(given, error);
}

}  // namespace gelenk::cad
