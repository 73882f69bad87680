#!/usr/bin/env python3
"""Runs that were killed or ran out of disk: continued from their checkpoints, or repaired. Seen from outside."""

import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import unittest

import h5py
import numpy

from results_support import (CAR, CRANK_SLIDER, FILE_ERROR, FOREVER, InFolder, kill_writer, largest_number, OK, record,
                             RECORD_ROWS, run)

RUN_ID = "0123456789abcdef0123456789abcdef"
# Kills at random times; the seed is fixed, the times of the machine are not.
KILLS = 25
SEED = 4


def content(path):
    """Everything in the file: datasets by name, attributes of all objects."""
    datasets, attributes = {}, {}

    def visit(name, thing):
        attributes[name] = dict(thing.attrs)
        if isinstance(thing, h5py.Dataset):
            datasets[name] = thing[()]

    with h5py.File(path, "r") as file:
        attributes["/"] = dict(file.attrs)
        file.visititems(visit)
    return datasets, attributes


class Continued(InFolder):
    ROWS = 3000
    OPTIONS = ("--run-id", RUN_ID, "--checkpoint-every", "100", "--flush-every", "70")

    def kill(self, seconds, *arguments, after=""):
        return kill_writer(CRANK_SLIDER, self.file, *arguments, "--pause-us", "100", *self.OPTIONS, after=after,
                           seconds=seconds)

    def resume(self):
        result = record(CRANK_SLIDER, self.file, str(self.ROWS), *self.OPTIONS, "--resume")
        self.assert_exit(result, OK)
        return result

    def assert_same_as_in_one_go(self, path):
        whole = str(self.folder / "whole.h5")
        if not os.path.exists(whole):
            self.assert_exit(record(CRANK_SLIDER, whole, str(self.ROWS), *self.OPTIONS), OK)
        expected, expected_attributes = content(whole)
        found, attributes = content(path)
        self.assertEqual(sorted(found), sorted(expected))
        self.assertGreater(len([name for name in found if name.startswith("by_path/")]), 10)
        for name, values in expected.items():
            self.assertEqual(values.tobytes() if hasattr(values, "tobytes") else values,
                             found[name].tobytes() if hasattr(found[name], "tobytes") else found[name], name)
        self.assertEqual(str(attributes), str(expected_attributes))

    def test_a_finished_run_goes_on_from_its_last_checkpoint(self):
        self.assert_exit(record(CRANK_SLIDER, self.file, "1234", *self.OPTIONS), OK)
        self.assertIn("resumed 1200", self.resume().stdout)
        self.assert_same_as_in_one_go(self.file)
        with h5py.File(self.file, "r") as file:
            self.assertEqual(file["status"][()], b"done")
            self.assertEqual(json.loads(file["certificate"][:].tobytes()), {"rows": self.ROWS})
            self.assertEqual(file.attrs["run_id"].decode(), RUN_ID)

    # Each run is killed several times at random: in the middle of rows, of checkpoints, and of being opened again.
    def test_killed_at_random_and_continued(self):
        chance = random.Random(SEED)
        kills, resumed = 0, 0
        while kills < KILLS:
            for path in self.folder.glob("run.*"):
                path.unlink()
            done = largest_number(self.kill(chance.uniform(0.0, 0.3), str(self.ROWS), after="checkpoint"), "checkpoint")
            kills += 1
            for _ in range(chance.randint(0, 4)):
                # From its start on, or from when it has opened the file again.
                lines = self.kill(chance.uniform(0.0, 0.2), str(self.ROWS), "--resume",
                                  after=chance.choice(("", "resumed")))
                kills += 1
                resumed += 1
                done = max(done, largest_number(lines, "checkpoint"))
                self.assertFalse([line for line in lines if line.startswith("error")], lines)
            result = self.resume()
            first = largest_number(result.stdout.splitlines(), "resumed")
            self.assertGreaterEqual(first, done, "a checkpoint that was reported is there")
            self.assertNotIn("note", result.stdout, "a kill damages no checkpoint")
            self.assert_same_as_in_one_go(self.file)
        print(f"{kills} kills, {resumed} of them of runs that were resumed before; all continued to the same file",
              flush=True)

    def test_damaged_checkpoints(self):
        self.kill(0.3, FOREVER, after="checkpoint 200")
        checkpoints = [self.folder / "run.checkpoint-1", self.folder / "run.checkpoint-2"]
        rows = json.loads(run("repair", self.file, "--json").stdout)["checkpoint"]["rows"]
        newest = next(path for path in checkpoints if b"%d " % rows in path.read_bytes())
        newest.write_bytes(newest.read_bytes()[:-7])
        result = self.resume()
        self.assertIn(f"note {newest.name} is damaged (its checksum is wrong): the other one is used", result.stdout)
        self.assertIn(f"resumed {rows - 100}", result.stdout)
        self.assert_same_as_in_one_go(self.file)


