#!/usr/bin/env python3
"""Runs models as a person would: what is simulated, with which options, and where the results go."""

import json
import math
import re
import shutil
import subprocess
import unittest

import h5py
import numpy

from program_support import FILE_ERROR, MODEL_ERROR, OK, PROGRAM, run, SOURCE, TIMEOUT_S, USAGE_ERROR
from run_support import BLOCK, CRANK_SLIDER, InFolder, PRESCRIBED, text_of

# A few units in the last place of numbers near 1, after arithmetic with units.
ROUNDING = 1e-12
RPM = 2 * math.pi / 60

PENDULUM = """gelenk: 1
up: z
parts:
  bob: {at: [1 m, 0, 0], mass: 1 kg, inertia: {xx: 1e-6, yy: 1e-6, zz: 1e-6}}
joints:
  pivot: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: y}
simulation: {duration: 0.1 s, method: rk4, step: 1 ms}
"""


class Demo(InFolder):
    def test_in_an_empty_folder(self):
        result = self.run_here("demo")
        self.assert_exit(result, OK)
        self.assertEqual(result.stderr, "")
        self.assertEqual(self.files(), ["crank_slider.h5", "crank_slider.yaml"])
        self.assertIn("verdict: good", result.stdout)
        # The advice is as good as the commands in it.
        commands = [line.split("  ")[1] for line in result.stdout.splitlines() if line.startswith("  gelenk ")]
        self.assertGreaterEqual(len(commands), 2)
        for command in commands:
            # The viewer stays until Ctrl-C.
            ended = "timeout --preserve-status --signal=INT 3 " if command.startswith("gelenk view") else ""
            words = ["bash", "-c", ended + command.replace("gelenk", '"$0"', 1), PROGRAM]
            done = subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT_S, cwd=self.folder)
            self.assertEqual(done.returncode, OK, command + "\n" + done.stderr)

    def test_again_tells_the_file_it_wrote(self):
        self.run_here("demo")
        self.write("crank_slider.yaml", (self.folder / "crank_slider.yaml").read_text().replace("600 rpm", "300 rpm"))
        result = self.run_here("demo")
        self.assert_exit(result, OK)
        self.assertIn("300 rpm", (self.folder / "crank_slider.yaml").read_text())
        self.assertIn("results: crank_slider.2.h5", result.stdout)
        self.assertIn("gelenk plot crank_slider.2.h5", result.stdout)

    def test_where_nothing_may_be_written(self):
        result = run("demo", cwd="/proc")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("crank_slider", result.stderr)


class Readme(InFolder):
    def test_shows_what_a_run_says(self):
        page = (SOURCE / "README.md").read_text()
        self.write("pendulum.yaml", re.search(r"```yaml\n(.*?)```", page, re.DOTALL).group(1))

        def block(after):
            return re.search(r"```\n(.*?)```", page[page.index(after):], re.DOTALL).group(1)

        def without_numbers(text):
            return re.sub(r"\d[\d.e-]*", "0", text)

        result = self.run_here("run", "pendulum.yaml")
        self.assertEqual(without_numbers(result.stdout), without_numbers(block("`gelenk run pendulum.yaml` simulates")))
        self.assertEqual(self.run_here("plot", "pendulum.h5", "swing").stdout, block("`gelenk plot pendulum.h5 swing`"))


