#!/usr/bin/env python3
"""`gelenk import --update` keeps what a user has made of an import, and says what has changed; `--joints FILE`."""

import json
import pathlib
import shutil
import unittest

from program_support import FILE_ERROR, InFolder, MODEL_ERROR, OK, run, SOURCE, USAGE_ERROR

ENGINE = SOURCE / "tests/data/cad/steam_engine.step"
BACKHOE = SOURCE / "tests/data/cad/backhoe.FCStd"


class Update(InFolder):
    def setUp(self):
        super().setUp()
        self.drawing = self.folder / "engine.step"
        shutil.copy(ENGINE, self.drawing)

    def imported(self, *options, code=OK):
        result = run("import", "engine.step", "-o", "out", *options, cwd=self.folder)
        self.assert_exit(result, code)
        return result

    def rename(self, old, new):
        text = self.drawing.read_text(encoding="latin-1")
        self.assertTrue(old in text)
        self.drawing.write_text(text.replace(old, new), encoding="latin-1")

    def use(self, text):
        mine = self.folder / "out/engine.yaml"
        mine.write_text(mine.read_text() + text)

    def test_nothing_has_changed(self):
        self.imported()
        generated = {path: path.read_bytes() for path in (self.folder / "out").rglob("*.yaml")}
        result = self.imported("--update")
        self.assertTrue(result.stdout.startswith("nothing has changed\n"), result.stdout)
        for path, content in generated.items():
            self.assertEqual(path.read_bytes(), content, path)

    def test_options_are_remembered(self):
        self.imported("--material", "*=aluminum", "--up", "y", "--ground", "stator")
        mass = json.loads(self.imported("--update", "--json").stdout)["import"]["mass"]
        report = json.loads(self.imported("--update", "--mass", "con_rod=2 kg", "--json").stdout)
        self.assertAlmostEqual(report["import"]["mass"], mass + 2.0, delta=0.1)
        self.assertEqual([change["name"] for change in report["changes"]], ["con_rod"])
        self.assertIn("up: y", (self.folder / "out/engine.cad.yaml").read_text())
        again = json.loads(self.imported("--update", "--json").stdout)
        self.assertEqual(again["changes"], [])
        self.assertEqual(again["import"]["mass"], report["import"]["mass"])

    def test_a_modification_whose_target_vanished_is_an_error_with_the_nearest_name(self):
        self.imported()
        self.use("modify:\n  joints.crank_group_con_rod: {type: cylindrical}\n")
        self.assert_exit(run("check", "out/engine.yaml", cwd=self.folder), OK)
        self.rename("ConRod", "ConnRod")
        result = self.imported("--update", code=MODEL_ERROR)
        self.assertIn("renamed       part con_rod: is now called conn_rod", result.stdout)
        self.assertRegex(result.stderr, r"out/engine.yaml:\d+:\d+: error: cannot modify 'joints.crank_group_con_rod'")
        self.assertIn("did you mean 'crank_group_conn_rod'?", result.stderr)
        self.assertIn("next          correct out/engine.yaml", result.stdout)
        mine = self.folder / "out/engine.yaml"
        mine.write_text(mine.read_text().replace("crank_group_con_rod", "crank_group_conn_rod"))
        self.assert_exit(run("check", "out/engine.yaml", cwd=self.folder), OK)

    def test_files_of_what_is_gone_go_too(self):
        self.imported()
        self.assertTrue((self.folder / "out/engine.cad/con_rod.glb").exists())
        (self.folder / "out/engine.cad/notes.txt").write_text("mine")
        self.rename("ConRod", "ConnRod")
        self.imported("--update")
        self.assertFalse((self.folder / "out/engine.cad/con_rod.glb").exists())
        self.assertTrue((self.folder / "out/engine.cad/conn_rod.glb").exists())
        self.assertEqual((self.folder / "out/engine.cad/notes.txt").read_text(), "mine")

    def test_forces_on_frames_survive(self):
        self.imported()
        frame = json.loads((self.folder / "out/engine.cad/import.json").read_text())["joints"][3]
        self.assertEqual(frame["between"][1], "con_rod")
        self.use("forces:\n  pull: {type: spring_damper, between: [ground, con_rod.%s], stiffness: 1 N/m, free_length: 1 m}\n"
                 % frame["frames"][1])
        checked = run("check", "out/engine.yaml", cwd=self.folder)
        self.assert_exit(checked, OK)
        self.imported("--update")

    def test_without_an_import_there_is_nothing_to_update(self):
        result = self.imported("--update", code=FILE_ERROR)
        self.assertIn("there is no import to update", result.stderr)
        self.imported()
        (self.folder / "out/engine.cad/import.json").write_text("{")
        self.assertIn("there is no import to update", self.imported("--update", code=FILE_ERROR).stderr)

    def test_a_file_that_cannot_be_read_changes_nothing(self):
        self.imported()
        before = {path: path.read_bytes() for path in (self.folder / "out").rglob("*") if path.is_file()}
        self.drawing.write_bytes(self.drawing.read_bytes()[:5000])
        self.imported("--update", code=FILE_ERROR)
        after = {path: path.read_bytes() for path in (self.folder / "out").rglob("*") if path.is_file()}
        self.assertEqual(after, before)

    def test_native_joints_keep_their_frames(self):
        result = run("import", BACKHOE, "-o", "digger", cwd=self.folder)
        self.assert_exit(result, OK)
        generated = self.folder / "digger/backhoe.cad.yaml"
        first = generated.read_bytes()
        result = run("import", BACKHOE, "-o", "digger", "--update", cwd=self.folder)
        self.assert_exit(result, OK)
        self.assertTrue(result.stdout.startswith("nothing has changed\n"), result.stdout)
        self.assertEqual(generated.read_bytes(), first)


