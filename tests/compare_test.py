#!/usr/bin/env python3
"""Comparisons of runs: what was put in, what came out, and what the exit code says."""

import json
import unittest

import h5py
import numpy

from program_support import FAILED, FILE_ERROR, OK
from run_support import BLOCK, CRANK_SLIDER, InFolder

ROUNDING = 1e-12


class Compare(InFolder):
    def setUp(self):
        super().setUp()
        self.run_to("a.h5")

    def run_to(self, name, *options, model=CRANK_SLIDER):
        self.assert_exit(self.run_here("run", model, "-o", name, "--duration", "0.2 s", *options), OK)

    def compare(self, *arguments, code=OK):
        result = self.run_here("compare", *arguments)
        self.assert_exit(result, code)
        return result.stdout

    def compared(self, *arguments, code=OK):
        return json.loads(self.compare(*arguments, "--json", code=code))

    def test_the_same_run_twice_is_identical(self):
        self.run_to("b.h5")
        for arguments in (("a.h5", "b.h5"), ("a.h5", "a.h5"), ("a.h5", "b.h5", "*", "--tolerance", "0")):
            text = self.compare(*arguments)
            self.assertIn("models and options are the same", text)
            self.assertIn("\nidentical: ", text)
        self.assertTrue(self.compared("a.h5", "b.h5")["identical"])

    def test_a_parameter_changes_peak_rms_and_end(self):
        self.run_to("b.h5", "--set", "crank_length=60 mm")
        found = self.compared("a.h5", "b.h5")
        self.assertEqual(found["differences"], [{"name": "crank_length", "a": "50 mm", "b": "60 mm"}])
        self.assertFalse(found["identical"])
        stroke = found["channels"][0]
        self.assertEqual(stroke["name"], "stroke")
        with h5py.File(self.folder / "a.h5") as a, h5py.File(self.folder / "b.h5") as b:
            in_a, in_b, time = a["by_path/stroke"][:], b["by_path/stroke"][:], a["time"][:]
        self.assertEqual(stroke["peakA"], in_a.max())
        self.assertEqual(stroke["endB"], in_b[-1])
        self.assertAlmostEqual(stroke["largestDifference"], abs(in_a - in_b).max(), delta=ROUNDING)
        self.assertEqual(stroke["time"], time[abs(in_a - in_b).argmax()])
        self.assertAlmostEqual(stroke["range"], max(numpy.ptp(in_a), numpy.ptp(in_b)), delta=ROUNDING)
        text = self.compare("a.h5", "b.h5")
        self.assertRegex(text, r"crank_length +50 mm +60 mm")
        self.assertRegex(text, r"stroke \[mm\]")
        self.assertRegex(self.compare("a.h5", "b.h5", "--si"), r"stroke \[m\]")

    def test_tolerance_from_both_sides(self):
        self.run_to("b.h5", "--set", "crank_length=50.5 mm")
        relative = max(channel["relativeDifference"] for channel in self.compared("a.h5", "b.h5")["channels"])
        self.assertIn("within the tolerance", self.compare("a.h5", "b.h5", "--tolerance", 1.01 * relative))
        text = self.compare("a.h5", "b.h5", "--tolerance", 0.99 * relative, code=FAILED)
        self.assertIn("1 of 2 channels beyond the tolerance", text)
        self.assertFalse(self.compared("a.h5", "b.h5", "--tolerance", "0", code=FAILED)["ok"])
        stroke = self.compared("a.h5", "b.h5", "stroke")["channels"][0]["largestDifference"]
        self.compare("a.h5", "b.h5", "stroke", "--absolute", 1.01 * stroke)
        self.compare("a.h5", "b.h5", "stroke", "--absolute", 0.99 * stroke, code=FAILED)

    def test_options_are_put_in_too(self):
        self.run_to("b.h5", "--method", "dopri5", "--start", "main_bearing.angle=0.6 rad")
        names = {difference["name"] for difference in self.compared("a.h5", "b.h5")["differences"]}
        self.assertTrue({"method", "step", "tolerance", "start main_bearing.angle"} <= names, names)

    def test_missing_channels(self):
        self.run_to("b.h5", "--record", "stroke", "--record", "piston.position")
        text = self.compare("a.h5", "b.h5", code=FAILED)
        self.assertIn("only in A: ", text)
        self.assertIn("different: not the same channels", text)
        self.assertIn("identical", self.compare("a.h5", "b.h5", "stroke", "piston.position"))
        found = self.compared("b.h5", "a.h5", "stroke", "motor.torque", code=FAILED)
        self.assertEqual(found["onlyInB"], ["motor.torque"])
        self.assertEqual(found["onlyInA"], [])

    def test_other_times_are_interpolated(self):
        self.run_to("b.h5", "--output-every", "3 ms")
        found = self.compared("a.h5", "b.h5", "main_bearing.angle")
        self.assertTrue(found["interpolated"])
        # The crank turns evenly: a straight line between rows is exact, up to rounding of the integration.
        self.assertLess(found["channels"][0]["relativeDifference"], 1e-9)
        self.assertIn("B is interpolated linearly", self.compare("a.h5", "b.h5"))
        with h5py.File(self.folder / "a.h5") as a, h5py.File(self.folder / "b.h5") as b:
            time, other = a["time"][:], b["time"][:]
            is_common = time <= other[-1]
            expected = abs(a["by_path/stroke"][:] - numpy.interp(time, other, b["by_path/stroke"][:]))[is_common].max()
        stroke = self.compared("a.h5", "b.h5", "stroke")["channels"][0]
        self.assertAlmostEqual(stroke["largestDifference"], expected, delta=1e-9)

    def test_what_only_one_run_has_is_said(self):
        self.assert_exit(self.run_here("run", CRANK_SLIDER, "-o", "b.h5", "--duration", "0.3 s"), OK)
        for first, second, letter in (("a.h5", "b.h5", "B"), ("b.h5", "a.h5", "A")):
            text = self.compare(first, second)
            self.assertIn(f"compared: 0.2 to 0.3 s, only in {letter}; its peak, RMS and end are those of its whole time", text)
            self.assertEqual(text.count("not compared"), 1)
        self.assertNotIn("not compared", self.compare("a.h5", "a.h5"))
        self.assertEqual(self.compared("a.h5", "b.h5")["timeB"], [0, 0.3])

    def test_no_time_in_common(self):
        with h5py.File(self.folder / "a.h5") as a:
            end = a["time"][-1]
        self.run_to("b.h5")
        with h5py.File(self.folder / "b.h5", "r+") as b:
            b["time"][:] = b["time"][:] + 10 * end
        text = self.compare("a.h5", "b.h5")
        self.assertIn("no time in common", text)
        self.assertNotIn("identical", text)
        self.assertIn("different: no time in common", self.compare("a.h5", "b.h5", "--tolerance", "1", code=FAILED))

    def test_other_models_compare_what_they_share(self):
        self.run_to("block.h5", model=self.write("block.yaml", BLOCK))
        text = self.compare("a.h5", "block.h5", "energy", code=OK)
        self.assertIn("energy.total [J]", text)
        self.assertIn("parts.piston.mass", text)
        self.compare("a.h5", "block.h5", code=FAILED)

    def test_a_model_without_outputs_is_compared_in_all_channels(self):
        model = self.write("block.yaml", BLOCK)
        for name in ("b1.h5", "b2.h5"):
            self.run_to(name, model=model)
        found = self.compared("b1.h5", "b2.h5")
        self.assertIn("block.position.x", [channel["name"] for channel in found["channels"]])
        self.assertTrue(found["identical"])

    def test_one_changed_number_is_found(self):
        self.run_to("b.h5")
        with h5py.File(self.folder / "b.h5", "r+") as b:
            b["parts/pose"][7, 1, 2] += 1e-3
            time = b["time"][7]
        found = self.compared("a.h5", "b.h5", "*.position.*", "--tolerance", "1e-9", code=FAILED)
        beyond = [channel for channel in found["channels"] if not channel["within"]]
        self.assertEqual([(channel["name"], channel["time"]) for channel in beyond], [("rod.position.z", time)])

    def test_usage_and_rubbish(self):
        self.assert_usage_error(self.run_here("compare", "a.h5"), "'gelenk compare' needs B")
        self.assert_usage_error(self.run_here("compare", "a.h5", "a.h5", "strok"), "'strok' in either run", "'stroke'")
        self.assert_usage_error(self.run_here("compare", "a.h5", "a.h5", "--tolerance", "-1"), "--tolerance needs a number")
        self.assert_usage_error(self.run_here("compare", "a.h5", "a.h5", "--absolute", "1 mm"), "--absolute needs a number")
        self.write("rubbish.h5", "no HDF5")
        for arguments in (("a.h5", "rubbish.h5"), ("rubbish.h5", "a.h5"), ("a.h5", "nowhere.h5"), ("a.h5", CRANK_SLIDER)):
            result = self.run_here("compare", *arguments)
            self.assert_exit(result, FILE_ERROR)
            self.assertTrue(result.stderr.startswith("error: "), result.stderr)


if __name__ == "__main__":
    unittest.main()
