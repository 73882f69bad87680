#!/usr/bin/env python3
"""Robot descriptions: `gelenk import ROBOT.urdf`, then a run under gravity that keeps its energy."""

import json
import unittest

from program_support import FILE_ERROR, InFolder, OK, run, SOURCE

ROBOTS = SOURCE / "tests/data/robots"
# Of the largest kinetic energy, with Dormand-Prince at a tolerance of 1e-10.
MOST_ENERGY_ERROR = 1e-6


class ImportRobot(InFolder):
    def report(self, robot, *options):
        result = run("import", str(ROBOTS / f"{robot}.urdf"), "-o", robot, "--json", *options, cwd=self.folder)
        self.assert_exit(result, OK)
        return json.loads(result.stdout)

    def energy_error(self, robot):
        """Falls for a second with free joints; returns the change of energy over the largest kinetic energy."""
        self.assert_exit(run("run", f"{robot}/{robot}.yaml", "-o", "run.h5", "--force", "--method", "dopri5", "--tolerance",
                             "1e-10", "--duration", "1 s", "--output-every", "10 ms", cwd=self.folder), OK)
        self.assert_exit(run("export", "run.h5", "energy.kinetic", "energy.potential", "-o", "energy.csv", "--force",
                             cwd=self.folder), OK)
        lines = (self.folder / "energy.csv").read_text().splitlines()
        names = [name.split(" ")[0] for name in lines[0].split(",")]
        rows = [dict(zip(names, map(float, line.split(",")))) for line in lines[1:]]
        totals = [row["energy.kinetic"] + row["energy.potential"] for row in rows]
        most = max(row["energy.kinetic"] for row in rows)
        self.assertGreater(most, 0.01, "it must move")
        return max(abs(total - totals[0]) for total in totals) / most

    # S2-09: robots.
    def test_robots_fall_and_keep_their_energy(self):
        for robot, base, motions in (("panda", "fixed", 8), ("ur5", "fixed", 6), ("anymal", "floating", 18),
                                     ("solo12", "floating", 18), ("so101", "fixed", 6), ("double_pendulum", "fixed", 2)):
            with self.subTest(robot=robot):
                report = self.report(robot, "--base", base)
                self.assertEqual(report["assembly"]["freeMotions"], motions)
                self.assertEqual(report["assembly"]["redundantRows"], 0)
                self.assertEqual(report["errors"], 0)
                self.assert_exit(run("check", f"{robot}/{robot}.yaml", cwd=self.folder), OK)
                self.assertLess(self.energy_error(robot), MOST_ENERGY_ERROR)

    def test_the_hand_of_the_panda_is_kept_as_it_is_written(self):
        notes = self.report("panda")["import"]["notes"]
        self.assertTrue(any("follows joint 'panda_finger_joint1'" in note for note in notes), notes)
        self.assertTrue(any("meshes are not found" in note for note in notes), notes)
        text = (self.folder / "panda/panda.cad.yaml").read_text()
        self.assertIn("type: coupler", text)
        self.assertNotIn("enabled: false", text)
        self.assertIn("limits:", text)

    def test_what_a_robot_cannot_have(self):
        for options, words in ((["--base", "loose"], "--base"), (["--package", "x"], "NAME=FOLDER"),
                               (["--base", "floating", "--ground", "link0"], "--ground")):
            self.assert_usage_error(run("import", str(ROBOTS / "ur5.urdf"), "-o", "out", *options, cwd=self.folder), words)
        result = run("import", self.write("no.urdf", "<robot name='x'><link name='a'/></robot>"), "--base", "floating",
                     cwd=self.folder)
        self.assert_exit(result, OK)
        self.assertIn("link 'a' moves but has no mass: 0.001 kg is assumed", result.stdout)
        result = run("import", self.write("xacro.urdf", "<robot name='x'><link name='${a}'/></robot>"), cwd=self.folder)
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("is written in xacro: expand it first", result.stderr)


if __name__ == "__main__":
    unittest.main()
