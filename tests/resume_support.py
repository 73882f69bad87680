"""Runs that are killed and go on: what the tests and the table of random kills share."""

import json
import pathlib
import random
import signal
import subprocess
import time

import h5py

from program_support import OK, PROGRAM, run, SOURCE, TIMEOUT_S

# Long enough to be hit, different in what a checkpoint has to keep: turns of a driver, events, redundant joints and
# singular poses on the way, nodes that balance and that flow, all methods of our own.
CASES = {
    "crank_slider rk4": ("crank_slider/crank_slider.yaml", "--method", "rk4", "--step", "0.02 ms"),
    "crank_slider adams": ("crank_slider/crank_slider.yaml", "--method", "adams", "--tolerance", "1e-11"),
    "car dopri5": ("car/car.yaml", "--method", "dopri5", "--tolerance", "1e-11"),
    "car_redundant bdf": ("car/car_redundant.yaml", "--method", "bdf", "--tolerance", "1e-8"),
    "double_pendulum adams": ("double_pendulum/double_pendulum.yaml", "--method", "adams", "--tolerance", "1e-11"),
    "four_bar generalized_alpha": ("four_bar/four_bar.yaml", "--method", "generalized_alpha", "--step", "0.2 ms"),
    "servo bdf": ("servo/servo.yaml", "--method", "bdf", "--tolerance", "1e-9"),
    "rolling generalized_alpha": ("rolling/rolling_disk.yaml", "--method", "generalized_alpha", "--step", "0.2 ms"),
    "h_frame dopri5": ("h_frame/h_frame.yaml", "--method", "dopri5", "--tolerance", "1e-11"),
    "tower moreau": ("contact/tower.yaml", "--step", "0.5 ms"),
    "three_springs dopri5": ("gallery/three_springs.yaml", "--method", "dopri5", "--tolerance", "1e-11"),
    "creep bdf": ("gallery/creep.yaml", "--method", "bdf", "--tolerance", "1e-10"),
    "steam_engine rk4": ("steam_engine/steam_engine.yaml", "--method", "rk4", "--step", "0.1 ms"),
}


def arguments_of(case):
    model, *options = CASES[case]
    return [str(SOURCE / "examples" / model), *options]


def certificate_of(file):
    with h5py.File(file, "r") as opened:
        return json.loads(bytes(opened["certificate"][()]).rstrip(b"\0"))


def state_hash(file):
    return certificate_of(file)["stateHash"]


def different_datasets(one, other):
    """Names of the recorded datasets that are not the same bits."""
    different = []
    with h5py.File(one, "r") as a, h5py.File(other, "r") as b:
        def compare(name, item):
            if not isinstance(item, h5py.Dataset) or name.split("/")[0] in ("certificate", "by_path"):
                return
            if name not in b or item.shape != b[name].shape or item[()].tobytes() != b[name][()].tobytes():
                different.append(name)
        a.visititems(compare)
    return different


class Killed:
    """Kills a run at random times and resumes it until it has come to its end, again and again."""

    def __init__(self, folder, case, every, seed, options=()):
        self.folder = pathlib.Path(folder)
        self.arguments = [*arguments_of(case), *options]
        self.every = every
        self.random = random.Random(seed)
        self.kills = 0
        self.runs = 0
        self.from_checkpoint = 0
        self.started_again = 0
        self.whole = self.folder / "whole.h5"
        self.file = self.folder / "killed.h5"

    def reference(self):
        begun = time.monotonic()
        result = run("run", *self.arguments, "--checkpoint", self.every, "-o", self.whole, "-q")
        assert result.returncode == OK, result.stderr
        self.seconds = time.monotonic() - begun

    def start(self):
        """The run itself, or its continuation; a file that was killed before it had any structure is begun anew."""
        if self.file.exists():
            command = [PROGRAM, "run", "--resume", str(self.file), "-q"]
            if run("info", self.file).returncode == OK:
                return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.started_again += self.kills > 0
        command = [PROGRAM, "run", *self.arguments, "--checkpoint", self.every, "-o", str(self.file), "--force", "-q"]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, kills):
        """Runs until there were so many kills; true when every run ends in the same bits."""
        while self.kills < kills:
            if not self.run_to_the_end(kills):
                return False
        return True

    def run_to_the_end(self, kills):
        self.file.unlink(missing_ok=True)
        while True:
            begun = time.monotonic()
            process = self.start()
            if self.kills < kills:
                time.sleep(self.random.uniform(0.0, 0.6 * self.seconds))
                process.send_signal(signal.SIGKILL)
            _, errors = process.communicate(timeout=TIMEOUT_S)
            if process.returncode == -signal.SIGKILL:
                self.kills += 1
                continue
            assert process.returncode == OK, errors
            self.seconds = min(self.seconds, time.monotonic() - begun)  # the reference may have had a slow moment
            break
        self.runs += 1
        self.from_checkpoint += len(certificate_of(self.file)["resumedAt"])
        return state_hash(self.file) == state_hash(self.whole) and not different_datasets(self.whole, self.file)
