#!/usr/bin/env python3
"""Runs that end badly: what is said, and what is left of the results."""

import json
import math
import os
import pty
import resource
import select
import shutil
import signal
import subprocess
import time
import unittest
import unittest.mock

import h5py
import numpy

from program_support import FAILED, FILE_ERROR, INTERRUPTED, MODEL_ERROR, OK, PROGRAM, TIMEOUT_S, USAGE_ERROR
from run_support import BLOCK, CRANK_SLIDER, InFolder, PRESCRIBED, text_of

# Far longer than any test waits: such a run ends only by what the test does to it.
ENDLESS = ("--duration", "1000000 s")
RATE = 600 * 2 * math.pi / 60  # of the crank, rad/s

# The root has no value after half a second.
FAILING = BLOCK + """forces:
  push: {type: force, applied_to: block, along: x, value: "=8 N * sqrt(0.5 - time / 1 s)"}
outputs: {place: block.position.x}
"""
# A block that flies against a force and past the place where that ends.
GUARDED = """gelenk: 1
gravity: none
parts:
  block: {at: [1 m, 0, 0], mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, start: {velocity: [-1 m/s, 0, 0]}}
forces:
  push: {type: force, applied_to: block, along: x, axes_of: ground, value: "=0.1 N * FORMULA"}
"""


def times_of(path):
    """Times of the rows that can be read now, while the file is written or after its writer was killed."""
    try:
        with h5py.File(path, "r", swmr=True) as file:
            return file["time"][:]
    except (OSError, KeyError):  # not yet there, or not yet open to readers
        return numpy.array([])


STIFF = BLOCK + "forces: {mount: {type: bushing, between: [ground, block], stiffness: [2e9, 0, 0], damping: [1e4, 0, 0]}}\n"
DRY = """gelenk: 1
gravity: none
parts: {block: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {slide: {type: prismatic, between: [ground, block], axis: x, start: {travel: 1.05 m}}}
forces:
  spring: {type: actuator, drives: slide.travel, value: "=-100 (N/m) * coordinate"}
  dry: {type: actuator, drives: slide.travel, value: "=-10 N * sign(rate)"}
simulation: {duration: 3 s, method: dopri5, tolerance: 1e-8}
"""


class Stiff(InFolder):
    """A mount of 2e9 N/m under 2 kg: 32,000 rad/s."""

    def setUp(self):
        super().setUp()
        self.write("stiff.yaml", STIFF)

    def run_stiff(self, *options):
        return self.run_here("run", "stiff.yaml", "--start", "slide.travel=1 mm", "-o", "out.h5", "--force", *options)

    def test_explicit_step_that_is_too_long_names_the_force(self):
        result = self.run_stiff("--method", "rk4", "--step", "1 ms")
        self.assert_exit(result, FAILED)
        self.assertIn("force 'mount'", result.stderr)
        self.assertIn("generalized_alpha", result.stderr)

    def test_steps_held_down_by_stability_are_told(self):
        options = ("--method", "dopri5", "--tolerance", "1e-3", "--duration", "0.2 s")
        result = self.run_stiff(*options)
        self.assert_exit(result, OK)
        self.assertRegex(result.stdout, r"stiff: from .* 'mount' keeps the steps small .* --method bdf")
        self.assertEqual(json.loads(self.run_stiff(*options, "--json").stdout)["stiff"]["element"], "mount")

    def test_implicit_methods_are_not_told(self):
        for options in (("--method", "bdf"), ("--method", "generalized_alpha", "--step", "1 ms")):
            result = self.run_stiff(*options, "--duration", "0.2 s")
            self.assert_exit(result, OK)
            self.assertNotIn("keeps the steps small", result.stdout)

    def test_auto_says_what_and_why(self):
        result = self.run_stiff("--method", "auto")
        self.assert_exit(result, OK)
        self.assertRegex(result.stdout, r"method: bdf, because 'mount' changes the motion at .* per second")


