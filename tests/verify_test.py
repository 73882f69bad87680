#!/usr/bin/env python3
"""Damages files of results in many ways: `gelenk verify` finds each of them, and nothing in files as they were written."""

import json
import random
import unittest

import h5py
import numpy

from program_support import FAILED, FILE_ERROR, OK, run, SOURCE
from run_support import BLOCK, CRANK_SLIDER, InFolder

# Forces of contacts cannot be verified yet.
EXAMPLES = sorted(path for path in (SOURCE / "examples").glob("*/*.yaml")
                  if path.parent.name not in ("gallery", "contact"))
PROBLEMS = sorted((SOURCE / "tests/verification/models").glob("*.yaml"))

SWITCHING = """gelenk: 1
up: z
parts:
  bob: {at: [1 m, 0, 0], mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  plate: {at: [1 m, 0.1 m, 0], mass: 0.2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
joints:
  pivot: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: y}
  weld: {type: fixed, between: [bob, plate]}
forces:
  stop: {type: actuator, drives: pivot.angle, value: "=if(coordinate > 1, -500 (N*m)*(coordinate - 1), 0 (N*m))"}
  kick: {type: torque, applied_to: bob, about: y, value: "=1 (N*m)*step(time - 0.25 s)"}
outputs: {load: pivot.reaction.force.magnitude, push: stop.torque}
simulation: {duration: 1 s, tolerance: 1e-8, output_every: 10 ms}
"""

FREE = """gelenk: 1
gravity: [0, 0, -9.81]
parts: {stone: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.2, zz: 0.3}, start: {velocity: [1, 2, 5], angular_velocity: [1, 0.1, 0]}}}
simulation: {duration: 1 s, tolerance: 1e-8, output_every: 10 ms}
"""


class InRuns(InFolder):
    def make_run(self, *arguments):
        self.assert_exit(self.run_here("run", *arguments, "-o", "run.h5", "--force"), OK)

    def verify(self, code):
        """The report on the run as an object."""
        result = self.run_here("verify", "run.h5", "--json")
        self.assert_exit(result, code)
        return json.loads(result.stdout)

    def change(self, dataset, index, change):
        """Changes one number of a file."""
        with h5py.File(self.folder / "run.h5", "r+") as file:
            file[dataset][index] = change(file[dataset][index])

    def replace_text(self, dataset, old, new):
        with h5py.File(self.folder / "run.h5", "r+") as file:
            before = file[dataset][()]
            text = bytes(before).decode()
            self.assertIn(old, text)
            del file[dataset]
            changed = text.replace(old, new, 1).encode()
            if isinstance(before, bytes):
                file.create_dataset(dataset, data=changed, dtype=h5py.string_dtype("utf-8", len(changed)))
            else:
                file[dataset] = numpy.frombuffer(changed, numpy.uint8)

    def assert_found(self, check, name, row=None):
        report = self.verify(FAILED)
        self.assertFalse(report["ok"])
        found = {one["name"]: one["first"] for one in report["checks"] if one["first"]}
        self.assertIn(check, found)
        self.assertIn(name, found[check]["name"])
        if row is not None:
            self.assertEqual(report["firstDifference"]["row"], row)


