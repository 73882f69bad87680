#!/usr/bin/env python3
"""Times the core beside a prototype of its kernels: compare_core.py BENCHMARK [--prototype FOLDER] [--repeat 3] [--core N].

BENCHMARK is the program bench/core_bench of a build folder. The programs of the prototype (t1, t7, t8, t9) are built with
the flags of the core and run in turn with ours, as often as --repeat says; the least time of each counts. Times are those of
the processor. Without --prototype the table has our column only. Ends with 1 when a check of ours failed.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FLAGS = ["-O3", "-std=c++20", "-ffp-contract=off", "-DNDEBUG", "-pthread", "-w"]
# The prototype measures with the clock on the wall; whatever else the machine does must not count.
CPU_CLOCK = "#include <time.h>\n#undef CLOCK_MONOTONIC\n#define CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID\n"
NUMBER = r"([-+.\deE]+)"
CHAIN_SIZES = (10, 100, 1000, 10000, 65536)

# title, our benchmark, which of its values (s), name of the prototype's value, largest ratio
ROWS = [
    *((f"chain {n}: evaluation per body, exact rows", f"evaluate_chain/{n}", "per_body", f"exact {n}", 1.6) for n in CHAIN_SIZES),
    *((f"chain {n}: evaluation per body, lean", f"evaluate_chain/{n}", "per_body", f"lean {n}", None) for n in CHAIN_SIZES),
    *((f"chain {n}: step per body, exact rows", f"step_chain/{n}", "per_body", f"exact step {n}", None) for n in CHAIN_SIZES),
    *((f"chain {n}: step per body, lean", f"step_chain/{n}", "per_body", f"lean step {n}", None) for n in CHAIN_SIZES),
    *((f"four-bars {n}: evaluation", f"evaluate_four_bars/{n}", "time", f"four-bars {n}", None) for n in (1, 10, 40)),
    *((f"four-bars {n}: 10 s, step 20 ms", f"run_four_bars/{n}/20", "time", f"four-bars run {n}", 1.6) for n in (1, 10, 40)),
    ("V6: evaluation", "evaluate_typical/engine_v6/6", "time", "V6", None),
    ("V6: 1 s, step 1 ms", "run_engine_v6/1000", "time", "V6 run", 1.6),
]
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
# What benchmarks/peers write for an error that is not a number.
NOT_FINITE = 1e300
# Counters that are no measure of accuracy.
OTHER_COUNTERS = {"per_body", "B_per_body", "bodies", "rows", "steps"}
STANDARD_KEYS = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations",
                 "real_time", "cpu_time"}


def read_ours(output):
    """Benchmark -> its values: time and per_body in s, and all other counters."""
    values = {}
    for entry in json.loads(output)["benchmarks"]:
        if entry.get("error_occurred"):
            values[entry["name"]] = {"failure": entry["error_message"]}
            continue
        row = {key: value for key, value in entry.items() if isinstance(value, float | int) and key not in STANDARD_KEYS}
        row["time"] = entry["cpu_time"] * SECONDS[entry["time_unit"]]
        values[entry["name"]] = row
    return values


def read_prototype(program, output):
    """The prototype's values by the names of ROWS, in s, and its accuracy as text."""
    times, accuracy = {}, {}
    if program == "t1":
        for n, value in re.findall(rf"N= *(\d+) ns/body:.*C1fused {NUMBER}", output):
            times[f"exact {n}"] = 1e-9 * float(value)
    elif program == "t7":
        for n, value in re.findall(rf"N= *(\d+) RK4\+2 proj: [^,]*, {NUMBER} ns/body/step", output):
            times[f"exact step {n}"] = 1e-9 * float(value)
    elif program == "t9":
        for n, value, step in re.findall(rf"N= *(\d+) lean C1 {NUMBER} ns/body; RK4\+2proj {NUMBER} us/step", output):
            times[f"lean {n}"] = 1e-9 * float(value)
            times[f"lean step {n}"] = 1e-6 * float(step) / int(n)
    elif program == "t8":
        bays = None
        for line in output.splitlines():
            if found := re.match(rf"P2 N=(\d+) W-form:.*; {NUMBER} us/eval", line):
                bays = found[1]
                times[f"four-bars {bays}"] = 1e-6 * float(found[2])
            elif found := re.search(rf"W RK4\+proj h=0\.020: .*\({NUMBER} us/step\) max\|dE\| {NUMBER} xerr {NUMBER}", line):
                times[f"four-bars run {bays}"] = 500 * 1e-6 * float(found[1])
                accuracy[f"four-bars run {bays}"] = f"energy_error {found[2]}, x_error {found[3]}"
            elif found := re.match(rf"V6 W-form.*; {NUMBER} us/eval", line):
                times["V6"] = 1e-6 * float(found[1])
            elif found := re.search(rf"V6 W h=1\.00e-03: .*\({NUMBER} us/step\) angle err {NUMBER} dE {NUMBER}", line):
                times["V6 run"] = 1000 * 1e-6 * float(found[1])
                accuracy["V6 run"] = f"angle_error {found[2]}, energy_error {found[3]}"
    return times, accuracy


