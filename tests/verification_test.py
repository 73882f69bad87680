#!/usr/bin/env python3
"""Runs the published problems in tests/verification and compares them with their references.

    verification_test.py [NAME...]     those problems only, or all
    verification_test.py --write       writes docs/verification.md anew, too
"""

import argparse
import concurrent.futures
import os
import pathlib
import sys

from verification import measure, page, problem

SOURCE = pathlib.Path(os.environ.get("GELENK_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent))
PROGRAM = os.environ.get("GELENK_PROGRAM", str(SOURCE / "build/release/apps/gelenk/gelenk"))
PAGE = SOURCE / "docs/verification.md"
WRITTEN = [SOURCE / "tests/verification/linkages.md", SOURCE / "tests/verification/not_covered.md"]
RUNS_AT_A_TIME = 2


def show(outcome):
    verdict = "ok" if outcome.is_good else "MISSED"
    print(f"{outcome.problem.name}: {verdict}, {outcome.seconds:.1f} s")
    if outcome.failure:
        print(f"    {outcome.failure}")
    for comparison in outcome.comparisons:
        mark = "  " if comparison.is_good else "! "
        name = comparison.quantity.name + (f" [{comparison.component}]" if comparison.component else "")
        print(f"  {mark}{name:44} t = {comparison.time:<9.6g} reference {comparison.reference:<20.14g} "
              f"ours {comparison.ours:<20.14g} error {comparison.error:.1e} of {comparison.tolerance:.1e}")
    sys.stdout.flush()


def run(problems):
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(RUNS_AT_A_TIME) as pool:
        for outcome in pool.map(lambda item: measure.measure(PROGRAM, item), problems):
            show(outcome)
            outcomes.append(outcome)
    return outcomes


def page_complaints(problems):
    """The committed page must speak of the same problems and quantities as the data."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    shown, wanted = page.listed(text), page.expected(problems)
    return ([f"{PAGE.name} does not show {title}: {name}" for title, name in sorted(wanted - shown)]
            + [f"{PAGE.name} still shows {title}: {name}" for title, name in sorted(shown - wanted)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()

    everything = problem.load_all()
    chosen = [item for item in everything if not options.names or item.name in options.names]
    if len(chosen) < len(options.names) or (options.write and options.names):
        parser.error("unknown problem, or --write with only some of them")
    outcomes = run(chosen)

    if options.write:
        written = [path.read_text(encoding="utf-8") for path in WRITTEN]
        PAGE.write_text(page.render(outcomes, *written), encoding="utf-8")
    complaints = [f"{name} belongs to no problem" for name in problem.unused_models(everything)]
    if not options.names:
        complaints += page_complaints(everything)
    for complaint in complaints[:20]:
        print(complaint)
    bad = sum(not outcome.is_good for outcome in outcomes)
    print(f"{len(outcomes) - bad} of {len(outcomes)} problems reach their references")
    return 1 if bad or complaints or not outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
