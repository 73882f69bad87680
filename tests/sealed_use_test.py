#!/usr/bin/env python3
"""Sealed components as customers meet them: a machine that uses them runs as the open one does, to the last bit; what
fails is named, results are kept; nothing of the inside is in any file that the customer gets or makes."""

import hashlib
import json
import shutil
import struct
import subprocess
import textwrap
import time
import unittest

from customer_support import COMPONENT_FAILED, Customer
from program_support import MODEL_ERROR, OK, PROGRAM, SOURCE, TIMEOUT_S, USAGE_ERROR

EXAMPLE = SOURCE / "examples" / "car"
# Of suspension.yaml; the mass is one that no other number is by chance.
NAMES_INSIDE = ["wheel_group", "unloaded_wheel"]
MASS_INSIDE = 18.73429156
SHORT = ["--duration", "0.2 s", "--partition", "sealed", "--no-estimate"]
# Methods of different kinds with a tolerance of 1e-7, over some hundred steps; the car sinks by centimeters.
AGREE_M = 1e-6
MAST = """gelenk: 1
parts:
  foot: {mass: 5 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  pole: {at: [0, 0, 0.5 m], mass: 20 kg, inertia: {xx: 1, yy: 1, zz: 0.1}}
joints:
  slide: {type: prismatic, between: [foot, pole], axis: z}
forces:
  spring: {type: spring_damper, between: [foot, pole], stiffness: 20 kN/m, damping: 200 N*s/m, free_length: 0.5 m}
ports: {base: foot}
"""
CORNER = """gelenk: 1
parts: {stone: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {rest: {type: fixed, between: [ground, stone]}}
assemblies:
  corner: {use: SUSPENSION, attach: {arm_pivot: {type: revolute, to: ground, axis: y}}}
forces:
  pull: {type: spring_damper, between: [ground, corner.strut_top], stiffness: 20 kN/m, damping: 100 N*s/m}
"""
WORM = """joints:
  hinge: {type: cylindrical, between: [ground, stone], axis: z}
  worm: {type: rack, couples: [hinge.angle, hinge.travel], radius: 1 mm}
"""
MAST_ON_CAR = """  mast:
    use: mast.yaml
    at: [0, 0, 1 m]
    attach: {base: {type: fixed, to: chassis}}

forces:
  damper:
    type: force
    applied_to: chassis
    axes_of: ground
    along: z
    value: =-2000 (N*s/m) * (chassis.velocity.z - mast.pole.velocity.z)
"""


