"""Runs that are killed, stopped or run out of disk, and go on bit for bit: checkpoints, --resume, repair."""

import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time
import unittest
import unittest.mock

import h5py

from program_support import FILE_ERROR, INTERRUPTED, OK, PROGRAM, run, SOURCE, TIMEOUT_S
from resume_support import arguments_of, CASES, certificate_of, different_datasets, Killed, state_hash
from run_support import InFolder, text_of

CAR = SOURCE / "examples/car/car.yaml"
# In a sanitized build everything takes ten times as long; tools/kill_runs.py does more.
KILLS_PER_CASE = 2
DURATION = "0.2 s"


class RandomKills(InFolder):
    def test_killed_runs_end_in_the_same_bits(self):
        for number, case in enumerate(CASES):
            with self.subTest(case):
                folder = self.folder / str(number)
                folder.mkdir()
                killed = Killed(folder, case, "20 ms", seed=number, options=("--duration", DURATION))
                killed.reference()
                self.assertTrue(killed.run(KILLS_PER_CASE))


class Resume(InFolder):
    """A run of some seconds that keeps checkpoints."""

    OPTIONS = (str(CAR), "--method", "rk4", "--step", "1 ms", "--duration", "3 s", "--checkpoint", "0.2 s")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.whole = pathlib.Path(folder.name) / "whole.h5"
        result = run("run", *cls.OPTIONS, "-o", cls.whole)
        assert result.returncode == OK, result.stderr

    def setUp(self):
        super().setUp()
        self.path = self.folder / "part.h5"

    def start(self, **options):
        return subprocess.Popen([PROGRAM, "run", *self.OPTIONS, "-o", "part.h5"], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def checkpoints(self):
        return sorted(self.folder.glob("part.checkpoint-?"))

    def wait_for_checkpoints(self, process, count=2):
        """Until there are so many, of which the newest is later than the first."""
        deadline = time.monotonic() + TIMEOUT_S
        while len(self.checkpoints()) < count and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        self.assertEqual(len(self.checkpoints()), count, "the run was over before it could be stopped")

    def killed(self):
        process = self.start()
        self.wait_for_checkpoints(process)
        process.kill()
        process.communicate(timeout=TIMEOUT_S)

    def assert_goes_on(self, expected=""):
        result = self.run_here("run", "--resume", "part.h5")
        self.assert_exit(result, OK)
        self.assertIn(expected, result.stderr)
        self.assertEqual(state_hash(self.path), state_hash(self.whole))
        self.assertEqual(different_datasets(self.whole, self.path), [])
        return result

    def test_killed(self):
        self.killed()
        result = self.assert_goes_on("continuing from ")
        self.assertIn("verdict: good", result.stdout)
        self.assertEqual(list(self.folder.glob("part.checkpoint*")), [])  # a run that is complete needs none
        certificate = certificate_of(self.path)
        self.assertEqual(len(certificate["resumedAt"]), 1)
        self.assertTrue(certificate["method"]["reproducible"])

    def test_repaired_first(self):
        self.killed()
        result = self.run_here("repair", "part.h5")
        self.assert_exit(result, OK)
        self.assertIn("gelenk run --resume part.h5", result.stdout)
        with h5py.File(self.path, "r") as file:
            self.assertEqual(text_of(file["status"]), "stopped")
        self.assert_goes_on()

    def test_stopped_by_the_user(self):
        process = self.start()
        self.wait_for_checkpoints(process, 1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, INTERRUPTED)
        with h5py.File(self.path, "r") as file:
            reached = file["time"][-1]
        result = self.assert_goes_on("continuing from ")
        # From where it was stopped, not from the last period.
        self.assertGreaterEqual(certificate_of(self.path)["resumedAt"][0], reached, result.stderr)

    def test_damaged_checkpoint(self):
        for damage in (lambda data: data[:len(data) // 2], lambda data: data[:-1], lambda data: b"",
                       lambda data: data[:1000] + bytes([data[1000] ^ 16]) + data[1001:]):
            self.killed()
            newest = max(self.checkpoints(), key=lambda path: path.stat().st_mtime_ns)
            newest.write_bytes(damage(newest.read_bytes()))
            self.assert_goes_on("damaged")
            self.path.unlink()

    def test_all_checkpoints_damaged(self):
        self.killed()
        for path in self.checkpoints():
            path.write_bytes(b"rubbish")
        self.assert_goes_on("starting again from the beginning")

    def test_without_checkpoints(self):
        self.killed()
        for path in self.checkpoints():
            path.unlink()
        self.assert_goes_on("starting again from the beginning")

    @unittest.mock.patch.dict(os.environ, {"ASAN_OPTIONS": "detect_leaks=0"})
    def test_full_disk(self):
        process = self.start()
        self.wait_for_checkpoints(process, 1)
        limit = self.path.stat().st_size + 50_000
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limit, limit))
        process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, FILE_ERROR)
        self.assert_goes_on("continuing from ")

    def test_clock_jumps(self):
        shim = self.folder / "jump.so"
        source = self.folder / "jump.c"
        source.write_text("""#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
/* The clock of the wall goes back and forth by hours and days; the steady one does not. */
int clock_gettime(clockid_t id, struct timespec* t) {
  static int (*real)(clockid_t, struct timespec*);
  static long calls;
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(id, t);
  if (id == CLOCK_REALTIME) t->tv_sec += (++calls % 2 ? 1 : -1) * (calls * 7919 % 100000);
  return result;
}
""")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True)
        environment = {"LD_PRELOAD": str(shim), "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}
        result = self.run_here("run", *self.OPTIONS, "-o", "part.h5", env=environment)
        self.assert_exit(result, OK)
        self.assertEqual(state_hash(self.path), state_hash(self.whole))

    def test_refuses_what_cannot_be_continued(self):
        result = self.run_here("run", "--resume", self.whole)
        self.assert_exit(result, OK)
        self.assertIn("is complete", result.stderr)
        self.killed()
        self.assert_usage_error(self.run_here("run", "--resume", "part.h5", "--duration", "9 s"), "--duration")
        self.assert_usage_error(self.run_here("run", str(CAR), "--resume", "part.h5"), "a model")
        self.assert_usage_error(self.run_here("run"), "needs a model")
        result = self.run_here("run", "--resume", "nothing.h5")
        self.assert_exit(result, FILE_ERROR)
        self.write("text.h5", "no results")
        self.assert_exit(self.run_here("run", "--resume", "text.h5"), FILE_ERROR)

    def test_refuses_a_run_that_is_still_going(self):
        process = self.start()
        self.wait_for_checkpoints(process, 1)
        result = self.run_here("run", "--resume", "part.h5")
        self.assert_exit(result, FILE_ERROR)
        process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, OK)
        self.assertEqual(state_hash(self.path), state_hash(self.whole))

    def test_checkpoints_of_another_run_are_not_used(self):
        self.killed()
        kept = {path.name: path.read_bytes() for path in self.checkpoints()}
        for path in (self.path, *self.checkpoints()):
            path.unlink()
        self.killed()
        for name, data in kept.items():
            (self.folder / name).write_bytes(data)
        self.assert_goes_on("another run")


class SameBits(InFolder):
    def test_two_runs_and_any_number_of_threads(self):
        hashes = set()
        for threads in ("1", "2", "2"):
            self.run_count += 1
            name = f"{self.run_count}.h5"
            self.assert_exit(self.run_here("run", CAR, "--threads", threads, "-o", name), OK)
            hashes.add(state_hash(self.folder / name))
        self.assertEqual(len(hashes), 1)

    def test_checkpoints_do_not_change_the_motion(self):
        for case in CASES:
            options = [*arguments_of(case), "--duration", DURATION, "--force"]
            self.assert_exit(self.run_here("run", *options, "-o", "with.h5", "--checkpoint", "7 ms"), OK)
            self.assert_exit(self.run_here("run", *options, "-o", "without.h5"), OK)
            self.assertEqual(state_hash(self.folder / "with.h5"), state_hash(self.folder / "without.h5"), case)

    def test_cvode_starts_anew_at_checkpoints(self):
        self.assert_exit(self.run_here("run", CAR, "--method", "cvode", "--checkpoint", "1 s", "-o", "a.h5"), OK)
        self.assertFalse(certificate_of(self.folder / "a.h5")["method"]["reproducible"])


if __name__ == "__main__":
    unittest.main()
