#!/usr/bin/env python3
"""Reactions that rigid parts do not determine: who shares them, and how, from the command line."""

import json
import math
import unittest

import h5py
import numpy

from program_support import OK, SOURCE, USAGE_ERROR
from run_support import InFolder

H_FRAME = SOURCE / "examples/h_frame/h_frame.yaml"
FOUR_BAR = SOURCE / "examples/four_bar/four_bar.yaml"
ENGINE = SOURCE / "examples/steam_engine/steam_engine.yaml"
CAR = SOURCE / "examples/car/car_redundant.yaml"

# Of the largest reaction: what another split leaves of a unique direction, or of a symmetry.
ROUNDING = 1e-12
SEEN = 1e-6  # far above rounding: what another split changes

# A plate that hangs from two supports, loaded askew; `about x` it swings, everything else is held twice.
PLATE = """gelenk: 1
name: plate
gravity: [0, 0, -9.81]
parts:
  plate:
    mass: 10 kg
    center_of_mass: [0.1 m, 0, -0.5 m]
    inertia: {xx: 0.9, yy: 1.1, zz: 0.4}
    frames: {left: {at: [-0.5 m, 0, 0]}, right: {at: [0.5 m, 0, 0]}, hook: {at: [0.3 m, 0, -0.8 m]}}
ground: {frames: {left: {at: [-0.5 m, 0, 0]}, right: {at: [0.5 m, 0, 0]}}}
forces:
  pull: {type: force, applied_to: plate.hook, along: [0.4, 0, -1], value: 200 N}
"""
HINGES = """joints:
  left:  {type: revolute, between: [ground.left, plate.left], axis: x, compliance: 1}
  right: {type: revolute, between: [ground.right, plate.right], axis: x, compliance: SOFT}
"""
# Two pairs of wheels with the same ratio on the same shafts, and a third shaft behind them.
TWICE_GEARED = """gelenk: 1
parts:
  first: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
  second: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
  third: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  a: {type: revolute, between: [ground, first], axis: z}
  b: {type: revolute, between: [ground, second], axis: z}
  c: {type: revolute, between: [ground, third], axis: z}
  pair: {type: gear, couples: [a.angle, b.angle], ratio: 2}
  second_pair: {type: gear, couples: [a.angle, b.angle], ratio: 2}
  stage: {type: belt, couples: [b.angle, c.angle], ratio: 3}
"""


def bushing(side, stiffness, size):
    """As stiff against turning as against shifts at the distance `size`; damped, so that the plate comes to rest."""
    k, turn = stiffness, stiffness * size**2
    c, turn_c = 2 * math.sqrt(10 * k), 2 * math.sqrt(1.0 * turn)
    return (f"  {side}: {{type: bushing, between: [ground.{side}, plate.{side}], stiffness: [{k}, {k}, {k}], "
            f"damping: [{c}, {c}, {c}], rotational_stiffness: [0, {turn}, {turn}], "
            f"rotational_damping: [10, {turn_c}, {turn_c}]}}\n")


class Reactions(InFolder):
    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run_model(self, model, *options):
        result = self.run_here("run", model, "-o", "run.h5", "--force", *options)
        self.assertEqual(result.returncode, OK, result.stderr)
        return json.loads(self.run_here("info", "run.h5", "--certificate").stdout)

    def reactions(self, model, *options):
        """Reactions of all joints at all times, by channel; and the certificate."""
        certificate = self.run_model(model, *options)
        with h5py.File(self.folder / "run.h5") as file:
            rows = len(file["time"])
            values = {row["name"].decode(): file[row["block"].decode()][:rows].reshape(rows, -1)[:, row["column"]]
                      for row in file["index"] if b".reaction." in row["name"]}
        self.assertTrue(values)
        return values, certificate

    def check(self, model, *options):
        result = self.run_here("check", model, "--json", *options)
        self.assertEqual(result.returncode, OK, result.stdout)
        return json.loads(result.stdout)["summary"]["reactions"]


