#!/usr/bin/env python3
"""FreeCAD files: `gelenk import MACHINE.FCStd` with the joints of the file, or with joints found by the surfaces."""

import json
import re
import unittest
import zipfile

from program_support import FILE_ERROR, InFolder, OK, run, SOURCE

BACKHOE = str(SOURCE / "tests/data/cad/backhoe.FCStd")
ENGINE = str(SOURCE / "tests/data/cad/steam_engine.FCStd")
# As drawn, mm
CYLINDERS = {"slider": 54.6387, "slider001": 31.7919, "slider002": -85.0784}


class ImportFreecad(InFolder):
    def report(self, file, *options):
        result = run("import", file, "-o", "out", "--json", *options, cwd=self.folder)
        self.assert_exit(result, OK)
        return json.loads(result.stdout)

    def exported(self, *channels):
        """Rows of the run: the time, then the channels."""
        self.assert_exit(run("export", "run.h5", *channels, "-o", "run.csv", cwd=self.folder), OK)
        lines = (self.folder / "run.csv").read_text().splitlines()
        return [list(map(float, line.split(","))) for line in lines[1:]]

    def test_backhoe_says_what_it_is(self):
        result = run("import", BACKHOE, "-o", "out", cwd=self.folder)
        self.assert_exit(result, OK)
        for words in ("13 parts, 103.4 x 676 x 567.1 mm", "joints        16: 16 sure", "ground        base_pin\n",
                      "4 free motions", "8 joint directions (fine)"):
            self.assertIn(words, result.stdout)
        self.assert_exit(run("check", "out/backhoe.yaml", cwd=self.folder), OK)

    # S0-03, by files: the assembly of a CAD program with its own joints.
    def test_backhoe_digs(self):
        report = self.report(BACKHOE)
        self.assertEqual(report["assembly"]["freeMotions"], 4)
        self.assertEqual(report["assembly"]["redundantRows"], 8)
        self.assertLess(report["assembly"]["residual"], 1e-9)
        drives = [word for joint, drawn in CYLINDERS.items()
                  for word in ("--drive", f"{joint}=={drawn} mm + 5 mm*(1 - cos(2*pi*time/(1 s)))")]
        ran = run("run", "out/backhoe.yaml", "-o", "run.h5", "--duration", "1 s", *drives, cwd=self.folder)
        self.assert_exit(ran, OK)
        self.assertIn("verdict: good", ran.stdout + ran.stderr)
        rows = self.exported("slider.travel", "revolute001.angle")
        middle = rows[len(rows) // 2]
        self.assertAlmostEqual(middle[1] - rows[0][1], 0.01, places=6)
        self.assertGreater(abs(middle[2] - rows[0][2]), 0.1)  # the boom goes with its cylinder

    def test_angles_are_those_of_freecad(self):
        self.report(BACKHOE)
        holds = [word for joint, drawn in CYLINDERS.items() for word in ("--drive", f"{joint}={drawn} mm")]
        ran = run("run", "out/backhoe.yaml", "-o", "run.h5", "--duration", "10 ms", *holds, cwd=self.folder)
        self.assert_exit(ran, OK)
        self.assertAlmostEqual(self.exported("revolute003.angle")[0][1], -0.67404, places=4)  # -38.620 degrees

    def test_choices(self):
        report = self.report(BACKHOE, "--joints", "none", "--ground", "Boom001")
        self.assertEqual(report["import"]["joints"], [])
        self.assertEqual(report["import"]["ground"]["part"], "boom")
        self.assertEqual(report["assembly"]["freeMotions"], 72)

    def test_surfaces_instead_of_the_joints_of_the_file(self):
        report = self.report(BACKHOE, "--joints", "surfaces")
        self.assertEqual({joint["origin"] for joint in report["import"]["joints"]}, {"inferred"})
        self.assertEqual(len(report["import"]["joints"]), 16)

    def test_a_file_that_is_missing_is_named(self):
        """A machine of links: the parts stay in a file of their own, which goes away, or into a folder beside."""
        with zipfile.ZipFile(BACKHOE) as whole, zipfile.ZipFile(self.folder / "site.FCStd", "w") as site:
            document = whole.read("Document.xml").decode()
            for name in whole.namelist():
                site.writestr(name, whole.read(name))
        target = re.search(r'<Object type="Part::Feature" name="([^"]+)"', document)
        target = target[1] if target else re.search(r'<Object type="PartDesign::Body" name="([^"]+)"', document)[1]
        link = ('<Document><Objects><Object type="App::Link" name="L"/></Objects><ObjectData><Object name="L"><Properties>'
                '<Property name="LinkedObject" type="x"><XLink file="%s" name="' + target + '"/></Property></Properties>'
                '</Object></ObjectData></Document>')
        (self.folder / "sub").mkdir()
        for file, stored in (("main.FCStd", "site.FCStd"), ("lost.FCStd", "gone.FCStd"), ("sub/up.FCStd", "../site.FCStd")):
            with zipfile.ZipFile(self.folder / file, "w") as main:
                main.writestr("Document.xml", link % stored)
        self.assertEqual(self.report("main.FCStd")["import"]["parts"], 1)
        result = run("import", "lost.FCStd", "-o", "out", cwd=self.folder)
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("'L' is in another file, 'gone.FCStd', which is missing: put it beside this one", result.stderr)
        result = run("import", "sub/up.FCStd", "-o", "out", cwd=self.folder)
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("which is outside the folder of this one: --links FOLDER", result.stderr)
        self.assertEqual(self.report("sub/up.FCStd", "--links", ".")["import"]["parts"], 1)
        self.assertIn("'nowhere' is not a folder", run("import", "main.FCStd", "--links", "nowhere", cwd=self.folder).stderr)

    def test_file_without_joints(self):
        report = self.report(ENGINE)
        self.assertEqual({joint["origin"] for joint in report["import"]["joints"]}, {"inferred"})
        self.assertEqual(report["assembly"]["freeMotions"], 1)
        self.assertEqual(report["assembly"]["redundantRows"], 3)
        self.assertTrue(report["import"]["ground"]["isAssumed"])

    def test_files_that_cannot_be_read(self):
        with zipfile.ZipFile(self.folder / "lost.FCStd", "w") as lost, zipfile.ZipFile(BACKHOE) as whole:
            for name in whole.namelist():
                if name != "Shape013.Shape.brp":
                    lost.writestr(name, whole.read(name))
        for file, words in ((self.write("text.fcstd", "hello"), "is not a ZIP archive"),
                            ("lost.FCStd", "the shape of part 'Stick', member 'Shape013.Shape.brp', is missing")):
            result = run("import", file, "-o", "out", cwd=self.folder)
            self.assert_exit(result, FILE_ERROR)
            self.assertIn(words, result.stderr)


if __name__ == "__main__":
    unittest.main()
