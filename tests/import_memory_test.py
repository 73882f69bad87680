#!/usr/bin/env python3
"""`gelenk import` with less memory than a file needs: an error, and never half a machine. Sanitizers need their own memory,
and end a program that gets none; their builds leave this test out."""

import resource
import unittest

from program_support import FILE_ERROR, InFolder, OK, run, SOURCE

ENGINE = str(SOURCE / "tests/data/cad/steam_engine.step")


class ImportMemory(InFolder):
    def test_whatever_the_limit_is_the_machine_is_whole_or_not_there(self):
        whole = run("import", ENGINE, "-o", "whole", cwd=self.folder)
        self.assert_exit(whole, OK)
        expected = (self.folder / "whole/steam_engine.cad.yaml").read_bytes()
        outcomes = set()
        for megabytes in (1, 2, 3, 4, 5, 6, 7, 8, 10, 100):
            with self.subTest(megabytes=megabytes):
                result = run("import", ENGINE, "-o", f"out{megabytes}", "--memory-limit", str(megabytes), cwd=self.folder)
                outcomes.add(result.returncode)
                made = self.folder / f"out{megabytes}/steam_engine.cad.yaml"
                if result.returncode == OK:
                    self.assertEqual(made.read_bytes(), expected)
                else:
                    self.assert_exit(result, FILE_ERROR)
                    self.assertIn("memory", result.stderr)
                    self.assertFalse(made.exists())
        self.assertEqual(outcomes, {OK, FILE_ERROR}, "both must have been seen")

    def test_a_limit_of_the_shell(self):
        for megabytes in (80, 100, 120):
            limit = megabytes * 1_000_000
            result = run("import", ENGINE, "-o", "out", cwd=self.folder,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            self.assert_exit(result, FILE_ERROR)
            self.assertIn("memory", result.stderr.splitlines()[0])
            self.assertIn("ulimit -v", result.stderr)


if __name__ == "__main__":
    unittest.main()