class Untouched(InRuns):
    def test_every_example(self):
        for model in EXAMPLES:
            with self.subTest(model=model.name):
                self.make_run(model)
                report = self.verify(OK)
                self.assertIsNone(report["firstDifference"])
                counts = {one["name"]: one["comparisons"] for one in report["checks"]}
                # A disk that rolls has no joint with coordinates.
                coordinates = ["coordinates"] if model.stem != "rolling_disk" else []
                for check in ["certificate", "times", "parts", "joints", *coordinates, "energies", "Newton",
                              "balance of energy", "work"]:
                    self.assertGreater(counts[check], 0, check)

    def test_every_verification_problem(self):
        for model in PROBLEMS:
            with self.subTest(model=model.name):
                self.make_run(model, "--duration", "0.2 s")
                if "\ncontacts:" in model.read_text(encoding="utf-8"):
                    self.assertIn("contacts", self.verify(FILE_ERROR)["message"])
                else:
                    self.assertTrue(self.verify(OK)["ok"])

    def test_with_everything_that_a_run_may_change(self):
        self.make_run(CRANK_SLIDER, "--set", "crank_length=60 mm", "--drive", "main_bearing.angle=300 rpm", "--gravity",
                      "none", "--start", "main_bearing.angle=20 deg", "--keep-welds")
        self.assertTrue(self.verify(OK)["ok"])

    def test_with_switches_and_welds(self):
        for options in ([], ["--keep-welds"]):
            self.make_run(self.write("switching.yaml", SWITCHING), *options)
            report = self.verify(OK)
            self.assertTrue(any("switches" in sentence for sentence in report["notChecked"]))

    def test_says_what_it_cannot_check(self):
        self.make_run(CRANK_SLIDER, "--record", "piston.*", "--record", "*.angle")
        report = self.verify(OK)
        text = "\n".join(report["notChecked"])
        self.assertIn("the positions of some parts were not recorded", text)
        self.assertIn("the balance of energy: it was not recorded", text)
        counts = {one["name"]: one["comparisons"] for one in report["checks"]}
        self.assertGreater(counts["joints"], 0)  # of the piston in its bore
        self.assertEqual(counts["energies"], 0)

    def test_says_what_it_is_good_for(self):
        self.make_run(CRANK_SLIDER)
        result = self.run_here("verify", "run.h5")
        self.assert_exit(result, OK)
        self.assertIn("everything that was checked agrees", result.stdout)
        self.assertIn("not protect against forgery", result.stdout)

    def test_a_run_that_was_stopped_by_an_error(self):
        self.write("ends.yaml", FREE + 'forces: {push: {type: torque, applied_to: stone, about: z, '
                   'value: "=1 (N*m)*sqrt(0.5 - time/(1 s))"}}\n')
        self.assert_exit(self.run_here("run", "ends.yaml", "-o", "run.h5"), FAILED)
        self.assertTrue(self.verify(OK)["ok"])


