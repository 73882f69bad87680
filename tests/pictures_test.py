#!/usr/bin/env python3
"""The pictures of the documentation are what tools/make_pictures.py makes, byte for byte, and all of them are shown."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(os.environ.get("GELENK_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent))
PICTURES = ROOT / "docs" / "pictures"
TEXT = "{http://www.w3.org/2000/svg}text"
# Mean width of a character of the widest fonts we name, as a part of its size; monospaced ones have 0.60.
MEAN_CHARACTER_WIDTH = 0.62


def make(folder):
    subprocess.run([sys.executable, "-B", ROOT / "tools" / "make_pictures.py", folder], check=True)


class Pictures(unittest.TestCase):
    def test_script_makes_the_committed_files(self):
        with tempfile.TemporaryDirectory() as folder:
            make(folder)
            made = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
        committed = {path.name: path.read_bytes() for path in PICTURES.iterdir()}
        self.assertEqual(sorted(made), sorted(committed))
        for name, data in made.items():
            self.assertEqual(data, committed[name], f"{name} is out of date: run tools/make_pictures.py")

    def test_every_picture_is_shown_and_every_shown_picture_exists(self):
        shown = set()
        for page in (ROOT / "docs").glob("*.md"):
            shown |= set(re.findall(r"\]\(pictures/([^)]+)\)", page.read_text(encoding="utf-8")))
        self.assertEqual(shown, {path.name for path in PICTURES.iterdir()})

    def test_words_stay_on_the_card(self):
        for path in sorted(PICTURES.glob("*.svg")):
            svg = xml.etree.ElementTree.parse(path).getroot()
            width, height = float(svg.get("width")), float(svg.get("height"))
            for text in svg.iter(TEXT):
                size = float(text.get("font-size"))
                length = MEAN_CHARACTER_WIDTH * size * len(text.text)
                left = float(text.get("x")) - length * {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor")]
                where = f"{path.name}: '{text.text}'"
                self.assertGreaterEqual(left, 0.0, where)
                self.assertLessEqual(left + length, width, where)
                self.assertTrue(size <= float(text.get("y")) <= height - 4, where)


class Links(unittest.TestCase):
    def test_links_between_documents_lead_somewhere(self):
        pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
        self.assertGreater(len(pages), 10)
        for page in pages:
            prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", prose):
                if "://" not in target:
                    self.assertTrue((page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}")


if __name__ == "__main__":
    unittest.main()
