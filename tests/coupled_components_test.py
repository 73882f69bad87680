#!/usr/bin/env python3
"""Components beside couplings, in the sandbox: one in C with a shaft (tests/hosts/flywheel.c), geared to a joint of a
machine, with closed forms, checkpoints, messages; and a sealed model on a wheel that is geared to another."""

import math
import os
import pathlib
import platform
import subprocess
import unittest

import component_support as gkc
from customer_support import COMPONENT_FAILED, Customer
from program_support import MODEL_ERROR, OK, PROGRAM, TIMEOUT_S

HOST = f"{platform.machine()}-linux"
COMPONENTS = pathlib.Path(os.environ["GELENK_TEST_COMPONENTS"])
ROTOR, WHEEL, RATIO, TORQUE, STIFFNESS, START = 0.3, 0.7, 3.0, 2.0, 40.0, 0.4
MACHINE = f"""gelenk: 1
gravity: none
parts: {{rotor: {{mass: 1 kg, inertia: {{xx: 0.2, yy: 0.2, zz: {ROTOR}}}}}}}
assemblies: {{drive: {{use: flywheel.gkc, set: {{stiffness: STIFFNESS}}}}}}
joints:
  hinge: {{type: revolute, between: [ground, rotor], axis: z, start: {{angle: ANGLE}}}}
  mesh: {{type: gear, couples: [hinge.angle, drive.out], ratio: {RATIO}}}
forces: {{motor: {{type: actuator, drives: hinge.angle, value: EFFORT}}}}
simulation: {{duration: 1 s, output_every: 10 ms}}
"""
# method, option of its steps, relative error
METHODS = [("dopri5", ["--tolerance", "1e-9"], 1e-7), ("rk4", ["--step", "1 ms"], 1e-7),
           ("bdf", ["--tolerance", "1e-8"], 1e-4), ("generalized_alpha", ["--step", "0.5 ms"], 1e-4)]


def machine(stiffness="0", angle="0", effort="0"):
    return MACHINE.replace("STIFFNESS", stiffness).replace("ANGLE", angle).replace("EFFORT", effort)


class Shaft(Customer):
    def setUp(self):
        super().setUp()
        files = {f"binaries/{HOST}/flywheel.so": (COMPONENTS / "flywheel.so").read_bytes()}
        content = {"format": {"major": 1, "minor": 0}, "abi": {"major": 1, "minor": 2},
                   "about": {"name": "flywheel", "version": "1.0"},
                   "ports": [{"name": "out", "kind": "rotational", "width": 1, "doc": "of the flywheel"}],
                   "parameters": [{"name": "inertia", "unit": "kg*m^2", "default": 0.7, "min": 1e-6, "max": 1e6},
                                  {"name": "stiffness", "unit": "N*m", "default": 0, "min": 0, "max": 1e9}],
                   "outputs": [{"name": "angle", "unit": "rad"}], "platforms": [HOST],
                   "files": gkc.manifest(files)["files"]}
        (self.folder / "flywheel.gkc").write_bytes(gkc.container(content=content, files=files))

    def end_of(self, run):
        return {name: float(column[-1]) for name, column in self.rows(run).items()}

    def column(self, end, start):
        names = [name for name in end if name.startswith(start)]
        self.assertEqual(len(names), 1, sorted(end))
        return end[names[0]]

    def test_its_inertia_is_felt_through_the_gear(self):
        self.write("turning.yaml", machine(effort="2 N*m"))
        acceleration = TORQUE / (ROTOR + WHEEL / RATIO**2)
        for method, steps, error in METHODS:
            with self.subTest(method=method):
                result = self.gelenk("run", "turning.yaml", "--method", method, *steps, "-o", "run.h5", "--force")
                self.assert_exit(result, OK)
                end = self.end_of("run.h5")
                self.assertAlmostEqual(self.column(end, "hinge.rate"), acceleration, delta=10 * error)
                self.assertAlmostEqual(self.column(end, "drive.angle"), -0.5 * acceleration / RATIO, delta=10 * error)
                self.assertAlmostEqual(self.column(end, "mesh.torque"), -WHEEL / RATIO**2 * acceleration,
                                       delta=10 * error)

    def test_a_spring_behind_the_gear_swings(self):
        self.write("swinging.yaml", machine(stiffness="40 N*m", angle="0.4 rad"))
        omega = math.sqrt(STIFFNESS / RATIO**2 / (ROTOR + WHEEL / RATIO**2))
        for method, steps, error in METHODS:
            with self.subTest(method=method):
                result = self.gelenk("run", "swinging.yaml", "--method", method, *steps, "-o", "run.h5", "--force")
                self.assert_exit(result, OK)
                end = self.end_of("run.h5")
                self.assertAlmostEqual(self.column(end, "drive.angle"), -START / RATIO * math.cos(omega),
                                       delta=10 * error)

    def test_runs_continue_bit_for_bit(self):
        self.write("swinging.yaml", machine(stiffness="40 N*m", angle="0.4 rad", effort="2 N*m"))
        # Long enough to be met alive.
        options = ["--method", "rk4", "--step", "0.1 ms", "--duration", "1 s", "--checkpoint", "0.1 s"]
        self.assert_exit(self.gelenk("run", "swinging.yaml", *options, "-o", "whole.h5"), OK)
        process = subprocess.Popen([PROGRAM, "run", "swinging.yaml", "-o", "killed.h5", *options], cwd=self.folder,
                                   env=self.environment(), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.kill_a_worker_of(process)
        _, error = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, COMPONENT_FAILED, error)
        self.assert_exit(self.gelenk("run", "--resume", "killed.h5"), OK)
        self.assertEqual(self.rows("killed.h5"), self.rows("whole.h5"))

    def test_it_is_tried_like_any_other(self):
        self.assert_exit(self.gelenk("component", "test", "flywheel.gkc"), OK)

    def test_messages(self):
        self.write("wrong.yaml", machine().replace("drive.out", "drive.oot"))
        result = self.gelenk("check", "wrong.yaml")
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("the sealed component 'drive' has no shaft 'oot'", result.stderr)
        self.write("wrong.yaml", machine().replace("[hinge.angle, drive.out]", "[drive.out, hinge.angle]"))
        result = self.gelenk("check", "wrong.yaml")
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("'drive.out' is a shaft, and the first coordinate of a gear must be one of a joint", result.stderr)


