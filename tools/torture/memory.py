#!/usr/bin/env python3
"""Lets single allocations fail, or all from one on, and looks how the program ends.

memory.py --program build/release/apps/gelenk/gelenk --points 200 --seed 1 [--verb run]

Allowed are: nobody noticed, and the result is as ever; or exit code 4 and "not enough memory". A crash, a hang, another code, no
message, a file of results that cannot be read, or another result is a fault. Prints one row of a table; ends with 1 when there is a
fault. The allocations of all libraries count, too: tools/torture/fail_allocation.c, which a C compiler makes ready first.
"""

import argparse
import collections
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

TOOLS = pathlib.Path(__file__).resolve().parent
SOURCE = TOOLS.parent.parent
CRANK_SLIDER = SOURCE / "examples/crank_slider/crank_slider.yaml"
ENGINE = SOURCE / "tests/data/cad/steam_engine.step"
OK, MEMORY, INTERRUPTED = 0, 4, 130
TIMEOUT_S = 60
MESSAGE = "not enough memory"
# Drawings are read by a program of its own. What its libraries do without memory ends there, and is reported.
REPORTED_BY_READER = "error: "


class Verb:
    """What is called, and the file that it writes."""

    def __init__(self, *words, output=None, compared=True, waits=False, message=MESSAGE):
        self.words = [str(word) for word in words]
        self.output = output
        self.compared = compared  # whether the file is the same every time
        self.waits = waits        # until it is interrupted
        self.message = message    # of a failure


VERBS = {
    "run": Verb("run", CRANK_SLIDER, "--duration", "0.1 s", "-o", "out.h5", "--force", "-q", output="out.h5", compared=False),
    "check": Verb("check", CRANK_SLIDER),
    "import": Verb("import", ENGINE, "-o", "imported", output="imported/steam_engine.cad.yaml",
                   message=REPORTED_BY_READER),
    "verify": Verb("verify", "run.h5"),
    "info": Verb("info", "run.h5"),
    "plot": Verb("plot", "run.h5"),
    "export": Verb("export", "run.h5", "-o", "out.csv", "--force", output="out.csv"),
    "glb": Verb("export", "run.h5", "-o", "out.glb", "--force", output="out.glb"),
    "view": Verb("view", "run.h5", "--no-browser", waits=True),
}


class Bench:
    def __init__(self, program, folder):
        self.program = str(pathlib.Path(program).resolve())
        self.folder = pathlib.Path(folder)
        self.library = self.folder / "fail_allocation.so"
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", TOOLS / "fail_allocation.c", "-o", self.library,
                        "-ldl"], check=True)
        subprocess.run([self.program, "run", CRANK_SLIDER, "--duration", "0.1 s", "-o", "run.h5", "-q"], cwd=self.folder,
                       check=True)

    def call(self, verb, **variables):
        """Exit code (None: it had to be killed), messages, and what was made."""
        output = self.folder / verb.output if verb.output else None
        if output and output.parent != self.folder:
            subprocess.run(["rm", "-rf", output.parent], check=True)
        elif output:
            output.unlink(missing_ok=True)
        process = subprocess.Popen([self.program, *verb.words], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, "LD_PRELOAD": str(self.library), **variables})
        try:
            if verb.waits:
                process.stdout.readline()  # its address, or nothing when it has ended
                process.send_signal(signal.SIGINT)
            printed, errors = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None, "", ""
        code = OK if verb.waits and process.returncode == INTERRUPTED else process.returncode
        made = output.read_bytes() if output and verb.compared and output.exists() else b""
        return code, printed + errors, (printed if not verb.waits and not verb.output else "", made)

    def count(self, verb):
        """Allocations of the program when nothing fails, and what it makes then."""
        report = self.folder / "count"
        report.unlink(missing_ok=True)
        code, text, made = self.call(verb, GELENK_FAIL_AT="0", GELENK_FAIL_REPORT=str(report))
        if code != OK:
            raise SystemExit(f"gelenk {' '.join(verb.words)} fails by itself: {code}\n{text}")
        counts = [int(line.split()[1]) for line in report.read_text().splitlines() if line.split()[0].startswith("gelenk")]
        return max(counts), made

    def fault(self, verb, code, text, made, expected):
        """What is wrong with this end, or nothing."""
        if code is None:
            return "hangs"
        if code < 0:
            return f"ends by {signal.Signals(-code).name}"
        if code not in (OK, MEMORY):
            return f"ends with {code}: {text.strip()[-200:]}"
        if code == MEMORY and verb.message not in text:
            return f"does not say why: {text.strip()[-200:]}"
        if code == OK and made != expected:
            return "makes something else"
        if verb.output == "out.h5" and (self.folder / "out.h5").exists():
            info = subprocess.run([self.program, "info", "out.h5"], cwd=self.folder, capture_output=True, text=True,
                                  timeout=TIMEOUT_S, check=False)
            if info.returncode not in (OK, 4) or (code == OK and info.returncode != OK):
                return f"leaves a file of which info says {info.returncode}: {info.stderr.strip()}"
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--points", type=int, default=200, help="failures, shared out among the verbs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verb", choices=sorted(VERBS), action="append", help="only this one")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    verbs = options.verb or list(VERBS)
    ends, faults = collections.Counter(), []
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.program, folder)
        for number, name in enumerate(verbs):
            verb = VERBS[name]
            total, expected = bench.count(verb)
            share = options.points // len(verbs) + (number < options.points % len(verbs))
            for _ in range(share):
                point = dice.randint(1, total)
                variables = {"GELENK_FAIL_AT": str(point)}
                if dice.random() < 0.5:
                    variables["GELENK_FAIL_ALL"] = "1"
                code, text, made = bench.call(verb, **variables)
                ends["absorbed" if code == OK else "reported"] += 1
                fault = bench.fault(verb, code, text, made, expected)
                if fault:
                    faults.append(f"{name}, {' '.join(f'{key}={value}' for key, value in variables.items())}: {fault}")
    print(f"| memory | {options.points} points of {len(verbs)} verbs | {ends['absorbed']} absorbed, {ends['reported'] - len(faults)} reported "
          f"| {len(faults)} faults | {time.monotonic() - begun:.0f} s |")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