class Reported(Reactions):
    # S2-22, S3-23: which reactions are not unique is reported, and no joint has to be marked.
    def test_check_says_who_shares(self):
        text = self.run_here("check", FOUR_BAR, "--details").stdout
        self.assertIn("reactions     shared in this pose by crank_bearing, crank_pin, rocker_pin, rocker_bearing; "
                      "12 directions in all, the others are unique", text)
        self.assertIn("reaction      crank_pin: force.y, moment.x, moment.z shared with crank_bearing, rocker_pin, "
                      "rocker_bearing; force.x, force.z, moment.y unique", text)
        self.assertIn("reaction      motor: unique", text)
        found = self.check(H_FRAME)
        unique = {d["channel"] for d in found["directions"] if d["unique"]}
        # A hinge carries nothing about its own axis: that is unique, too.
        self.assertEqual(unique, {"left_hinge.reaction.moment.x", "right_hinge.reaction.moment.x"})
        self.assertTrue(all(group == ["left_hinge", "right_hinge"] for group in found["groups"]))

    def test_couplings_that_hold_the_same_share_their_torques(self):
        self.write("gears.yaml", TWICE_GEARED)
        text = self.run_here("check", "gears.yaml", "--details").stdout
        self.assertIn("reactions     shared in this pose by pair, second_pair; 2 directions in all", text)
        self.assertIn("reaction      pair: torque shared with second_pair", text)
        self.assertIn("reaction      stage: unique", text)
        found = self.check("gears.yaml")
        self.assertEqual({d["channel"] for d in found["directions"] if not d["unique"]},
                         {"pair.torque", "second_pair.torque"})

    def test_components_do_not_share_with_each_other(self):
        groups = self.check(CAR)["groups"]
        self.assertEqual(len(groups), 4)
        for group, corner in zip(groups, ("front_left", "front_right", "rear_left", "rear_right")):
            self.assertTrue(all(name.startswith(corner + ".") for name in group), group)

    def test_unique_machines_stay_silent(self):
        text = self.run_here("check", SOURCE / "examples/double_pendulum/double_pendulum.yaml").stdout
        self.assertNotIn("reactions", text)

    def test_certificate_report_and_info_tell_it(self):
        certificate = self.run_model(FOUR_BAR, "--reactions", "equal")
        shared = {r["channel"]: r for r in certificate["sharedReactions"]}
        self.assertEqual(certificate["reactions"], {"split": "equal", "sharedCount": 12, "partnersKnown": True})
        self.assertEqual(set(shared), {f"{joint}.reaction.{direction}"
                                       for joint in ("crank_bearing", "crank_pin", "rocker_pin", "rocker_bearing")
                                       for direction in ("force.y", "moment.x", "moment.z")})
        self.assertTrue(all(r["always"] for r in shared.values()))
        channels = json.loads(self.run_here("info", "run.h5", "--channels", "--json").stdout)["channels"]
        self.assertEqual({c["name"] for c in channels if c.get("sharing") == "shared"}, set(shared))
        listed = self.run_here("info", "run.h5", "--channels").stdout
        self.assertRegex(listed, r"crank_pin\.reaction\.force\.y +N \(shared\)")
        self.assertRegex(listed, r"crank_pin\.reaction\.force\.magnitude +N \(derived\)")
        self.run_here("report", "run.h5", "-o", "report.md")
        page = (self.folder / "report.md").read_text()
        self.assertIn("Shared joint loads", page)
        self.assertIn("slightly compliant joints, all equally compliant", page)
        self.assertIn("| crank_pin | force.y, moment.x, moment.z | crank_bearing, rocker_pin, rocker_bearing | always |",
                      page)

    def test_welds_behind_shared_joints_share(self):
        # A bar of two parts that are welded in the middle, on two hinges: the weld passes on what the hinges share.
        model = self.write("welded.yaml", """gelenk: 1
name: welded
parts:
  a: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  b: {at: [1, 0, 0], mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
ground: {frames: {far: {at: [1, 0, 0]}}}
joints:
  near: {type: revolute, between: [ground, a], axis: x}
  weld: {type: fixed, between: [a, b], at: [0.5, 0, 0]}
  far: {type: revolute, between: [ground.far, b], axis: x}
""")
        for group in self.check(model)["groups"]:
            self.assertEqual(group, ["near", "weld", "far"])

    def test_refuses_a_split_that_is_not_there(self):
        result = self.run_here("run", FOUR_BAR, "--reactions", "fair")
        self.assertEqual(result.returncode, USAGE_ERROR)
        self.assertIn("'fair'", result.stderr)


