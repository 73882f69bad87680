#!/usr/bin/env python3
"""Imports every CAD file and robot of a folder, prints what was understood, and compares it with what people judged.

    tools/cad_bench.py FOLDER [--program build/release/apps/gelenk/gelenk] [--set tune|unseen] [--joints HOW]
                       [--truth FOLDER] [--json FILE] [--only GLOB]

Beside NAME.step (or in the folder of --truth) may be NAME.truth.json, written by hand or by a script that knows the joints
of the file:

    {"set": "unseen", "note": "a press with two columns", "ground": "frame", "usable": true,
     "joints": [["frame", "ram", "prismatic"], ["frame", "column", "fixed"]]}

Names are those of the model; a part inside a sub-assembly counts as its body. "any" as a type accepts every type, and
"cylindrical|revolute" either. "maybe": pairs that may be there or not and count nowhere. Only pairs of bodies that the truth
names are judged: a joint between others counts as false, unless "partial" is true.

It prints: parts, joints by type and certainty, free motions, pairs that hang on nothing, time and memory; then pairs found,
precision, recall, both for pairs and for pairs with the right type, the same for joints that move, and how many of those
called sure are wrong. Files and their truth stay outside the project.
"""

import argparse
import collections
import fnmatch
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ENDINGS = {".step", ".stp", ".fcstd", ".urdf"}
ROOT = pathlib.Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", default=str(ROOT / "build/release/apps/gelenk/gelenk"))
    parser.add_argument("--truth", type=pathlib.Path, help="folder of the truth files; default beside the files")
    parser.add_argument("--set", help="only files whose truth is of this set")
    parser.add_argument("--joints", default="", help="handed to `gelenk import`, for files that have a truth")
    parser.add_argument("--only", default="*", help="only files with matching paths")
    parser.add_argument("--list", type=pathlib.Path, help="only the files that it names, one a line, as seen from the folder")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for each file")
    parser.add_argument("--json", type=pathlib.Path, help="writes everything there")
    return parser.parse_args()


def truth_of(file, options):
    if options.truth is None:
        path = file.with_suffix(".truth.json")
    else:
        path = options.truth / (str(file.relative_to(options.folder).with_suffix("")).replace("/", "__") + ".truth.json")
    return json.loads(path.read_text()) if path.exists() else None


