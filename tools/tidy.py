#!/usr/bin/env python3
"""clang-tidy over translation units, in parallel, without repeating itself.

tidy.py BUILD_DIR < FILES: paths relative to the checkout, one a line; a header stands for one file that includes it.
A unit that was clean is not looked at again until its preprocessed text or .clang-tidy changes: seconds become tenths.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys

CLANG_TIDY = "clang-tidy-14"
# The compile commands are those of g++, whose warnings clang does not all know.
EXTRA_ARGUMENTS = ["--quiet", "--extra-arg=-Wno-unknown-warning-option"]
UNKNOWN_TO_CLANG = ("-fvect-cost-model=", "-fpch-preprocess")


def read_commands(build_dir):
    """file -> (folder, command) for what is compiled in this build; fuzzers, for example, are not."""
    entries = json.loads((build_dir / "compile_commands.json").read_text())
    return {entry["file"]: (entry["directory"], shlex.split(entry["command"])) for entry in entries}


def write_commands(folder, commands):
    """The commands as clang understands them."""
    folder.mkdir(exist_ok=True)
    entries = [{"directory": directory, "file": file,
                "arguments": [argument for argument in command if not argument.startswith(UNKNOWN_TO_CLANG)]}
               for file, (directory, command) in commands.items()]
    (folder / "compile_commands.json").write_text(json.dumps(entries))


def unit_of(root, name, commands):
    """The translation unit that shows a file: itself, the .cc of a header, or else the first unit that includes it."""
    if not name.endswith(".h"):
        return str(root / name)
    own = str(root / name[:-2]) + ".cc"
    if own in commands:
        return own
    line = f'#include "{name}"'
    # Units that are generated need not be there: nothing is built here.
    units = (pathlib.Path(unit) for unit in sorted(commands))
    return next((str(unit) for unit in units if unit.exists() and line in unit.read_text(errors="replace")), None)


def fingerprint(root, folder, command):
    """Of all that the verdict depends on: the unit with its headers and comments (NOLINT), and the configuration."""
    arguments = command[1:] if pathlib.Path(command[0]).name == "ccache" else command[:]
    output = arguments.index("-o")
    del arguments[output:output + 2]
    arguments = [argument for argument in arguments if argument not in ("-c", "-MD")] + ["-E", "-C"]
    text = subprocess.run(arguments, cwd=folder, capture_output=True, check=True).stdout
    return hashlib.sha256(text + (root / ".clang-tidy").read_bytes() + shlex.join(command).encode()).hexdigest()


def tidy(root, build_dir, unit, folder, command):
    """(what clang-tidy complains about, was the answer remembered)"""
    try:
        stamp = build_dir / "tidy" / fingerprint(root, folder, command)
    except subprocess.CalledProcessError as error:
        return error.stderr.decode(errors="replace"), False
    if stamp.exists():
        return "", True
    run = subprocess.run([CLANG_TIDY, *EXTRA_ARGUMENTS, "-p", str(build_dir / "tidy"), unit], capture_output=True, text=True,
                         check=False)
    if run.returncode != 0:
        return run.stdout or run.stderr, False
    stamp.touch()
    return "", False


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    build_dir = pathlib.Path(sys.argv[1]).resolve()
    commands = read_commands(build_dir)
    write_commands(build_dir / "tidy", commands)
    units = sorted({unit_of(root, line.strip(), commands) for line in sys.stdin} & set(commands))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda unit: tidy(root, build_dir, unit, *commands[unit]), units))
    complaints = [text for text, _ in results if text]
    for text in complaints:
        print(text)
    remembered = sum(known for _, known in results)
    print(f"{len(units)} translation units, {remembered} unchanged since they were clean, {len(complaints)} with complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
