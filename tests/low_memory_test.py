#!/usr/bin/env python3
"""The program with too little memory: exit code 4 and a sentence, whoever asked for it, and the results until then can be read.
Sanitizers need their own memory, and end a program that gets none; their builds leave this test out."""

import os
import resource
import subprocess
import sys
import unittest

from program_support import FILE_ERROR, OK, PROGRAM, SOURCE
from run_support import InFolder

CAR = SOURCE / "examples/car/car.yaml"
POINTS = 45


class LowMemory(InFolder):
    def limited(self, megabytes, *arguments):
        limit = megabytes * 1_000_000
        return self.run_here(*arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

    # Below some 75 MB the system cannot load the program.
    def test_whatever_the_limit_is(self):
        outcomes = set()
        for megabytes in (80, 90, 100, 115, 130, 145, 160, 175, 190, 400):
            with self.subTest(megabytes=megabytes):
                result = self.limited(megabytes, "run", CAR, "-o", "run.h5", "--force", "--duration", "0.2 s", "-q")
                self.assertIn(result.returncode, (OK, FILE_ERROR), result.stderr)
                outcomes.add(result.returncode)
                if result.returncode == FILE_ERROR:
                    self.assertRegex(result.stderr, r"not enough memory: needs (about|more than) \d+ MB, has \d+ MB")
                if (self.folder / "run.h5").exists():
                    self.assertIn(self.run_here("info", "run.h5").returncode, (OK, FILE_ERROR))
        self.assertEqual(outcomes, {OK, FILE_ERROR}, "both must have been seen")

    def test_single_allocations_that_fail(self):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("LD_")}
        result = subprocess.run([sys.executable, SOURCE / "tools/torture/memory.py", "--program", PROGRAM, "--points", str(POINTS)],
                                capture_output=True, text=True, env=environment, timeout=300, check=False)
        self.assertEqual(result.returncode, OK, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
