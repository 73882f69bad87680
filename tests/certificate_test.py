#!/usr/bin/env python3
"""What a run says about its own quality: in the file, at the end of its text, and in `gelenk info`."""

import hashlib
import json
import unittest

import h5py
import numpy

from program_support import FAILED, FILE_ERROR, OK, run, SOURCE, USAGE_ERROR
from run_support import BLOCK, CRANK_SLIDER, InFolder

DOUBLE_PENDULUM = SOURCE / "examples/double_pendulum/double_pendulum.yaml"

# Models that are simulated by themselves; the others in the folders are used by them.
EXAMPLES = sorted(path for path in (SOURCE / "examples").glob("*/*.yaml") if path.parent.name != "gallery")

LIFT = """gelenk: 1
up: z
parts: {cabin: {mass: 10 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {lift: {type: prismatic, between: [ground, cabin], axis: z, limits: {travel: {max: LIMIT}}}}
drivers: {motor: {drives: lift.travel, position: "=0.5 m*sin(1 (rad/s)*time)"}}
simulation: {duration: 2 s, method: rk4, step: 5 ms}
"""

# Ends in the middle: the root of a negative number is none.
FAILING = """gelenk: 1
up: z
parts: {arm: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {hinge: {type: revolute, between: [ground, arm], axis: z}}
forces: {push: {type: torque, applied_to: arm, about: z, value: "=1 (N*m)*sqrt(0.5 - time/(1 s))"}}
simulation: {duration: 1 s, tolerance: 1e-6}
"""

# A light bar carries a heavy one; at 0.154 s they come into line, with a jerk.
BARS = """gelenk: 1
gravity: [0, 0, -9.81]
parts:
  a: {mass: 1, center_of_mass: [1, 0, 0], inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {tip: [1, 0, 0]}}
  b: {at: [1, 0, 0], mass: 1e8, center_of_mass: [1, 0, 0], inertia: {xx: 1e5, yy: 1e5, zz: 1e5}}
joints:
  A: {type: revolute, between: [ground, a], axis: y, start: {angle: 0.3}}
  B: {type: revolute, between: [a.tip, b], axis: y, start: {angle: 0.5}}
simulation: {duration: 0.5 s, output_every: 10 ms}
"""

# The damper acts within 0.1 ms: rk4 is stable up to steps of 0.28 ms.
DAMPER = """gelenk: 1
gravity: [9.81, 0, 0]
parts: {block: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {slide: {type: prismatic, between: [ground, block], axis: x}}
forces: {damper: {type: force, applied_to: block, along: x, value: "=-1e4 (N*s/m)*slide.speed"}}
simulation: {duration: 0.2 s}
"""


