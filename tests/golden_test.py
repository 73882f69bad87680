#!/usr/bin/env python3
"""./dev golden: what changed is found and named, new and missing cases fail, nothing is stored without a reason."""

import contextlib
import io
import os
import sys
import textwrap
import unittest

from program_support import InFolder, PROGRAM, SOURCE

sys.path.insert(0, str(SOURCE / "tools/golden"))
import baseline  # noqa: E402
import comparing  # noqa: E402
import digest  # noqa: E402
import golden  # noqa: E402
import running  # noqa: E402

SAME, CHANGED, USAGE_ERROR = 0, 1, 2
SWING = """gelenk: 1
parts:
  arm: {mass: 2 kg, inertia: {xx: 0.1, yy: LENGTH, zz: 0.1}, center_of_mass: [0, 0, -0.4]}
joints:
  pivot: {type: revolute, between: [ground, arm], axis: y, start: {angle: 30 deg}}
simulation: {duration: 0.8 s, output_every: 10 ms}
"""
ONE = ("--only", "*/swing/rk4/auto")
CASE = "examples/swing/rk4/auto"


class GoldenTest(InFolder):
    def setUp(self):
        super().setUp()
        self.model("swing")

    def model(self, name, inertia="0.1"):
        self.write(f"examples/{name}.yaml", SWING.replace("LENGTH", inertia))

    def golden(self, *words, program=PROGRAM):
        """Exit code and everything printed."""
        with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(printed):
            try:
                code = golden.main(["--tree", str(self.folder), "--program", str(program), *words])
            except SystemExit as end:
                code = end.code
        return code, printed.getvalue()

    def assert_golden(self, code, pieces, *words, **options):
        found, printed = self.golden(*words, **options)
        self.assertEqual(found, code, printed)
        for piece in [pieces] if isinstance(pieces, str) else pieces:
            self.assertIn(piece, printed)
        return printed

    def accept(self, *names):
        self.assert_golden(SAME, "stored in", "--accept", *(names or (CASE,)), "--why", "a first result")

    def stored(self):
        return (self.folder / baseline.FILE).read_text()

    def program(self, text):
        """A program of another kind: $PROGRAM is the real one."""
        path = self.folder / "other"
        path.write_text(f"#!{sys.executable} -B\nimport os, subprocess, sys\nPROGRAM = {PROGRAM!r}\nwords = sys.argv[1:]\n"
                        + textwrap.dedent(text))
        path.chmod(0o755)
        return path

    def test_same_numbers_pass(self):
        self.accept()
        self.assert_golden(SAME, "1 cases in", *ONE)
        self.assert_golden(SAME, "all as before", *ONE, "--jobs", "2")

    def test_changed_block_is_named_with_size_and_row(self):
        self.accept()
        self.model("swing", "0.1000000001")  # of 0.42 kg m² about the pivot: 2e-10
        printed = self.assert_golden(CHANGED, f"changed: {CASE}", *ONE)
        line = next(line for line in printed.splitlines() if "parts/pose changed" in line)
        self.assertRegex(line, r"by about \de-1[0123] of its size")
        self.assertIn("first in row 0 of 21", printed)  # accelerations differ from the start
        self.assertNotIn("time changed", printed)

    def test_first_row_that_differs(self):
        text = SWING + "forces: {push: {type: torque, applied_to: arm, axes_of: ground, about: y, value: {table: {of: time, " \
                       "x: [0.052 s, 0.06 s], y: [0 N*m, STRENGTH N*m]}}}}\n"
        self.write("examples/swing.yaml", text.replace("LENGTH", "0.1").replace("STRENGTH", "1"))
        self.accept()
        self.write("examples/swing.yaml", text.replace("LENGTH", "0.1").replace("STRENGTH", "2"))
        self.assert_golden(CHANGED, "first in row 11 of 21", *ONE)  # rows every 5 ms: 55 ms is the first one after 52 ms

    def test_new_and_missing_cases_fail(self):
        self.accept()
        self.model("second")
        os.remove(self.folder / "examples/swing.yaml")
        pieces = ["new: examples/second/rk4/auto", f"missing: {CASE}"]
        self.assert_golden(CHANGED, pieces, "--only", "*/rk4/auto")
        self.assert_golden(SAME, "2 stored", "--accept", "*/rk4/auto", "--why", "another machine")
        self.assert_golden(SAME, "all as before", "--only", "*/rk4/auto")
        self.assertNotIn(CASE, self.stored())

    def test_accepting_needs_a_reason(self):
        self.assert_golden(USAGE_ERROR, "--why TEXT", "--accept", CASE)
        self.assert_golden(USAGE_ERROR, "names, or --all", "--accept", "--why", "because")
        self.assertFalse((self.folder / baseline.FILE).exists())
        self.accept()
        self.model("swing", "0.2")
        self.assert_golden(SAME, "1 stored", "--accept", CASE, "--why", "a heavier arm")
        log = (self.folder / baseline.LOG).read_text()
        self.assertRegex(log, rf"(?s)1 case \({CASE}\): a first result.*1 case \({CASE}\): a heavier arm")
        self.assert_golden(SAME, "all as before", *ONE)

    def test_refused_runs_are_recorded(self):
        self.write("examples/swing.yaml", SWING.replace("LENGTH", "0.1").replace("axis: y", "axis: [0, 0, 0]"))
        self.accept()
        self.assertRegex(self.stored(), rf"{CASE}\n  refused exit=3 code=GK\d{{4}}\n")
        self.model("swing")
        self.assertRegex(self.assert_golden(CHANGED, "changed", *ONE), r"refused \(exit code 3, GK\d+\) before, done \(exit code 0\) now")

    def test_other_programs(self):
        other = self.program("""
            words += ["--start", "pivot.angle=31 deg"] if words[0] == "run" else []
            os.execv(PROGRAM, [PROGRAM, *words])
            """)
        self.assert_golden(SAME, "all as before", *ONE, "--against", PROGRAM)
        pieces = ["joints/coordinate: pivot.angle moved most, by 1.", "first in row 0 of 21"]
        self.assert_golden(CHANGED, pieces, *ONE, "--against", str(other))
        self.accept()
        self.assert_golden(CHANGED, "joints/coordinate changed", *ONE, program=other)

    def test_a_resumed_run_must_be_the_whole_one(self):
        case = "resumed/examples/swing/adams"
        self.accept(case)
        other = self.program("""
            if "--resume" not in words:
                os.execv(PROGRAM, [PROGRAM, *words])
            code = subprocess.run([PROGRAM, *words]).returncode
            import h5py
            with h5py.File(words[words.index("--resume") + 1], "r+") as file:
                file["energy"][7, 0] += 1e-9
            sys.exit(code)
            """)
        pieces = [f"wrong: {case}", "not the run that was not stopped: energy changed"]
        self.assert_golden(CHANGED, pieces, "--only", case, program=other)
        self.assert_golden(CHANGED, f"wrong: {case}", "--accept", case, "--why", "no reason is good enough", program=other)

    def test_results_of_another_machine(self):
        self.accept()
        path = self.folder / baseline.FILE
        path.write_text(path.read_text().replace("made with: compiler ", "made with: compiler of another time, "))
        self.assert_golden(SAME, ["made with: compiler of another time", "--against OLD"], *ONE)
        before = self.stored()
        self.model("swing", "0.2")
        self.assert_golden(USAGE_ERROR, "do not mix", "--accept", CASE, "--why", "a heavier arm")
        self.assertEqual(self.stored(), before)

    def test_kept_files(self):
        self.assert_golden(CHANGED, "new", *ONE, "--keep", str(self.folder / "kept"))
        self.assert_golden(USAGE_ERROR, "new or empty folder", *ONE, "--keep", str(self.folder / "kept"))
        self.assertEqual(digest.record_of(self.folder / "kept" / "examples.swing.rk4.auto.h5", "done", 0).rows, 21)

    def test_names(self):
        self.assert_golden(USAGE_ERROR, "no case has such a name", "--only", "examples/swign/*")
        self.assertEqual(self.assert_golden(SAME, "", "--list", *ONE).split(), [CASE])


