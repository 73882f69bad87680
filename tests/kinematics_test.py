#!/usr/bin/env python3
"""gelenk analyze kinematics: linkages in closed form, dead centers, lock-up, curves, results."""

import csv
import json
import math
import unittest

from program_support import InFolder, OK, run, SOURCE, USAGE_ERROR

CRANK_SLIDER = str(SOURCE / "examples/crank_slider/crank_slider.yaml")
FOUR_BAR = str(SOURCE / "examples/four_bar/four_bar.yaml")
PEAUCELLIER = str(SOURCE / "examples/gallery/peaucellier.yaml")
FILE_ERROR = 4
ROUNDING = 1e-12


def closed(crank, coupler, rocker, ground, angle, side):
    """The pins of a planar four-bar: that of the crank, and that of the rocker, on one side of the line between."""
    b = complex(math.cos(angle), math.sin(angle)) * crank
    way = ground - b
    along = (coupler**2 - rocker**2 + abs(way) ** 2) / (2 * abs(way))
    across = math.sqrt(coupler**2 - along**2)
    return b, b + way / abs(way) * complex(along, side * across)


def linkage(crank, coupler, rocker, ground, tip, angle, side):
    """A model in the plane xy, drawn closed at this angle. The tip is on the line of the coupler."""
    b, c = closed(crank, coupler, rocker, ground, angle, side)
    turn = (c - b) / abs(c - b)
    mass = "mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}"
    return f"""gelenk: 1
name: linkage
gravity: none
parts:
  crank: {{{mass}, frames: {{pin: [{b.real!r}, {b.imag!r}, 0]}}}}
  coupler: {{{mass}, at: [{b.real!r}, {b.imag!r}, 0], frames: {{pin: [{(c - b).real!r}, {(c - b).imag!r}, 0],
    tip: [{(turn * tip).real!r}, {(turn * tip).imag!r}, 0]}}}}
  rocker: {{{mass}, at: [{ground}, 0, 0], frames: {{pin: [{(c - ground).real!r}, {c.imag!r}, 0]}}}}
ground: {{frames: {{o: [{ground}, 0, 0]}}}}
joints:
  a: {{type: revolute, between: [ground, crank], axis: z}}
  b: {{type: revolute, between: [crank.pin, coupler], axis: z}}
  c: {{type: revolute, between: [coupler.pin, rocker.pin], axis: z}}
  d: {{type: revolute, between: [ground.o, rocker], axis: z}}
"""


