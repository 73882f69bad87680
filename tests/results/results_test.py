#!/usr/bin/env python3
"""Files of results from outside: a writer that is killed or runs out of disk, h5py, and the verbs that read them."""

import csv
import json
import os
import pathlib
import random
import resource
import signal
import string
import subprocess
import time
import unittest
import unittest.mock

import h5py
import numpy

from results_support import (CAR, CRANK_SLIDER, FILE_ERROR, FOREVER, InFolder, invented, kill_writer,
                             largest_number, OK, record, RECORD_ROWS, ROUNDING, run, TIMEOUT_S, USAGE_ERROR)


class Killed(InFolder):
    def kill_after(self, seconds):
        """Kills a writer some time after its first flush; returns how many rows it had reported as flushed."""
        lines = kill_writer(CAR, self.file, FOREVER, "--pause-us", "50", "--flush-every", "20", after="flushed",
                            seconds=seconds)
        return largest_number(lines, "flushed")

    def test_every_flushed_row_is_read_by_h5py_and_by_us(self):
        for seconds in (0.0, 0.4, 0.8):
            flushed = self.kill_after(seconds)
            with h5py.File(self.file, "r", swmr=True, libver="latest") as file:
                rows = len(file["time"])
                self.assert_rows_are_right(file, rows)
                self.assertEqual(file["status"][()], b"running")
                numpy.testing.assert_array_equal(file["by_path/chassis/pose"][:rows], file["parts/pose"][:rows, 0])
            self.assertGreaterEqual(rows, flushed)
            info = json.loads(run("info", self.file, "--json").stdout)
            self.assertEqual((info["closed"], info["status"]), (False, "running"))
            self.assertGreaterEqual(info["rows"], flushed)
            print(f"killed {seconds} s after the first flush: {flushed} rows flushed, h5py reads {rows}, gelenk "
                  f"{info['rows']}", flush=True)
            self.assertIn("was not closed", run("info", self.file).stdout)

    def test_the_timer_flushes_by_itself(self):
        with subprocess.Popen([RECORD_ROWS, CAR, self.file, FOREVER, "--pause-us", "50"]) as writer:
            rows = 0
            end = time.monotonic() + TIMEOUT_S
            while rows == 0 and time.monotonic() < end:
                time.sleep(0.2)
                rows = json.loads(run("info", self.file, "--json").stdout).get("rows", 0)
            writer.kill()
        self.assertGreater(rows, 0)
        with h5py.File(self.file, "r", swmr=True, libver="latest") as file:
            self.assert_rows_are_right(file, rows)

    def test_a_killed_run_can_be_exported_and_plotted(self):
        self.kill_after(0.3)
        table = run("export", self.file, "chassis.position.z")
        self.assert_exit(table, OK)
        self.assertIn("not closed", table.stderr)
        self.assertGreater(len(table.stdout.splitlines()), 10)
        self.assert_exit(run("plot", self.file, "chassis.position.z"), OK)


class WhileRunning(InFolder):
    def test_rows_appear_while_the_writer_writes(self):
        with subprocess.Popen([RECORD_ROWS, CAR, self.file, FOREVER, "--pause-us", "50", "--flush-every", "50"],
                              stdout=subprocess.PIPE, text=True) as writer:
            try:
                writer.stdout.readline()  # the first flush
                counts = []
                for _ in range(20):
                    counts.append(json.loads(run("info", self.file, "--json").stdout)["rows"])
                    if counts[-1] > counts[0]:
                        break
                    time.sleep(0.1)
                self.assertGreater(counts[0], 0)
                self.assertGreater(counts[-1], counts[0])
            finally:
                writer.kill()


