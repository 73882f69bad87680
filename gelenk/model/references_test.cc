#include "gelenk/model/references.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gelenk/model/flow_test_support.h"

namespace gelenk::model::references_test {
namespace {

// A car of one corner and its copies, and a chain: every way to refer to something.
TextModel car() {
  TextModel result;
  result.add("car", R"({gelenk: 1,
parameters: {spring: 40 kN/m, half: =spring / 2 + spring, deep: =front.k},
materials: {alloy: 2700 kg/m^3},
ground: {frames: {post: [0, 0, 0]}},
frames: {mark: {at: chassis.nose}},
parts: {
  chassis: {at: ground.post, material: alloy, frames: {nose: [1, 0, 0], tip: {at: nose}},
            shape: {cylinder: {radius: 10 mm, from: mark, to: nose}}, center_of_mass: tip},
  weight: {material: steel, at: {position: [0, 0, 0], relative_to: front.top}}},
joints: {
  hinge: {type: revolute, between: [ground.post, chassis.nose], axis: z, at: mark},
  rod: {type: distance, between: [front.top, chain.3.end]}},
drivers: {motor: {drives: hinge.angle, rate: "=spring * time + chassis.position.x"}},
forces: {
  push: {type: actuator, drives: front.top.angle, value: =coordinate + rate},
  pull: {type: force, applied_to: weight, axes_of: chassis, along: x,
         value: {table: {of: motor.torque, x: [0, =half], y: [0, 1]}}}},
outputs: {stroke: front.arm.position.x, angle: front.pivot.angle, effort: =motor.power * 2},
assemblies: {
  front: {use: corner, set: {k: =spring}, attach: {top: {type: revolute, to: chassis, axis: y}}},
  other: {mirror_of: front, plane: xz, set: {k: 2}},
  chain: {use: link, repeat: 5, attach: {start: {type: spherical, to: previous.end, first_to: chassis.tip}}}}})");
  result.add("corner",
             "{parameters: {k: 1 N/m}, ports: {top: arm.eye}, "
             "parts: {arm: {mass: 1 kg, frames: {eye: [0, 0, 0]}}}, "
             "joints: {pivot: {type: revolute, between: [ground, arm], axis: z}}}");
  result.add("link", "{ports: {start: bar, end: bar.far}, parts: {bar: {mass: 1 kg, frames: {far: [1, 0, 0]}}}}");
  return result;
}

// "path of the user: text at the place" for every use.
std::vector<std::string> users(const TextModel& m, const ElementAddress& address) {
  EXPECT_NE(find_element(m.model, address), nullptr) << path_of(m.model, address);
  std::vector<std::string> result;
  for (const Reference& r : references_to(m.model, address)) {
    result.push_back(path_of(m.model, r.user) + ": " + r.path);
    // The place is exactly the name, whatever stands around it. A `use` is written as a whole.
    const std::string& name = address.section.empty() ? address.definition : address.name;
    EXPECT_EQ(m.sources.text(r.where), name) << result.back();
  }
  return result;
}

using Users = std::vector<std::string>;

TEST(ReferencesTest, NothingLeadsNowhere) {
  const TextModel m = car();
  for (const Reference& r : references(m.model)) {
    EXPECT_TRUE(r.is_resolved) << r.path << " in " << path_of(m.model, r.user);
    EXPECT_NE(find_element(m.model, r.target), nullptr) << r.path;
  }
}

TEST(ReferencesTest, FindsEveryUse) {
  const TextModel m = car();
  EXPECT_EQ(users(m, {"car", "parts", "chassis"}),
            (Users{"frames.mark: chassis.nose", "joints.hinge: chassis.nose", "drivers.motor: chassis.position.x",
                   "forces.pull: chassis", "assemblies.front: chassis", "assemblies.chain: chassis.tip"}));
  EXPECT_EQ(
      users(m, {"car", "frames", "nose", "chassis"}),
      (Users{"frames.mark: chassis.nose", "parts.chassis: nose", "parts.chassis: nose", "joints.hinge: chassis.nose"}));
  EXPECT_EQ(users(m, {"car", "frames", "tip", "chassis"}),
            (Users{"parts.chassis: tip", "assemblies.chain: chassis.tip"}));
  EXPECT_EQ(users(m, {"car", "frames", "post", "ground"}),
            (Users{"parts.chassis: ground.post", "joints.hinge: ground.post"}));
  EXPECT_EQ(users(m, {"car", "frames", "mark"}), (Users{"parts.chassis: mark", "joints.hinge: mark"}));
  EXPECT_EQ(users(m, {"car", "materials", "alloy"}), (Users{"parts.chassis: alloy"}));
  EXPECT_EQ(users(m, {"car", "parameters", "spring"}), (Users{"parameters.half: spring", "parameters.half: spring",
                                                              "drivers.motor: spring", "assemblies.front: spring"}));
  EXPECT_EQ(users(m, {"car", "parameters", "half"}), (Users{"forces.pull: half"}));
  EXPECT_EQ(users(m, {"car", "joints", "hinge"}), (Users{"drivers.motor: hinge.angle"}));
  EXPECT_EQ(users(m, {"car", "drivers", "motor"}), (Users{"forces.pull: motor.torque", "outputs.effort: motor.power"}));
  EXPECT_EQ(users(m, {"car", "assemblies", "front"}),
            (Users{"parameters.deep: front.k", "parts.weight: front.top", "joints.rod: front.top",
                   "forces.push: front.top.angle", "outputs.stroke: front.arm.position.x",
                   "outputs.angle: front.pivot.angle", "assemblies.other: front"}));
}

TEST(ReferencesTest, FollowsInstancesIntoTheirDefinitions) {
  const TextModel m = car();
  EXPECT_EQ(users(m, {"corner", "ports", "top"}), (Users{"parts.weight: front.top", "joints.rod: front.top",
                                                         "forces.push: front.top.angle", "assemblies.front: top"}));
  EXPECT_EQ(users(m, {"corner", "parameters", "k"}),
            (Users{"parameters.deep: front.k", "assemblies.front: k", "assemblies.other: k"}));
  EXPECT_EQ(users(m, {"corner", "parts", "arm"}),
            (Users{"outputs.stroke: front.arm.position.x", "definitions.corner.ports.top: arm.eye",
                   "definitions.corner.joints.pivot: arm"}));
  EXPECT_EQ(users(m, {"corner", "joints", "pivot"}), (Users{"outputs.angle: front.pivot.angle"}));
  EXPECT_EQ(users(m, {"link", "ports", "end"}), (Users{"joints.rod: chain.3.end", "assemblies.chain: previous.end"}));
  EXPECT_EQ(users(m, {"link", "ports", "start"}), (Users{"assemblies.chain: start"}));
  EXPECT_EQ(users(m, {"corner", "", ""}), (Users{"assemblies.front: corner"}));
}

TEST(ReferencesTest, TellsWhatLeadsNowhere) {
  TextModel m;
  m.add("m",
        "{gelenk: 1, parts: {a: {material: unobtainium, shape: {cylinder: {radius: 1, to: nowhere}}}}, "
        "joints: {j: {type: revolute, between: [a.pin, ground.spot], axis: z}}, "
        "outputs: {o: =a.position.x + missing}, assemblies: {s: {use: gone, set: {k: 1}}}}");
  std::vector<std::string> unknown;
  for (const Reference& r : references(m.model)) {
    if (!r.is_resolved) unknown.emplace_back(m.sources.text(r.where));
  }
  EXPECT_EQ(unknown, (Users{"unobtainium", "nowhere", "pin", "spot", "missing", "gone"}));
}

TEST(ReferencesTest, CirclesOfCopiesEnd) {
  TextModel m;
  m.add("m",
        "{gelenk: 1, parts: {p: {mass: 1 kg, at: x.port}}, "
        "assemblies: {x: {copy_of: y}, y: {mirror_of: x, plane: xy}}}");
  EXPECT_EQ(references_to(m.model, {"m", "assemblies", "x"}).size(), 2u);
}

TEST(ReferencesTest, OneElementSeesTheSameAsAll) {
  const TextModel m = car();
  const std::vector<Reference> all = references(m.model);
  std::size_t count = 0;
  for (const ElementAddress& address : list_elements(m.model)) {
    if (!address.owner.empty()) continue;  // counts to its part
    const std::vector<Reference> own = references_in(m.model, address);
    std::vector<std::string> expected;
    for (const Reference& r : all) {
      if (r.user == address) expected.push_back(r.path + path_of(m.model, r.target));
    }
    std::vector<std::string> found;
    for (const Reference& r : own) found.push_back(r.path + path_of(m.model, r.target));
    EXPECT_EQ(found, expected) << path_of(m.model, address);
    count += own.size();
  }
  EXPECT_EQ(count, all.size());
}

// S2-06: list.
TEST(ReferencesTest, ListsElementsInOrder) {
  TextModel m;
  m.add(
      "m",
      "{gelenk: 1, parts: {a: {mass: 1, frames: {f: [0, 0, 0]}}}, ground: {frames: {g: [0, 0, 0]}}, ports: {p: a.f}}");
  m.add("d", "{materials: {tin: 7300}}");
  std::vector<std::string> paths;
  for (const ElementAddress& address : list_elements(m.model)) paths.push_back(path_of(m.model, address));
  EXPECT_EQ(paths, (Users{"parts.a", "parts.a.frames.f", "ground.frames.g", "ports.p", "definitions.d",
                          "definitions.d.materials.tin"}));
}

}  // namespace
}  // namespace gelenk::model::references_test
