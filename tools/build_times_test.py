#!/usr/bin/env python3
"""What a build cost: the compiler's processor time, and how it is added up."""

import pathlib
import subprocess
import tempfile
import unittest

import build_times

TOOLS = pathlib.Path(__file__).resolve().parent


class BuildTimesTest(unittest.TestCase):

    def test_the_launcher_keeps_output_and_exit_code(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder, "cpu.log")
            work = "for ((i = 0; i < 200000; ++i)); do :; done; echo out; echo err >&2; exit 3"
            run = subprocess.run([TOOLS / "cpu_time.sh", log, "bash", "-c", work, "-o", "a/b.o"], capture_output=True, text=True,
                                 check=False)
            self.assertEqual((3, "out\n", "err\n"), (run.returncode, run.stdout, run.stderr))
            seconds = build_times.read_log(log)
            self.assertEqual(["a/b.o"], list(seconds))
            self.assertGreater(seconds["a/b.o"], 0.02)

    def test_totals_by_folder(self):
        result = build_times.summary({
            "gelenk/cad/CMakeFiles/gelenk_cad.dir/Unity/unity_gelenk_cad_1_cxx.cxx.o": 2.0,
            "gelenk/cad/CMakeFiles/cad_test.dir/a_test.cc.o": 3.0,
            "apps/gelenk/gelenk": 0.5,
        })
        self.assertEqual({"gelenk/cad": 2.0, "gelenk/cad (tests)": 3.0, "links": 0.5}, result["folders"])
        self.assertEqual(5.5, result["total"])
        self.assertEqual([(3.0, "gelenk/cad: a_test.cc"), (2.0, "gelenk/cad: gelenk_cad_1"), (0.5, "link apps/gelenk/gelenk")],
                         result["dearest"])

    def test_headers_are_read_as_if_nothing_was_precompiled(self):
        words = build_times.clang_words("/usr/bin/c++ -O3 -Wall -Winvalid-pch -include a/cmake_pch.hxx -o a.o -c a.cc")
        self.assertEqual([build_times.CLANG, "-O3", "-o", "a.o", "-c", "a.cc"], words[:6])
        self.assertIsNone(build_times.clang_words("/usr/bin/cc -O3 -o a.o -c a.c"))
        self.assertIsNone(build_times.clang_words("/usr/bin/c++ -x c++-header -o a.gch -c a.hxx"))

    def test_a_line_that_is_cut_off_does_not_count(self):
        with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
            log.write("1.500 a.o\n2.")
            log.flush()
            self.assertEqual({"a.o": 1.5}, build_times.read_log(log.name))


if __name__ == "__main__":
    unittest.main()