class PartnerTest(unittest.TestCase):
    def test_cases_that_must_agree(self):
        one, two = (digest.Record("done", {"rows": "1"}, "AA", {"energy": digest.Block(letters, 1.0, 1.0)}) for letters in "ab")
        cases = [golden.cases.Case("a", ""), golden.cases.Case("b", "", same_as="a"), golden.cases.Case("c", "", same_as="a")]
        outcomes = [running.Outcome("a", one), running.Outcome("b", one), running.Outcome("c", two)]
        running.check_partners(cases, outcomes)
        self.assertEqual([outcome.fault[:44] for outcome in outcomes], ["", "", "must have the same numbers as a: energy chan"])


class BaselineTest(unittest.TestCase):
    def test_what_is_written_is_read(self):
        record = digest.Record("done", {"rows": "2", "steps": "3"}, "ABCD", {"energy": digest.Block("x", -1 / 3, 2e-5),
                                                                            "time": digest.Block("y")})
        stored = baseline.Baseline("a compiler", {"a": record, "b": record, "c": digest.refused(2, "")})
        text = baseline.text_of(stored)
        self.assertIn("b\n  = a\n", text)
        self.assertEqual(baseline.parse(text), stored)
        self.assertEqual(comparing.differences(record, baseline.parse(text).records["b"]), [])

    def test_the_stored_file_is_as_it_would_be_written(self):
        text = (SOURCE / baseline.FILE).read_text(encoding="utf-8")
        stored = baseline.parse(text)
        self.assertGreater(len(stored.records), 500)
        self.assertEqual(baseline.text_of(stored), text)


if __name__ == "__main__":
    unittest.main()
