#!/usr/bin/env python3
"""Lets the disk be full at random places, and looks how the program ends.

full_disk.py --program build/release/apps/gelenk/gelenk --count 50 --seed 1

A disk is full by a limit on the size of files (RLIMIT_FSIZE), or because it is /dev/full; neither needs rights. Allowed are: there was
room enough; or exit code 4 and a sentence, the file that was there before is as it was, and one of results can be read or is refused in
words. Prints one row of a table; ends with 1 when something is wrong.
"""

import argparse
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
MODEL = SOURCE / "examples/four_bar/four_bar.yaml"
RUN = ["run", str(MODEL), "--duration", "0.2 s", "-q", "--force", "-o"]
OK, FILE_ERROR = 0, 4
TIMEOUT_S = 60
BEFORE = b"what was there before"
# What is called, and the file that it writes; without one it prints.
CALLS = {
    "run": ([*RUN, "out.h5"], "out.h5"),
    "csv": (["export", "run.h5", "--force", "-o", "out.csv"], "out.csv"),
    "glb": (["export", "run.h5", "--force", "-o", "out.glb"], "out.glb"),
    "print": (["export", "run.h5"], None),
    "info": (["info", "run.h5"], None),
    "check": (["check", str(MODEL)], None),
}


def fault_of(code, said):
    """What is wrong with an end, or nothing."""
    if code < 0:
        return f"ends by {signal.Signals(-code).name}"
    if code not in (OK, FILE_ERROR):
        return f"ends with {code}: {said.strip()[-200:]}"
    if code == FILE_ERROR and "error: " not in said:
        return "does not say why"
    return ""


class Bench:
    def __init__(self, program, folder):
        self.program = str(pathlib.Path(program).resolve())
        self.folder = pathlib.Path(folder)
        self.sizes = {}
        self.call([*RUN, "run.h5"])
        for name, (words, output) in CALLS.items():
            if output:
                self.call(words)
                self.sizes[name] = (self.folder / output).stat().st_size

    def call(self, words, limit=None, stdout=subprocess.PIPE):
        prepare = None if limit is None else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        return subprocess.run([self.program, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=stdout,
                              stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_S, preexec_fn=prepare, check=False)

    def one(self, name, dice):
        """Exit code, and what is wrong, or nothing."""
        words, output = CALLS[name]
        if output is None:
            with open("/dev/full", "w", encoding="utf-8") as full:
                result = self.call(words, stdout=full)
            fault = fault_of(result.returncode, result.stderr)
            return result.returncode, fault or ("does not notice" if result.returncode == OK else "")
        path = self.folder / output
        path.write_bytes(BEFORE)
        limit = dice.randrange(int(1.2 * self.sizes[name]))
        result = self.call(words, limit)
        fault = fault_of(result.returncode, result.stderr) or self.fault_of_file(path, result.returncode)
        return result.returncode, fault and f"{fault}, with room for {limit} bytes"

    def fault_of_file(self, path, code):
        if path.suffix == ".h5":
            info = self.call(["info", path.name]) if path.exists() else None
            if info and (info.returncode not in (OK, FILE_ERROR) or (code == OK and info.returncode != OK)):
                return f"leaves a file of which info says {info.returncode}: {info.stderr.strip()}"
        elif code != OK and path.read_bytes() != BEFORE:
            return "does not leave the file that was there"
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    refused, faults, begun = 0, [], time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.program, folder)
        for _ in range(options.count):
            name = dice.choice(list(CALLS))
            try:
                code, fault = bench.one(name, dice)
            except subprocess.TimeoutExpired:
                code, fault = None, "hangs"
            refused += code == FILE_ERROR
            if fault:
                faults.append(f"{name}: {fault}")
    print(f"| full disk | {options.count} tries | {refused} refused | {len(faults)} faults | {time.monotonic() - begun:.0f} s |")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
