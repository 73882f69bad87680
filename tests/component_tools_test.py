#!/usr/bin/env python3
"""`gelenk component` beyond its first trial: how long a component takes, what two of them do at once,
what has changed in a new version; and a stored one that works for ever."""

import json
import os
import pathlib
import platform
import shutil
import subprocess
import unittest

import h5py

import component_support as gkc
from program_support import FAILED, FILE_ERROR, InFolder, MODEL_ERROR, OK, PROGRAM, SOURCE, TIMEOUT_S, USAGE_ERROR

HOST = f"{platform.machine()}-linux"
COMPONENTS = pathlib.Path(os.environ["GELENK_TEST_COMPONENTS"])
STRUT = """gelenk: 1
name: strut
about: {version: 1.0, maker: ACME}
parameters:
  spring: {value: 40 kN/m, min: 10 kN/m, max: 80 kN/m, doc: stiffness}
parts:
  tube: {at: [0, 0, 0.4 m], mass: 4 kg, inertia: {xx: 0.06, yy: 0.06, zz: 0.004}}
  rod: {mass: 3 kg, inertia: {xx: 0.04, yy: 0.04, zz: 0.002}}
joints:
  slide: {type: cylindrical, between: [tube, rod], axis: z}
forces:
  strut: {type: spring_damper, between: [tube, rod], stiffness: =spring, damping: 2500 N*s/m, free_length: 0.4 m}
outputs:
  travel: slide.travel
ports:
  top: tube
  foot: rod
"""


class Trying(InFolder):
    def setUp(self):
        super().setUp()
        self.assert_exit(self.gelenk("trust", "keygen", "-o", "key"), OK)

    def gelenk(self, *arguments):
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder / "home")}
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT_S,
                              cwd=self.folder, env=environment, stdin=subprocess.DEVNULL)

    def seal(self, name="strut.gkc", model=STRUT, options=("--key", "key")):
        self.write("strut.yaml", model)
        self.assert_exit(self.gelenk("seal", "strut.yaml", "--publish", "spring", "--output", "travel", "--force", "-o",
                                     name, *options), OK)

    def trust(self):
        self.assert_exit(self.gelenk("trust", "add", "ACME", "key.pub"), OK)

    def findings(self, code, *arguments):
        result = self.gelenk("component", *arguments, "--json")
        self.assert_exit(result, code)
        return json.loads(result.stdout)


class Bench(Trying):
    ROWS = ["evaluation", "load", "factor", "right side", "up", "down", "rk4 step"]

    def test_untrusted_code_stays_in_its_sandbox(self):
        self.seal()
        found = self.findings(OK, "bench", "strut.gkc")
        self.assertEqual([one["carrier"] for one in found["carriers"]], ["worker"])
        result = self.gelenk("component", "bench", "strut.gkc")
        self.assert_exit(result, OK)
        self.assertIn("not measured in the process", result.stdout)
        found = self.findings(OK, "bench", "strut.gkc", "--trust-once")
        self.assertEqual([one["carrier"] for one in found["carriers"]], ["in process", "worker"])

    def test_both_places_side_by_side(self):
        self.seal()
        self.trust()
        found = self.findings(OK, "bench", "strut.gkc", "--set", "spring=35 kN/m", "--report", "times.json")
        self.assertEqual(json.loads((self.folder / "times.json").read_text()), found)
        self.assertEqual((found["component"], found["ports"]), ("strut", 2))
        self.assertEqual([one["carrier"] for one in found["carriers"]], ["in process", "worker"])
        for one in found["carriers"]:
            times = one["microseconds"]
            self.assertEqual(list(times), self.ROWS)
            for row in times.values():
                self.assertGreater(row["median"], 0.0)
                self.assertGreaterEqual(row["percentile99"], row["median"])
            # Four evaluations and the machine around it
            self.assertGreater(times["rk4 step"]["median"], times["evaluation"]["median"])
        text = self.gelenk("component", "bench", "strut.gkc").stdout
        self.assertRegex(text, r"in process +worker\n +median +99 % +median +99 %\n")
        self.assertRegex(text, r"rk4 step +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+\n$")

    def test_what_cannot_be_measured(self):
        self.assert_exit(self.gelenk("component", "bench", "nowhere.gkc"), FILE_ERROR)
        self.seal()
        self.assertIn("its minimum is", self.gelenk("component", "bench", "strut.gkc", "--set", "spring=1").stderr)
        self.assertIn("needs NAME=VALUE", self.gelenk("component", "bench", "strut.gkc", "--set", "spring").stderr)
        self.assert_exit(self.gelenk("component", "bnch", "strut.gkc"), USAGE_ERROR)


