#!/usr/bin/env python3
"""`gelenk import`: from a STEP file to a machine that runs, and what is said when it cannot be."""

import json
import pathlib
import re
import shutil
import subprocess
import unittest

from program_support import FILE_ERROR, InFolder, OK, PROGRAM, run, SOURCE
from view_support import is_alive, wait_until

ENGINE = str(SOURCE / "tests/data/cad/steam_engine.step")
ZOO = str(SOURCE / "tests/data/cad/joint_zoo.step")
MOST_LINES = 25


def descendants(process_id):
    with open(f"/proc/{process_id}/task/{process_id}/children") as file:
        children = [int(word) for word in file.read().split()]
    return children + [inner for child in children for inner in descendants(child)]


class Import(InFolder):
    def imported(self, file, *options):
        result = run("import", file, "-o", "out", *options, cwd=self.folder)
        self.assert_exit(result, OK)
        return result

    def report(self, file, *options):
        return json.loads(self.imported(file, "--json", *options).stdout)

    # S1-10, S3-01: a drawing moves without any redesign, and without knowing the format of models.
    def test_steam_engine_runs_with_nothing_else_typed(self):
        result = self.imported(ENGINE)
        self.assertNotIn("warning", result.stderr)  # a busy machine may show progress there
        self.assertLessEqual(len(result.stdout.splitlines()), MOST_LINES)
        for words in ("13 parts, 590 x 220 x 175 mm", "26.87 kg, all of it assumed", "4 sure, 0 to look at",
                      "stator, assumed because", "1 free motion", "3 joint directions (fine)", "do not collide"):
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
        joints = report["import"]["joints"]
        # The pairs stand beside each other: all but one are held to a neighbor.
        self.assertEqual([joint["type"] for joint in joints if joint["certainty"] == "assumed"], 4 * ["fixed"])
        self.assertEqual({joint["name"]: (joint["type"], joint["certainty"]) for joint in joints
                          if joint["certainty"] != "assumed"}, {
            "ball_stud_socket": ("spherical", "sure"), "dove_rail_dove_slide": ("prismatic", "look"),
            "key_shaft_key_hub": ("prismatic", "sure"), "table_puck": ("fixed", "guess"),
            "plate_a_plate_b": ("fixed", "look")})

    def test_what_is_the_users_stays(self):
        self.imported(ENGINE)
        mine = self.folder / "out/steam_engine.yaml"
        mine.write_text(mine.read_text() + "gravity: none\n")
        generated = self.folder / "out/steam_engine.cad.yaml"
        first = generated.read_text()
        generated.write_text(first + "# changed\n")
        self.assertIn("left unchanged", self.imported(ENGINE).stdout)
        self.assertIn("gravity: none", mine.read_text())
        self.assertEqual(generated.read_text(), first)

    def test_files_of_others_are_not_overwritten(self):
        self.write("out/steam_engine.cad.yaml", "gelenk: 1\n")
        result = run("import", ENGINE, "-o", "out", cwd=self.folder)
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("`gelenk import` did not write it", result.stderr)

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
        for name, text, words in (("empty.step", "", "is empty"), ("mesh.step", "solid x\n", "is not a STEP file"),
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

    def endless(self):
        """A drawing with a point so far away that OpenCASCADE never comes back."""
        text, count = re.subn(r"(#1645 = CARTESIAN_POINT\('',\(320\.,)[^,]+", r"\g<1>1e308", pathlib.Path(ENGINE).read_text())
        self.assertEqual(count, 1)
        return self.write("endless.step", text)

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
        self.assertIn("gelenk-cad was killed by SIGSEGV", result.stderr)

    def test_hang(self):
        result = self.import_with("exec sleep 50\n", "--time-limit", "0.5")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("--time-limit", result.stderr)

    def test_nothing_said(self):
        result = self.import_with("exit 7\n")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("exited with code 7 and gave no reason", result.stderr)
        self.assertIn("hint: ", result.stderr)

    def test_what_it_says_does_not_rewrite_the_screen(self):
        result = self.import_with("printf 'error: \\033[2J\\033]0;title\\a gone\\n' >&2; exit 4\n")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("?[2J?]0;title? gone", result.stderr)

    def test_it_does_not_outlive_the_program(self):
        """A drawing that takes for ever, and somebody who kills the program."""
        endless = self.endless()
        program = subprocess.Popen([PROGRAM, "import", endless, "-o", "out"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        try:
            wait_until(lambda: len(descendants(program.pid)) == 2, "the reader is there")
            found = descendants(program.pid)
            wait_until(lambda: "\nSeccomp:\t2\n" in pathlib.Path(f"/proc/{found[1]}/status").read_text(), "it is sandboxed")
        finally:
            program.kill()
            program.wait()
        wait_until(lambda: not any(map(is_alive, found)), "nobody is left")


    def test_nobody_is_left_when_time_is_up(self):
        program = subprocess.Popen([PROGRAM, "import", self.endless(), "-o", "out", "--time-limit", "2.5"], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: len(descendants(program.pid)) == 2, "the reader is there")
        found = descendants(program.pid)
        _, said = program.communicate(timeout=60)
        wait_until(lambda: not any(map(is_alive, found)), "nobody is left")
        self.assertEqual(program.returncode, FILE_ERROR, said)
        self.assertIn("it took longer than 2.5 s, at: ", said)


class Damaged(InFolder):
    """Drawings on which OpenCASCADE crashes, or would like to."""

    def test_a_crash_names_the_entity(self):
        whole = pathlib.Path(ENGINE).read_text()
        number = re.search(r"^#(\d+) = LINE\(", whole, re.MULTILINE).group(1)
        # The point of the line is no point.
        text = re.sub(rf"^#{number} = LINE\('',#\d+,", f"#{number} = LINE('',#{number},", whole, flags=re.MULTILINE)
        result = run("import", self.write("bent.step", text), "-o", "out", cwd=self.folder)
        self.assert_exit(result, FILE_ERROR)
        for words in ("'" + str(self.folder / "bent.step") + "' cannot be imported: its reader ", f", near #{number} = LINE",
                      "hint: save it again"):
            self.assertIn(words, result.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_damage_that_does_no_harm_is_told(self):
        whole = pathlib.Path(ENGINE).read_text()
        text, count = re.subn(r"= ADVANCED_FACE\('',\(#\d+\),#\d+,", "= ADVANCED_FACE('',(),$,", whole, count=1)
        self.assertEqual(count, 1)
        result = run("import", self.write("holed.step", text), "-o", "out", "--json", cwd=self.folder)
        self.assert_exit(result, OK)
        notes = json.loads(result.stdout)["import"]["notes"]
        self.assertTrue(any("= ADVANCED_FACE is damaged in the file" in note for note in notes), notes)


if __name__ == "__main__":
    unittest.main()