class FullDisk(InFolder):
    LIMIT = 3_000_000  # bytes of any file

    def limited(self, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.LIMIT, self.LIMIT))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        return record(*arguments, "--run-id", RUN_ID, preexec_fn=limit, restore_signals=False,
                      env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})

    def test_no_room_for_a_checkpoint(self):
        options = (CRANK_SLIDER, self.file, "300", "--checkpoint-every", "100")
        self.assert_exit(self.limited(*options), OK)
        before = {path.name: path.read_bytes() for path in self.folder.glob("*checkpoint*")}
        result = self.limited(*options[:2], "900", "--checkpoint-every", "100", "--resume", "--checkpoint-bytes",
                              str(2 * self.LIMIT))
        self.assertNotEqual(result.returncode, OK)
        self.assertRegex(result.stdout, "the checkpoint at 0.399 s was not written: .*checkpoint-.*: File too large")
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.glob("*checkpoint*")}, before)

    def test_no_room_for_rows_then_repaired_and_continued(self):
        options = (CRANK_SLIDER, self.file, "20000", "--checkpoint-every", "500")
        result = self.limited(*options)
        self.assertIn("File too large", result.stdout)
        safe = largest_number(result.stdout.splitlines(), "checkpoint")
        self.assertGreater(safe, 0)
        repaired = json.loads(run("repair", self.file, "--json").stdout)
        self.assertEqual((repaired["repaired"], repaired["status"]), (True, "failed"))
        self.assertIn("File too large", repaired["message"])
        self.assertGreaterEqual(repaired["rows"], safe)
        self.assertEqual(repaired["checkpoint"]["rows"], safe)
        with h5py.File(self.file, "r") as file:
            self.assert_rows_are_right(file, repaired["rows"])
        self.assert_exit(record(*options, "--run-id", RUN_ID, "--resume"), OK)
        with h5py.File(self.file, "r") as file:
            self.assert_rows_are_right(file, 20000)
            self.assertEqual((file["status"][()], file["message"][()]), (b"done", b""))


class Repaired(InFolder):
    def kill(self, *options):
        lines = kill_writer(CAR, self.file, FOREVER, "--pause-us", "50", "--flush-every", "20", "--run-id", RUN_ID,
                            *options, after="checkpoint 200" if options else "flushed 400", seconds=0.3)
        return largest_number(lines, "flushed")

    def test_any_reader_opens_a_repaired_file(self):
        flushed = self.kill()
        with self.assertRaises(OSError):
            h5py.File(self.file, "r")
        result = run("repair", self.file)
        self.assert_exit(result, OK)
        with h5py.File(self.file, "r") as file:
            rows = len(file["time"])
            self.assertGreaterEqual(rows, flushed)
            self.assert_rows_are_right(file, rows)
            for name in ("parts/pose", "energy", "by_path/chassis/pose"):
                self.assertEqual(len(file[name]), rows, name)
            self.assertFalse(numpy.isnan(file["parts/pose"][:]).any())
            self.assertEqual(file["status"][()], b"stopped")
            self.assertIn("the run was killed", file["message"][()].decode())
        self.assertIn(f"{self.file} was repaired: {rows} rows, 0 s to {1e-3 * (rows - 1):.6g} s\n", result.stdout)
        self.assertNotIn("--resume", result.stdout)
        self.assertIn("stopped: the run was killed", run("info", self.file).stdout)
        before = pathlib.Path(self.file).read_bytes()
        again = run("repair", self.file)
        self.assert_exit(again, OK)
        self.assertIn("is intact, there is nothing to repair", again.stdout)
        self.assertEqual(pathlib.Path(self.file).read_bytes(), before)

    def test_the_checkpoint_to_go_on_from_is_told(self):
        self.kill("--checkpoint-every", "100")
        (self.folder / "run.checkpoint-1").write_bytes(b"")
        result = run("repair", self.file)
        self.assert_exit(result, OK)
        self.assertRegex(result.stdout, r"to continue from [\d.]+ s: gelenk run --resume .*run\.h5\n$")
        self.assertIn("note: run.checkpoint-1 is damaged (it is too short): the other one is used", result.stdout)
        report = json.loads(run("repair", self.file, "--json").stdout)
        self.assertEqual((report["ok"], report["repaired"], report["checkpoint"]["rows"] % 100), (True, False, 0))
        self.assertEqual(report["checkpoint"]["file"], str(self.folder / "run.checkpoint-2"))

    def test_a_file_that_is_being_written_is_left_alone(self):
        with subprocess.Popen([RECORD_ROWS, CAR, self.file, FOREVER, "--pause-us", "50", "--flush-every", "50"],
                              stdout=subprocess.PIPE, text=True) as writer:
            try:
                writer.stdout.readline()  # the first flush
                result = run("repair", self.file)
                self.assert_exit(result, FILE_ERROR)
                self.assertIn("cannot be repaired: another program has it open", result.stderr)
                self.assertIn("let the run end", result.stderr)
                self.assertFalse(json.loads(run("repair", self.file, "--json").stdout)["ok"])
                self.assertIsNone(writer.poll())
            finally:
                writer.kill()
        self.assert_exit(run("repair", self.file), OK)

    def test_what_is_no_file_of_results(self):
        (self.folder / "text.h5").write_text("no HDF5")
        for path, piece in ((self.folder / "text.h5", "it is not an HDF5 file"),
                            (self.folder / "no.h5", "there is no file"), (self.folder, "is a folder")):
            result = run("repair", str(path))
            self.assert_exit(result, FILE_ERROR)
            self.assertIn(piece, result.stderr)

    def test_a_file_cut_in_two_by_a_copy(self):
        self.kill()
        with open(self.file, "r+b") as file:
            file.truncate(os.path.getsize(self.file) * 2 // 3)
        result = run("repair", self.file, "--json")
        report = json.loads(result.stdout)
        if report["ok"]:
            with h5py.File(self.file, "r") as file:
                self.assertEqual(len(file["time"]), report["rows"])
                self.assert_rows_are_right(file, report["rows"])
        else:
            self.assert_exit(result, FILE_ERROR)
            self.assertNotEqual(report["message"], "")


if __name__ == "__main__":
    unittest.main()