class Using(Customer):
    def setUp(self):
        super().setUp()
        shutil.copy(EXAMPLE / "car.yaml", self.folder / "car.yaml")
        inside = (EXAMPLE / "suspension.yaml").read_text()
        for name in NAMES_INSIDE:
            self.assertIn(name, inside)
        self.write("suspension.yaml", inside.replace("mass: 18 kg", f"mass: {MASS_INSIDE} kg"))
        text = (self.folder / "car.yaml").read_text().replace("suspension.yaml", "suspension.gkc")
        # Outputs look inside, which a sealed component does not allow.
        lines = [line for line in text.splitlines() if "front_left_" not in line]
        self.write("sealed.yaml", "\n".join(lines) + "\n")
        self.assert_exit(self.gelenk("trust", "keygen", "-o", "key"), OK)
        self.assert_exit(self.seal("--key", "key"), OK)

    def seal(self, *arguments):
        return self.gelenk("seal", "suspension.yaml", "--publish", "spring,damping", "--force", *arguments)

    # S0-06: components of makers who hide their data.
    def test_moves_as_the_open_machine_with_both_hosts(self):
        # The other methods are compared in tests/sealed, without files between.
        for method in ("rk4", "bdf"):
            options = [*SHORT, "--method", method, "--force"]
            if method == "rk4":
                options += ["--step", "1 ms"]
            self.assert_same_with_both_hosts("car.yaml", "sealed.yaml", options)

    def test_pictures_show_nothing_but_the_ports(self):
        self.assert_exit(self.gelenk("run", "sealed.yaml", *SHORT, "--step", "1 ms", "-o", "run.h5"), OK)
        for source in ("sealed.yaml", "run.h5"):
            for ending in (".scene.json", ".glb", ".urdf"):
                self.assert_exit(self.gelenk("export", source, "-o", "picture" + ending, "--force"), OK)
                picture = (self.folder / ("picture" + ending)).read_bytes()
                for name in [*NAMES_INSIDE, str(MASS_INSIDE)]:
                    self.assertNotIn(name.encode(), picture)
            scene = json.loads((self.folder / "picture.scene.json").read_text())
            self.assertEqual([part["path"] for part in scene["parts"]], ["chassis"])
            self.assertTrue(all(assembly["sealed"] for assembly in scene["assemblies"]))
            frames = {frame["path"]: frame for frame in scene["frames"]}
            self.assertEqual(frames["front_left.arm_pivot"]["part"], 0, "it moves with the chassis, which holds it")
            for joint in scene["joints"]:
                self.assertEqual(joint["parts"], [0, 0])
                self.assertEqual(joint["frames"][0], joint["frames"][1])
                self.assertEqual(len(joint["reactionAxes"]), 4, "of the chassis")
            self.assertEqual(scene["motions"], [], "what moves inside is not known")

    def seal_inside(self, *names):
        """Assemblies of the suspension as files of their own, sealed; the suspension that uses them is sealed again."""
        text = (self.folder / "suspension.yaml").read_text()
        published = {"damper": ["--publish", "length,preload,spring,damping"], "wheel_group": []}
        for name in names:
            start = text.index(f"  {name}:", text.index("definitions:"))
            end = min(text.index(mark, start) for mark in ("\n\n  wheel_group:", "\nassemblies:") if mark in text[start:])
            definition = text[start:end]
            body = textwrap.dedent(definition.split("\n", 1)[1])
            self.write(f"{name}.yaml", f"gelenk: 1\nname: {name}\nabout: {{version: 1.0}}\n{body}\n")
            self.assert_exit(self.gelenk("seal", f"{name}.yaml", *published[name], "--force"), OK)
            text = text.replace(definition, "").replace(f"use: {name}", f"use: {name}.gkc")
        if len(names) > 1:
            text = text.replace("definitions:\n", "")
        self.write("suspension.yaml", text)
        self.assert_exit(self.seal("--key", "key"), OK)

    def test_components_inside_components(self):
        for names, methods in ((["damper"], ["rk4"]), (["wheel_group"], ["dopri5"]),
                               (["damper", "wheel_group"], ["generalized_alpha"])):
            with self.subTest(names=names):
                inside = (EXAMPLE / "suspension.yaml").read_text()
                self.write("suspension.yaml", inside)
                self.seal_inside(*names)
                self.write("suspension.yaml", inside)  # for the open car; the sealed one is made
                for method in methods:
                    options = [*SHORT, "--method", method, "--force"]
                    if method in ("rk4", "generalized_alpha"):
                        options += ["--step", "1 ms"]
                    self.assert_same_with_both_hosts("car.yaml", "sealed.yaml", options)

    def test_joints_and_forces_from_the_ground(self):
        """Nothing of the owner is at the other end; in the open machine they belong to the inside, here to the owner."""
        for method, options in (("rk4", ["--step", "1 ms"]), ("bdf", ["--tolerance", "1e-8"])):
            runs = {}
            for name in ("suspension.yaml", "suspension.gkc"):
                self.write("corner.yaml", CORNER.replace("SUSPENSION", name))
                self.assert_exit(self.gelenk("run", "corner.yaml", "--method", method, "--duration", "0.2 s", *options,
                                             "-o", "corner.h5", "--force"), OK)
                runs[name] = self.rows("corner.h5")
            mine, theirs = runs["suspension.gkc"], runs["suspension.yaml"]
            angles = [name for name in mine if ".angle" in name]
            self.assertEqual(len(angles), 1, list(mine))
            for name in angles:
                values = [float(text) for text in mine[name]]
                self.assertGreater(max(values) - min(values), 1e-3)
                for one, other in zip(values, theirs[name]):
                    self.assertAlmostEqual(one, float(other), delta=1e-9 if method == "rk4" else 1e-6)

    def test_implicit_methods_leave_out_what_no_component_sees(self):
        """The formula of a force reads a part inside an open assembly, which has no port there; beside sealed components
        that border is kept, so its derivative is missing in the matrix. The motion must be that of explicit steps."""
        self.write("mast.yaml", MAST)
        text = (self.folder / "sealed.yaml").read_text()
        self.write("mast_car.yaml", text.replace("forces:\n", MAST_ON_CAR, 1))
        ends = {}
        for method in ("dopri5", "bdf"):
            self.assert_exit(self.gelenk("run", "mast_car.yaml", "--method", method, "--tolerance", "1e-7", *SHORT, "-o",
                                         method + ".h5"), OK)
            ends[method] = float(self.rows(method + ".h5")["chassis.position.z [m]"][-1])
        self.assertNotEqual(ends["bdf"], ends["dopri5"])
        self.assertAlmostEqual(ends["bdf"], ends["dopri5"], delta=AGREE_M)

    def test_crash_is_told_and_the_run_goes_on_later(self):
        # Long enough to be met alive on a busy machine: seconds of work.
        whole = ["--duration", "1.5 s", "--partition", "model", "--force"]
        self.assert_exit(self.gelenk("run", "sealed.yaml", "-o", "whole.h5", *whole), OK)
        process = subprocess.Popen([PROGRAM, "run", "sealed.yaml", "-o", "killed.h5", *whole], cwd=self.folder,
                                   env=self.environment(), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.kill_a_worker_of(process)
        _, error = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, COMPONENT_FAILED, error)
        self.assertRegex(error, r"component '(front|rear)_(left|right) \(suspension 1.0\)' crashed \(SIGKILL\), at")
        self.assertIn("GK1804", error)
        self.assert_exit(self.gelenk("run", "--resume", "killed.h5"), OK)
        self.assert_same("killed.h5", "whole.h5")

    def test_another_component_does_not_go_on_with_a_run(self):
        process = subprocess.Popen([PROGRAM, "run", "sealed.yaml", "-o", "killed.h5"], cwd=self.folder,
                                   env=self.environment(), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.kill_a_worker_of(process)
        self.assertEqual(process.wait(timeout=TIMEOUT_S), COMPONENT_FAILED)
        text = (self.folder / "suspension.yaml").read_text()
        self.write("suspension.yaml", text.replace("mass: 4 kg", "mass: 5 kg"))
        self.assertNotEqual(text, (self.folder / "suspension.yaml").read_text())
        self.assert_exit(self.seal(), OK)
        result = self.gelenk("run", "--resume", "killed.h5")
        self.assertNotEqual(result.returncode, OK)
        self.assertIn("is not the one that the run was made with", result.stderr)

    def test_says_what_is_not_possible(self):
        result = self.gelenk("run", "sealed.yaml", "--method", "cvode")
        self.assert_exit(result, USAGE_ERROR)
        self.assertIn("method cvode needs the whole state", result.stderr)
        result = self.gelenk("run", "sealed.yaml", "--partition", "none")
        self.assert_exit(result, USAGE_ERROR)
        self.write("wrong.yaml", (self.folder / "sealed.yaml").read_text().replace("spring: =spring", "spring: -1 N/m"))
        result = self.gelenk("check", "wrong.yaml")
        self.assert_exit(result, MODEL_ERROR)
        (self.folder / "suspension.gkc").unlink()
        result = self.gelenk("check", "sealed.yaml")
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("suspension.gkc", result.stderr)

    def test_check_and_verify_say_what_nobody_can_know(self):
        result = self.gelenk("check", "sealed.yaml")
        self.assert_exit(result, OK)
        self.assertIn("front_left: sealed", result.stdout)
        self.assertIn("motions       not counted", result.stdout)
        self.assert_exit(self.gelenk("run", "sealed.yaml", "-o", "run.h5", *SHORT), OK)
        result = self.gelenk("verify", "run.h5")
        self.assertIn("cannot be verified", result.stderr)
        self.assertIn("worker, no licence (4 instances)\n", self.gelenk("info", "run.h5").stdout)

    def test_a_run_tells_its_components(self):
        self.write("licence.txt", "For the test bench only.\n")
        self.assert_exit(self.seal("--licence", "licence.txt"), OK)
        self.assert_exit(self.gelenk("run", "sealed.yaml", "-o", "run.h5", *SHORT), OK)
        licence = hashlib.sha256(b"For the test bench only.\n").hexdigest()
        self.assertIn(f"sealed:   suspension 1.0 by Gelenk examples, worker, licence {licence[:16]} (4 instances)\n",
                      self.gelenk("info", "run.h5").stdout)
        reported = json.loads(self.gelenk("info", "run.h5", "--json").stdout)["components"]
        self.assertEqual([(one["name"], one["version"], one["maker"], one["carrier"], one["licenceSha256"]) for one in reported],
                         4 * [("suspension", "1.0", "Gelenk examples", "worker", licence)])
        self.assert_exit(self.gelenk("run", "car.yaml", "-o", "open.h5", *SHORT), OK)
        self.assertNotIn("sealed:", self.gelenk("info", "open.h5").stdout)

    def test_component_can_be_tried(self):
        for carrier in ("worker", "in process"):
            result = self.gelenk("component", "test", "suspension.gkc", "--set", "spring=35 kN/m", "--report", "found.json")
            self.assert_exit(result, OK)
            found = json.loads((self.folder / "found.json").read_text())
            self.assertEqual(found["carrier"], carrier)
            self.assertEqual(7, len(found["checks"]))
            if carrier == "worker":
                self.trust()
        self.assertIn("its minimum is", self.gelenk("component", "test", "suspension.gkc", "--set", "spring=-1").stderr)
        self.assert_exit(self.gelenk("component", "tset", "suspension.gkc"), USAGE_ERROR)

    def test_without_a_worker(self):
        alone = self.folder / "gelenk"
        shutil.copy(PROGRAM, alone)
        result = subprocess.run([alone, "check", "sealed.yaml"], capture_output=True, text=True, timeout=TIMEOUT_S,
                                cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL)
        self.assert_exit(result, MODEL_ERROR)
        for piece in ("gelenk-worker, which runs sealed components from makers you do not trust, is missing",
                      f"'{self.folder.resolve()}/gelenk-worker'", "./dev build", "gelenk doctor"):
            self.assertIn(piece, result.stderr)

    def test_licence_is_shown_once(self):
        self.write("licence.txt", "For the test bench only.\n")
        self.assert_exit(self.seal("--licence", "licence.txt"), OK)
        self.assertIn("For the test bench only.", self.gelenk("check", "sealed.yaml").stderr)
        self.assertNotIn("test bench", self.gelenk("check", "sealed.yaml").stderr)

    # S0-06, S0-09: masses and names of the inside stay unknown.
    def test_nothing_of_the_inside_is_in_files_of_the_customer(self):
        self.assert_exit(self.gelenk("run", "sealed.yaml", "-o", "run.h5", "--checkpoint", "0.1 s", *SHORT), OK)
        process = subprocess.Popen([PROGRAM, "run", "sealed.yaml", "-o", "killed.h5", "--duration", "1000 s", "--checkpoint",
                                    "0.05 s"], cwd=self.folder, env=self.environment(), stderr=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL)
        end = time.monotonic() + TIMEOUT_S
        while not list(self.folder.glob("killed.checkpoint*")) and time.monotonic() < end:
            time.sleep(0.05)
        self.kill_a_worker_of(process)
        process.wait(timeout=TIMEOUT_S)
        self.assert_exit(self.gelenk("report", "run.h5", "-o", "run.html"), OK)
        files = [self.folder / "suspension.gkc", self.folder / "run.html", *self.folder.glob("run.*"), *self.folder.glob("killed*")]
        self.assertTrue(any("checkpoint" in file.name for file in files), files)
        secrets = [name.encode() for name in NAMES_INSIDE]
        secrets += [str(MASS_INSIDE).encode(), struct.pack("<d", MASS_INSIDE), struct.pack(">d", MASS_INSIDE)]
        for file in files:
            content = file.read_bytes()
            for secret in secrets:
                self.assertNotIn(secret, content, f"{secret} in {file.name}")


if __name__ == "__main__":
    unittest.main()