def imported(file, how, options):
    """The report of the import, or the reason why there is none; seconds of processor time; peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        command = [options.program, "import", str(file), "-o", folder, "--json"] + (["--joints", how] if how else [])
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = time.monotonic()
        try:
            ran = subprocess.run(command, capture_output=True, text=True, timeout=options.limit)
        except subprocess.TimeoutExpired:
            return None, f"more than {options.limit:g} s", options.limit, 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        memory = after.ru_maxrss / 1024
        try:
            report = json.loads(ran.stdout)
        except ValueError:
            report = None
        if report is None or "import" not in report:
            return None, f"exit code {ran.returncode}: {complaint(ran)}", used, memory
        report["exit"], report["wall"] = ran.returncode, time.monotonic() - begun
        if ran.returncode != 0:
            report["trouble"] = complaint(ran)
        return report, "", used, memory


def complaint(ran):
    lines = (ran.stderr + ran.stdout).strip().splitlines() or ["nothing said"]
    return next((line for line in lines if "error" in line), lines[-1])


def bodies_of(between):
    return frozenset(name.split(".")[0] for name in between)


def judge(report, truth):
    """Counts of one file: pairs and types as they are, and as they should be."""
    wanted = {frozenset(entry[:2]): entry[2].split("|") for entry in truth["joints"]}
    maybe = {frozenset(entry[:2]) for entry in truth.get("maybe", [])}
    known = {name for pair in wanted for name in pair}
    # Fasteners and parts that only hang on something are not what is judged.
    found = {}
    for joint in report["import"]["joints"]:
        pair = bodies_of(joint["between"])
        if joint.get("reason") == "fastener" or len(pair) != 2:
            continue
        if joint["origin"] == "assumed" and pair not in wanted:
            continue
        found.setdefault(pair, joint)
    count = collections.Counter(wanted=len(wanted))
    wrong = []
    for pair, joint in found.items():
        if pair in maybe or (truth.get("partial") and (pair not in wanted and not pair <= known)):
            continue
        types = wanted.get(pair)
        is_right = types is not None and ("any" in types or joint["type"] in types)
        count["found"] += 1
        count["pair"] += types is not None
        count["both"] += is_right
        if joint["type"] != "fixed":
            count["found_moving"] += 1
            count["both_moving"] += is_right
        if joint["certainty"] == "sure":
            count["sure"] += 1
            count["sure_wrong"] += not is_right
        if not is_right:
            wrong.append(f"{'-'.join(sorted(pair))}: {joint['type']} ({joint['certainty']}), not "
                         f"{'/'.join(types) if types else 'there'}")
    for pair, types in wanted.items():
        if types != ["fixed"]:
            count["wanted_moving"] += 1
        if pair not in found:
            wrong.append(f"{'-'.join(sorted(pair))}: missing, {'/'.join(types)}")
    count["usable"] = not wrong
    return count, wrong


def row_of(file, report, used, memory, options):
    about = report["import"]
    types = collections.Counter(joint["type"] for joint in about["joints"])
    sure = collections.Counter(joint["certainty"] for joint in about["joints"])
    kinds = " ".join(f"{name[:4]}{number}" for name, number in sorted(types.items()))
    levels = "/".join(str(sure[level]) for level in ("sure", "look", "guess", "assumed"))
    assembly = report.get("assembly") or {}
    free = assembly.get("freeMotions", "-")
    return [str(file.relative_to(options.folder))[-46:], about["parts"], about["bodies"], kinds, levels, free,
            len(about["held"]), f"{used:.1f}", f"{memory:.0f}", "" if report["exit"] == 0 else "not usable"]


def print_table(rows):
    heads = ["file", "parts", "bodies", "joints", "sure/look/guess/assumed", "free", "held", "CPU s", "MB", ""]
    widths = [max(len(str(row[i])) for row in [heads] + rows) for i in range(len(heads))]
    for row in [heads] + rows:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())


def part_of(a, b):
    return f"{a} of {b}" + (f" ({100.0 * a / b:.0f} %)" if b else "")


def print_judgement(total, files):
    print(f"\njudged        {files} files, {total['wanted']} joints; usable without correction: {part_of(total['usable'], files)}")
    print(f"pairs         recall {part_of(total['pair'], total['wanted'])}, precision {part_of(total['pair'], total['found'])}")
    print(f"pair and type recall {part_of(total['both'], total['wanted'])}, precision {part_of(total['both'], total['found'])}")
    print(f"moving        recall {part_of(total['both_moving'], total['wanted_moving'])}, "
          f"precision {part_of(total['both_moving'], total['found_moving'])}")
    print(f"sure, wrong   {part_of(total['sure_wrong'], total['sure'])}")


def main():
    options = arguments()
    every = ([options.folder / line for line in options.list.read_text().splitlines() if line] if options.list
             else options.folder.rglob("*"))
    files = sorted(path for path in every
                   if path.suffix.lower() in ENDINGS and fnmatch.fnmatch(str(path.relative_to(options.folder)), options.only))
    rows, failures, everything, total, judged = [], [], [], collections.Counter(), 0
    for file in files:
        truth = truth_of(file, options)
        if options.set and (truth is None or truth.get("set") != options.set):
            continue
        report, reason, used, memory = imported(file, options.joints if truth else "", options)
        name = str(file.relative_to(options.folder))
        if report is None:
            failures.append(f"{name}: {reason}")
            everything.append({"file": name, "error": reason})
            if truth:
                judged += 1
                total += collections.Counter(wanted=len(truth["joints"]))
            continue
        if report["exit"] != 0:
            failures.append(f"{name}: exit code {report['exit']}: {report['trouble']}")
        rows.append(row_of(file, report, used, memory, options))
        entry = {"file": name, "row": rows[-1], "report": report}
        if truth:
            judged += 1
            count, entry["wrong"] = judge(report, truth)
            total += count
            entry["judgement"] = count
        everything.append(entry)
        print(f"{len(rows) + len(failures)}: {name} {used:.1f} s", file=sys.stderr)
    print_table(rows)
    print(f"\n{len(rows)} imported, {len(failures)} not or not usable")
    print("\n".join("  " + failure for failure in failures))
    for entry in everything:
        if entry.get("wrong"):
            print(f"\n{entry['file']}\n" + "\n".join("  " + line for line in entry["wrong"]))
    if judged:
        print_judgement(total, judged)
    if options.json:
        options.json.write_text(json.dumps(everything))


if __name__ == "__main__":
    main()