class Versions(Trying):
    def differences(self, code, *, model=STRUT, options=("--key", "key"), settings=()):
        """Of strut.gkc and another one, new.gkc: what their descriptions say, and what they do: name -> same."""
        self.seal()
        self.seal("new.gkc", model, options)
        found = self.findings(code, "diff", "strut.gkc", "new.gkc", *settings)
        self.assertEqual(found["exitCode"], code)
        return found, {one["what"]: (one["a"], one["b"]) for one in found["differences"]}, [one["same"] for one in found["behavior"]]

    def changed(self, old, new):
        self.assertIn(old, STRUT)
        return STRUT.replace(old, new)

    def test_same_file(self):
        found, reported, same = self.differences(OK)
        self.assertEqual((found["sameFile"], reported, same), (True, {}, []))
        self.assertIn("the same component", self.gelenk("component", "diff", "strut.gkc", "new.gkc").stdout)

    def test_other_words_same_behavior(self):
        self.write("licence.txt", "You may.\n")
        found, reported, same = self.differences(
            OK, model=self.changed("version: 1.0, maker: ACME", "version: 1.1, maker: ACME Ltd., doc: better").replace(
                "min: 10 kN/m, max: 80 kN/m", "max: 90 kN/m"), options=("--licence", "licence.txt"))
        self.assertFalse(found["sameFile"])
        self.assertEqual(same, [True] * 4)
        self.assertEqual(reported.pop("key")[1], "not signed")
        for name in ("resources/inside.bin", "documentation/licenses/license.txt"):
            self.assertIn("sha256", reported.pop(name)[1])
        self.assertEqual(reported, {"version": ("1.0", "1.1"), "maker": ("ACME", "ACME Ltd."), "documentation": ("", "better"),
                                "licence": ("", "documentation/licenses/license.txt"),
                                "minimum of the parameter 'spring'": ("10000 N/m", "none"),
                                "maximum of the parameter 'spring'": ("80000 N/m", "90000 N/m")})
        text = self.gelenk("component", "diff", "strut.gkc", "new.gkc").stdout
        self.assertIn("  version: 1.0 -> 1.1\n", text)
        self.assertIn("  motion in a machine, after 0.1 s: identical to the last bit\n", text)

    def test_other_mass(self):
        found, reported, same = self.differences(1, model=self.changed("mass: 4 kg", "mass: 4.5 kg"))
        self.assertEqual(list(reported), ["resources/inside.bin"])
        self.assertEqual(same, [True, False, False, False])
        for key, mass in (("feltA", 4.0), ("feltB", 4.5)):
            # Kept from turning, the tube is felt alone along its way.
            self.assertAlmostEqual(found[key][0]["massKeptFromTurning"]["smallest"], mass, places=9)
        text = self.gelenk("component", "diff", "strut.gkc", "new.gkc").stdout
        self.assertIn("kept from turning: 4 ", text)
        self.assertIn("kept from turning: 4.5 ", text)
        self.assertRegex(text, r"mobility of the ports, as drawn: differs by 0\.\d+ of the largest number")

    def test_smallest_change(self):
        """A part in 10^15 is a difference."""
        _, _, same = self.differences(1, model=self.changed("zz: 0.004", "zz: 0.004000000000000001"))
        self.assertEqual(same[:2], [True, False])

    def test_other_default(self):
        """The same when both are set to the same."""
        softer = self.changed("value: 40 kN/m", "value: 35 kN/m")
        _, reported, same = self.differences(1, model=softer)
        self.assertEqual(reported["default of the parameter 'spring'"], ("40000 N/m", "35000 N/m"))
        self.assertEqual(same[:2], [True, True])
        self.assertEqual(same[3], False)
        _, _, same = self.differences(OK, model=softer, settings=("--set", "spring=50 kN/m"))
        self.assertEqual(same, [True] * 4)

    def test_other_ports(self):
        found, reported, same = self.differences(1, model=self.changed("foot: rod", "heel: rod"))
        self.assertEqual((reported["port 'foot'"], reported["port 'heel'"], same), (("there", ""), ("", "there"), []))
        self.assertIn("their ports differ", found["notComparable"])
        self.assertIn("was not compared", self.gelenk("component", "diff", "strut.gkc", "new.gkc").stdout)

    def test_what_cannot_be_compared(self):
        self.seal()
        self.assert_exit(self.gelenk("component", "diff", "strut.gkc", "nowhere.gkc"), FILE_ERROR)
        self.assert_usage_error(self.gelenk("component", "diff", "strut.gkc"), "two components")
        self.assert_usage_error(self.gelenk("component", "test", "strut.gkc", "strut.gkc"),
                                "only diff takes two components")


