#!/usr/bin/env python3
"""What a long run of tests says last: the names of the tests that failed, and the end of their texts."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import failed_tests

RESULTS = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux" tests="3" failures="2">
  <testcase name="Good.One" time="0.1" status="run"><system-out>all is well</system-out></testcase>
  <testcase name="python.bad" time="0.2" status="fail"><failure message=""/><system-out>{many}</system-out></testcase>
  <testcase name="viewer.slow" time="600" status="timeout"><failure message="Timeout"/><system-out/></testcase>
</testsuite>
"""


class FailedTestsTest(unittest.TestCase):
    def printed(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "release" / "test-results.xml"
            path.parent.mkdir()
            path.write_text(text)
            script = pathlib.Path(failed_tests.__file__)
            return subprocess.run([sys.executable, "-B", script, path], capture_output=True, text=True, check=True).stdout

    def test_failed_tests_are_named_with_the_end_of_their_texts(self):
        many = "\n".join(f"line {i} &lt;{'x' * 300}" for i in range(100))
        lines = self.printed(RESULTS.replace("{many}", many)).splitlines()
        self.assertEqual([line for line in lines if line.startswith("failed:")],
                         ["failed: python.bad (release)", "failed: viewer.slow (release)"])
        said = [line for line in lines if line.startswith("  ")]
        self.assertEqual(said[0], f"  ({100 - failed_tests.MOST_LINES} lines before)")
        self.assertTrue(said[-1].startswith("  line 99 <xxx"))
        self.assertEqual(len(said), 1 + failed_tests.MOST_LINES)
        self.assertLessEqual(max(map(len, said)), 2 + failed_tests.MOST_WIDTH)

    def test_nothing_is_said_when_all_is_well(self):
        self.assertEqual(self.printed('<testsuite><testcase name="a" status="run"/></testsuite>'), "")


if __name__ == "__main__":
    unittest.main()