class Failures(InFolder):
    def test_not_a_number(self):
        self.write("failing.yaml", FAILING)
        for method in (("--method", "rk4", "--step", "1 ms"), ("--method", "dopri5")):
            with self.subTest(method=method):
                result = self.run_here("run", "failing.yaml", "-o", "out.h5", "--force", "--duration", "1 s", *method)
                self.assert_exit(result, FAILED)
                self.assertIn("force 'push'", result.stderr)
                self.assertIn("failing.yaml:8:", result.stderr)
                self.assertIn("0.5 s", result.stderr)
                self.assertIn("[GK1802]", result.stderr)
                self.assertIn("verdict: do not use", result.stdout)
                with h5py.File(self.folder / "out.h5", "r") as file:
                    self.assertEqual(text_of(file["status"]), "failed")
                    self.assertTrue(text_of(file["message"]).startswith("force 'push': its value"))
                    time_s, place = file["time"][:], file["by_path/place"][:]
                # Up to the last good state, and nothing but numbers. a = 4 sqrt(0.5 - t) gives
                # x = 16/15 (0.5 - t)^(5/2) + 8/3 0.5^(3/2) t - 16/15 0.5^(5/2).
                self.assertGreater(time_s[-1], 0.49)
                expected = (16 / 15 * (0.5 - time_s)**2.5 + 8 / 3 * 0.5**1.5 * time_s - 16 / 15 * 0.5**2.5)
                numpy.testing.assert_allclose(place, expected, atol=1e-6)

    def test_guarded_formula_has_a_value(self):
        # v²/2 - 0.1 x^(n+1)/(n+1) is constant until x = 0; then nothing acts.
        for formula, power in (("sqrt(max(block.position.x / 1 m, 0))", 0.5),
                               ("max(block.position.x / 1 m, 0)^1.5", 1.5),
                               ("if(block.position.x > 0, sqrt(block.position.x / 1 m), 0)", 0.5)):
            self.write("block.yaml", GUARDED.replace("FORMULA", formula))
            for method in (("--method", "rk4", "--step", "1 ms"), ("--method", "dopri5", "--tolerance", "1e-8")):
                with self.subTest(formula=formula, method=method[1]):
                    speed = self.results("block.yaml", "--duration", "2 s", *method)["by_path/block/twist"][-1, 0]
                    self.assertAlmostEqual(speed, -math.sqrt(1 - 0.2 / (power + 1)), delta=1e-6)

    def test_dry_friction_by_sign_is_named(self):
        self.write("dry.yaml", DRY)
        result = self.run_here("run", "dry.yaml", "-o", "dry.h5")
        self.assert_exit(result, FAILED)
        # Five half swings of pi / 10 s, each 0.2 m shorter than the one before, end at -0.05 m, within the friction.
        self.assertIn("force 'dry': its formula switches back and forth without time advancing, at 1.5707963", result.stderr)
        self.assertIn("for dry friction use the force `joint_friction`", result.stderr)

    def test_not_a_number_as_json(self):
        self.write("failing.yaml", FAILING)
        result = self.run_here("run", "failing.yaml", "--duration", "1 s", "--json")
        self.assert_exit(result, FAILED)
        report = json.loads(result.stdout)
        self.assertEqual((report["ok"], report["status"], report["verdict"]), (False, "failed", "do not use"))
        self.assertEqual((report["failure"]["code"], report["failure"]["element"]), ("GK1802", "push"))

    def test_broken_model_leaves_no_file(self):
        self.write("broken.yaml", BLOCK.replace("ground, block", "ground, blok"))
        result = self.run_here("run", "broken.yaml")
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("did you mean 'block'?", result.stderr)
        self.assertEqual(self.files(), ["broken.yaml"])
        self.assert_exit(self.run_here("run", "none.yaml"), FILE_ERROR)


