#!/usr/bin/env python3
"""What is left when the program is killed or may not write: no processes, no folders, no half files."""

import os
import resource
import signal
import subprocess
import time
import unittest

from program_support import FILE_ERROR, OK, PROGRAM, SOURCE, TIMEOUT_S
from run_support import CRANK_SLIDER, InFolder

# Stands for a browser: it has processes of its own and a folder, and would never end.
BROWSER = """#!/bin/sh
for word; do case $word in --user-data-dir=*) mkdir -p "${word#*=}";; esac; done
sleep 1000 &
echo "$$ $!" >"$HERE/browser.tmp" && mv "$HERE/browser.tmp" "$HERE/browser.pids"
wait
"""


def is_alive(process):
    """Whether there is such a process that is not just waiting to be counted."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Leftovers(InFolder):
    def setUp(self):
        super().setUp()
        self.assert_exit(self.run_here("run", CRANK_SLIDER, "-o", "run.h5", "-q"), OK)

    def wait_until(self, is_so, what):
        end = time.monotonic() + TIMEOUT_S
        while not is_so():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)

    def test_a_killed_video_leaves_no_browser_and_no_folder(self):
        browser = self.folder / "browser"
        browser.write_text(BROWSER)
        browser.chmod(0o755)
        temporary = self.folder / "tmp"
        temporary.mkdir()
        pids = self.folder / "browser.pids"
        environment = {**os.environ, "CHROMIUM": str(browser), "TMPDIR": str(temporary), "HERE": str(self.folder)}
        for number in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(number):
                process = subprocess.Popen([PROGRAM, "export", "run.h5", "-o", "out.mp4"], cwd=self.folder, env=environment,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.addCleanup(process.kill)
                self.wait_until(pids.exists, "the browser has not started")
                started = pids.read_text().split()
                pids.unlink()
                process.send_signal(number)
                process.wait(timeout=TIMEOUT_S)
                self.wait_until(lambda: not any(map(is_alive, started)), "the browser is still there")
                self.wait_until(lambda: not list(temporary.iterdir()), f"left: {list(temporary.iterdir())}")
        self.assertEqual(self.files(), ["browser", "run.h5", "tmp"])

    def test_a_killed_table_leaves_nothing(self):
        process = subprocess.Popen([PROGRAM, "export", "run.h5", "-o", "out.csv"], cwd=self.folder)
        process.kill()
        process.wait(timeout=TIMEOUT_S)
        self.assertLessEqual(set(self.files()), {"run.h5", "out.csv"})

    def test_files_that_may_not_grow(self):
        limit = 2_000
        for output in ("out.csv", "out.glb", "out.html", "out.svg"):
            verb = ("plot", "run.h5", "--svg", output) if output.endswith("svg") else ("export", "run.h5", "-o", output)
            result = self.run_here(*verb, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            self.assert_exit(result, FILE_ERROR)
            self.assertIn(output, result.stderr)
        self.assertEqual(self.files(), ["run.h5"])

    def test_a_pipe_is_no_drawing(self):
        os.mkfifo(self.folder / "pipe.step")
        result = self.run_here("import", "pipe.step")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("'pipe.step' is not an ordinary file", result.stderr)
        result = self.run_here("import", SOURCE, "-o", "out")
        self.assert_exit(result, FILE_ERROR)


if __name__ == "__main__":
    unittest.main(verbosity=2)