class Split(Reactions):
    def test_only_shared_directions_depend_on_the_split(self):
        # Gravity that leans out of the plane, so that there is something to share.
        for model, options in ((FOUR_BAR, ("--gravity", "0, -4, -9")), (ENGINE, ("--duration", "0.05 s")),
                               (CAR, ("--duration", "0.2 s", "--gravity", "1, 2, -9"))):
            by_mass, certificate = self.reactions(model, *options)
            equal, _ = self.reactions(model, *options, "--reactions", "equal")
            shared = {r["channel"] for r in certificate["sharedReactions"]}
            size = max(numpy.max(numpy.abs(values)) for values in by_mass.values())
            changes = {name: numpy.max(numpy.abs(by_mass[name] - equal[name])) / size for name in by_mass}
            self.assertTrue(shared)
            for name, change in changes.items():
                if name not in shared:
                    self.assertLess(change, ROUNDING, f"{model.stem} {name}")
            changed = {name for name in shared if changes.get(name, 0.0) > SEEN}
            self.assertGreater(len(changed), len(shared) / 3, model.stem)

    def test_all_solvers_share_alike(self):
        whole, _ = self.reactions(CAR, "--duration", "0.05 s", "--gravity", "1, 2, -9")
        size = max(numpy.max(numpy.abs(values)) for values in whole.values())
        for partition in ("model", "none"):
            other, _ = self.reactions(CAR, "--duration", "0.05 s", "--gravity", "1, 2, -9", "--partition", partition)
            for name, values in whole.items():
                # Conjugate gradients end where the square of the reactions does not fall any more.
                self.assertLess(numpy.max(numpy.abs(values - other[name])) / size, 1e-8, f"{partition} {name}")

    def test_mirror_images_carry_mirrored_loads(self):
        for split in ("by_mass", "equal"):
            values, _ = self.reactions(H_FRAME, "--reactions", split)
            size = numpy.max(numpy.abs(values["left_hinge.reaction.force.z"]))
            self.assertGreater(size, 10.0)
            # Plane x = 0: forces along x change their sign, and so do moments in the plane of the mirror.
            for direction, sign in (("force.x", -1), ("force.y", 1), ("force.z", 1), ("moment.x", 1), ("moment.y", -1),
                                    ("moment.z", -1)):
                left = values["left_hinge.reaction." + direction]
                right = values["right_hinge.reaction." + direction]
                self.assertLess(numpy.max(numpy.abs(left - sign * right)) / size, ROUNDING, direction)

    def test_axes_of_the_world_do_not_matter(self):
        # The same machine turned in space, with loads that turn along.
        text = PLATE.replace("gravity: [0, 0, -9.81]", "gravity: none") + HINGES.replace("SOFT", "3")
        straight = self.write("straight.yaml", text)
        self.write("plate.yaml", text)
        turned = self.write("turned.yaml", "gelenk: 1\nname: turned\ngravity: none\nassemblies:\n"
                            "  turned: {use: plate.yaml, at: {position: [3 m, 2 m, 1 m], "
                            "orientation: {axis: [1, 2, 3], angle: 40 deg}}}\n")
        for split in ("by_mass", "equal"):
            options = ("--reactions", split, "--duration", "0.2 s", "--method", "rk4", "--step", "1 ms")
            one, _ = self.reactions(straight, *options)
            other, _ = self.reactions(turned, *options)
            size = max(numpy.max(numpy.abs(values)) for values in one.values())
            for name, values in one.items():
                # Rounding of places that are a few meters from the origin.
                self.assertLess(numpy.max(numpy.abs(values - other["turned." + name])) / size, 1e-10, name)

    def test_stiff_bushings_come_to_the_same_split(self):
        values, certificate = self.reactions(self.write("hinges.yaml", PLATE + HINGES.replace("SOFT", "3")), "--reactions",
                                             "equal", "--duration", "0.01 s")
        size = certificate["joints"]["machineSize"]
        largest = max(abs(v[0]) for v in values.values())
        errors = []
        for stiffness in (1e6, 1e7, 1e8):
            model = self.write("bushings.yaml", PLATE + bushing("left", stiffness, size) +
                               bushing("right", stiffness / 3, size))
            self.run_model(model, "--duration", "3 s", "--method", "bdf", "--tolerance", "1e-9")
            with h5py.File(self.folder / "run.h5") as file:
                end = self.ends(file)
            errors.append(max(abs(end[name.replace(".reaction", "")] - v[0]) for name, v in values.items()) / largest)
        self.assertLess(errors[-1], 1e-5)
        for soft, stiff in zip(errors, errors[1:]):
            self.assertAlmostEqual(soft / stiff, 10.0, delta=1.5, msg=str(errors))

    def ends(self, file):
        last = len(file["time"]) - 1
        return {row["name"].decode(): file[row["block"].decode()][last].reshape(-1)[row["column"]]
                for row in file["index"] if row["name"] != b"time"}

    def test_compliance_of_a_joint(self):
        for soft, share in (("1", 0.5), ("3", 0.25), ("1e9", 0.0)):
            values, _ = self.reactions(self.write("hinges.yaml", PLATE + HINGES.replace("SOFT", soft)), "--reactions",
                                       "equal", "--duration", "0.01 s")
            # Along the hinges' axis the load is simply divided: 1/c_left : 1/c_right.
            left, right = (values[f"{side}.reaction.force.x"][0] for side in ("left", "right"))
            self.assertAlmostEqual(right / (left + right), share, delta=1e-8)


if __name__ == "__main__":
    unittest.main()
