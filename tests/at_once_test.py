#!/usr/bin/env python3
"""Two programs that write the same file at once: one of them gets it, and what is there in the end is whole."""

import subprocess
import unittest

from program_support import FILE_ERROR, OK, PROGRAM, TIMEOUT_S
from run_support import CRANK_SLIDER, InFolder

TRIES = 3


class AtOnce(InFolder):
    def both(self, *arguments):
        """Exit codes and messages of two programs started together."""
        programs = [subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(2)]
        ends = []
        for program in programs:
            _, errors = program.communicate(timeout=TIMEOUT_S)
            ends.append((program.returncode, errors))
        return sorted(ends)

    def assert_one_wins(self, ends, *messages):
        (first, _), (second, errors) = ends
        self.assertEqual((first, second), (OK, FILE_ERROR), ends)
        self.assertTrue(any(message in errors for message in messages), errors)

    # Long enough that the second one comes before the first has ended.
    LONG = (CRANK_SLIDER, "--method", "rk4", "--step", "0.02 ms", "--duration", "0.4 s", "-q")

    def test_forced_runs(self):
        (self.folder / "run.h5").touch()
        for _ in range(TRIES):
            self.assert_one_wins(self.both("run", *self.LONG, "-o", "run.h5", "--force"),
                                 "'run.h5' cannot be overwritten: another program has it open",
                                 "'run.h5' cannot be created: another program has it open")
            self.assert_exit(self.run_here("verify", "run.h5"), OK)

    def test_runs_with_a_new_name(self):
        for number in range(TRIES):
            name = f"run{number}.h5"
            self.assert_one_wins(self.both("run", *self.LONG, "-o", name), f"'{name}' already exists")
            self.assert_exit(self.run_here("verify", name), OK)

    def test_runs_without_a_name_take_two(self):
        self.assertEqual([code for code, _ in self.both("run", *self.LONG)], [OK, OK])
        self.assertEqual(self.files(), ["crank_slider.2.h5", "crank_slider.h5"])

    def test_tables(self):
        self.assert_exit(self.run_here("run", CRANK_SLIDER, "-o", "run.h5", "-q"), OK)
        self.assert_exit(self.run_here("export", "run.h5", "-o", "alone.csv"), OK)
        for _ in range(TRIES):
            self.assertEqual([code for code, _ in self.both("export", "run.h5", "-o", "table.csv", "--force")], [OK, OK])
            self.assertEqual((self.folder / "table.csv").read_bytes(), (self.folder / "alone.csv").read_bytes())
        for number in range(TRIES):
            self.assert_one_wins(self.both("export", "run.h5", "-o", f"{number}.csv"),
                                 f"'{number}.csv' already exists and was left unchanged")
        self.assertFalse([name for name in self.files() if not name.endswith((".csv", ".h5"))])


if __name__ == "__main__":
    unittest.main(verbosity=2)