class JointsOfTheUser(InFolder):
    GIVEN = """joints:
  main: {type: revolute, between: [stator, crank_group]}
  big_end: {type: revolute, between: [crank_group, con_rod]}
  small_end: {type: spherical, between: [con_rod, piston_group], at: [0.2, 0, 0]}
  slide: {type: cylindrical, between: [stator, piston_group]}
"""

    def imported(self, text, code=OK, source=ENGINE):
        self.write("joints.yaml", text)
        result = run("import", source, "-o", "out", "--joints", "joints.yaml", "--json", cwd=self.folder)
        self.assert_exit(result, code)
        return result

    def test_they_are_taken_as_said(self):
        report = json.loads(self.imported(self.GIVEN).stdout)
        joints = {joint["name"]: joint for joint in report["import"]["joints"]}
        self.assertEqual({name: joint["type"] for name, joint in joints.items()},
                         {"main": "revolute", "big_end": "revolute", "small_end": "spherical", "slide": "cylindrical"})
        self.assertEqual({joint["origin"] for joint in joints.values()}, {"user"})
        self.assertEqual(joints["big_end"]["between"], ["crank_group.crank_disc", "con_rod"])
        # The piston may turn about its rod, the rod about itself no more than the crank pin lets it.
        self.assertEqual(report["assembly"]["freeMotions"], 2)
        self.assertEqual([joint["name"] for joint in report["assembly"]["joints"]][:4], list(joints))

    def test_mistakes_are_named_with_their_line(self):
        for old, new, words in (
                ("[crank_group, con_rod]", "[crank_group, con_rood]", "joints.yaml:3:3: there is no part 'con_rood'; did you"),
                ("type: cylindrical", "type: cylindric", "joints.yaml:5:17: 'cylindric' is not a joint type"),
                ("[0.2, 0, 0]", "[0.2, 0]", "joints.yaml:4:70: three lengths are needed"),
                ("big_end", "con_rod", "there is already something called 'con_rod'"),
                ("type: cylindrical", "type: spherical", "no surfaces of stator and piston_group show where"),
                ("joints:", "joint:", "a map 'joints:' is needed"),
                ("at:", "att:", "unknown key 'att'")):
            result = self.imported(self.GIVEN.replace(old, new), USAGE_ERROR)
            self.assertIn(words, result.stdout + result.stderr)
            self.assertFalse((self.folder / "out").exists())

    def test_all_mistakes_are_named_at_once(self):
        text = self.GIVEN.replace("con_rod]", "con_rood]").replace("type: cylindrical", "type: cylindric")
        result = self.imported(text.replace("[0.2, 0, 0]", "[0.2, 0]"), USAGE_ERROR)
        for words in ("joints.yaml:4:70: three lengths", "joints.yaml:5:17: 'cylindric'"):
            self.assertIn(words, result.stdout + result.stderr)
        text = self.GIVEN.replace("con_rod]", "con_rood]").replace("type: cylindrical", "type: spherical")
        result = self.imported(text, USAGE_ERROR)
        for words in ("joints.yaml:3:3: there is no part 'con_rood'", "no surfaces of stator and piston_group show where"):
            self.assertIn(words, result.stdout + result.stderr)

    def test_a_changed_type_drops_what_the_new_one_does_not_have(self):
        self.assert_exit(run("import", ENGINE, "-o", "out", cwd=self.folder), OK)
        mine = self.folder / "out/steam_engine.yaml"
        mine.write_text(mine.read_text() + "modify:\n  joints.stator_crank_group: {type: fixed}\n")
        result = run("check", "out/steam_engine.yaml", cwd=self.folder)
        self.assert_exit(result, OK)
        self.assertIn("'joints.stator_crank_group' was revolute and becomes fixed: axis is dropped [GK1110]", result.stderr)

    def test_they_win_over_those_of_the_file(self):
        report = json.loads(self.imported(
            "joints:\n  boom_swing: {type: fixed, between: [Base, Boom], at: [0, 0, 0]}\n".replace("Base", "base").replace(
                "Boom", "boom"), source=BACKHOE).stdout)
        self.assertIn("boom_swing", [joint["name"] for joint in report["import"]["joints"]])
        self.assertEqual({joint["origin"] for joint in report["import"]["joints"]}, {"user", "assumed"})

    def test_a_file_that_is_not_there(self):
        result = run("import", ENGINE, "--joints", "nowhere.yaml", cwd=self.folder)
        self.assert_exit(result, USAGE_ERROR)
        self.assertIn("neither infer, nor surfaces, nor none, nor a file", result.stderr)


if __name__ == "__main__":
    unittest.main()