class Kinematics(InFolder):
    def analyze(self, *words, code=OK):
        result = run("analyze", "kinematics", *words, cwd=self.folder)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        return result

    def found(self, *words):
        return json.loads(self.analyze(*words, "--json").stdout)["kinematics"]

    def write(self, text):
        (self.folder / "machine.yaml").write_text(text)
        return "machine.yaml"

    def table(self, name):
        with open(self.folder / name, newline="") as file:
            return [[float(x) for x in row] for row in list(csv.reader(file))[1:]]

    def test_dead_centers_of_the_crank_slider(self):
        found = self.found(CRANK_SLIDER, "--sweep", "motor=-10..350deg", "--count", "37")
        self.assertEqual(found["poses"], 37)
        self.assertEqual(found["undetermined"], 0)
        bore = [c for c in found["deadCenters"] if c["coordinate"] == "bore.travel"]
        self.assertEqual([c["kind"] for c in bore], ["largest", "smallest"])
        self.assertAlmostEqual(bore[0]["at"], 0.0, delta=ROUNDING)
        self.assertAlmostEqual(bore[1]["at"], math.pi, delta=ROUNDING)
        self.assertAlmostEqual(bore[0]["value"] - bore[1]["value"], 0.1, delta=ROUNDING)
        # The rod leans most where the crank is upright.
        lean = [c for c in found["deadCenters"] if c["coordinate"] == "wrist_pin.angle"]
        self.assertEqual(len(lean), 2)
        self.assertAlmostEqual(lean[0]["at"], math.pi / 2, delta=ROUNDING)
        self.assertAlmostEqual(abs(lean[0]["value"]), math.asin(1 / 3), delta=ROUNDING)

    def test_dead_centers_of_the_four_bar(self):
        a, b, c, d = 0.3, 1.0, 0.9, 0.8
        stretched = math.acos(((b + a) ** 2 + d**2 - c**2) / (2 * (b + a) * d))
        folded = math.acos(((b - a) ** 2 + d**2 - c**2) / (2 * (b - a) * d))
        # The crank's angle is zero upright and grows towards the rocker.
        wanted = sorted([math.pi / 2 - stretched, 1.5 * math.pi - folded])
        found = self.found(FOUR_BAR, "--sweep", "crank_bearing=0..360deg")
        turns = [t for t in found["deadCenters"] if t["coordinate"] == "rocker_bearing.angle"]
        self.assertEqual(len(turns), 2)
        for turn, at in zip(turns, wanted):
            self.assertAlmostEqual(turn["at"], at, delta=ROUNDING)
        swing = found["coordinates"]["rocker_bearing.angle"]
        reach = [math.acos((c**2 + d**2 - r**2) / (2 * c * d)) for r in (b + a, b - a)]
        self.assertAlmostEqual(swing["largest"] - swing["smallest"], reach[0] - reach[1], delta=ROUNDING)

    def test_lock_up_is_found_to_all_digits_and_named(self):
        a, b, c, d = 1.0, 0.8, 0.9, 1.2  # none of them can turn all the way round
        model = self.write(linkage(a, b, c, d, 0.4, math.radians(60), 1))
        end = math.acos((a**2 + d**2 - (b + c) ** 2) / (2 * a * d)) - math.radians(60)
        found = self.found(model, "--sweep", "a=-200..200deg")
        self.assertEqual(len(found["stops"]), 2)
        self.assertAlmostEqual(found["stops"][1]["at"], end, delta=ROUNDING)
        self.assertIn("dead center", found["stops"][1]["reason"])
        self.assertLess(found["last"], end)
        self.assertGreater(found["last"], end - math.radians(400 / 360) - 1e-9)
        # On the other side of the line of the ground it is the same.
        self.assertAlmostEqual(found["stops"][0]["at"], -end - math.radians(120), delta=ROUNDING)

    def check_curve(self, crank, coupler, rocker, ground, tip, start, side):
        model = self.write(linkage(crank, coupler, rocker, ground, tip, start, side))
        self.analyze(model, "--sweep", "a=0..20deg", "--count", "41", "--path", "coupler.tip=tip.csv", "--force")
        rows = self.table("tip.csv")
        self.assertEqual(len(rows), 41)

        def place(angle):
            b, c = closed(crank, coupler, rocker, ground, start + angle, side)
            return b + (c - b) / coupler * tip

        step, small = 1e-4, 1e-5
        for angle, x, y, z, vx, vy, _, ax, ay, _ in rows:
            p = place(angle)
            self.assertAlmostEqual(abs(p - complex(x, y)), 0.0, delta=ROUNDING)
            self.assertAlmostEqual(z, 0.0, delta=ROUNDING)
            slope = (place(angle + small) - place(angle - small)) / (2 * small)
            self.assertAlmostEqual(abs(slope - complex(vx, vy)), 0.0, delta=1e-6)
            # Of fourth order: the curve of Chebyshev bends sharply.
            bend = sum(w * place(angle + k * step) for k, w in ((-2, -1), (-1, 16), (0, -30), (1, 16), (2, -1)))
            self.assertAlmostEqual(abs(bend / (12 * step**2) - complex(ax, ay)), 0.0, delta=1e-5)

    def test_coupler_curves_of_hoeken_and_chebyshev(self):
        self.check_curve(1.0, 2.5, 2.5, 2.0, 5.0, math.radians(150), 1)
        self.check_curve(5.0, 2.0, 5.0, 4.0, 1.0, math.radians(40), -1)

    def test_peaucellier_draws_a_straight_line(self):
        self.analyze(PEAUCELLIER, "--sweep", "motor=-30..30deg", "--path", "far_up=line.csv", "--path", "far_up=line.svg",
                     "--path", "far_up=line.dxf")
        rows = self.table("line.csv")
        self.assertEqual(len(rows), 361)
        self.assertGreater(max(row[2] for row in rows) - min(row[2] for row in rows), 0.1)
        self.assertLess(max(row[1] for row in rows) - min(row[1] for row in rows), 1e-13)
        self.assertLess(max(abs(row[7]) for row in rows), 1e-11)
        self.assertIn("<polyline", (self.folder / "line.svg").read_text())
        self.assertIn("VERTEX", (self.folder / "line.dxf").read_text())
        again = self.analyze(PEAUCELLIER, "--sweep", "motor=-30..30deg", "--path", "far_up=line.csv", code=FILE_ERROR)
        self.assertIn("already exists", again.stderr)

    def test_rows_are_those_of_a_run_that_is_driven_so(self):
        self.analyze(CRANK_SLIDER, "--sweep", "main_bearing=30..390deg", "--rate", "600 rpm", "--count", "21", "-o", "sweep.h5")
        drive = ["--drive", "main_bearing.angle==30 deg + 600 rpm * time"]
        made = run("run", CRANK_SLIDER, *drive, "--duration", "0.1 s", "--output-every", "5 ms", "-o", "run.h5", cwd=self.folder)
        self.assertEqual(made.returncode, OK, made.stderr)
        channels = ["piston.acceleration.x", "motor.torque", "crank_pin.reaction.force.x", "wrist_pin.angle"]
        for name in ("sweep", "run"):
            self.assertEqual(run("export", f"{name}.h5", *channels, "-o", f"{name}.csv", cwd=self.folder).returncode, OK)
        rows = list(zip(self.table("sweep.csv"), self.table("run.csv")))
        self.assertEqual(len(rows), 21)
        for ours, theirs in rows:
            for x, y in zip(ours, theirs):
                self.assertAlmostEqual(x, y, delta=1e-9 * max(1.0, abs(y)))
        self.assertEqual(run("info", "sweep.h5", cwd=self.folder).returncode, OK)

    def test_mistyped(self):
        for words, said in (
            ([], "needs a coordinate to be led"),
            (["--sweep", "motr=0..1"], "did you mean 'motor'?"),
            (["--sweep", "motor"], "NAME=FROM..TO"),
            (["--sweep", "motor=0"], "two ends"),
            (["--sweep", "motor=1..x"], "--sweep needs"),
            (["--sweep", "motor=1mm..2mm"], "--sweep needs"),
            (["--sweep", "motor=1..1"], "begins where it ends"),
            (["--sweep", "time=0..1"], "prescribes a rate"),
            (["--sweep", "motor=0..1", "--count", "1"], "--count needs"),
            (["--sweep", "motor=0..1", "--rate", "0"], "--rate needs"),
            (["--sweep", "motor=0..1", "--path", "crank"], "POINT=FILE"),
            (["--sweep", "motor=0..1", "--path", "crank=a.txt"], ".csv, .svg or .dxf"),
            (["--sweep", "motor=0..1", "--path", "cramk=a.csv"], "did you mean 'crank'?"),
            (["--sweep", "motor=0..1", "--at", "rest"], "has no option --at"),
        ):
            self.assertIn(said, self.analyze(CRANK_SLIDER, *words, code=USAGE_ERROR).stderr)


if __name__ == "__main__":
    unittest.main()