class Pairs(Trying):
    """Components in C of tests/hosts: a body on its own, and one that keeps what it has found for all of its kind."""

    CHECK = "same bits beside a second instance, in two threads"

    def pack(self, name):
        files = {f"binaries/{HOST}/body.so": (COMPONENTS / f"{name}.so").read_bytes()}
        content = gkc.ball(HOST, name, files, gkc.seed_of(self.folder / "key"))
        (self.folder / f"{name}.gkc").write_bytes(content)

    def check_of(self, name):
        self.pack(name)
        found = json.loads(self.gelenk("component", "test", f"{name}.gkc", "--json").stdout)
        (check,) = [check for check in found["checks"] if check["name"] == self.CHECK]
        return found["carrier"], check["ok"], check["figure"]

    def test_what_two_of_them_share_is_found(self):
        self.trust()
        carrier, is_good, figure = self.check_of("careless_body")
        self.assertEqual((carrier, is_good), ("in process", False), figure)
        self.assertIn("two instances share something", figure)
        carrier, is_good, figure = self.check_of("free_body")
        self.assertEqual((carrier, is_good), ("in process", True), figure)

    def test_workers_share_nothing(self):
        for name in ("careless_body", "free_body"):
            carrier, is_good, figure = self.check_of(name)
            self.assertEqual((carrier, is_good), ("worker", True), figure)
            self.assertRegex(figure, r"^\d+ motions$")


class Stored(Trying):
    """A component of interface 1.0, which is loaded for ever; see tests/data/README.md."""

    SEED = b"a test key for stored components"
    # A block on a pin, and the ball on a ball joint at the end of the block: 3 kg that turn as they like. Times and
    # positions of the block are those of the open machine, in which the ball is a part.
    MACHINE = """gelenk: 1
gravity: [0, 0, -9.81]
parts:
  block: {at: [0.5 m, 0, 0], mass: 1 kg, inertia: {xx: 0.01, yy: 0.02, zz: 0.03}, frames: {end: {at: [0.3 m, 0.1 m, 0]}}}
joints:
  pin: {type: revolute, between: [ground, block], at: [0, 0, 0], axis: y}
assemblies:
  ball:
    use: interface_1_0.gkc
    inputs: {push: 0 N}
    at: [0.8 m, 0.1 m, 0]
    set: {mass: 3 kg}
    attach: {eye: {type: spherical, to: block.end}}
simulation: {duration: 0.5 s, output_every: 0.1 s, method: rk4, step: 1 ms}
"""
    POSITIONS = [(0.5, 0.0), (0.49894597472608604, -0.03244864102910781), (0.4832943841065256, -0.1281660574843985),
                 (0.41877268422516817, -0.2731838921804278), (0.26858522352109643, -0.42173685836801444),
                 (0.03669457773578052, -0.49865169002500404)]
    ROUNDING_M = 1e-12  # after 500 steps

    def setUp(self):
        super().setUp()
        shutil.copy(SOURCE / "tests/data/interface_1_0.gkc", self.folder)
        self.write("machine.yaml", self.MACHINE)

    def test_tells_what_it_is(self):
        result = self.gelenk("info", "interface_1_0.gkc", "--json")
        self.assert_exit(result, OK)
        manifest = json.loads(result.stdout)["manifest"]
        self.assertEqual((manifest["about"]["name"], manifest["abi"]), ("ball", {"major": 1, "minor": 0}))
        self.assertEqual([port["name"] for port in manifest["ports"]], ["eye", "push", "speed"])
        self.assert_exit(self.gelenk("verify", "interface_1_0.gkc"), FAILED)
        self.assert_exit(self.gelenk("trust", "add", "tests", gkc.key_text(self.SEED)), OK)
        self.assert_exit(self.gelenk("verify", "interface_1_0.gkc"), OK)

    def test_moves_as_it_always_did(self):
        if HOST != "x86_64-linux":  # it was made for that platform alone: then it says so
            result = self.gelenk("run", "machine.yaml", "-o", "run.h5")
            self.assert_exit(result, MODEL_ERROR)
            self.assertIn("x86_64-linux", result.stderr)
            return
        for carrier in ("worker", "in process"):
            self.assert_exit(self.gelenk("run", "machine.yaml", "-o", "run.h5", "--force"), OK)
            with h5py.File(self.folder / "run.h5") as file:
                self.assertEqual(json.loads(file["options"][()])["components"][0]["carrier"], carrier)
                poses = file["by_path/block/pose"][()]
            self.assertEqual(len(poses), len(self.POSITIONS))
            for pose, (x, z) in zip(poses, self.POSITIONS):
                for ours, theirs in zip(pose, (x, 0.0, z)):
                    self.assertAlmostEqual(ours, theirs, delta=self.ROUNDING_M)
            if carrier == "worker":
                self.assert_exit(self.gelenk("trust", "add", "tests", gkc.key_text(self.SEED)), OK)


