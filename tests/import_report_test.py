#!/usr/bin/env python3
"""The report of `gelenk import`: one page with a picture of every doubtful joint and lines that change it."""

import json
import re
import shutil
import unittest
import xml.etree.ElementTree
import zipfile

from program_support import FILE_ERROR, InFolder, OK, run, SOURCE

CAD = SOURCE / "tests/data/cad"
DOUBTFUL = ("look", "guess")
MOST_BYTES = 60_000  # of a picture
SVG = "{http://www.w3.org/2000/svg}"


class ImportReport(InFolder):
    def imported(self, file, *options):
        """The joints by name, and the page."""
        result = run("import", file, "-o", "out", "--json", *options, cwd=self.folder)
        self.assert_exit(result, OK)
        joints = {joint["name"]: joint for joint in json.loads(result.stdout)["import"]["joints"]}
        return joints, (self.folder / "out/import-report.html").read_text(encoding="utf-8")

    def backhoe_without_joints(self):
        """FreeCAD's own joints of the backhoe become something that is none: they are found by the surfaces then."""
        path = self.folder / "backhoe.FCStd"
        with zipfile.ZipFile(CAD / "backhoe.FCStd") as source, zipfile.ZipFile(path, "w") as target:
            for name in source.namelist():
                target.writestr(name, source.read(name).replace(b'name="JointType"', b'name="NoJoint"'))
        return path

    def check(self, file, doubtful):
        joints, page = self.imported(file)
        self.assertEqual(sum(joint["certainty"] in DOUBTFUL for joint in joints.values()), doubtful)
        folder = next((self.folder / "out").glob("*.cad"))
        tree = xml.etree.ElementTree.fromstring(page)
        self.assertEqual(len(list(tree.iter(SVG + "svg"))), doubtful)
        self.assertNotIn("<script", page)
        self.assertNotRegex(page.replace("http://www.w3.org/2000/svg", ""), r"https?://|url\(|@import")
        for name, joint in joints.items():
            self.assertIn(name, page)
            self.assertEqual("picture" in joint, joint["certainty"] in DOUBTFUL, name)
            if "picture" not in joint:
                continue
            text = (folder / joint["picture"]).read_text(encoding="utf-8")
            self.assertLess(len(text), MOST_BYTES)
            self.assertIn(text, page)
            svg = xml.etree.ElementTree.fromstring(text)
            self.assertEqual(svg.find(SVG + "title").text, f"{name}, {joint['type']}")
            words = [text.text for text in svg.iter(SVG + "text")]
            for end in joint["between"]:
                self.assertIn(end, words)
            # Both bodies are there, in both large pictures.
            for group in svg.findall(SVG + "g")[1:3]:
                looks = "".join(path.get("style", "") for path in group.iter(SVG + "path"))
                self.assertIn("#0072b2", looks)
                self.assertIn("#d55e00", looks)
        return joints, page

    def test_zoo(self):
        joints, page = self.check(CAD / "joint_zoo.step", 3)
        # The most doubtful first
        places = [page.index(f'id="joint-{name}"') for name in ("table_puck", "plate_a_plate_b", "dove_rail_dove_slide")]
        self.assertEqual(places, sorted(places))
        self.assertIn("3 joints to look at", page)
        self.assertIn("dove_rail, assumed because", page)
        # The seat of the plates is locked, the slide has an axis.
        folder = self.folder / "out/joint_zoo.cad"
        self.assertNotIn("jp-axis\"", (folder / joints["plate_a_plate_b"]["picture"]).read_text())
        self.assertIn("jp-axis\"", (folder / joints["dove_rail_dove_slide"]["picture"]).read_text())

    def test_steam_engine_has_nothing_to_look_at(self):
        _, page = self.check(CAD / "steam_engine.step", 0)
        self.assertIn("every joint is sure", page)
        self.assertIn("1 free motion", page)
        self.assertFalse((self.folder / "out/steam_engine.cad/pictures").exists())

    def test_backhoe_by_its_surfaces(self):
        self.check(self.backhoe_without_joints(), 11)

    def test_robots_have_a_report_too(self):
        robot = self.write("arm.urdf", """<robot name="arm"><link name="base"/><link name="arm"><inertial><mass value="1"/>
            <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="hinge" type="continuous">
            <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>""")
        self.check(robot, 0)

    def test_every_line_that_changes_a_joint_works(self):
        _, page = self.imported(CAD / "joint_zoo.step")
        lines = re.findall(r"<code>(modify: \{.*?)</code>", page)
        self.assertGreaterEqual(len(lines), 5)
        own = (self.folder / "out/joint_zoo.yaml").read_text()
        for line in lines:
            with self.subTest(line=line):
                self.write("out/changed.yaml", own + line + "\n")
                self.assert_exit(run("check", self.folder / "out/changed.yaml"), OK)

    def test_what_the_user_has_changed_is_told(self):
        self.imported(CAD / "joint_zoo.step")
        own = self.folder / "out/joint_zoo.yaml"
        own.write_text(own.read_text() + "modify:\n  joints.table_puck: {enabled: false}\n"
                       "  joints.dove_rail_dove_slide: {type: cylindrical}\n")
        _, page = self.imported(CAD / "joint_zoo.step")
        self.assertIn("your file leaves it out", page)
        self.assertIn("your file makes it cylindrical", page)

    def test_a_second_import_takes_old_pictures_away(self):
        self.imported(CAD / "joint_zoo.step")
        pictures = self.folder / "out/joint_zoo.cad/pictures"
        self.assertEqual(len(list(pictures.iterdir())), 3)
        (pictures / "mine.svg").write_text("<svg/>")
        _, page = self.imported(CAD / "joint_zoo.step", "--joints", "none")
        self.assertEqual([path.name for path in pictures.iterdir()], ["mine.svg"])
        self.assertNotIn("table_puck", page)

    def test_a_page_of_somebody_else_stays(self):
        self.write("out/import-report.html", "<p>mine</p>")
        result = run("import", CAD / "joint_zoo.step", "-o", "out", cwd=self.folder)
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("`gelenk import` did not write it", result.stderr)
        self.assertEqual((self.folder / "out/import-report.html").read_text(), "<p>mine</p>")
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["import-report.html"])

    def test_the_tutorial_shows_the_picture_of_the_dovetail(self):
        self.imported(CAD / "joint_zoo.step")
        made = (self.folder / "out/joint_zoo.cad/pictures/dove_rail_dove_slide.svg").read_text(encoding="utf-8")
        self.assertEqual((SOURCE / "docs/screens/import_dove_slide.svg").read_text(encoding="utf-8"), made)

    def test_equal_files_give_equal_bytes(self):
        _, first = self.imported(CAD / "joint_zoo.step")
        shutil.rmtree(self.folder / "out")
        _, again = self.imported(CAD / "joint_zoo.step")
        self.assertEqual(first, again)


if __name__ == "__main__":
    unittest.main()