ARM = """gelenk: 1
name: arm
about: {version: 1.0}
parts:
  hub: {mass: 1 kg, inertia: {xx: 0.01, yy: 0.01, zz: 0.02}}
  bob: {at: [0.3 m, 0, 0], mass: 2 kg, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
joints:
  hinge: {type: revolute, between: [hub, bob], at: [0.1 m, 0, 0], axis: z}
ports: {base: hub}
"""
WHEELS = """gelenk: 1
gravity: [0, -9.81, 0]
parts:
  wheel: {mass: 1 kg, inertia: {xx: 0.02, yy: 0.02, zz: 0.02}}
  other: {at: [1 m, 0, 0], mass: 1 kg, inertia: {xx: 0.03, yy: 0.03, zz: 0.03}}
joints:
  near: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: z}
  far: {type: revolute, between: [ground, other], at: [1 m, 0, 0], axis: z}
  mesh: {type: gear, couples: [near.angle, far.angle], ratio: 2}
forces: {motor: {type: actuator, drives: far.angle, value: 2 N*m}}
assemblies: {arm: {use: ARM, attach: {base: {type: fixed, to: wheel}}}}
simulation: {duration: 0.5 s}
"""


class Gears(Customer):
    def test_a_sealed_model_feels_the_gears_beside_it(self):
        self.write("arm.yaml", ARM)
        self.assert_exit(self.gelenk("seal", "arm.yaml"), OK)
        for method, steps, error in METHODS:
            with self.subTest(method=method):
                ends = {}
                for arm in ("arm.yaml", "arm.gkc"):
                    self.write("wheels.yaml", WHEELS.replace("ARM", arm))
                    result = self.gelenk("run", "wheels.yaml", "--method", method, *steps, "-o", "run.h5", "--force")
                    self.assert_exit(result, OK)
                    ends[arm] = {name: float(column[-1]) for name, column in self.rows("run.h5").items()}
                shared = [name for name in ends["arm.gkc"] if name in ends["arm.yaml"]]
                angles = [name for name in shared if ".angle" in name]
                self.assertEqual(len(angles), 2, shared)
                for name in angles:
                    self.assertGreater(abs(ends["arm.yaml"][name]), 0.1)
                    self.assertAlmostEqual(ends["arm.gkc"][name], ends["arm.yaml"][name], delta=10 * error)


if __name__ == "__main__":
    unittest.main()
