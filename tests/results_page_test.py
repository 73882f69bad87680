#!/usr/bin/env python3
"""docs/results.md says what is in a file of results: its programs run, its table is what the program writes."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py

PROGRAM = os.environ["GELENK_PROGRAM"]
ROOT = pathlib.Path(os.environ["GELENK_SOURCE_DIR"])
PAGE = (ROOT / "docs/results.md").read_text(encoding="utf-8")
TIMEOUT_S = 120
# Room in a file that belongs to its form rather than to its contents.
NOT_IN_TABLE = {"conventions", "display"}
# What the crank-slider has nothing to put into.
OF_SERVO = {"states/value"}
OF_OTHERS = {"couplings/effort", "code/value", "contacts/value", "model/files/0"}


class ResultsPage(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        shutil.copy(ROOT / "examples/crank_slider/crank_slider.yaml", cls.folder)
        subprocess.run([PROGRAM, "run", "crank_slider.yaml", "-q"], cwd=cls.folder, check=True, timeout=TIMEOUT_S)

    def run_program(self, text):
        result = subprocess.run([sys.executable, "-c", text], cwd=self.folder, capture_output=True, text=True,
                                timeout=TIMEOUT_S)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_programs_run(self):
        programs = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
        self.assertEqual(len(programs), 4)
        first, second, _, fourth = (self.run_program(text) for text in programs)
        self.assertIn("done 201 rows until 1.0 s", first)
        self.assertEqual(fourth.strip(), "the first row is intact")
        # Crank 50 mm, rod 150 mm: the piston moves between 100 and 200 mm, less what lies between two rows.
        begin, end = map(float, re.search(r"from ([\d.]+) to ([\d.]+) m", first).groups())
        self.assertTrue(0.1 <= begin < 0.101 and 0.199 < end <= 0.2, first)
        with h5py.File(self.folder / "crank_slider.h5", "r") as run:
            self.assertEqual(second.split(), [str(run["by_path/crank_pin/reaction"][0, 1]), "N"])

    def test_table_is_what_is_written(self):
        table = PAGE[PAGE.index("| dataset | shape"):]
        first_cells = [row.split("|")[1] for row in table.split("\n\n")[0].splitlines()]
        # `model/source/0`, ... and `by_path/...` stand for what they begin with.
        reported = set(re.findall(r"`([\w/]+)`", " ".join(first_cells))) - OF_SERVO - OF_OTHERS
        top = {name.split("/")[0] for name in reported} - {"by_path"}
        with h5py.File(self.folder / "crank_slider.h5", "r") as run:
            self.assertEqual(set(run) - NOT_IN_TABLE - {"by_path"}, top)
            datasets = {name for name in self.datasets(run) if not name.startswith("by_path/")}
            self.assertEqual(datasets, {name for name in reported if name != "by_path"})
            self.assertEqual((run["parts/pose"].shape, run["joints/reaction"].shape, run["drivers/effort"].shape),
                             ((201, 3, 7), (201, 4, 6), (201, 1, 2)))
            self.assertEqual(run["index"].dtype.names, ("name", "block", "column", "unit", "quantity"))
            self.assertEqual(run["events"].dtype.names, ("time", "kind", "element", "text"))
            self.assertEqual(set(run.attrs), {"gelenk_format", "gelenk_version", "model_name", "run_id"})
            json.loads(run["options"][()])

    def test_states_are_written(self):
        shutil.copy(ROOT / "examples/servo/servo.yaml", self.folder)
        subprocess.run([PROGRAM, "run", "servo.yaml", "-q", "--duration", "10ms"], cwd=self.folder, check=True,
                       timeout=TIMEOUT_S)
        with h5py.File(self.folder / "servo.h5", "r") as run:
            self.assertEqual({name: run[name].shape for name in OF_SERVO}, {"states/value": (6, 2)})
            self.assertTrue((run["by_path/winding/i"][:] == run["states/value"][:, 1]).all())

    @staticmethod
    def datasets(run):
        names = []
        run.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        return names

    def test_resolved_model_runs_the_same(self):
        with h5py.File(self.folder / "crank_slider.h5", "r") as run:
            (self.folder / "again.yaml").write_bytes(run["model/resolved"][()])
            outputs = run["outputs/value"][:]
        subprocess.run([PROGRAM, "run", "again.yaml", "-q", "-o", "again.h5"], cwd=self.folder, check=True,
                       timeout=TIMEOUT_S)
        with h5py.File(self.folder / "again.h5", "r") as run:
            self.assertTrue((run["outputs/value"][:] == outputs).all())


if __name__ == "__main__":
    unittest.main()