class Damaged(InRuns):
    def setUp(self):
        super().setUp()
        self.make_run(CRANK_SLIDER)

    def test_pose(self):
        self.change("parts/pose", (40, 1, 0), lambda x: x + 1e-6)
        self.assert_found("joints", "crank_pin", row=40)

    def test_the_message_says_where(self):
        self.change("parts/pose", (40, 1, 0), lambda x: x + 1e-6)
        result = self.run_here("verify", "run.h5")
        self.assert_exit(result, FAILED)
        self.assertRegex(result.stderr, r"'run.h5' differs from what was recorded: row 40, 0\.2 s: ")

    def test_quaternion(self):
        self.change("parts/pose", (7, 0, 3), lambda x: x * (1 + 1e-6))
        self.assert_found("parts", "crank.orientation", row=7)

    def test_twist(self):
        self.change("parts/twist", (12, 2, 0), lambda x: x + 1e-4)
        self.assert_found("joints", "wrist_pin", row=12)

    def test_acceleration(self):
        self.change("parts/acceleration", (12, 1, 1), lambda x: x * (1 + 1e-4))
        self.assert_found("Newton", "rod", row=12)

    def test_reaction(self):
        self.change("joints/reaction", (30, 1, 0), lambda x: x * (1 + 1e-4))
        self.assert_found("Newton", "force that its motion does not explain", row=30)

    def test_moment(self):
        self.change("joints/reaction", (30, 3, 5), lambda x: x + 1.0)
        self.assert_found("Newton", "piston: moment that its motion does not explain", row=30)

    def test_coordinate_and_rate(self):
        self.change("joints/coordinate", (3, 1), lambda x: x + 1e-5)
        self.assert_found("coordinates", "crank_pin.angle", row=3)
        self.make_run(CRANK_SLIDER)
        self.change("joints/rate", (4, 2), lambda x: x + 1e-5)
        self.assert_found("coordinates", "wrist_pin.rate", row=4)

    def test_energies(self):
        for column, name in enumerate(["kinetic", "potential", "total"]):
            self.make_run(CRANK_SLIDER)
            self.change("energy", (5, column), lambda x: x + 1e-5)
            self.assert_found("energies", f"energy.{name}", row=5)

    def test_work(self):
        for column in (3, 4, 5):
            self.make_run(CRANK_SLIDER)
            self.change("energy", (5, column), lambda x: x + 0.1)
            self.assert_found("balance of energy", "the work that was done", row=5)

    def test_two_works_that_balance_each_other(self):
        with h5py.File(self.folder / "run.h5", "r+") as file:
            rows = len(file["time"])
            file["energy"][rows // 2:rows, 3] += 100.0
            file["energy"][rows // 2:rows, 4] -= 100.0
        self.assert_found("work", "energy.work_of_forces")

    def test_effort_and_force_and_output(self):
        self.change("drivers/effort", (9, 0, 1), lambda x: x + 1.0)
        self.assert_found("drivers", "motor.power", row=9)
        self.make_run(CRANK_SLIDER)
        self.change("forces/value", (9, 0), lambda x: x + 1.0)
        self.assert_found("forces", "gas", row=9)
        self.make_run(CRANK_SLIDER)
        self.change("outputs/value", (9, 0), lambda x: x * 1.001)
        self.assert_found("outputs", "", row=9)

    def test_time(self):
        self.change("time", 20, lambda x: x + 1.0)
        self.assert_found("times", "time")

    def test_a_number_that_is_none(self):
        self.change("energy", (5, 0), lambda x: numpy.nan)
        self.assert_found("energies", "energy.kinetic", row=5)

    def test_model(self):
        self.replace_text("model/resolved", "crank_length", "crank_lengtg")
        result = self.run_here("verify", "run.h5")
        self.assertIn(result.returncode, (FAILED, FILE_ERROR), result.stdout + result.stderr)
        self.make_run(CRANK_SLIDER)
        self.replace_text("model/resolved", "0.5 kg", "0.6 kg")
        self.assert_found("certificate", "model")
        self.assert_found("Newton", "piston")

    def test_options(self):
        self.replace_text("options", '"step": 0.001', '"step": 0.0001')
        self.assert_found("certificate", "options")

    def test_certificate(self):
        self.replace_text("certificate", '"verdict": "good"', '"verdict": "look at"')
        self.assert_found("certificate", "certificate")
        self.make_run(CRANK_SLIDER)
        with h5py.File(self.folder / "run.h5", "r") as file:
            steps = json.loads(bytes(file["certificate"][()]))["method"]["steps"]
        self.replace_text("certificate", f'"steps": {steps}', f'"steps": {steps + 1}')
        self.assert_found("certificate", "certificate")
        self.make_run(CRANK_SLIDER)
        self.replace_text("certificate", "{", "[")
        self.assert_found("certificate", "certificate")

    def test_rows_that_are_missing(self):
        with h5py.File(self.folder / "run.h5", "r+") as file:
            file["time"].resize(len(file["time"]) - 1, axis=0)
        self.assert_found("certificate", "number of rows")


class OtherFiles(InRuns):
    def test_a_free_part(self):
        self.make_run(self.write("free.yaml", FREE))
        self.assertTrue(self.verify(OK)["ok"])
        self.change("parts/pose", (50, 0, 0), lambda x: x + 1.0)  # not along gravity: no energy knows of it
        self.assert_found("parts", "stone.position")

    def test_a_welded_part(self):
        self.make_run(self.write("switching.yaml", SWITCHING))
        self.change("parts/pose", (50, 1, 0), lambda x: x + 1e-6)
        self.assert_found("parts", "plate.position", row=50)
        self.make_run("switching.yaml")
        self.change("joints/reaction", (50, 1, 2), lambda x: x + 1e-2)
        self.assert_found("Newton", "force that its motion does not explain", row=50)

    def test_random_numbers_anywhere(self):
        dice = random.Random(3)
        self.make_run(self.write("switching.yaml", SWITCHING))
        whole = (self.folder / "run.h5").read_bytes()
        blocks = ["time", "parts/pose", "parts/twist", "parts/acceleration", "joints/coordinate", "joints/rate",
                  "joints/reaction", "forces/value", "energy"]
        for _ in range(40):
            (self.folder / "run.h5").write_bytes(whole)
            with h5py.File(self.folder / "run.h5", "r+") as file:
                name = dice.choice(blocks)
                block = file[name]
                place = tuple(dice.randrange(size) for size in block.shape)
                place = (2 * (place[0] // 2), *place[1:])  # not where a formula switches, at 0.25 s
                value = dice.choice([numpy.nan, numpy.inf, -numpy.inf, 1e300, -1e300, 1e9, -3.7])
                block[place] = value
            with self.subTest(block=name, place=place, value=value):
                self.verify(FAILED)

    def test_what_is_no_file_of_results(self):
        self.write("block.yaml", BLOCK)
        result = self.run_here("verify", "block.yaml")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("gelenk run block.yaml", result.stderr)
        self.assert_exit(run("verify", "missing.h5", cwd=self.folder), FILE_ERROR)


if __name__ == "__main__":
    unittest.main(verbosity=2)