class FullDisk(InFolder):
    # Files may not grow beyond this. The first rows fit, the structure too.
    LIMIT = 12_000_000

    # After a write error the file stays open on purpose: closing would mark a torn file as whole.
    @unittest.mock.patch.dict(os.environ, {"ASAN_OPTIONS": "detect_leaks=0"})
    def test_the_writer_says_so_and_the_rows_stay(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.LIMIT, self.LIMIT))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        begin = time.monotonic()
        result = record(CAR, self.file, "200000", "--flush-every", "200", preexec_fn=limit, restore_signals=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("cannot be written: File too large", result.stdout)
        self.assertEqual(result.stderr, "")
        self.assertLess(time.monotonic() - begin, TIMEOUT_S / 2)
        info = json.loads(run("info", self.file, "--json").stdout)
        self.assertEqual(info["status"], "failed")
        self.assertIn("File too large", info["message"])
        self.assertGreater(info["rows"], 0)
        with h5py.File(self.file, "r", swmr=True, libver="latest") as file:
            self.assert_rows_are_right(file, info["rows"])
        print(f"full disk: {info['rows']} rows stay readable", flush=True)


class Closed(InFolder):
    ROWS = 1500

    def setUp(self):
        super().setUp()
        self.assert_exit(record(CRANK_SLIDER, self.file, str(self.ROWS)), OK)

    # S4-13: results in HDF5; plots are below.
    def test_plain_h5py_reads_everything(self):
        with h5py.File(self.file, "r") as file:
            self.assertEqual(len(file["time"]), self.ROWS)
            self.assert_rows_are_right(file, self.ROWS)
            self.assertEqual(file["status"][()], b"done")
            self.assertEqual(file["model/source/0"][()].decode(), pathlib.Path(CRANK_SLIDER).read_text())
            self.assertEqual(file["by_path/crank/pose"].shape, (self.ROWS, 7))
            self.assertEqual(file["by_path/main_bearing/angle"].shape, (self.ROWS,))
            numpy.testing.assert_array_equal(file["by_path/crank_pin/reaction"][:], file["joints/reaction"][:, 1])
            numpy.testing.assert_array_equal(file["by_path/stroke"][:], file["outputs/value"][:, 0])
            self.assertIn("second part", file["conventions"].attrs["reaction"].decode())

    def test_the_index_leads_to_the_columns(self):
        with h5py.File(self.file, "r") as file:
            index = {row["name"].decode(): row for row in file["index"][:]}
            row = index["piston.velocity.y"]
            block = row["block"].decode()
            values = file[block][:].reshape(self.ROWS, -1)[:, row["column"]]
            self.assertEqual(row["unit"], b"m/s")
            numpy.testing.assert_array_equal(values, file["by_path/piston/twist"][:, 1])

    def test_info(self):
        result = run("info", self.file)
        self.assert_exit(result, OK)
        for piece in ("run of 'crank_slider'", "done", "0 s to 1.499 s, 1500 rows", "parts/pose (3 × 7)", "stroke"):
            self.assertIn(piece, result.stdout)
        names = [line.split()[0] for line in run("info", self.file, "--channels").stdout.splitlines() if "(derived)" not in line]
        self.assertIn("crank_pin.reaction.force.x", names)
        channels = json.loads(run("info", self.file, "--channels", "--json").stdout)["channels"]
        self.assertEqual([channel["name"] for channel in channels], names)

    def test_export_equals_what_h5py_reads(self):
        out = str(self.folder / "out.csv")
        self.assert_exit(run("export", self.file, "-o", out), OK)
        with open(out, newline="") as stream:
            rows = list(csv.reader(stream))
        with h5py.File(self.file, "r") as file:
            for name, column in (("piston.position.x [m]", file["by_path/piston/pose"][:, 0]),
                                 ("motor.torque [N*m]", file["by_path/motor/torque"][:])):
                place = rows[0].index(name)
                numpy.testing.assert_array_equal([float(row[place]) for row in rows[1:]], column)

    def test_export_in_display_units_and_never_over_a_file(self):
        out = self.folder / "out.csv"
        self.assert_exit(run("export", self.file, "stroke", "main_bearing.*", "--display", "-o", str(out)), OK)
        head = out.read_text().splitlines()[0]
        self.assertTrue(head.startswith("time [s],stroke [mm],main_bearing.angle [deg],main_bearing.rate [rpm]"), head)
        before = out.read_text()
        self.assert_exit(run("export", self.file, "-o", str(out)), FILE_ERROR)
        self.assertEqual(out.read_text(), before)
        self.assert_exit(run("export", self.file, "-o", str(out), "--force"), OK)
        self.assertNotEqual(out.read_text(), before)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["out.csv", "run.h5"])

    def test_export_to_nowhere(self):
        result = run("export", self.file, "-o", str(self.folder / "no/such.csv"))
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("there is no folder", result.stderr)
        self.assert_exit(run("export", self.file, "-o", "out.xyz"), USAGE_ERROR)

    def test_mistyped_channel(self):
        for verb in ("plot", "export"):
            result = run(verb, self.file, "pistn.position.x")
            self.assert_exit(result, USAGE_ERROR)
            self.assertIn("did you mean 'piston.position.x'?", result.stderr)

    def test_plot_in_the_terminal(self):
        result = run("plot", self.file)
        self.assert_exit(result, OK)
        self.assertIn("stroke [mm]", result.stdout)
        self.assertIn("motor_torque [N*m]", result.stdout)
        self.assertIn("1.499 s", result.stdout)
        self.assertLessEqual(max(map(len, result.stdout.splitlines())), 80)
        self.assertIn("stroke [m]", run("plot", self.file, "--si").stdout)

    def test_plot_into_files(self):
        for option, beginning in (("--png", b"\x89PNG"), ("--svg", b"<?xml"), ("--pdf", b"%PDF")):
            picture = self.folder / f"picture{option[1:]}"
            self.assert_exit(run("plot", self.file, "*.angle", "stroke", option, str(picture)), OK)
            self.assertTrue(picture.read_bytes().startswith(beginning))
        self.assert_exit(run("plot", self.file, "--png", self.file, "--force"), FILE_ERROR)
        self.assert_exit(run("info", self.file), OK)

    def test_without_gnuplot_it_says_what_to_install(self):
        result = run("plot", self.file, "--png", str(self.folder / "a.png"), env={"PATH": "/nowhere"})
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("apt install gnuplot-nox", result.stderr)

    def test_json_everywhere(self):
        curves = json.loads(run("plot", self.file, "--json").stdout)["curves"]
        self.assertEqual([curve["name"] for curve in curves], ["stroke", "motor_torque"])
        out = str(self.folder / "j.csv")
        self.assertEqual(json.loads(run("export", self.file, "-o", out, "--json").stdout)["rows"], self.ROWS)
        self.assertFalse(json.loads(run("plot", self.file, "nothing", "--json").stdout)["ok"])


