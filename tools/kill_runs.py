#!/usr/bin/env python3
"""Kills runs of the examples at random times and resumes them: kill_runs.py PROGRAM [KILLS] [SEED].

Every run must end in the same state and the same recorded rows as one that was left alone. Prints a table; ends with 1 when a run
does not.
"""

import os
import pathlib
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent


def main():
    os.environ["GELENK_PROGRAM"] = sys.argv[1]
    os.environ["GELENK_SOURCE_DIR"] = str(SOURCE)
    sys.path.insert(0, str(SOURCE / "tests"))
    import resume_support

    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    per_case = -(-kills // len(resume_support.CASES))
    print("| run | kills | runs they hit | continued from a checkpoint | begun anew, no file yet | same bits |\n|---|---|---|---|---|---|")
    is_good = True
    for number, case in enumerate(resume_support.CASES):
        with tempfile.TemporaryDirectory() as folder:
            killed = resume_support.Killed(folder, case, "20 ms", seed + number)
            killed.reference()
            same = killed.run(per_case)
            is_good = is_good and same
            print(f"| {case} | {killed.kills} | {killed.runs} | {killed.from_checkpoint} | {killed.started_again} "
                  f"| {'yes' if same else 'NO'} |", flush=True)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
