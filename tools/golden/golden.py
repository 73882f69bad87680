#!/usr/bin/env python3
"""Runs every example, every verification problem, sealed components and resumed runs, and compares their numbers, bit for bit,
with what was stored. docs/golden.md explains it.

golden.py                                       what changed since the stored results
golden.py --accept 'examples/car/*' --why TEXT  store those as they are now, and the reason
golden.py --accept --all --why TEXT             store everything as it is now
golden.py --against PROGRAM                     compare with another program, here and now

Ends with 0 when nothing changed, with 1 when something changed, is new, is missing or is wrong, with 2 when not understood.
"""

import argparse
import contextlib
import pathlib
import sys
import tempfile
import time

import baseline
import cases
import comparing
import running
import sealed
import table

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def arguments_of(words):
    parser = argparse.ArgumentParser(prog="./dev golden", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the names of all cases")
    parser.add_argument("--only", action="append", default=[], metavar="GLOB", help="cases with matching names; may be repeated")
    parser.add_argument("--jobs", type=int, default=running.default_jobs(), metavar="N", help="runs at a time")
    parser.add_argument("--program", default=str(SOURCE / "build/release/apps/gelenk/gelenk"), metavar="PATH",
                        help="the program to run")
    parser.add_argument("--against", metavar="PROGRAM", help="run this program, too, and compare with it, not with what is stored")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the results files there, in a new or empty folder")
    parser.add_argument("--accept", nargs="*", metavar="NAME", help="store what these cases give now; globs are possible")
    parser.add_argument("--all", action="store_true", help="with --accept: every case")
    parser.add_argument("--why", default="", metavar="TEXT", help="with --accept: the reason, for the log")
    parser.add_argument("--tree", default=str(SOURCE), metavar="FOLDER", help="checkout with the models and the stored results")
    options = parser.parse_args(words)
    accepts = options.accept is not None
    if accepts and bool(options.accept) == options.all:
        parser.error("--accept needs names, or --all")
    if accepts and not options.why.strip():
        parser.error("--accept needs a reason: --why TEXT")
    if not accepts and (options.all or options.why):
        parser.error("--all and --why need --accept")
    if accepts and (options.against or options.only):
        parser.error("--accept cannot be combined with --against and --only")
    if options.keep and pathlib.Path(options.keep).exists() and any(pathlib.Path(options.keep).iterdir()):
        parser.error("--keep needs a new or empty folder")
    if options.jobs < 1:
        parser.error("--jobs must be 1 or more")
    return options


def compare_with_stored(stored, outcomes, patterns):
    """Entries for the table: (name, verdict, sentences)."""
    entries = []
    for outcome in outcomes:
        before = stored.records.get(outcome.name)
        if outcome.fault:
            entries.append((outcome.name, "wrong", [outcome.fault]))
        elif before is None:
            entries.append((outcome.name, "new", []))
        else:
            different = comparing.differences(before, outcome.record)
            entries.append((outcome.name, "changed" if different else "same", different))
    ran = {outcome.name for outcome in outcomes}
    return entries + [(name, "missing", []) for name in cases.chosen(stored.records, patterns) if name not in ran]


def compare_programs(outcomes, others):
    entries = []
    for mine, other in zip(outcomes, others):
        fault = mine.fault or (f"of the other program: {other.fault}" if other.fault else "")
        different = [] if fault else comparing.differences(other.record, mine.record)
        if different and mine.record.blocks and other.record.blocks:
            different = comparing.file_differences(other.file, mine.file) or different
        entries.append((mine.name, "wrong" if fault else "changed" if different else "same", [fault] if fault else different))
    return entries


def accept(tree, stored, outcomes, entries, options, here):
    is_wrong = any(verdict == "wrong" for _, verdict, _ in entries)
    moves = stored.made_with != here
    if moves and stored.made_with and (is_wrong or not options.all):
        print(table.other_machine(stored.made_with, here))
        print("Nothing is stored: results of two kinds of machines do not mix. Accept there, or everything here with --all.")
        return 2
    by_name = {outcome.name: outcome for outcome in outcomes}
    names = [name for name, verdict, _ in entries if verdict in ("changed", "new", "missing")]
    for name in names:
        if name in by_name:
            stored.records[name] = by_name[name].record
        else:
            del stored.records[name]
    if names or (moves and options.all):
        stored.made_with = here
        baseline.store(tree, stored, names, options.why)
        print(f"{len(names)} stored in {baseline.FILE}, the reason in {baseline.LOG}")
    return 1 if is_wrong else 0


def main(words=None):
    options, begun = arguments_of(words), time.monotonic()
    tree = pathlib.Path(options.tree).resolve()
    found = cases.find(tree, sealed.durations(tree))
    patterns = options.accept or options.only
    chosen = [found[name] for name in cases.chosen(found, patterns)]
    stored = baseline.load(tree)
    if not chosen and not cases.chosen(stored.records, patterns):
        print("no case has such a name; ./dev golden --list shows them", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(case.name for case in chosen))
        return 0
    here = baseline.made_with(options.program)
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(options.keep or stack.enter_context(tempfile.TemporaryDirectory())).resolve()
        runner = running.Runner(options.program, folder, tree, keeps_files=bool(options.keep or options.against))
        outcomes = running.run_all(runner, chosen, options.jobs)
        if options.against:
            other = running.Runner(options.against, folder / "against", tree)
            entries = compare_programs(outcomes, running.run_all(other, chosen, options.jobs))
        else:
            entries = compare_with_stored(stored, outcomes, patterns)
    print(table.report(entries, outcomes, time.monotonic() - begun))
    if options.accept is not None:
        return accept(tree, stored, outcomes, entries, options, here)
    is_same = all(verdict == "same" for _, verdict, _ in entries)
    if not options.against and stored.made_with != here:
        print(table.other_machine(stored.made_with, here))
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