class Selected(InFolder):
    def test_only_what_was_selected_is_there(self):
        self.assert_exit(record(CRANK_SLIDER, self.file, "20", "--patterns", "piston.*,main_bearing.angle"), OK)
        with h5py.File(self.file, "r") as file:
            self.assertEqual(file["parts/pose"].shape, (20, 1, 7))
            self.assertNotIn("outputs", file)
            times = file["time"][:]
            # The piston is the third part: its columns begin at 14 of the full row.
            numpy.testing.assert_allclose(file["by_path/piston/pose"][:, 0], invented("parts/pose", times, 14),
                                          rtol=10 * ROUNDING)
        result = run("plot", self.file)
        self.assert_exit(result, OK)
        self.assertIn("choose what to plot", result.stdout)
        self.assertIn("  piston.position\n", result.stdout)


class Foreign(InFolder):
    def test_other_files_are_refused(self):
        (self.folder / "text.h5").write_text("no HDF5")
        with h5py.File(self.folder / "other.h5", "w") as file:
            file["a"] = [1, 2, 3]
        for verb in ("info", "plot", "export"):
            for name in ("text.h5", "other.h5", "missing.h5"):
                result = run(verb, str(self.folder / name))
                self.assert_exit(result, FILE_ERROR)
                self.assertIn(name, result.stderr)
        self.assertIn("gelenk run", run("plot", CRANK_SLIDER).stderr)

    def test_a_failed_run_tells_why(self):
        self.assert_exit(record(CRANK_SLIDER, self.file, "10", "--status", "failed"), OK)
        self.assertIn("failed: invented failure", run("info", self.file).stdout)


class Names(InFolder):
    """Whatever outputs are called and however few are recorded, they are read back."""

    def test_random_names_and_selections(self):
        dice = random.Random(7)
        letters = string.ascii_letters
        for count, longest in ((1, 1), (1, 2), (2, 3), (5, 8), (3, 60)):
            names = {"".join(dice.choices(letters, k=dice.randint(1, longest))) for _ in range(count)}
            outputs = ", ".join(f"{name}: p.position.z" for name in names)
            model = pathlib.Path(self.file).with_name("names.yaml")
            model.write_text("gelenk: 1\nname: names\nparts: {p: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
                             f"outputs: {{{outputs}}}\n")
            chosen = dice.sample(sorted(names), dice.randint(1, len(names)))
            records = [option for name in chosen for option in ("--record", name)]
            result = run("run", str(model), "--duration", "0.1 s", *records, "-o", self.file, "--force")
            self.assertEqual(result.returncode, OK, (names, result.stderr))
            table = run("export", self.file)
            header = next(csv.reader(table.stdout.splitlines()))
            for name in chosen:
                self.assertIn(f"{name} [m]", header)


if __name__ == "__main__":
    unittest.main()
