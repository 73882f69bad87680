#!/usr/bin/env python3
"""Files of results: those of earlier programs stay readable, and blocks that this program does not write are read."""

import shutil
import unittest

import h5py
import numpy

import program_support
from program_support import OK, run, SOURCE

SAMPLE = SOURCE / "tests/data/results_1.h5"


class ResultsBlocks(program_support.InFolder):

    def test_an_old_file_gives_the_same_table(self):
        result = run("export", SAMPLE, cwd=self.folder)
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertEqual(result.stdout, (SOURCE / "tests/data/results_1.csv").read_text(encoding="utf-8"))

    def test_an_old_file_agrees_with_its_model(self):
        result = run("verify", SAMPLE, cwd=self.folder)
        self.assertEqual(result.returncode, OK, result.stdout + result.stderr)
        self.assertIn("everything that was checked agrees", result.stdout)

    def test_blocks_that_this_program_does_not_know_are_read(self):
        path = self.folder / "other.h5"
        shutil.copy(SAMPLE, path)
        with h5py.File(path, "r+") as file:
            rows = len(file["time"])
            file["modes/amplitude"] = numpy.arange(2.0 * rows).reshape(rows, 2)
            index = file["index"][:]
            more = numpy.zeros(2, dtype=index.dtype)
            for i, name in enumerate(("beam.first", "beam.second")):
                more[i] = index[0]
                more[i]["name"] = name.encode()
                more[i]["block"] = b"modes/amplitude"
                more[i]["column"] = i
            del file["index"]
            file["index"] = numpy.concatenate([index, more])
            del file["checksums"]  # of rows without these columns
        result = run("export", path, "beam.second", cwd=self.folder)
        self.assertEqual(result.returncode, OK, result.stderr)
        values = [float(line.split(",")[1]) for line in result.stdout.splitlines()[1:]]
        self.assertEqual(values, [1.0 + 2.0 * row for row in range(rows)])
        listed = run("info", path, cwd=self.folder)
        self.assertIn("modes/amplitude (2)", listed.stdout)

    def test_a_block_that_is_gone_is_damage(self):
        path = self.folder / "broken.h5"
        shutil.copy(SAMPLE, path)
        with h5py.File(path, "r+") as file:
            del file["parts/twist"]
        result = run("info", path, cwd=self.folder)
        self.assertNotEqual(result.returncode, OK)
        self.assertIn("the index of channels", result.stderr)


if __name__ == "__main__":
    unittest.main()
