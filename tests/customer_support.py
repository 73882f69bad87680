"""A folder of somebody who makes or uses sealed components, with a configuration of his own."""

import json
import os
import pathlib
import signal
import subprocess
import time

import h5py

from program_support import InFolder, OK, PROGRAM, TIMEOUT_S

COMPONENT_FAILED = 5


class Customer(InFolder):
    def environment(self):
        return {**os.environ, "XDG_CONFIG_HOME": str(self.folder / "home")}

    def gelenk(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT_S,
                              cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL)

    def trust(self):
        self.assert_exit(self.gelenk("trust", "add", "ACME", "key.pub"), OK)

    def rows(self, run):
        """The recorded channels as texts that keep every bit: name -> list."""
        table = self.folder / (run + ".csv")
        self.assert_exit(self.gelenk("export", run, "-o", table, "--force"), OK)
        lines = [line for line in table.read_text().splitlines() if not line.startswith("#")]
        names = lines[0].split(",")
        columns = list(zip(*(line.split(",") for line in lines[1:])))
        return dict(zip(names, columns))

    def components_of(self, run):
        """The books of a run about its components."""
        with h5py.File(self.folder / run) as file:
            return json.loads(file["options"][()])["components"]

    def assert_same(self, run, other):
        mine, theirs = self.rows(run), self.rows(other)
        shared = [name for name in mine if name in theirs and not name.startswith("energy") and "reaction" not in name]
        self.assertGreater(len(shared), 20)
        for name in shared:
            self.assertEqual(mine[name], theirs[name], name)

    def assert_same_with_both_hosts(self, model, sealed, options):
        """Runs the open machine, then the one with sealed components at both places; leaves worker.h5 and process.h5."""
        self.assert_exit(self.gelenk("run", model, "-o", "open.h5", *options), OK)
        self.assert_exit(self.gelenk("run", sealed, "-o", "worker.h5", *options), OK)
        self.trust()
        self.assert_exit(self.gelenk("run", sealed, "-o", "process.h5", *options), OK)
        self.assert_exit(self.gelenk("trust", "remove", "ACME"), OK)
        for run, carrier in (("worker.h5", "worker"), ("process.h5", "in process")):
            self.assertEqual({carrier}, {one["carrier"] for one in self.components_of(run)})
            self.assert_same(run, "open.h5")

    def kill_a_worker_of(self, process, after_s=0.0):
        """Some time after results show that it runs."""
        file = self.folder / "killed.h5"
        deadline = time.monotonic() + TIMEOUT_S
        while not file.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(after_s)
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        os.kill(int(children.read_text().split()[-1]), signal.SIGKILL)
