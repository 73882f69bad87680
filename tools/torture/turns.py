#!/usr/bin/env python3
"""Tortures the program for so long: all harnesses of this folder in turns, in short slices, each with a seed of its own.

turns.py --build build/release [MINUTES] [--seed S]

Prints a table: harness, tries, faults, seconds. Ends with 1 when something is wrong, and then says which command repeats the first
fault of each harness.
"""

import argparse
import dataclasses
import os
import pathlib
import random
import shlex
import signal
import subprocess
import sys
import time

TOOLS = pathlib.Path(__file__).resolve().parent
SOURCE = TOOLS.parent.parent
SLICE_LIMIT_S = 240  # a slice takes seconds; this is a hang
FILES = {"step": 6, "fcstd": 4, "urdf": 10, "mesh": 15, "gkc": 30, "yaml": 30, "h5": 40}


@dataclasses.dataclass
class Harness:
    name: str
    words: list         # without the seed
    tries: int          # of a slice
    has_seed: bool = True
    variables: dict = dataclasses.field(default_factory=dict)
    slices: int = 0
    faults: int = 0
    seconds: float = 0.0
    first: str = ""     # the command that repeats the first fault

    def command(self, seed):
        return [sys.executable, "-B", *self.words, *(["--seed", str(seed)] if self.has_seed else [])]


def harnesses(build):
    program = f"{build}/apps/gelenk/gelenk"

    def script(name, tries, *words, count="--count"):
        return [f"tools/torture/{name}.py", "--program", program, count, str(tries), *words]

    result = [Harness("kill", script("kill", 10), 10), Harness("memory", script("memory", 36, count="--points"), 36),
              Harness("full disk", script("full_disk", 30), 30)]
    result += [Harness(f"files: {kind}", script("files", tries, "--kind", kind), tries) for kind, tries in FILES.items()]
    result.append(Harness("hostile components", ["tests/hostile_components_test.py"], 1, has_seed=False, variables={
        "GELENK_PROGRAM": str(SOURCE / program), "GELENK_SOURCE_DIR": str(SOURCE),
        "GELENK_TEST_COMPONENTS": str(SOURCE / build / "tests/hosts")}))
    return result


def seed_of(seed, name, turn):
    """The same for the same words, on every computer."""
    return random.Random(f"{seed} {name} {turn}").randrange(1, 1_000_000)


def run_slice(harness, seed):
    """What is wrong, or nothing."""
    process = subprocess.Popen(harness.command(seed), cwd=SOURCE, env={**os.environ, **harness.variables}, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        printed, errors = process.communicate(timeout=SLICE_LIMIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"takes longer than {SLICE_LIMIT_S} s"
    return "" if process.returncode == 0 else errors.strip() or printed.strip() or f"ends with {process.returncode}"


def take_turn(harness, seed, run=run_slice, clock=time.monotonic):
    begun = clock()
    fault = run(harness, seed)
    harness.seconds += clock() - begun
    harness.slices += 1
    if fault:
        harness.faults += 1
        variables = [f"{name}={value}" for name, value in harness.variables.items()]
        harness.first = harness.first or shlex.join([*(["env"] if variables else []), *variables, *harness.command(seed)])
    return fault


def table(found):
    rows = [("harness", "tries", "faults", "seconds")]
    rows += [(one.name, str(one.slices * one.tries), str(one.faults), f"{one.seconds:.0f}") for one in found]
    return "\n".join(f"{name:<20} {tries:>7} {faults:>7} {seconds:>8}" for name, tries, faults, seconds in rows)


def torture(found, seconds, seed, run=run_slice, clock=time.monotonic):
    """Until the time is up."""
    end, turn = clock() + seconds, 0
    while clock() < end:
        for harness in found:
            if clock() >= end:
                break
            slice_seed = seed_of(seed, harness.name, turn)
            fault = take_turn(harness, slice_seed, run, clock)
            print(f"{harness.name}, seed {slice_seed}: {'FAULT: ' + fault if fault else 'good'}", flush=True)
        turn += 1


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", nargs="?", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", default="build/release", help="folder of the build, relative to the checkout")
    options = parser.parse_args(arguments)
    found = harnesses(options.build)
    torture(found, 60 * options.minutes, options.seed)
    print("\n" + table(found))
    for harness in found:
        if harness.first:
            print(f"{harness.name}, again: {harness.first}")
    return 1 if any(harness.faults for harness in found) else 0


if __name__ == "__main__":
    sys.exit(main())
