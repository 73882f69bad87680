"""Loops whose joints hold more than they should move as exactly as any other, with every method and at every step."""

import json
import unittest

import h5py
import linkages
import numpy
from program_support import OK, InFolder, run


class Overconstrained(InFolder):
    def motion(self, model, *options):
        """Positions of all parts at some times, and what the run says of itself."""
        result = run("run", model, "--duration", "1 s", "--output-every", "40 ms", *options, "-o", "run.h5", "--force", "--json",
                     cwd=self.folder)
        self.assert_exit(result, OK)
        with h5py.File(self.folder / "run.h5") as file:
            return file["parts/pose"][:, :, :3], json.loads(result.stdout)

    def errors(self, model, reference, option, values, *options):
        found = []
        for value in values:
            places, reported = self.motion(model, *options, option, value)
            self.assertEqual(reported["verdict"], "good", value)
            self.assertEqual(reported["system"]["rankChanges"], 0, value)
            found.append(numpy.abs(places - reference).max())
        return found

    def test_errors_follow_the_step_and_the_tolerance(self):
        for make in linkages.LINKAGES:
            with self.subTest(make.__name__):
                model = self.write("linkage.yaml", make())
                reference, _ = self.motion(model, "--method", "dopri5", "--tolerance", "1e-13")
                # Of order 4, which is a factor of 16, until rounding is reached.
                steps = self.errors(model, reference, "--step", ("8 ms", "4 ms", "2 ms", "1 ms"), "--method", "rk4")
                for before, after in zip(steps, steps[1:]):
                    self.assertLess(after, max(before / 9.0, 2e-11), steps)
                for method in ("dopri5", "adams"):
                    tolerances = ("1e-6", "1e-8", "1e-10", "1e-12")
                    for tolerance, error in zip(tolerances, self.errors(model, reference, "--tolerance", tolerances, "--method", method)):
                        self.assertLess(error, 100.0 * float(tolerance), (method, tolerance))

    def test_they_cost_no_more_than_linkages_that_are_held_once(self):
        for make, kinds in linkages.HELD_ONCE.items():
            for tolerance in ("1e-5", "1e-8"):
                with self.subTest(make.__name__, tolerance=tolerance):
                    steps = []
                    for text in (make(), make(kinds)):
                        _, reported = self.motion(self.write("linkage.yaml", text), "--method", "dopri5", "--tolerance", tolerance)
                        steps.append(reported["steps"]["accepted"] + reported["steps"]["rejected"])
                    self.assertLess(steps[0], 1.5 * steps[1])


if __name__ == "__main__":
    unittest.main()