class ResultFile(InFolder):
    def setUp(self):
        super().setUp()
        shutil.copy(CRANK_SLIDER, self.folder)

    def test_next_free_name_without_output(self):
        for name in ("crank_slider.h5", "crank_slider.2.h5", "crank_slider.3.h5"):
            result = self.run_here("run", "crank_slider.yaml", "--duration", "10 ms")
            self.assert_exit(result, OK)
            self.assertIn(f"results: {name} ", result.stdout)
            self.assertTrue((self.folder / name).is_file())

    def test_name_that_is_no_file_name(self):
        self.write("slash.yaml", BLOCK + 'name: "1/2 block"\n')
        self.assertIn("results: 1_2 block.h5 ", self.run_here("run", "slash.yaml").stdout)
        self.assertIn("1_2 block.h5", self.files())

    def test_named_file_is_not_overwritten_without_force(self):
        self.write("mine.h5", "")
        self.assert_exit(self.run_here("run", "crank_slider.yaml", "-o", "mine.h5", "--force"), OK)
        before = (self.folder / "mine.h5").read_bytes()
        result = self.run_here("run", "crank_slider.yaml", "-o", "mine.h5", "--duration", "10 ms")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("'mine.h5'", result.stderr)
        self.assertIn("--force", result.stderr)
        self.assertEqual((self.folder / "mine.h5").read_bytes(), before)
        self.assert_exit(self.run_here("run", "crank_slider.yaml", "-o", "mine.h5", "--duration", "10 ms", "--force"),
                         OK)
        with h5py.File(self.folder / "mine.h5", "r") as file:
            self.assertEqual(len(file["time"]), 3)

    def test_force_overwrites_results_only(self):
        self.write("inner.yaml", (self.folder / "crank_slider.yaml").read_text())
        self.write("outer.yaml", "gelenk: 1\nuse: inner.yaml\n")
        self.write("notes.h5", "mine")
        for place in ("./outer.yaml", "inner.yaml", "crank_slider.yaml", "notes.h5"):
            before = (self.folder / place).read_bytes()
            for force in ((), ("--force",)):
                result = self.run_here("run", "outer.yaml", "-o", place, *force)
                self.assert_exit(result, FILE_ERROR)
                self.assertIn(f"'{place}'", result.stderr)
                self.assertNotIn("--force", result.stderr)
                self.assertEqual((self.folder / place).read_bytes(), before)
        self.assertIn("of the model", self.run_here("run", "outer.yaml", "-o", "inner.yaml", "--force").stderr)

    def test_force_spares_a_file_that_is_open(self):
        self.assert_exit(self.run_here("run", "crank_slider.yaml", "-o", "out.h5"), OK)
        before = (self.folder / "out.h5").read_bytes()
        with h5py.File(self.folder / "out.h5", "r"):
            result = self.run_here("run", "crank_slider.yaml", "-o", "out.h5", "--force")
            self.assert_exit(result, FILE_ERROR)
            self.assertIn("another program has it open", result.stderr)
            self.assertEqual((self.folder / "out.h5").read_bytes(), before)
        self.assert_exit(self.run_here("run", "crank_slider.yaml", "-o", "out.h5", "--force"), OK)

    def test_bad_places(self):
        self.write("file", "")
        for place in ("none/out.h5", "file/out.h5", ".", "/dev/null"):
            result = self.run_here("run", "crank_slider.yaml", "-o", place, "--force")
            self.assert_exit(result, FILE_ERROR)
            self.assertIn(f"'{place}'", result.stderr)
            self.assertEqual(result.stdout, "")
        self.assertEqual(self.files(), ["crank_slider.yaml", "file"])
        result = run("run", self.folder / "crank_slider.yaml", cwd="/proc")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("-o", result.stderr)

    def test_summary_is_short_and_has_one_verdict(self):
        result = self.run_here("run", "crank_slider.yaml")
        self.assertLessEqual(len(result.stdout.splitlines()), 8)
        self.assertEqual(result.stdout.count("verdict: "), 1)
        self.assertEqual(result.stderr, "")
        quiet = self.run_here("run", "crank_slider.yaml", "-q")
        self.assertEqual((quiet.returncode, quiet.stdout, quiet.stderr), (OK, "", ""))

    def test_json(self):
        result = self.run_here("run", "crank_slider.yaml", "--json")
        self.assert_exit(result, OK)
        self.assertEqual(result.stderr, "")
        report = json.loads(result.stdout)
        self.assertEqual((report["ok"], report["exitCode"], report["status"], report["verdict"]),
                         (True, OK, "done", "good"))
        self.assertEqual((report["file"], report["rows"], report["time"]), ("crank_slider.h5", 201, 1.0))
        self.assertEqual(report["steps"]["accepted"], 1000)
        self.assertIsNone(report["failure"])
        with h5py.File(self.folder / report["file"], "r") as file:
            self.assertEqual(len(file["time"]), report["rows"])

    def test_json_of_mistakes(self):
        for arguments, code in ((("--duration", "x"), USAGE_ERROR), (("-o", "none/x.h5"), FILE_ERROR),
                                (("--set", "sped=1"), MODEL_ERROR)):
            result = self.run_here("run", "crank_slider.yaml", "--json", *arguments)
            self.assert_exit(result, code)
            self.assertEqual(result.stderr, "")
            self.assertFalse(json.loads(result.stdout)["ok"])

    def test_what_is_in_the_file(self):
        file = self.results("crank_slider.yaml")
        self.assertEqual(text_of(file["status"]), "done")
        self.assertEqual(file["by_path/crank/pose"].shape, (201, 7))
        self.assertEqual(file["by_path/stroke"].shape, (201,))
        numpy.testing.assert_array_equal(file["by_path/piston/pose"][:, 0], file["by_path/stroke"][:])
        source = file["model/source/0"]
        self.assertEqual(text_of(source), CRANK_SLIDER.read_text())
        self.assertEqual(source.attrs["file"].decode(), "crank_slider.yaml")
        self.assertEqual(json.loads(text_of(file["options"]))["method"], "rk4")


