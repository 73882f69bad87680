"""What the tests of files of results share: the program, a writer of invented motion, and a folder of their own."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import numpy

PROGRAM = os.environ["GELENK_PROGRAM"]
RECORD_ROWS = os.environ["GELENK_RECORD_ROWS"]
EXAMPLES = pathlib.Path(os.environ["GELENK_SOURCE_DIR"]) / "examples"
CRANK_SLIDER = str(EXAMPLES / "crank_slider/crank_slider.yaml")
CAR = str(EXAMPLES / "car/car.yaml")

OK, USAGE_ERROR, FILE_ERROR = 0, 2, 4
TIMEOUT_S = 120
FOREVER = "100000000"  # rows; the writer is killed long before
# sin() of numpy and of the C library may differ in the last bit.
ROUNDING = 1e-15
BLOCKS = ["parts/pose", "parts/twist", "parts/acceleration", "joints/coordinate", "joints/rate", "joints/reaction",
          "drivers/effort", "forces/value", "outputs/value", "energy"]


def invented(block, time_, column):
    """What tests/results/record_rows.cc records."""
    return BLOCKS.index(block) + numpy.sin(time_ + column)


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=TIMEOUT_S,
                          stdin=subprocess.DEVNULL, **options)


def record(*arguments, **options):
    return subprocess.run([RECORD_ROWS, *arguments], capture_output=True, text=True, timeout=TIMEOUT_S, **options)


def kill_writer(*arguments, after, seconds):
    """Starts a writer and kills it some time after its first line that begins so, or after its start. A busy machine
    may take long to begin. Returns the lines it had printed."""
    lines = []
    with subprocess.Popen([RECORD_ROWS, *arguments], stdout=subprocess.PIPE, text=True) as writer:
        while after and not (lines and lines[-1].startswith(after)):
            lines.append(writer.stdout.readline())
            if not lines[-1]:
                raise AssertionError(f"the writer has ended: {lines}")
        time.sleep(seconds)
        writer.send_signal(signal.SIGKILL)
        return lines + writer.stdout.read().splitlines()


def largest_number(lines, word):
    """Of the lines 'WORD NUMBER'; 0 when there is none."""
    return max([int(line.split()[1]) for line in lines if line.startswith(word + " ")], default=0)


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = str(self.folder / "run.h5")

    def assert_exit(self, result, code):
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)

    def assert_rows_are_right(self, file, rows):
        times = file["time"][:rows]
        numpy.testing.assert_array_equal(times, 1e-3 * numpy.arange(rows))
        for block in BLOCKS:
            if block not in file:
                continue
            values = file[block][:rows].reshape(rows, -1)
            expected = invented(block, times[:, None], numpy.arange(values.shape[1])[None, :])
            self.assertLess(numpy.abs(values - expected).max(initial=0.0), 10 * ROUNDING, block)
