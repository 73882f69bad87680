#!/usr/bin/env python3
"""`gelenk export -o pose.step`: a pose that comes back by `gelenk import`, from a model and from a run."""

import json
import unittest

import h5py

from program_support import FILE_ERROR, InFolder, OK, run, SOURCE

ENGINE = SOURCE / "tests/data/cad/steam_engine.step"
CAR = SOURCE / "examples/car/car.yaml"
NEAR = 1e-9  # m, and relative for masses: STEP has 15 digits, rotations are made of nine of them


class ExportStep(InFolder):
    def gelenk(self, *arguments, code=OK):
        result = run(*arguments, cwd=self.folder)
        self.assert_exit(result, code)
        return result

    def placed(self, file, folder):
        report = json.loads(self.gelenk("import", file, "-o", folder, "--joints", "none", "--json").stdout)
        return {part["path"]: part for part in report["import"]["placed"]}

    def assert_same(self, found, expected_place, expected_mass):
        self.assertAlmostEqual(found["mass"], expected_mass, delta=NEAR * expected_mass)
        sign = 1 if sum(a * b for a, b in zip(found["at"][3:], expected_place[3:])) > 0 else -1
        for i, (a, b) in enumerate(zip(found["at"], expected_place)):
            self.assertAlmostEqual(a, b if i < 3 else sign * b, delta=NEAR)

    def test_a_later_pose_of_an_imported_machine_comes_back(self):
        before = self.placed(ENGINE, "drawn")
        self.gelenk("import", ENGINE, "-o", "engine")
        self.gelenk("run", "engine/steam_engine.yaml", "--start", "stator_crank_group.rate=1.96", "-o", "run.h5")
        self.gelenk("export", "run.h5", "--time", "0.7 s", "-o", "pose.step")
        after = self.placed("pose.step", "back")
        self.assertEqual(sorted(after), sorted(before))
        with h5py.File(self.folder / "run.h5") as results:
            row = [round(time, 9) for time in results["time"]].index(0.7)
            for path, part in after.items():
                place = list(results[f"by_path/{path.replace('.', '/')}/pose"][row])
                self.assert_same(part, place, before[path]["mass"])
        moved = abs(after["con_rod"]["at"][0] - before["con_rod"]["at"][0])
        self.assertGreater(moved, 1e-3)

    def test_a_model_with_shapes_becomes_solids_in_its_tree(self):
        reported = json.loads(self.gelenk("export", CAR, "-o", "car.step", "--json").stdout)
        self.assertTrue(reported["ok"])
        after = self.placed("car.step", "car")
        self.assertEqual(len(after), reported["parts"])
        self.assertAlmostEqual(after["front_left.damper.tube"]["mass"], 4.0, delta=1e-6)
        tube, other = (after[f"{corner}.damper.tube"]["at"] for corner in ("front_left", "front_right"))
        self.assertAlmostEqual(tube[1], -other[1], delta=NEAR)  # mirrored, as in the model

    def test_files_that_are_there_stay(self):
        self.write("car.step", "mine")
        result = self.gelenk("export", CAR, "-o", "car.step", code=FILE_ERROR)
        self.assertIn("--force", result.stderr)
        self.assertEqual((self.folder / "car.step").read_text(), "mine")
        self.gelenk("export", CAR, "-o", "car.step", "--force")
        self.assertTrue((self.folder / "car.step").read_text().startswith("ISO-10303-21;"))

    def test_without_a_folder_nothing_is_written(self):
        result = self.gelenk("export", CAR, "-o", "nowhere/car.step", code=FILE_ERROR)
        self.assertIn("nowhere/car.step", result.stderr)


if __name__ == "__main__":
    unittest.main()
