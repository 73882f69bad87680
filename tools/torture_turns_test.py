#!/usr/bin/env python3
"""The turns of ./dev torture: seeds, time, what is counted and how a fault is repeated."""

import contextlib
import io
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "torture"))
import full_disk  # noqa: E402
import turns  # noqa: E402


class Clock:
    """Every slice takes ten seconds."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def slice(self, harness, seed):
        self.now += 10.0
        return "seed is odd" if harness.name == "b" and seed % 2 else ""


class TurnsTest(unittest.TestCase):
    def tortured(self, seconds, seed=1):
        clock = Clock()
        found = [turns.Harness("a", ["a.py"], 5), turns.Harness("b", ["b.py"], 7)]
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            turns.torture(found, seconds, seed, clock.slice, clock)
        return found, printed.getvalue()

    def test_all_have_their_turn_until_the_time_is_up(self):
        found, _ = self.tortured(45)
        self.assertEqual([one.slices for one in found], [3, 2])
        self.assertEqual([one.seconds for one in found], [30.0, 20.0])

    def test_seeds_are_the_same_every_time_and_differ(self):
        seeds = {turns.seed_of(seed, name, turn) for seed in (1, 2) for name in "ab" for turn in range(20)}
        self.assertEqual(len(seeds), 80)
        self.assertEqual(self.tortured(300)[1], self.tortured(300)[1])
        self.assertNotEqual(self.tortured(300, 1)[1], self.tortured(300, 2)[1])

    def test_the_first_fault_can_be_repeated(self):
        (good, bad), printed = self.tortured(600)
        self.assertEqual((good.faults, good.first), (0, ""))
        odd = [seed for seed in (turns.seed_of(1, "b", turn) for turn in range(30)) if seed % 2]
        self.assertEqual(bad.faults, len(odd))
        self.assertTrue(bad.first.endswith(f"b.py --seed {odd[0]}"), bad.first)
        self.assertIn(f"b, seed {odd[0]}: FAULT: seed is odd", printed)

    def test_the_table(self):
        found, _ = self.tortured(45)
        lines = turns.table(found).splitlines()
        self.assertEqual(lines[0].split(), ["harness", "tries", "faults", "seconds"])
        self.assertEqual(lines[1].split(), ["a", "15", "0", "30"])

    def test_a_slice_that_fails_tells_why(self):
        for words, fault in ((["-c", "pass"], ""), (["-c", "import sys; sys.exit('why')"], "why"),
                             (["-c", "raise SystemExit(3)"], "ends with 3")):
            self.assertEqual(turns.run_slice(turns.Harness("x", words, 1, has_seed=False), 1), fault)

    def test_all_scripts_are_there(self):
        for harness in turns.harnesses("build/release"):
            self.assertTrue((turns.SOURCE / harness.words[0]).is_file(), harness.words[0])


class FullDiskTest(unittest.TestCase):
    def test_ends(self):
        self.assertEqual(full_disk.fault_of(0, ""), "")
        self.assertEqual(full_disk.fault_of(4, "error: no room"), "")
        self.assertEqual(full_disk.fault_of(4, ""), "does not say why")
        self.assertEqual(full_disk.fault_of(-25, ""), "ends by SIGXFSZ")
        self.assertIn("ends with 1", full_disk.fault_of(1, "error: no room"))


if __name__ == "__main__":
    unittest.main()
