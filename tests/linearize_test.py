#!/usr/bin/env python3
"""gelenk analyze linearize: closed forms, exports, Bode."""

import csv
import json
import math
import struct
import unittest

from program_support import InFolder, OK, run, SOURCE, USAGE_ERROR

CAR = str(SOURCE / "examples/car/car.yaml")
EXACT, DIFFERENCES = 1e-10, 1e-6
SCALE = """gelenk: 1
name: scale
inputs: {push: {value: 0 N}}
parts: {pan: {mass: 2 kg, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}}
joints: {rail: {type: prismatic, between: [ground, pan], axis: z}}
forces:
  spring: {type: coordinate_spring, drives: rail.travel, stiffness: 500 N/m, damping: 4 N*s/m}
  hand: {type: force, applied_to: pan, along: z, value: =push}
outputs: {height: rail.travel, jolt: pan.acceleration.z}
"""
# A motor with an inductance, on a shaft with a load and friction: x = (angle, speed, current), input the voltage.
MOTOR = """gelenk: 1
name: dc_motor
gravity: none
parameters: {k: 0.05 N*m/A, resistance: 0.5 ohm, inductance: 2 mH}
inputs: {voltage: {value: 0 V}}
parts: {rotor: {mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 2e-3}}}
joints: {bearing: {type: revolute, between: [ground, rotor], axis: z}}
states: {current: {start: 0 A, rate: "=(voltage - resistance * current - k / (1 rad) * bearing.rate) / inductance"}}
forces:
  winding: {type: actuator, drives: bearing.angle, value: =k * current}
  friction: {type: coordinate_spring, drives: bearing.angle, damping: 1e-4 N*m*s/rad}
outputs: {speed: bearing.rate, amperes: current}
"""


def matrices(text):
    """The matrices of a MAT file of level 4, in rows."""
    found, place = {}, 0
    while place < len(text):
        kind, rows, columns, imaginary, length = struct.unpack_from("<5i", text, place)
        assert imaginary == 0
        place += 20
        name = text[place:place + length - 1].decode()
        place += length
        numbers = struct.unpack_from(f"<{rows * columns}d", text, place)
        place += 8 * rows * columns
        matrix = [[numbers[i + rows * j] for j in range(columns)] for i in range(rows)]
        found[name] = ["".join(map(chr, map(int, row))).strip() for row in matrix] if kind == 1 else matrix
    return found


class Linearize(InFolder):
    def analyze(self, *words, code=OK):
        result = run("analyze", "linearize", *words, cwd=self.folder)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        return result

    def write(self, text):
        (self.folder / "machine.yaml").write_text(text)
        return "machine.yaml"

    def assert_matrix(self, found, wanted, delta):
        self.assertEqual([len(row) for row in found], [len(row) for row in wanted])
        for row, wanted_row in zip(found, wanted):
            for x, y in zip(row, wanted_row):
                self.assertAlmostEqual(x, y, delta=delta * max(1.0, abs(y)))

    def test_mass_spring_damper(self):
        found = json.loads(self.analyze(self.write(SCALE), "--json").stdout)["linear"]
        self.assertEqual(found["states"], ["rail.travel", "rail.speed"])
        self.assertEqual((found["inputs"], found["outputs"]), (["push"], ["height", "jolt"]))
        self.assert_matrix(found["A"], [[0, 1], [-250, -2]], EXACT)
        self.assert_matrix(found["B"], [[0], [0.5]], DIFFERENCES)
        self.assert_matrix(found["C"], [[1, 0], [-250, -2]], DIFFERENCES)
        self.assert_matrix(found["D"], [[0], [0.5]], DIFFERENCES)
        self.assertIn("-1 +- 15.7797i", self.analyze("machine.yaml").stdout)

    def test_motor_with_its_current(self):
        model = self.write(MOTOR)
        k, resistance, inductance, inertia, friction = 0.05, 0.5, 2e-3, 2e-3, 1e-4
        found = json.loads(self.analyze(model, "--json", "-o", "motor.mat").stdout)["linear"]
        self.assertEqual(found["states"], ["bearing.angle", "bearing.rate", "current"])
        A = [[0, 1, 0], [0, -friction / inertia, k / inertia], [0, -k / inductance, -resistance / inductance]]
        self.assert_matrix(found["A"], A, EXACT)
        self.assert_matrix(found["B"], [[0], [0], [1 / inductance]], DIFFERENCES)
        self.assert_matrix(found["C"], [[0, 1, 0], [0, 0, 1]], DIFFERENCES)
        kept = matrices((self.folder / "motor.mat").read_bytes())
        for name in ("A", "B", "C", "D", "states", "inputs", "outputs"):
            self.assertEqual(kept[name], found[name])
        # speed / voltage = k / ((J s + d)(L s + R) + k²)
        self.analyze(model, "--bode", "bode.csv", "--frequencies", "0.1Hz..100 Hz")
        with open(self.folder / "bode.csv", newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0][1], "speed by voltage")
        self.assertEqual(len(rows), 402)
        self.assertAlmostEqual(float(rows[-1][0]), 100.0, delta=1e-10)
        for row in rows[1:]:
            s = 2j * math.pi * float(row[0])
            value = k / ((inertia * s + friction) * (inductance * s + resistance) + k**2)
            self.assertAlmostEqual(float(row[1]) / abs(value), 1.0, delta=DIFFERENCES)
            phase = math.degrees(math.atan2(value.imag, value.real))
            self.assertAlmostEqual(float(row[2]), phase, delta=1e-4)
        self.analyze(model, "--bode", "bode.png")
        self.assertEqual((self.folder / "bode.png").read_bytes()[1:4], b"PNG")
        self.analyze(model, "-o", "motor.csv")
        table = (self.folder / "motor.csv").read_text().splitlines()
        self.assertEqual(table[0], ",bearing.angle,bearing.rate,current,voltage")
        self.assertEqual(len(table), 6)

    def test_car_has_the_eigenvalues_of_its_modes(self):
        found = json.loads(self.analyze(CAR, "--json").stdout)["linear"]
        modes = json.loads(run("analyze", "modes", CAR, "--json").stdout)["modes"]
        moving = [complex(*value) for value in found["eigenvalues"] if value[1] > 1.0]
        wanted = [complex(mode["real"], mode["imaginary"]) for mode in modes if mode["imaginary"] > 1.0]
        self.assertEqual(len(moving), len(wanted))
        for ours, theirs in zip(moving, wanted):
            self.assertAlmostEqual(abs(ours - theirs), 0.0, delta=1e-7 * abs(theirs))

    def test_mistyped(self):
        model = self.write(SCALE)
        for words, said in (
            (["-o", "a.txt"], ".mat or .csv"),
            (["--bode", "a.jpg"], ".csv, .png, .svg or .pdf"),
            (["--frequencies", "1..2"], "belongs to --bode"),
            (["--bode", "a.csv", "--frequencies", "2Hz..1Hz"], "the lower one first"),
            (["--bode", "a.csv", "--frequencies", "1rpm..2rpm"], "the lower one first"),
            (["--at", "end"], "--at is rest or start"),
            (["--count", "3"], "has no option --count"),
        ):
            self.assertIn(said, self.analyze(model, *words, code=USAGE_ERROR).stderr)
        self.assertIn("needs an input and an output",
                      self.analyze(CAR, "--bode", "car.png", code=USAGE_ERROR).stderr)


if __name__ == "__main__":
    unittest.main()
