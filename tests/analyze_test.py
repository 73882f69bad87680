#!/usr/bin/env python3
"""gelenk analyze, and runs that start at rest."""

import json
import math
import unittest

from program_support import InFolder, OK, run, SOURCE, USAGE_ERROR

CAR = str(SOURCE / "examples/car/car.yaml")
SIMULATION_FAILED = 1
HANGING = """gelenk: 1
name: scale
parts: {pan: {mass: 2 kg, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}}
joints: {rail: {type: prismatic, between: [ground, pan], axis: z}}
forces: {spring: {type: coordinate_spring, drives: rail.travel, stiffness: 500 N/m, damping: 4 N*s/m}}
outputs: {height: pan.position.z}
simulation: {duration: 0.5 s, output_every: 0.1 s}
"""
FALLING = "gelenk: 1\nparts: {stone: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
DRIVEN = """gelenk: 1
parts: {wheel: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {axle: {type: revolute, between: [ground, wheel], axis: y}}
drivers: {motor: {drives: axle.angle, rate: 60 rpm}}
"""
SAG = 2.0 * 9.80665 / 500.0


class Analyze(InFolder):
    def analyze(self, *words, code=OK):
        result = run("analyze", *words, cwd=self.folder)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def write(self, text):
        (self.folder / "machine.yaml").write_text(text)
        return "machine.yaml"

    def test_rest_and_modes_of_a_scale(self):
        model = self.write(HANGING)
        found = json.loads(self.analyze("equilibrium", model, "--json").stdout)["equilibrium"]
        self.assertTrue(found["stable"])
        self.assertAlmostEqual(found["coordinates"]["rail.travel"], -SAG, delta=1e-14)
        self.assertAlmostEqual(found["parts"]["pan"][2], -SAG, delta=1e-14)
        modes = json.loads(self.analyze("modes", model, "--json").stdout)["modes"]
        self.assertEqual(len(modes), 1)
        omega, decay = math.sqrt(250.0), 1.0
        self.assertAlmostEqual(modes[0]["real"], -decay, delta=1e-12)
        self.assertAlmostEqual(modes[0]["imaginary"], math.sqrt(omega**2 - decay**2), delta=1e-11)
        self.assertIn("pan along z 100 %", self.analyze("modes", model).stdout)
        self.assertIn("does not rest there: 'pan'", self.analyze("modes", model, "--at", "start").stdout)

    def test_run_at_rest_stays_there(self):
        result = run("run", self.write(HANGING), "--at-rest", "--json", cwd=self.folder)
        self.assertEqual(result.returncode, OK, result.stderr)
        run("export", "scale.h5", "height", "-o", "height.csv", cwd=self.folder)
        rows = (self.folder / "height.csv").read_text().splitlines()[1:]
        self.assertEqual(len(rows), 6)
        for row in rows:
            self.assertAlmostEqual(float(row.split(",")[1]), -SAG, delta=1e-13)

    def test_car_sinks_into_its_springs_evenly(self):
        found = json.loads(self.analyze("equilibrium", CAR, "--json").stdout)["equilibrium"]
        self.assertEqual(found["neutralMotions"], 8)
        values = found["coordinates"]
        for place in ("front", "rear"):
            self.assertAlmostEqual(values[f"{place}_left.arm_pivot.angle"], values[f"{place}_right.arm_pivot.angle"], delta=1e-9)
        # What a run of 2.4 s, before the passenger gets in, has not quite reached.
        self.assertAlmostEqual(found["parts"]["chassis"][2], 0.5778, delta=5e-4)
        lines = self.analyze("modes", CAR).stdout.splitlines()
        self.assertEqual(lines[0], "car: 10 modes about this pose")

    def test_what_cannot_rest_is_named(self):
        error = self.analyze("equilibrium", self.write(FALLING), code=SIMULATION_FAILED).stderr
        self.assertIn("'stone' keeps moving along -z", error)
        error = self.analyze("modes", self.write(DRIVEN), code=SIMULATION_FAILED).stderr
        self.assertIn("'motor' moves it", error)
        self.assertIn('--drive axle.angle="0 rpm"', error)
        held = self.analyze("equilibrium", "machine.yaml", "--drive", "axle.angle=0 rpm").stdout
        self.assertIn("it starts in this pose", held)
        # Nor are modes about a pose that is only passed.
        error = self.analyze("modes", "machine.yaml", "--at", "start", code=SIMULATION_FAILED).stderr
        self.assertIn("'motor' moves it", error)

    def test_mistyped(self):
        self.assertIn("there is no analysis 'foo'", self.analyze("foo", self.write(HANGING), code=USAGE_ERROR).stderr)
        self.assertIn("--at is rest or start", self.analyze("modes", "machine.yaml", "--at", "end", code=USAGE_ERROR).stderr)


if __name__ == "__main__":
    unittest.main()