class Options(InFolder):
    def setUp(self):
        super().setUp()
        shutil.copy(CRANK_SLIDER, self.folder)
        self.model = "crank_slider.yaml"

    # S2-27: parameters of a run, without another model.
    def test_set(self):
        file = self.results(self.model, "--set", "speed=900 rpm")
        numpy.testing.assert_allclose(file["by_path/main_bearing/rate"][:], 900 * RPM, rtol=PRESCRIBED)

    def test_start(self):
        file = self.results(self.model, "--start", "main_bearing.angle=45 deg")
        self.assertAlmostEqual(file["by_path/main_bearing/angle"][0], math.pi / 4, delta=ROUNDING)
        # Crank 50 mm, rod 150 mm.
        stroke = 0.05 * math.cos(math.pi / 4) + math.sqrt(0.15**2 - (0.05 * math.sin(math.pi / 4))**2)
        self.assertAlmostEqual(file["by_path/stroke"][0], stroke, delta=ROUNDING)

    def test_start_rate(self):
        self.write("pendulum.yaml", PENDULUM)
        file = self.results("pendulum.yaml", "--start", "pivot.rate=3", "--start", "pivot.angle=90 deg")
        self.assertAlmostEqual(file["by_path/pivot/rate"][0], 3.0, delta=ROUNDING)
        self.assertAlmostEqual(file["by_path/pivot/angle"][0], math.pi / 2, delta=ROUNDING)

    def test_mistaken_starts(self):
        for start, pieces in (("main_bearng.angle=1", ["'main_bearng'", "did you mean 'main_bearing'?"]),
                              ("main_bearing.angel=1", ["'angel'", "did you mean 'angle'?"]),
                              ("main_bearing.angle=1 m", ["'1 m'", "angle"]), ("main_bearing.angle", ["="]),
                              ("main_bearing.angle=soon", ["soon"])):
            self.assert_usage_error(self.run_here("run", self.model, "--start", start), "--start", *pieces)
        self.assertEqual(self.files(), [self.model])

    def test_start_that_the_joints_do_not_allow(self):
        result = self.run_here("run", self.model, "--start", "bore.travel=1 m")
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("'bore'", result.stderr)
        self.assertIn("[GK1705]", result.stderr)
        self.assertEqual(self.files(), [self.model])

    def test_guess_chooses_the_branch(self):
        # The piston at 180 mm leaves two places for the crank, both reached from a drawing where it is stretched.
        text = CRANK_SLIDER.read_text().replace("axis: x}  ", "axis: x, start: {travel: 180 mm}}  ")
        angle = math.acos((0.05**2 + 0.18**2 - 0.15**2) / (2 * 0.05 * 0.18))
        for guess, expected in (("30 deg", angle), ("-30 deg", -angle)):
            self.write("guess.yaml", text.replace("start: {angle: 30 deg}", f"guess: {{angle: {guess}}}"))
            file = self.results("guess.yaml", "--duration", "5 ms")
            self.assertAlmostEqual(file["by_path/main_bearing/angle"][0], expected, delta=PRESCRIBED)

    def test_unit_decides_what_is_driven(self):
        file = self.results(self.model, "--drive", "main_bearing=60 rpm")
        numpy.testing.assert_allclose(file["by_path/main_bearing/rate"][:], 60 * RPM, rtol=PRESCRIBED)
        # Angular acceleration: the start angle is that of the model, the start rate is zero.
        file = self.results(self.model, "--drive", "main_bearing=4 rad/s^2")
        time_s = file["time"][:]
        numpy.testing.assert_allclose(file["by_path/main_bearing/rate"][:], 4 * time_s, atol=PRESCRIBED)
        numpy.testing.assert_allclose(file["by_path/main_bearing/angle"][:], math.pi / 6 + 2 * time_s**2,
                                      atol=PRESCRIBED)
        # Angle: it takes the place of the start value as well.
        file = self.results(self.model, "--drive", "main_bearing==45 deg + 20 deg * sin(6 (rad/s) * time)")
        angle = math.radians(45) + math.radians(20) * numpy.sin(6 * file["time"][:])
        numpy.testing.assert_allclose(file["by_path/main_bearing/angle"][:], angle, atol=PRESCRIBED)

    def test_drive_takes_the_place_of_the_start(self):
        # What the model says about the start of a driven coordinate would contradict the law.
        start = "start: {angle: 30 deg, rate: 5 rad/s}"
        self.write("pendulum.yaml", PENDULUM.replace("axis: y}", f"axis: y, {start}}}"))
        file = self.results("pendulum.yaml", "--drive", "pivot=60 rpm")
        numpy.testing.assert_allclose(file["by_path/pivot/angle"][:], math.pi / 6 + 60 * RPM * file["time"][:],
                                      atol=PRESCRIBED)
        file = self.results("pendulum.yaml", "--drive", "pivot=20 deg")
        numpy.testing.assert_allclose(file["by_path/pivot/angle"][:], math.radians(20), atol=PRESCRIBED)
        # An acceleration law needs both; a start value that is asked for here is kept.
        file = self.results("pendulum.yaml", "--drive", "pivot=2 rad/s^2", "--start", "pivot.angle=10 deg")
        time_s = file["time"][:]
        numpy.testing.assert_allclose(file["by_path/pivot/angle"][:], math.radians(10) + 5 * time_s + time_s**2,
                                      atol=PRESCRIBED)

    def test_drive_of_a_joint_without_driver(self):
        self.write("block.yaml", BLOCK)
        file = self.results("block.yaml", "--drive", "slide=0.5 m/s")
        numpy.testing.assert_allclose(file["by_path/slide/travel"][:], 0.5 * file["time"][:], atol=PRESCRIBED)

    def test_mistaken_drives(self):
        for drive, pieces in (("main_bearng=60 rpm", ["'main_bearng'", "did you mean 'main_bearing'?"]),
                              ("main_bearing.angel=1", ["did you mean 'angle'?"]),
                              ("main_bearing=1 m/s", ["'1 m/s'", "unit"]), ("main_bearing=10 Hz", ["Hz", "rpm"]),
                              ("main_bearing", ["="]), ("main_bearing==crank * 2", ["'crank'"])):
            self.assert_usage_error(self.run_here("run", self.model, "--drive", drive), "--drive", *pieces)
        self.assertEqual(self.files(), [self.model])

    def test_messages_name_the_option_once(self):
        for option, value in (("--gravity", "nowhere"), ("--drive", "main_bearing"), ("--start", "main_bearing")):
            first_line = self.run_here("run", self.model, option, value).stderr.splitlines()[0]
            self.assertEqual(first_line.count(option), 1, first_line)

    def test_gravity(self):
        self.write("pendulum.yaml", PENDULUM)
        # With the bob at the side, the acceleration is that of gravity.
        for gravity, expected in (((), -9.80665), (("--gravity", "none"), 0.0), (("--gravity", "earth"), -9.80665),
                                  (("--gravity", "0, 0, -1.62"), -1.62), (("--gravity", "[0, 0, -1 m/s^2]"), -1.0)):
            file = self.results("pendulum.yaml", *gravity)
            # The bob has a little inertia of its own: 1e-6 of what its mass has about the pivot.
            self.assertAlmostEqual(file["by_path/bob/acceleration"][0, 2], expected, delta=1e-5)
        for gravity in ("nome", "1, 2", "1, 2, 3 kg", "1, 2, nan"):
            self.assert_usage_error(self.run_here("run", "pendulum.yaml", "--gravity", gravity), "--gravity")

    def test_duration(self):
        self.assertEqual(self.results(self.model, "--duration", "50 ms")["time"][-1], 0.05)
        self.assertEqual(self.results(self.model, "--duration", "0.1")["time"][-1], 0.1)
        self.assertIn("(2 rows)", self.run_here("run", self.model, "--duration", "1e-9 s").stdout)
        for duration in ("rubbish", "-1 s", "0", "2 kg", "inf", "nan"):
            self.assert_usage_error(self.run_here("run", self.model, "--duration", duration), "--duration")
        self.assert_usage_error(self.run_here("run", self.model, "--duration", "1 sec"), "'1 sec'", "unit")
        twice = self.run_here("run", self.model, "--duration", "1 s", "--duration", "2 s")
        self.assert_usage_error(twice, "--duration is given 2 times")
        self.assert_usage_error(self.run_here("run", self.model, "--duration"), "--duration needs a value")
        self.assert_usage_error(self.run_here("run", self.model, "--force=maybe"), "--force takes no value")

    def test_methods(self):
        self.assert_usage_error(self.run_here("run", self.model, "--method", "dopri5", "--step", "1 ms"), "dopri5",
                                "tolerance", "rk4")
        self.assert_usage_error(self.run_here("run", self.model, "--method", "rk4", "--tolerance", "1e-6"), "rk4",
                                "step", "dopri5")
        self.assert_usage_error(self.run_here("run", self.model, "--method", "euler"), "'euler'", "rk4", "dopri5")
        self.assert_usage_error(self.run_here("run", self.model, "--partition", "fast"), "'fast'", "model")
        self.assert_usage_error(self.run_here("run", self.model, "--threads", "none"), "--threads")
        result = self.run_here("run", self.model, "--method", "dopri5", "--tolerance", "1e-8", "--json")
        self.assertEqual(json.loads(result.stdout)["method"], "dopri5")

    def test_two_methods_agree(self):
        self.write("pendulum.yaml", PENDULUM)
        fixed = self.results("pendulum.yaml")["by_path/pivot/angle"][-1]
        adaptive = self.results("pendulum.yaml", "--method", "dopri5", "--tolerance", "1e-10")
        self.assertAlmostEqual(adaptive["by_path/pivot/angle"][-1], fixed, delta=1e-9)

    def test_rows_leave_no_trace_in_the_motion(self):
        for model, duration in (("double_pendulum/double_pendulum.yaml", "2 s"), ("car/car_redundant.yaml", "0.2 s")):
            for method in (("--method", "rk4", "--step", "1 ms"), ("--method", "dopri5")):
                ends = []
                for every in ("0.2 s", "10 ms", "1 ms"):
                    file = self.results(SOURCE / "examples" / model, "--duration", duration, "--output-every", every,
                                        *method)
                    ends.append((file["parts/pose"][-1].tobytes(), file["parts/twist"][-1].tobytes()))
                self.assertEqual(len(set(ends)), 1, f"{model} {method}")

    def test_without_simulation_block_the_choice_is_told(self):
        self.write("block.yaml", BLOCK)
        result = self.run_here("run", "block.yaml")
        self.assertRegex(result.stdout, r"5 s simulated .*dopri5, tolerance 1e-06, by default")

    def test_output_every(self):
        file = self.results(self.model, "--output-every", "20 ms", "--duration", "0.1 s")
        numpy.testing.assert_allclose(file["time"][:], [0, 0.02, 0.04, 0.06, 0.08, 0.1], atol=ROUNDING)

    def test_record(self):
        file = self.results(self.model, "--record", "piston.*", "--record", "crank_pin.reaction.force.x")
        self.assertEqual(set(file["by_path"]), {"piston", "crank_pin"})
        self.assertEqual(file["parts/pose"].shape, (201, 1, 7))
        self.assertNotIn("energy", file)
        names = {name.decode() for name in file["index"]["name"]}
        self.assertIn("piston.position.x", names)
        self.assertFalse(any(name.startswith("rod.") for name in names))
        whole = self.results(self.model)
        self.assertEqual(whole["parts/pose"].shape, (201, 3, 7))

    def test_record_of_nothing(self):
        for pattern, hint in (("pistn.*", "did you mean 'piston.*'?"), ("*.angel", "did you mean '*.angle'?"),
                              ("piston.positon.x", "did you mean 'piston.position.x'?"), ("piston", "'piston.*'"),
                              ("zzz", "piston.position.x")):
            result = self.run_here("run", self.model, "--record", "rod.*", "--record", pattern)
            self.assert_usage_error(result, "--record", f"'{pattern}'", hint)
        self.assertEqual(self.files(), [self.model])


class NothingMoves(InFolder):
    def test_says_so_with_a_command_that_moves_it(self):
        self.write("block.yaml", BLOCK)
        result = self.run_here("run", "block.yaml")
        self.assert_exit(result, OK)
        (line,) = [line for line in result.stdout.splitlines() if "nothing moves" in line]
        command = line[line.index("gelenk run "):]
        self.assertIn("--drive slide=", command)
        done = subprocess.run(["bash", "-c", command.replace("gelenk", '"$0"', 1), PROGRAM], capture_output=True,
                              text=True, timeout=TIMEOUT_S, cwd=self.folder)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertNotIn("nothing moves", done.stdout)

    def test_not_said_of_what_moves(self):
        self.write("pendulum.yaml", PENDULUM)
        self.assertNotIn("nothing moves", self.run_here("run", "pendulum.yaml").stdout)


if __name__ == "__main__":
    unittest.main()