# Program and whether it is built with the clock of the processor. t8 reads its clock twice a step, and that of the processor
# takes as long as a small step: both kinds of build run, and the least counts.
PROTOTYPE_PROGRAMS = (("t1", True), ("t7", True), ("t8", True), ("t8", False), ("t9", True))


def program_path(folder, name, counts_processor):
    return folder / (name if counts_processor else f"{name}_wall")


def build_prototype(folder, target):
    clock = target / "cpu_clock.h"
    clock.write_text(CPU_CLOCK)
    for name, counts_processor in PROTOTYPE_PROGRAMS:
        options = ["-include", str(clock)] if counts_processor else []
        command = ["g++", *FLAGS, *options, str(folder / f"{name}.cpp"), "-o", str(program_path(target, name, counts_processor))]
        subprocess.run(command, check=True)


def run(command, core):
    pin = (lambda: os.sched_setaffinity(0, {core})) if core is not None else None
    return subprocess.run(command, check=True, capture_output=True, text=True, preexec_fn=pin).stdout


def keep_least(best, new, keys):
    """Takes over what is new, but of the values under `keys` the least."""
    for name, row in new.items():
        old = best.setdefault(name, dict(row))
        for key in keys:
            if key in row and key in old:
                old[key] = min(old[key], row[key])
        if "failure" in row:
            best[name] = row


def run_ours(benchmark, pattern, core):
    """Only the benchmarks whose whole names match."""
    output = run([benchmark, "--benchmark_format=json", f"--benchmark_filter=^({pattern})$"], core)
    if not output:
        sys.exit(f"no benchmark has a whole name that matches '{pattern}'; {benchmark} --benchmark_list_tests has them all")
    return read_ours(output)


def time_text(seconds):
    if seconds is None:
        return "–"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def accuracy_text(row):
    errors = sorted((key, value) for key, value in row.items() if key not in OTHER_COUNTERS | {"time"})
    return ", ".join(f"{key} {value:.1e}" if value < NOT_FINITE else f"{key} not finite" for key, value in errors)


def print_table(ours, prototype, accuracy):
    has_prototype = bool(prototype)
    print("| what | ours | " + ("prototype | ratio | bar | " if has_prototype else "") + "our errors |"
          + (" its errors |" if has_prototype else ""))
    print("|---|---|" + ("---|---|---|" if has_prototype else "") + "---|" + ("---|" if has_prototype else ""))
    for title, name, key, other, bar in ROWS:
        row = ours.get(name)
        if row is None:
            continue
        if "failure" in row:
            cells = [title, "**failed**", *(["–", "–", "–"] if has_prototype else []), row["failure"]]
            print("| " + " | ".join(cells) + (" | – |" if has_prototype else " |"))
            continue
        cells = [title, time_text(row[key])]
        if has_prototype:
            there = prototype.get(other)
            cells += [time_text(there), f"{row[key] / there:.2f}" if there else "–", str(bar or "–")]
        cells.append(accuracy_text(row))
        if has_prototype:
            cells.append(accuracy.get(other, "–"))
        print("| " + " | ".join(cells) + " |")


def print_growth(ours):
    """How the time per body and the memory behave where a machine grows."""
    print("\n| machine | bodies | evaluation per body | step per body | memory per body: evaluation, run |\n|---|---|---|---|---|")
    for name, row in ours.items():
        if not name.startswith("evaluate_") or "failure" in row:
            continue
        step = ours.get(name.replace("evaluate_", "step_", 1), {})
        memory = [f"{r['B_per_body'] / 1000:.2f} kB" if "B_per_body" in r else "–" for r in (row, step)]
        print(f"| {name.removeprefix('evaluate_').removeprefix('typical/')} | {row['bodies']:.0f} | {time_text(row['per_body'])} | "
              f"{time_text(step.get('per_body'))} | {', '.join(memory)} |")
    large, small = (ours.get(f"evaluate_chain/{n}", {}).get("per_body") for n in (65536, 256))
    if large and small:
        print(f"\nChain of 65,536 against 256, time per body: {large / small:.2f} (bar 1.5).")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", help="bench/core_bench of a build folder")
    parser.add_argument("--prototype", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--only", default=".*", metavar="REGEX", help="benchmarks of ours with these whole names")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--core", type=int, help="processor to stay on")
    arguments = parser.parse_args()
    ours, prototype, accuracy = {}, {}, {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if arguments.prototype:
            build_prototype(arguments.prototype, folder)
        for _ in range(arguments.repeat):
            keep_least(ours, run_ours(arguments.benchmark, arguments.only, arguments.core), ("time", "per_body"))
            for program, counts_processor in PROTOTYPE_PROGRAMS if arguments.prototype else ():
                output = run([str(program_path(folder, program, counts_processor))], arguments.core)
                times, errors = read_prototype(program, output)
                accuracy.update(errors)
                for key, value in times.items():
                    prototype[key] = min(value, prototype.get(key, value))
    print_table(ours, prototype, accuracy)
    print_growth(ours)
    failures = [name for name, row in ours.items() if "failure" in row]
    for failure in failures:
        print(f"{failure}: {ours[failure]['failure']}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
