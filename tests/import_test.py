#!/usr/bin/env python3
"""`gelenk import`: from a STEP file to a machine that runs, and what is said when it cannot be."""

import json
import pathlib
import re
import shutil
import subprocess
import unittest

from program_support import FILE_ERROR, InFolder, OK, PROGRAM, run, SOURCE

ENGINE = str(SOURCE / "tests/data/cad/steam_engine.step")
ZOO = str(SOURCE / "tests/data/cad/joint_zoo.step")
MOST_LINES = 25


class Import(InFolder):
    def imported(self, file, *options):
        result = run("import", file, "-o", "out", *options, cwd=self.folder)
        self.assert_exit(result, OK)
        return result

    def report(self, file, *options):
        return json.loads(self.imported(file, "--json", *options).stdout)

    def test_steam_engine_runs_with_nothing_else_typed(self):
        result = self.imported(ENGINE)
        self.assertNotIn("warning", result.stderr)  # a busy machine may show progress there
        self.assertLessEqual(len(result.stdout.splitlines()), MOST_LINES)
        for words in ("13 parts, 590 x 220 x 175 mm", "26.87 kg, all of it assumed", "4 sure, 0 to look at",
                      "stator, assumed because", "1 free motion", "2 joint directions (fine)", "do not collide"):
            self.assertIn(words, result.stdout)
        joint = "stator_crank_group.rate"
        self.assertIn(f"next          gelenk run out/steam_engine.yaml --start {joint}", result.stdout)
        ran = run("run", "out/steam_engine.yaml", "--start", f"{joint}=1.96", cwd=self.folder)
        self.assert_exit(ran, OK)
        self.assertIn("verdict: good", ran.stdout + ran.stderr)

    def test_the_tutorial_shows_what_is_printed(self):
        page = (SOURCE / "docs/cad.md").read_text(encoding="utf-8")
        result = run("import", ENGINE, "-o", "engine", cwd=self.folder)
        # Time and memory are those of the machine on which the page was written.
        took = re.search(r"took .*\n", page)[0]
        self.assertIn("answers:\n\n```\n" + re.sub(r"took .*\n", took, result.stdout) + "```", page)

    def test_joints_of_the_zoo(self):
        report = self.report(ZOO)
        self.assertEqual({joint["name"]: (joint["type"], joint["certainty"]) for joint in report["import"]["joints"]}, {
            "ball_stud_socket": ("spherical", "sure"), "dove_rail_dove_slide": ("prismatic", "look"),
            "key_shaft_key_hub": ("prismatic", "sure"), "table_puck": ("planar", "guess"),
            "plate_a_plate_b": ("fixed", "look")})

    def test_what_is_the_users_stays(self):
        self.imported(ENGINE)
        mine = self.folder / "out/steam_engine.yaml"
        mine.write_text(mine.read_text() + "gravity: none\n")
        generated = self.folder / "out/steam_engine.cad.yaml"
        first = generated.read_text()
        generated.write_text(first + "# changed\n")
        self.assertIn("kept as it was", self.imported(ENGINE).stdout)
        self.assertIn("gravity: none", mine.read_text())
        self.assertEqual(generated.read_text(), first)

    def test_files_of_others_are_not_overwritten(self):
        self.write("out/steam_engine.cad.yaml", "gelenk: 1\n")
        result = run("import", ENGINE, "-o", "out", cwd=self.folder)
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("`gelenk import` did not make it", result.stderr)

    def test_import_is_reproducible(self):
        self.imported(ENGINE)
        first = {path.name: path.read_bytes() for path in (self.folder / "out").rglob("*") if path.is_file()}
        shutil.rmtree(self.folder / "out")
        self.imported(ENGINE)
        again = {path.name: path.read_bytes() for path in (self.folder / "out").rglob("*") if path.is_file()}
        self.assertEqual(first, again)
        self.assertIn("flywheel.glb", first)

    def test_choices(self):
        before = self.report(ENGINE)["import"]["mass"]
        shutil.rmtree(self.folder / "out")
        report = self.report(ENGINE, "--material", "con*=aluminum", "--mass", "Flywheel=2500 g", "--up", "y",
                             "--ground", "crank_group")
        self.assertEqual(report["import"]["ground"]["part"], "crank_group")
        self.assertFalse(report["import"]["ground"]["isAssumed"])
        self.assertLess(report["import"]["assumedMass"], report["import"]["mass"])
        self.assertNotEqual(report["import"]["mass"], before)
        self.assertIn("up: y", (self.folder / "out/steam_engine.cad.yaml").read_text())
        self.assertIn("mass: 2.5 kg", (self.folder / "out/steam_engine.cad/crank_group.yaml").read_text())

    def test_without_joints_and_ground(self):
        report = self.report(ENGINE, "--joints", "none", "--ground", "none")
        self.assertEqual(report["import"]["joints"], [])
        self.assertEqual(report["assembly"]["freeMotions"], 24)

    def test_mistakes_on_the_command_line(self):
        for options, words in ((["--up", "w"], "--up"), (["--joints", "some"], "--joints"),
                               (["--material", "steel"], "PART=MATERIAL"), (["--mass", "rod=5 mm"], "PART=MASS"),
                               (["--material", "rod=stele"], "did you mean 'steel'"),
                               (["--ground", "statr"], "did you mean 'stator'"), (["--time-limit", "x"], "seconds")):
            with self.subTest(options=options):
                result = run("import", ENGINE, "-o", "out", *options, cwd=self.folder)
                self.assert_usage_error(result, words)

    def test_files_that_are_no_assembly(self):
        whole = pathlib.Path(ENGINE).read_text()
        for name, text, words in (("empty.step", "", "is empty"), ("mesh.step", "solid x\n", "is no STEP file"),
                                  ("cut.step", whole[:len(whole) // 2], "is cut off")):
            with self.subTest(name=name):
                result = run("import", self.write(name, text), "-o", "out", cwd=self.folder)
                self.assert_exit(result, FILE_ERROR)
                self.assertIn(words, result.stderr)
                self.assertFalse((self.folder / "out").exists())
        self.assert_exit(run("import", "none.step", cwd=self.folder), FILE_ERROR)


class Trouble(InFolder):
    """The program with an importer beside it that misbehaves."""

    def import_with(self, script, *options):
        program = self.folder / "gelenk"
        shutil.copy(PROGRAM, program)
        if script:
            importer = self.folder / "gelenk-cad"
            importer.write_text("#!/bin/sh\n" + script)
            importer.chmod(0o755)
        return subprocess.run([program, "import", ENGINE, "-o", "out", *options], capture_output=True, text=True,
                              timeout=60, cwd=self.folder, stdin=subprocess.DEVNULL)

    def test_no_importer(self):
        result = self.import_with(None)
        self.assert_exit(result, FILE_ERROR)
        folder = self.folder.resolve()
        for piece in ("gelenk-cad, which reads and writes CAD files, is missing", f"'{folder}/gelenk-cad'",
                      f"'{folder.parent}/libexec/gelenk-cad'", "./dev build", "install Gelenk again", "gelenk doctor"):
            self.assertIn(piece, result.stderr)

    def test_crash(self):
        result = self.import_with("kill -SEGV $$\n")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("OpenCASCADE crashed on it (SIGSEGV)", result.stderr)

    def test_hang(self):
        result = self.import_with("exec sleep 50\n", "--time-limit", "0.5")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("--time-limit", result.stderr)

    def test_nothing_said(self):
        result = self.import_with("exit 7\n")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("code 7", result.stderr)


if __name__ == "__main__":
    unittest.main()
