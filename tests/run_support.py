"""What the tests of `gelenk run` share: a folder of their own, the program, models and exit codes."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import h5py

PROGRAM = os.environ["GELENK_PROGRAM"]
SOURCE = pathlib.Path(os.environ["GELENK_SOURCE_DIR"])
CRANK_SLIDER = SOURCE / "examples/crank_slider/crank_slider.yaml"

OK, FAILED, USAGE_ERROR, MODEL_ERROR, FILE_ERROR, INTERRUPTED = 0, 1, 2, 3, 4, 130
TIMEOUT_S = 120
# A driven coordinate follows its law: what is left is rounding, added up over some thousand steps.
PRESCRIBED = 1e-9

BLOCK = """gelenk: 1
up: z
parts:
  block: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  slide: {type: prismatic, between: [ground, block], axis: x}
"""


def run(*arguments, cwd=None, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT_S, cwd=cwd,
                          stdin=subprocess.DEVNULL, **options)


def text_of(dataset):
    return dataset[()].decode()


class InFolder(unittest.TestCase):
    """A test with a folder of its own, where the program is started."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.run_count = 0

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run_here(self, *arguments, **options):
        return run(*arguments, cwd=self.folder, **options)

    def assert_exit(self, result, code):
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)

    def assert_usage_error(self, result, *pieces):
        self.assert_exit(result, USAGE_ERROR)
        self.assertEqual(result.stdout, "")
        for piece in pieces:
            self.assertIn(piece, result.stderr)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def results(self, *arguments):
        """The file of a run that must go well, opened."""
        self.run_count += 1
        name = f"out{self.run_count}.h5"
        result = self.run_here("run", *arguments, "-o", name)
        self.assert_exit(result, OK)
        file = h5py.File(self.folder / name, "r")
        self.addCleanup(file.close)
        return file
