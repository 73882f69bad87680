#!/usr/bin/env python3
"""The machine divided as its design, in one program, and as one factorization: the same motion from the command line."""

import json
import unittest

import h5py
import numpy

from program_support import OK, SOURCE, USAGE_ERROR
from run_support import InFolder

CAR = SOURCE / "examples/car/car_redundant.yaml"
ENGINE = SOURCE / "examples/steam_engine/steam_engine.yaml"
# Positions (m, quaternion) after some hundred steps; what divisions do differently is rounding.
SAME = 1e-10


class Partition(InFolder):
    def motion(self, model, partition, duration):
        name = f"{model.stem}_{partition}.h5"
        result = self.run_here("run", model, "--partition", partition, "--duration", duration, "-o", name)
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertIn("verdict: good", result.stdout + result.stderr)
        with h5py.File(self.folder / name) as file:
            found = []
            file.visititems(lambda path, item: found.append(item[()]) if path.endswith("pose") else None)
            self.assertTrue(found)
            return numpy.concatenate([numpy.ravel(values) for values in found])

    def test_same_motion(self):
        for model, duration in ((CAR, "0.5 s"), (ENGINE, "0.2 s")):
            auto = self.motion(model, "auto", duration)
            for partition in ("model", "none"):
                difference = numpy.max(numpy.abs(self.motion(model, partition, duration) - auto))
                self.assertLess(difference, SAME, f"{model.stem} {partition}")

    def test_a_run_goes_on_with_its_own_partition(self):
        kept = self.run_here("run", CAR, "--partition", "model", "--duration", "0.1 s", "--checkpoint", "0.02 s", "-o",
                             "kept.h5")
        self.assertEqual(kept.returncode, OK)
        refused = self.run_here("run", "--resume", "kept.h5", "--partition", "none")
        self.assertEqual(refused.returncode, USAGE_ERROR)
        self.assertIn("--partition", refused.stderr)


class CheckComponents(InFolder):
    def test_text(self):
        result = self.run_here("check", CAR, "--components")
        self.assertEqual(result.returncode, OK, result.stderr)
        for part in ("components    car_redundant: 1 body, 8 joints", "front_left.damper: 2 bodies, 1 joint, border of 2",
                     "partition     auto: one program for the whole machine"):
            self.assertIn(part, result.stdout)

    def test_json(self):
        result = self.run_here("check", ENGINE, "--components", "--json")
        components = json.loads(result.stdout)["summary"]["components"]
        self.assertEqual(len(components["components"]), 7)
        self.assertEqual(sum(one["bodies"] for one in components["components"]), 7)
        self.assertLess(components["operations"], components["operationsAsDesigned"])


if __name__ == "__main__":
    unittest.main()
