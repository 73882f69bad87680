#!/usr/bin/env python3
"""gelenk analyze inverse: closed forms, and the loads that made a motion."""

import csv
import json
import math
import unittest

from program_support import InFolder, OK, run, USAGE_ERROR

SIMULATION_FAILED = 1
G = 9.80665
PENDULUM = """gelenk: 1
name: pendulum
parts: {bob: {mass: 2 kg, center_of_mass: [0, 0, -0.5 m], inertia: {xx: 0.01, yy: 0.02, zz: 0.01}}}
joints: {pivot: {type: revolute, between: [ground, bob], axis: y}}
simulation: {duration: 2 s, output_every: 50 ms}
"""
ARM = """gelenk: 1
name: arm
parts:
  upper: {mass: 3 kg, center_of_mass: [0.25, 0, 0.02], inertia: {xx: 0.01, yy: 0.06, zz: 0.06}, frames: {elbow: [0.5, 0, 0]}}
  lower: {at: upper.elbow, mass: 2 kg, center_of_mass: [0.2, 0.01, 0], inertia: {xx: 0.01, yy: 0.03, zz: 0.03}}
joints:
  shoulder: {type: revolute, between: [ground, upper], axis: y, start: {angle: 20 deg, rate: 1 rad/s}}
  elbow: {type: revolute, between: [upper.elbow, lower], axis: [0, 1, 0.2]}
forces:
  first: {type: actuator, drives: shoulder.angle, value: "=-15 (N*m) + 4 (N*m) * sin(5 (rad/s) * time)"}
  second: {type: actuator, drives: elbow.angle, value: "=3 (N*m) * cos(7 (rad/s) * time) - 0.1 (N*m*s) * elbow.rate"}
simulation: {duration: 1 s, output_every: 20 ms, tolerance: 1e-6}
"""
GEARS = """gelenk: 1
name: pair
gravity: none
parts:
  left: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.2}}
  right: {at: [1, 0, 0], mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.2}}
ground: {frames: {other: [1, 0, 0]}}
joints:
  a: {type: revolute, between: [ground, left], axis: z}
  b: {type: revolute, between: [ground.other, right], axis: z}
  mesh: {type: gear, couples: [a.angle, b.angle], ratio: 1}
simulation: {duration: 1 s, output_every: 100 ms}
"""


class Inverse(InFolder):
    def analyze(self, *words, code=OK):
        result = run("analyze", "inverse", *words, cwd=self.folder)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        return result

    def write(self, text):
        (self.folder / "machine.yaml").write_text(text)
        return "machine.yaml"

    def table(self, name):
        with open(self.folder / name, newline="") as file:
            rows = list(csv.reader(file))
        return rows[0], [[float(x) for x in row] for row in rows[1:]]

    def test_pendulum_in_closed_form(self):
        law = "pivot.angle==0.7 rad * sin(3 (rad/s) * time)"
        self.analyze(self.write(PENDULUM), "--drive", law, "-o", "efforts.csv")
        head, rows = self.table("efforts.csv")
        self.assertEqual(head[1:], ["pivot.angle.effort [N*m]", "pivot.angle.power [W]"])
        self.assertEqual(len(rows), 41)
        for time, effort, power in rows:
            q, rate = 0.7 * math.sin(3 * time), 2.1 * math.cos(3 * time)
            wanted = -9 * q * (0.02 + 2 * 0.25) + 2 * G * 0.5 * math.sin(q)
            self.assertAlmostEqual(effort, wanted, delta=1e-11)
            self.assertAlmostEqual(power, wanted * rate, delta=1e-11)
        # As a results file, too.
        self.analyze("machine.yaml", "--drive", law, "-o", "motion.h5", "--duration", "1 s")
        run("export", "motion.h5", "pivot_drive.torque", "-o", "torque.csv", cwd=self.folder)
        _, recorded = self.table("torque.csv")
        self.assertEqual(len(recorded), 21)
        for (_, effort, _), (_, torque) in zip(rows, recorded):
            self.assertAlmostEqual(effort, torque, delta=1e-11)

    def test_finds_the_loads_that_made_a_motion(self):
        model = self.write(ARM)
        self.assertEqual(run("run", model, "-o", "free.h5", cwd=self.folder).returncode, OK)
        by = ["--motion", "free.h5", "--by", "shoulder", "--by", "elbow.angle"]
        self.analyze(model, *by, "--without", "first", "--without", "second", "-o", "efforts.csv")
        run("export", "free.h5", "elbow.rate", "-o", "rate.csv", cwd=self.folder)
        _, rows = self.table("efforts.csv")
        _, rates = self.table("rate.csv")
        self.assertEqual(len(rows), 51)
        for (time, first, _, second, _), (_, rate) in zip(rows, rates):
            self.assertAlmostEqual(first, -15 + 4 * math.sin(5 * time), delta=1e-9)
            self.assertAlmostEqual(second, 3 * math.cos(7 * time) - 0.1 * rate, delta=1e-9)
        # With them, nothing is left to do.
        drives = json.loads(self.analyze(model, *by, "--json").stdout)["inverse"]["drives"]
        self.assertEqual([d["coordinate"] for d in drives], ["shoulder.angle", "elbow.angle"])
        for drive in drives:
            self.assertLess(max(abs(drive["least"]), abs(drive["most"])), 1e-9)
        # Driven at the shoulder alone, the forearm would fly elsewhere, and that is said.
        text = self.analyze(model, *by[:4], "--without", "first", "--without", "second").stdout
        self.assertIn("1 motion is not driven", text)
        self.assertIn("would not move as in free.h5", text)

    def test_a_shared_effort_is_called_so(self):
        model = self.write(GEARS)
        laws = ["--drive", "a.angle==1 (rad/s^2) * time^2", "--drive", "b.angle==-1 (rad/s^2) * time^2"]
        drives = json.loads(self.analyze(model, *laws, "--json").stdout)["inverse"]["drives"]
        self.assertEqual([d["unique"] for d in drives], [False, False])
        # Together they do what both wheels need.
        self.assertAlmostEqual(drives[0]["most"] - drives[1]["most"], 2.0 * 0.4, delta=1e-9)
        self.assertIn("shared", self.analyze(model, *laws).stdout)
        alone = json.loads(self.analyze(model, *laws[:2], "--json").stdout)["inverse"]["drives"]
        self.assertTrue(alone[0]["unique"])
        self.assertAlmostEqual(alone[0]["most"], 0.8, delta=1e-11)

    def test_mistyped(self):
        model = self.write(ARM)
        self.assertIn("nothing prescribes a motion", self.analyze(model, code=USAGE_ERROR).stderr)
        law = ["--drive", "shoulder.angle==1 rad * time / 1 s"]
        self.assertIn("1 motion nothing prescribes", self.analyze(model, *law, code=SIMULATION_FAILED).stderr)
        for words, said in (
            (["--by", "elbow"], "--by needs a motion"),
            (law + ["--without", "frist"], "did you mean 'first'?"),
            (["--drive", "shoulder.rate=1 rad/s"], "prescribes a rate"),
            (["--motion", "nothing.h5"], "nothing drives the motion"),
            (["--sweep", "elbow=0..1"], "has no option --sweep"),
        ):
            self.assertIn(said, self.analyze(model, *words, code=USAGE_ERROR).stderr)


if __name__ == "__main__":
    unittest.main()