class Certificate(InFolder):
    def certificate(self, *arguments, code=OK):
        """Of a run, read from its file."""
        result = self.run_here("run", *arguments, "-o", "run.h5", "--force")
        self.assert_exit(result, code)
        self.text = result.stdout
        with h5py.File(self.folder / "run.h5", "r") as file:
            return json.loads(bytes(file["certificate"][()]))

    def test_every_example_is_good(self):
        for model in EXAMPLES:
            with self.subTest(model=model.name):
                certificate = self.certificate(model, "--duration", "0.5 s")
                self.assertEqual(certificate["verdict"], "good", certificate["reasons"])
                self.assertLess(certificate["energy"]["imbalance"], 1e-4 * certificate["energy"]["turnover"])
                self.assertGreater(certificate["method"]["steps"], 0)

    def test_is_the_same_in_the_file_in_json_and_in_info(self):
        report = json.loads(self.run_here("run", CRANK_SLIDER, "-o", "run.h5", "--json").stdout)
        printed = json.loads(self.run_here("info", "run.h5", "--certificate").stdout)
        with h5py.File(self.folder / "run.h5", "r") as file:
            stored = json.loads(bytes(file["certificate"][()]))
            self.assertEqual(stored["modelHash"], hashlib.sha256(file["model/resolved"][()]).hexdigest())
            self.assertEqual(stored["optionsHash"], hashlib.sha256(file["options"][()]).hexdigest())
            self.assertEqual(stored["energy"]["end"], file["energy"][len(file["time"]) - 1, 2])
            self.assertEqual(stored["energy"]["workOfDrivers"], file["energy"][len(file["time"]) - 1, 4])
        self.assertEqual(stored, report["certificate"])
        self.assertEqual(stored, printed)
        self.assertIn("verdict:  good (joints closed to", self.run_here("info", "run.h5").stdout)

    def test_names_what_is_taken_for_granted(self):
        certificate = self.certificate(CRANK_SLIDER, "--method", "dopri5")
        sentences = "\n".join(certificate["assumptions"])
        for piece in ["parts are rigid", "gravity is 9.80665 m/s² along -y",
                      "joint directions are held twice: reactions of main_bearing",
                      "shared as if each joint were as compliant as its parts",
                      "error of the time steps was not estimated"]:
            self.assertIn(piece, sentences)
        self.assertIsNone(certificate["confirmation"])

    def test_two_runs_end_in_the_same_state(self):
        first = self.certificate(DOUBLE_PENDULUM)
        again = self.certificate(DOUBLE_PENDULUM, "--output-every", "1 s")
        other = self.certificate(DOUBLE_PENDULUM, "--step", "2 ms")
        self.assertEqual(first["stateHash"], again["stateHash"])
        self.assertNotEqual(first["stateHash"], other["stateHash"])

    def test_an_absurd_tolerance_is_found_out(self):
        certificate = self.certificate(DOUBLE_PENDULUM, "--method", "dopri5", "--tolerance", "0.01")
        self.assertEqual(certificate["verdict"], "do not use")
        self.assertIn("of the energy is gained or lost without cause", certificate["reasons"][0])
        self.assertIn("verdict: do not use: ", self.text)
        # With a tenth it does not even reach its end.
        certificate = self.certificate(DOUBLE_PENDULUM, "--method", "dopri5", "--tolerance", "0.1", code=FAILED)
        self.assertEqual(certificate["verdict"], "do not use")

    def coordinates(self, model, *options):
        certificate = self.certificate(model, *options)
        with h5py.File(self.folder / "run.h5") as file:
            return certificate, numpy.array(file["joints/coordinate"]).reshape(len(file["time"]), -1)

    def test_fixed_steps_are_not_better_than_they_say(self):
        """The claim is compared with a converged solution. A light bar that carries a heavy one amplifies errors; energy does not show it."""
        self.write("bars.yaml", BARS)
        _, exact = self.coordinates("bars.yaml", "--method", "dopri5", "--tolerance", "1e-12")
        for method, step, verdict in [("rk4", "0.2 ms", "good"), ("rk4", "0.4 ms", "look at"),
                                      ("generalized_alpha", "0.2 ms", "look at")]:
            certificate, found = self.coordinates("bars.yaml", "--method", method, "--step", step)
            (angles,) = [one for one in certificate["doubledStep"] if one["unit"] == "rad"]
            error = numpy.abs(found - exact).max()
            self.assertGreater(angles["largestChange"] / 2, error, method + " " + step)
            self.assertEqual(verdict, certificate["verdict"], method + " " + step)

    def test_half_a_turn_is_not_an_error(self):
        """A quaternion may change its sign there, in one run and not in the other."""
        certificate = self.certificate(SOURCE / "examples/four_bar/four_bar.yaml")
        self.assertEqual("good", certificate["verdict"], certificate["reasons"])
        self.assertEqual([0, 0, 0], [change["largestChange"] for change in certificate["doubledStep"]])

    def test_fixed_steps_without_an_estimate_are_not_good(self):
        self.write("bars.yaml", BARS)
        certificate = self.certificate("bars.yaml", "--method", "rk4", "--step", "0.2 ms", "--duration", "50 ms", "--no-estimate")
        self.assertEqual("look at", certificate["verdict"])
        self.assertEqual("--no-estimate", certificate["unknownStepError"])
        # Twice the step is too much for the damper.
        self.write("damper.yaml", DAMPER)
        certificate = self.certificate("damper.yaml", "--method", "rk4", "--step", "0.2 ms")
        self.assertEqual("look at", certificate["verdict"])
        self.assertIn("is not known: the repetition with twice the step failed", certificate["reasons"][0])

    def test_rounding_is_not_a_change(self):
        """The part turns about its origin, which stays where it is to 1e-17 m: no error of the steps, whatever its range is."""
        (self.folder / "pendulum.yaml").write_text(
            "gelenk: 1\nname: pendulum\ndisplay: {length: mm}\n"
            "parts: {a: {mass: 1, center_of_mass: [0, 0, -0.1], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}}\n"
            "joints: {h: {type: revolute, between: [ground, a], axis: y, start: {angle: 45 deg}}}\n"
            "outputs: {x: a.position.x, turn: h.angle}\nsimulation: {duration: 1 s}\n")
        result = self.run_here("run", "pendulum.yaml", "--confirm", "-o", "out.h5", "--json")
        self.assert_exit(result, OK)
        certificate = json.loads(self.run_here("info", "out.h5", "--certificate").stdout)
        self.assertEqual((certificate["verdict"], certificate["reasons"]), ("good", []))
        changes = {change["output"]: change["largestChange"] for change in certificate["confirmation"]}
        self.assertEqual(changes["x"], 0)
        self.assertGreater(changes["turn"], 0)

    def test_an_exceeded_limit(self):
        self.write("far.yaml", LIFT.replace("LIMIT", "0.4 m"))
        certificate = self.certificate("far.yaml")
        self.assertEqual(certificate["verdict"], "look at")
        self.assertEqual([one["coordinate"] for one in certificate["exceededLimits"]], ["lift.travel"])
        self.assertAlmostEqual(certificate["exceededLimits"][0]["value"], 0.5, places=4)
        self.assertIn("verdict: needs a look: limit of lift.travel exceeded: 0.5 m at 1.57", self.text)
        self.write("near.yaml", LIFT.replace("LIMIT", "0.51 m"))
        self.assertEqual(self.certificate("near.yaml")["verdict"], "good")

    def test_a_failed_run_has_one_too(self):
        self.write("failing.yaml", FAILING)
        certificate = self.certificate("failing.yaml", code=FAILED)
        self.assertEqual((certificate["verdict"], certificate["status"]), ("do not use", "failed"))
        self.assertIn("the run failed at 0.", certificate["reasons"][0])

    def test_an_impact(self):
        self.write("block.yaml", BLOCK)
        jump = 'slide.travel="=1 (m/s)*time + 2 (m/s)*max(time - 0.5 s, 0 s)"'.replace('"', "")
        certificate = self.certificate("block.yaml", "--drive", jump, "--duration", "1 s")
        self.assertEqual(certificate["verdict"], "look at")
        self.assertIn("jumps at 0.5 s", certificate["reasons"][0])
        self.assertAlmostEqual(certificate["energy"]["workOfImpacts"], 0.5 * 2 * (9 - 1), places=9)

    def test_text_has_one_verdict_in_few_lines(self):
        for arguments, code in (((CRANK_SLIDER,), OK), ((self.write("failing.yaml", FAILING),), FAILED)):
            self.certificate(*arguments, code=code)
            lines = self.text.splitlines()
            self.assertLessEqual(len(lines), 8)
            self.assertEqual(sum(line.startswith("verdict: ") for line in lines), 1)

    def test_info_of_a_file_without_certificate(self):
        self.certificate(CRANK_SLIDER)
        with h5py.File(self.folder / "run.h5", "r+") as file:
            del file["certificate"]
        self.assertIn("no certificate", self.run_here("info", "run.h5").stdout)
        result = self.run_here("info", "run.h5", "--certificate")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("has no certificate", result.stderr)
        self.assert_exit(run("info", CRANK_SLIDER, "--certificate"), USAGE_ERROR)


if __name__ == "__main__":
    unittest.main(verbosity=2)
