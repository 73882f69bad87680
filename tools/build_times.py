#!/usr/bin/env python3
"""What a build cost: the most expensive units and headers, totals by folder, and what changed since a stored run.

build_times.py LOG [--save FILE] [--compare FILE] [--headers BUILD_DIR] [--most N]

LOG has a line 'SECONDS OUTPUT' for every compilation and link (tools/cpu_time.sh writes it), in seconds of processor
time. --save keeps the totals as JSON, --compare prints them beside those of a stored run. --headers reads every unit
of BUILD_DIR once more with clang and adds up, for each header, the time that it and all it includes take.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

CLANG = "clang++-14"


def read_log(path):
    """output -> seconds; a line that is cut off (the build was killed) does not count."""
    seconds = {}
    for line in pathlib.Path(path).read_text().splitlines():
        words = line.split(maxsplit=1)
        if len(words) == 2 and re.fullmatch(r"\d+\.\d+", words[0]):
            seconds[words[1]] = float(words[0])
    return seconds


def unit_name(output):
    """'gelenk/cad/CMakeFiles/gelenk_cad.dir/Unity/unity_gelenk_cad_1_cxx.cxx.o' -> 'gelenk/cad: gelenk_cad_1'"""
    match = re.fullmatch(r"(.*)/CMakeFiles/([^/]+)\.dir/(?:Unity/unity_)?(.*?)(?:_cxx\.cxx)?\.o", output)
    return f"{match[1]}: {match[3]}" if match else f"link {output}"


def folder_of(output):
    """The folder that a file belongs to; tests of a layer count apart from it."""
    match = re.match(r"(.*?)/CMakeFiles/([^/]+)\.dir/", output)
    if not match:
        return "links"
    return match[1] + (" (tests)" if match[2].endswith("_test") and match[1].startswith("gelenk/") else "")


def summary(seconds):
    folders = collections.Counter()
    for output, value in seconds.items():
        folders[folder_of(output)] += value
    return {"total": sum(seconds.values()), "units": len(seconds), "folders": dict(folders),
            "dearest": sorted(((value, unit_name(output)) for output, value in seconds.items()), reverse=True)[:20]}


def clang_words(command):
    """The words of a compile command as clang takes them, without precompiled headers; None: it compiles no C++."""
    words = shlex.split(command)
    compiler = next((i for i, word in enumerate(words) if pathlib.Path(word).name in ("c++", "g++", "clang++-14")), None)
    if compiler is None or "verify_interface_header_sets" in command or "-x" in words:
        return None
    result = [CLANG]
    rest = iter(words[compiler + 1:])
    for word in rest:
        if word == "-include":
            next(rest)
        elif not word.startswith(("-W", "-fvect-cost-model", "-fno-tree-", "-fpch-")):
            result.append(word)
    return [*result, "-w", "-O0", "-ftime-trace", "-ftime-trace-granularity=0"]


def header_costs(build_dir):
    """header -> (seconds over all units, units that read it), by clang's trace of each unit."""
    entries = json.loads((build_dir / "compile_commands.json").read_text())
    entries = [entry for entry in entries if clang_words(entry["command"])]

    def trace(entry):
        with tempfile.TemporaryDirectory() as folder:
            command = clang_words(entry["command"])
            command[command.index("-o") + 1] = os.path.join(folder, "unit.o")
            run = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True, check=False)
            if run.returncode != 0:
                print(f"not counted: {entry['file']}: {run.stderr.splitlines()[0] if run.stderr else 'no reason given'}",
                      file=sys.stderr)
                return {}
            events = json.loads(pathlib.Path(folder, "unit.json").read_text())["traceEvents"]
        costs = collections.Counter()
        for event in events:
            if event.get("name") == "Source":
                costs[event["args"]["detail"]] += event["dur"] / 1e6
        return costs

    total, count = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for costs in pool.map(trace, entries):
            total.update(costs)
            count.update(costs.keys())
    return {header: (total[header], count[header]) for header in total}


def print_summary(result, most):
    print(f"{result['total'] / 60:.1f} minutes of processor time for {result['units']} compilations and links\n")
    print("seconds  folder")
    for folder, value in sorted(result["folders"].items(), key=lambda item: -item[1]):
        print(f"{value:7.1f}  {folder}")
    print("\nseconds  the most expensive units")
    for value, name in result["dearest"][:most]:
        print(f"{value:7.1f}  {name}")


def print_comparison(result, stored):
    print(f"\n{'before':>8} {'now':>8}  folder")
    folders = sorted(set(result["folders"]) | set(stored["folders"]), key=lambda name: -stored["folders"].get(name, 0.0))
    for folder in folders:
        print(f"{stored['folders'].get(folder, 0.0):8.1f} {result['folders'].get(folder, 0.0):8.1f}  {folder}")
    ratio = result["total"] / stored["total"] if stored["total"] else float("nan")
    print(f"{stored['total']:8.1f} {result['total']:8.1f}  all: {ratio:.2f} of before")


def print_headers(build_dir, root, most):
    print("\nseconds  units  the most expensive headers, with all that they include (clang, every unit read once)")
    costs = sorted(header_costs(build_dir).items(), key=lambda item: -item[1][0])
    for header, (value, count) in costs[:most]:
        print(f"{value:7.1f}  {count:5}  {os.path.relpath(header, root) if header.startswith(str(root)) else header}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log")
    parser.add_argument("--save")
    parser.add_argument("--compare")
    parser.add_argument("--headers", metavar="BUILD_DIR")
    parser.add_argument("--most", type=int, default=10)
    options = parser.parse_args()
    seconds = read_log(options.log)
    if not seconds:
        print(f"{options.log} has no times", file=sys.stderr)
        return 1
    result = summary(seconds)
    print_summary(result, options.most)
    if options.compare:
        print_comparison(result, json.loads(pathlib.Path(options.compare).read_text()))
    if options.headers:
        print_headers(pathlib.Path(options.headers).resolve(), pathlib.Path(__file__).resolve().parent.parent, options.most)
    if options.save:
        pathlib.Path(options.save).write_text(json.dumps(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
