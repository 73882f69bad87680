#!/usr/bin/env python3
"""Kills runs at random times, by SIGKILL, SIGTERM, SIGINT and SIGHUP, resumes them, and compares with a run that was left alone.

kill.py --program build/release/apps/gelenk/gelenk --count 100 --seed 1

Every run must end in the same state and the same recorded numbers, bit for bit. Prints one row of a table; ends with 1 when a run
does not, or when a signal does not end the program. tools/kill_runs.py does the same with all methods and looks into the file.
"""

import argparse
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
MODEL = SOURCE / "examples/crank_slider/crank_slider.yaml"
OPTIONS = ["--method", "rk4", "--step", "0.02 ms", "--checkpoint", "20 ms", "-q"]
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
OK, INTERRUPTED = 0, 130
TIMEOUT_S = 120


class Fault(Exception):
    pass


class Killer:
    def __init__(self, program, folder, seed):
        self.program = str(pathlib.Path(program).resolve())
        self.folder = pathlib.Path(folder)
        self.dice = random.Random(seed)
        self.kills = dict.fromkeys(SIGNALS, 0)
        self.runs = 0
        self.continued = 0
        self.begun_anew = 0
        begun = time.monotonic()
        self.call("run", MODEL, *OPTIONS, "-o", "whole.h5")
        self.seconds = time.monotonic() - begun
        self.expected = self.outcome("whole.h5")

    def call(self, *arguments, code=OK):
        result = subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                                timeout=TIMEOUT_S, check=False)
        if result.returncode != code:
            raise Fault(f"gelenk {' '.join(map(str, arguments))} ends with {result.returncode}: {result.stderr.strip()}")
        return result.stdout

    def outcome(self, name):
        """All recorded numbers, and the hash of the last state."""
        certificate = json.loads(self.call("info", name, "--certificate"))
        return self.call("export", name), certificate["stateHash"]

    def start(self):
        """The run itself, or its continuation. A run that was killed before its file could be read is begun anew."""
        has_file = (self.folder / "killed.h5").exists()
        can_go_on = has_file and subprocess.run([self.program, "info", "killed.h5"], cwd=self.folder, capture_output=True,
                                                timeout=TIMEOUT_S, check=False).returncode == OK
        self.continued += can_go_on
        self.begun_anew += has_file and not can_go_on
        arguments = ["--resume", "killed.h5", "-q"] if can_go_on else [MODEL, *OPTIONS, "-o", "killed.h5", "--force"]
        return subprocess.Popen([self.program, "run", *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def run_to_the_end(self, count):
        """One run, killed until it has ended or there were so many kills, then left alone."""
        (self.folder / "killed.h5").unlink(missing_ok=True)
        while True:
            process = self.start()
            sent = None
            if sum(self.kills.values()) < count:
                time.sleep(self.dice.uniform(0.0, 0.6 * self.seconds))
                sent = self.dice.choice(SIGNALS)
                process.send_signal(sent)
            try:
                _, errors = process.communicate(timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                raise Fault(f"a run goes on {TIMEOUT_S} s after {sent}") from None
            if process.returncode == OK:
                break
            # A signal that comes before the program watches for it ends the program as it ends any other.
            if sent is None or process.returncode not in (-sent, INTERRUPTED):
                raise Fault(f"a run ends with {process.returncode} after {sent}: {errors.strip()}")
            self.kills[sent] += 1
        self.runs += 1
        if self.outcome("killed.h5") != self.expected:
            raise Fault(f"run {self.runs} ends in other numbers than the one that was left alone")
        self.call("verify", "killed.h5", "-q")

    def row(self):
        kills = ", ".join(f"{count} {sent.name}" for sent, count in self.kills.items())
        return (f"| kill | {sum(self.kills.values())} kills ({kills}) | {self.runs} runs, {self.continued} times continued, "
                f"{self.begun_anew} times begun anew |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=50, help="kills")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fault = "no fault"
        killer = None
        try:
            killer = Killer(options.program, folder, options.seed)
            while sum(killer.kills.values()) < options.count:
                killer.run_to_the_end(options.count)
        except Fault as found:
            fault = f"FAULT: {found}"
        print(f"{killer.row() if killer else '| kill | | |'} {fault} |")
    return 0 if fault == "no fault" else 1


if __name__ == "__main__":
    sys.exit(main())