class EndedFromOutside(InFolder):
    """A run that would never end, and what is left of it."""

    def setUp(self):
        super().setUp()
        shutil.copy(CRANK_SLIDER, self.folder)
        self.path = self.folder / "out.h5"

    def start(self, **options):
        words = [PROGRAM, "run", "crank_slider.yaml", "-o", "out.h5", *ENDLESS]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                                   cwd=self.folder, **{"stderr": subprocess.PIPE, **options})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        if process.stderr:
            self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        return process

    def wait_for_rows(self, process):
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end and process.poll() is None:
            times = times_of(self.path)
            if len(times) > 0:
                return times
            time.sleep(0.05)
        self.fail(f"no rows came; the program says {process.poll()}")

    def assert_rows_are_whole(self, file, count):
        """Every row that /time has is in all blocks: the recorded angle is that of the law."""
        time_s = file["time"][:count]
        angle = file["by_path/main_bearing/angle"][:count]
        self.assertEqual((len(time_s), len(angle)), (count, count))
        numpy.testing.assert_allclose(time_s, 0.005 * numpy.arange(count), atol=1e-6)
        numpy.testing.assert_allclose(angle, math.pi / 6 + RATE * time_s, rtol=PRESCRIBED)
        self.assertFalse(numpy.isnan(file["parts/pose"][:count]).any())

    def info(self):
        result = self.run_here("info", "out.h5", "--json")
        self.assert_exit(result, OK)
        return json.loads(result.stdout)

    def test_interrupt(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start()
            seen = self.wait_for_rows(process)
            process.send_signal(number)
            output, errors = process.communicate(timeout=TIMEOUT_S)
            self.assertEqual(process.returncode, INTERRUPTED, errors)
            self.assertIn("stopped at", output)
            with h5py.File(self.path, "r") as file:  # closed well: no swmr needed
                self.assertEqual(text_of(file["status"]), "stopped")
                self.assertGreaterEqual(len(file["time"]), len(seen))
                self.assert_rows_are_whole(file, len(file["time"]) - 1)
                # The last row is where it was stopped, between two that were due.
                self.assertGreater(file["time"][-1], file["time"][-2])
            self.assertEqual((self.info()["status"], self.info()["closed"]), ("stopped", True))
            self.path.unlink()

    def test_interrupt_between_the_rows_of_one_step(self):
        self.write("block.yaml", BLOCK)
        process = subprocess.Popen([PROGRAM, "run", "block.yaml", "-o", "out.h5", "--output-every", "1e-12 s", "--no-limit"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.addCleanup(process.kill)
        self.wait_for_rows(process)
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, INTERRUPTED, errors)
        self.assertIn("stopped at", output)
        self.assertEqual((self.info()["status"], self.info()["closed"]), ("stopped", True))
        self.assert_exit(self.run_here("verify", "out.h5", "-q"), OK)

    def test_absurd_sizes_are_told_and_not_begun(self):
        for options, pieces in (
                (("--step", "1e-18 s"), ("a step of 1e-18 s is too short", "1e+18 steps")),
                (("--output-every", "1e-12 s"), ("1e+12 rows and 8.1e+05 GB of results", "--no-limit")),
                (("--output-every", "1e-18 s"), ("an output_every of 1e-18 s is too short", "1e+18 rows")),
                (("--step", "1e-12 s"), ("1e+12 steps", "--no-limit"))):
            result = self.run_here("run", "crank_slider.yaml", "-o", "out.h5", *options)
            self.assert_exit(result, USAGE_ERROR)
            for piece in pieces:
                self.assertIn(piece, result.stderr)
            self.assertFalse(self.path.exists())

    def test_kill(self):
        process = self.start()
        seen = self.wait_for_rows(process)
        process.kill()
        process.wait(timeout=TIMEOUT_S)
        with h5py.File(self.path, "r", swmr=True) as file:
            self.assertEqual(text_of(file["status"]), "running")
            count = len(file["time"])
            self.assertGreaterEqual(count, len(seen))
            self.assert_rows_are_whole(file, count)
        report = self.info()
        self.assertEqual((report["rows"], report["closed"]), (count, False))
        self.assertIn("not closed", self.run_here("info", "out.h5").stdout)
        # The next run finds its place taken.
        self.assert_exit(self.run_here("run", "crank_slider.yaml", "-o", "out.h5"), FILE_ERROR)

    def test_force_spares_the_file_of_a_run(self):
        process = self.start()
        seen = self.wait_for_rows(process)
        result = self.run_here("run", "crank_slider.yaml", "-o", "out.h5", "--force")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("another program has it open", result.stderr)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)
        with h5py.File(self.path, "r") as file:
            self.assertGreaterEqual(len(file["time"]), len(seen))
            self.assert_rows_are_whole(file, len(file["time"]) - 1)
        self.assert_exit(self.run_here("run", "crank_slider.yaml", "-o", "out.h5", "--force"), OK)

    # After a write error the file stays open on purpose: closing would mark a torn file as whole.
    @unittest.mock.patch.dict(os.environ, {"ASAN_OPTIONS": "detect_leaks=0"})
    def test_full_disk(self):
        process = self.start()
        seen = self.wait_for_rows(process)
        # From now on the file may grow only a little.
        limit = self.path.stat().st_size + 100_000
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limit, limit))
        output, errors = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, FILE_ERROR, errors)
        self.assertIn("out.h5", errors)
        self.assertNotIn("verdict: good", output)
        with h5py.File(self.path, "r", swmr=True) as file:
            self.assertEqual(text_of(file["status"]), "failed")
            count = len(file["time"])
            self.assertGreaterEqual(count, len(seen))
            self.assert_rows_are_whole(file, count)
        self.assertEqual(self.info()["rows"], count)
        # What is reported is what can be read.
        self.assertIn(f"({count} rows)", output)

    def test_disk_that_is_full_from_the_beginning(self):
        for limit in (2_000, 20_000):
            result = self.run_here("run", "crank_slider.yaml", "-o", "out.h5", "--force",
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            self.assert_exit(result, FILE_ERROR)
            self.assertIn("out.h5", result.stderr)
            self.assertNotIn("verdict: good", result.stdout)

    def test_picture_on_a_full_disk(self):
        """gnuplot ends well when its disk is full; a picture that was there before must not be lost."""
        self.assert_exit(self.run_here("run", "crank_slider.yaml", "-o", "out.h5", "--force"), OK)
        whole = b"the picture of yesterday"
        (self.folder / "plot.png").write_bytes(whole)
        tools = self.folder / "bin"
        tools.mkdir()
        (tools / "gnuplot").write_text(
            "#!/bin/sh\nfile=$(sed -n \"s/^set output '\\(.*\\)'$/\\1/p\")\nprintf half >\"$file\"\n")
        (tools / "gnuplot").chmod(0o755)
        result = self.run_here("plot", "out.h5", "--png", "plot.png", "--force",
                               env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("did not finish", result.stderr)
        self.assertIn("full?", result.stderr)
        self.assertNotIn("is drawn", result.stdout + result.stderr)
        self.assertEqual((self.folder / "plot.png").read_bytes(), whole)

    def test_progress_on_a_terminal(self):
        main, terminal = pty.openpty()
        self.addCleanup(os.close, main)
        process = self.start(stderr=terminal)
        os.close(terminal)
        end = time.monotonic() + TIMEOUT_S
        text = b""
        while b"%" not in text and time.monotonic() < end:
            if select.select([main], [], [], 1.0)[0]:
                text += os.read(main, 4096)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)
        self.assertRegex(text.decode(), r"\r\[[= ]+\] +\d+ % .* of 1e\+06 s  \d+ (min|h|d) left")


if __name__ == "__main__":
    unittest.main()