DOOR = """gelenk: 1
name: door
parts:
  jamb: {mass: 8 kg, inertia: {xx: 1, yy: 1, zz: 0.1}}
  leaf: {at: [0.4 m, 0, 0], mass: 5 kg, inertia: {xx: 0.8, yy: 1, zz: 0.3}}
  knob: {at: [0.7 m, 0.05 m, 0], mass: 0.5 kg, inertia: {xx: 0.001, yy: 0.002, zz: 0.001}}
joints:
  lower: {type: revolute, between: [jamb, leaf], at: [0, 0, -0.8 m], axis: z}
  upper: {type: revolute, between: [jamb, leaf], at: [0, 0, 0.8 m], axis: z}
  stalk: {type: revolute, between: [leaf, knob], at: [0.7 m, 0.05 m, 0], axis: y}
forces:
  closer: {type: rotational_spring_damper, drives: lower.angle, stiffness: 20 N*m/rad, damping: 1 N*m*s/rad, free_angle: 40 deg}
ports: {sill: jamb}
"""
HOUSE = """gelenk: 1
gravity: [0, 0, -9.81]
parts:
  wall: {mass: 20 kg, inertia: {xx: 2, yy: 2, zz: 2}}
  post: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  foot: {type: fixed, between: [ground, post]}
forces:
  bush: {type: bushing, between: [post, wall], stiffness: [1e4, 1e4, 1e4], rotational_stiffness: [1e3, 1e3, 1e3]}
assemblies:
  door: {use: DOOR, at: [0.1 m, 0.2 m, 0.3 m], attach: {sill: {type: fixed, to: wall}}}
simulation: {duration: 0.3 s, output_every: 0.05 s, method: dopri5, tolerance: 1e-9}
"""


class RedundantInside(Trying):
    """A door on two hinges on one axis: how they share their load nobody can know, all the rest is determined."""

    MOTIONS = ["lower.angle", "upper.angle", "stalk.rate", "leaf.acceleration.z", "leaf.angular_acceleration.z", "closer.torque"]
    LOADS = [f"reaction.{kind}.{axis}" for kind in ("force", "moment") for axis in "xyz"]
    ROUNDING = 1e-11  # N or N*m; the largest load is 120 N

    def rows(self, door):
        """Channels of the door in a run of the house: name -> numbers."""
        self.write("house.yaml", HOUSE.replace("DOOR", door))
        self.assert_exit(self.gelenk("run", "house.yaml", "-o", "house.h5", "--partition", "sealed", "--force"), OK)
        self.assert_exit(self.gelenk("export", "house.h5", "-o", "house.csv", "--force"), OK)
        lines = [line.split(",") for line in (self.folder / "house.csv").read_text().splitlines() if line[0] != "#"]
        names = [name.split(" ")[0].removeprefix("door.") for name in lines[0]]
        return dict(zip(names, zip(*([float(cell) for cell in line] for line in lines[1:]))))

    def test_published_outputs(self):
        self.write("door.yaml", DOOR)
        reactions = [f"{joint}.{load}" for joint in ("lower", "upper", "stalk") for load in self.LOADS]
        self.assert_exit(self.gelenk("seal", "door.yaml", "--output", ",".join(self.MOTIONS + reactions)), OK)
        theirs, ours = self.rows("door.yaml"), self.rows("door.gkc")
        self.assertGreater(max(ours["lower.angle"]), 0.1)  # it moves
        for name in self.MOTIONS:
            self.assertEqual(ours[name], theirs[name], name)

        def assert_near(one, other, name):
            for a, b in zip(one, other, strict=True):
                self.assertAlmostEqual(a, b, delta=self.ROUNDING, msg=name)

        def sum_of_hinges(rows, axis):
            return [a + b for a, b in zip(rows[f"lower.reaction.force.{axis}"], rows[f"upper.reaction.force.{axis}"])]

        for load in self.LOADS:
            assert_near(ours["stalk." + load], theirs["stalk." + load], load)
        for axis in "xyz":
            assert_near(sum_of_hinges(ours, axis), sum_of_hinges(theirs, axis), axis)
        self.assertGreater(max(map(abs, sum_of_hinges(ours, "z"))), 40.0)


if __name__ == "__main__":
    unittest.main()
