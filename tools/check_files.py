#!/usr/bin/env python3
"""Checks what no compiler sees: the length of source files, and texts that do not belong into the repository.

Reads the paths of all files from standard input, one a line, relative to the root given as the only argument.
"""

import pathlib
import re
import statistics
import sys

LINE_LIMIT = 500
SOURCE_SUFFIXES = {".h", ".cc", ".py", ".sh", ".cmake", ".ts", ".js", ".mjs"}
ALLOWANCES = "tools/large_files.txt"

# The character classes keep this file from finding itself.
FORBIDDEN_TEXTS = [
    (re.compile(r"(?<![\w.)}])/(?:wor[k]|hom[e]|roo[t])/"), "names a path of somebody's machine"),
    (re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X])\b"), "is unfinished; finish it, or open an issue"),
    (re.compile(r"^(?:<{7}|>{7}) "), "is left over from a merge"),
]


# Files of others that tests read; see SOURCES.md there.
DATA = "tests/data/"


def read_text(path):
    """The text of a file, or None when it is not text (pictures, fuzz seeds, broken models)."""
    data = path.read_bytes()
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def read_allowances(root):
    path = root / ALLOWANCES
    lines = path.read_text().splitlines() if path.exists() else []
    entries = (line.split(None, 1) for line in lines if line.strip() and not line.startswith("#"))
    return {entry[0]: entry[1] if len(entry) > 1 else "" for entry in entries}


def check_lengths(texts, allowances):
    errors = []
    lengths = {name: text.count("\n") for name, text in texts.items() if pathlib.PurePath(name).suffix in SOURCE_SUFFIXES}
    for name, length in lengths.items():
        if length > LINE_LIMIT and not allowances.get(name):
            errors.append(f"{name}: {length} lines; split it, or give a reason in {ALLOWANCES}")
    for name in allowances:
        if lengths.get(name, 0) <= LINE_LIMIT:
            errors.append(f"{ALLOWANCES}: {name} is not longer than {LINE_LIMIT} lines (any more)")
    if lengths:
        longest = sorted(lengths, key=lengths.get, reverse=True)[:5]
        print(f"{len(lengths)} source files, {sum(lengths.values())} lines, median {statistics.median(lengths.values()):g};"
              f" longest: " + ", ".join(f"{name} ({lengths[name]})" for name in longest))
    return errors


def check_texts(texts):
    errors = []
    for name, text in texts.items():
        if name.startswith(DATA):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, reason in FORBIDDEN_TEXTS:
                found = pattern.search(line)
                if found:
                    errors.append(f"{name}:{number}: '{found.group().strip()}' {reason}")
    return errors


def check(root, names):
    texts = {}
    for name in names:
        text = read_text(root / name)
        if text is not None:
            texts[name] = text
    return check_lengths(texts, read_allowances(root)) + check_texts(texts)


def main():
    root = pathlib.Path(sys.argv[1])
    errors = check(root, [line.rstrip("\n") for line in sys.stdin])
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
