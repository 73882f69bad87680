#!/usr/bin/env python3
"""Broken files of every kind: a few of those that tools/torture/files.py makes by the thousand."""

import subprocess
import sys
import unittest

from program_support import PROGRAM, SOURCE

sys.path.insert(0, str(SOURCE / "tools/torture"))
import files  # noqa: E402
import mutate  # noqa: E402

FILES_OF_EACH = 6
SEED = 7


class BrokenFiles(unittest.TestCase):
    def test_they_end_in_a_sentence_and_leave_nothing(self):
        for kind in files.KINDS:
            with self.subTest(kind=kind):
                torture = files.Torture(PROGRAM, kind, SEED)
                torture.run(FILES_OF_EACH)
                self.assertEqual(torture.faults, [])

    def test_the_same_seed_makes_the_same_file(self):
        script = SOURCE / "tools/torture/mutate.py"
        for kind, name in (("step", "cad/joint_zoo.step"), ("fcstd", "cad/steam_engine.FCStd"), ("gkc", "format_1_0.gkc")):
            path = SOURCE / "tests/data" / name
            data = path.read_bytes()
            first = mutate.mutated(data, kind, SEED)
            self.assertNotEqual(first, data)
            made = subprocess.run([sys.executable, script, path, kind, str(SEED)], capture_output=True, check=True, timeout=60)
            self.assertEqual(made.stdout, first)


class Judgment(unittest.TestCase):
    """The torturer finds what it is there to find."""

    def fault(self, script):
        torture = files.Torture("/bin/sh", "yaml", SEED)
        with files.tempfile.TemporaryDirectory() as folder:
            return torture.one_run(["-c", script], files.Folder(folder))

    def test_faults(self):
        self.assertEqual(self.fault("echo wrong >&2; exit 4"), "")
        self.assertEqual(self.fault("kill -SEGV $$"), "ends by SIGSEGV")
        self.assertIn("ends with 7", self.fault("echo wrong >&2; exit 7"))
        self.assertIn("says nothing", self.fault("exit 4"))
        self.assertIn("leaves work/file", self.fault("touch file"))
        self.assertIn("leaves home/file", self.fault("touch $HOME/file"))
        self.assertEqual(self.fault("mkdir out; touch out/file"), "")
        self.assertIn("leaves 1 processes", self.fault("sleep 50 >&- 2>&- &"))


if __name__ == "__main__":
    unittest.main()
