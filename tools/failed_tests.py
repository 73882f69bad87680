"""failed_tests.py RESULTS.xml...: prints the tests that failed and the end of what each of them said.

The files are those that ctest writes. A log that was cut keeps its end, so this is what a long run prints last.
"""
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

MOST_LINES = 25
MOST_WIDTH = 200
FAILED = ("fail", "timeout")


def end_of(text):
    """The last lines of a text, each cut to a readable width."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    cut = [f"({len(lines) - MOST_LINES} lines before)"] if len(lines) > MOST_LINES else []
    return [line[:MOST_WIDTH] for line in cut + lines[-MOST_LINES:]]


def failures(path):
    """Name and last lines of every failed test in one file."""
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.get("status") in FAILED or case.find("failure") is not None:
            yield case.get("name"), end_of(case.findtext("system-out") or "")


def main(paths):
    for path in paths:
        for name, lines in failures(path):
            print(f"\nfailed: {name} ({pathlib.Path(path).parent.name})")
            for line in lines:
                print(f"  {line}")


if __name__ == "__main__":
    main(sys.argv[1:])
