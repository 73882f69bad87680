#!/usr/bin/env python3
"""Feeds broken files to the program: step and fcstd drawings, urdf robots and their meshes, gkc components, yaml models, h5 results.

files.py --program build/release/apps/gelenk/gelenk --kind step --count 300 --seed 1

Every file must end in a documented exit code and a sentence, in time, and leave nothing behind: no file outside of the folder that was
named, no process. A reader that crashes in its sandbox is reported and counted, but is not a fault. Prints one row of a table; ends with 1 when
something is wrong, and says which seed it was: mutate.py makes the same file again.
"""

import argparse
import collections
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import mutate

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
TIMEOUT_S = 60
READER_LIMIT_S = 15
DYING_S = 0.5  # what was killed may take a moment
OK = 0
REFUSED = (1, 3, 4)  # failed, model error, file error: what a broken file may end in
TETRAHEDRON = (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
               b"solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
               b"facet normal 0 1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid t\n")
ROBOT = ('<robot name="r"><link name="a"><visual><geometry><mesh filename="{}"/></geometry></visual></link></robot>')


class Kind:
    """How files of a kind are called, which sound ones there are, and what is done with them."""

    def __init__(self, ending, samples, *commands):
        self.ending = ending
        self.samples = samples
        self.commands = commands

    def arguments(self, command, name):
        return [word.format(name) for word in command.split()]


IMPORT = f"import {{}} -o out --time-limit {READER_LIMIT_S}"
KINDS = {
    "step": Kind(".step", ["tests/data/cad/steam_engine.step", "tests/data/cad/joint_zoo.step"], IMPORT),
    "fcstd": Kind(".FCStd", ["tests/data/cad/steam_engine.FCStd"], IMPORT),
    "urdf": Kind(".urdf", ["tests/data/robots/double_pendulum.urdf", "tests/data/robots/ur5.urdf"], IMPORT),
    "mesh": Kind("", [], IMPORT),
    "gkc": Kind(".gkc", ["tests/data/format_1_0.gkc", "tests/data/interface_1_0.gkc"], "verify {}", "info {}"),
    "yaml": Kind(".yaml", ["examples/four_bar/four_bar.yaml", "examples/crank_slider/crank_slider.yaml",
                           "examples/double_pendulum/double_pendulum.yaml"], "check {}"),
    "h5": Kind(".h5", [], "info {}", "verify {}"),
}


class Folder:
    """What a run may see: its file, a folder to work in, and a home and a place for temporary files, both to stay empty."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        for name in ("given", "work", "home", "tmp"):
            (self.path / name).mkdir()

    def environment(self):
        return {**os.environ, "HOME": str(self.path / "home"), "XDG_CONFIG_HOME": str(self.path / "home"),
                "TMPDIR": str(self.path / "tmp")}

    def strays(self):
        found = [path for path in self.path.rglob("*") if not path.is_dir() or path.is_symlink()]
        inside = (self.path / "given", self.path / "work/out")
        return [path for path in found if not any(place in path.parents for place in inside)]


def processes_of(session):
    """Those that a run has left; it is a session of its own."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(words[3]) == session and words[0] not in "ZX":
            found.append(int(path.parent.name))
    return found


class Torture:
    def __init__(self, program, kind, seed):
        self.program = str(pathlib.Path(program).resolve())
        self.kind = kind
        self.seed = seed
        self.ends = collections.Counter()
        self.faults = []

    def samples(self, folder):
        if self.kind == "mesh":
            return [("mesh.obj", TETRAHEDRON[0]), ("mesh.stl", TETRAHEDRON[1])]
        if self.kind == "h5":
            path = pathlib.Path(folder) / "sample.h5"
            subprocess.run([self.program, "run", "-q", str(SOURCE / "examples/four_bar/four_bar.yaml"), "-o", str(path),
                            "--duration", "50 ms"], check=True, timeout=TIMEOUT_S, stdin=subprocess.DEVNULL)
            return [("sample.h5", path.read_bytes())]
        return [(pathlib.Path(name).name, (SOURCE / name).read_bytes()) for name in KINDS[self.kind].samples]

    def run(self, count):
        with tempfile.TemporaryDirectory() as folder:
            samples = self.samples(folder)
            for number in range(count):
                seed = self.seed + number
                name, data = samples[number % len(samples)]
                self.one_file(name, mutate.mutated(data, self.kind, seed), seed)

    def one_file(self, name, data, seed):
        kind = KINDS[self.kind]
        for command in kind.commands:
            with tempfile.TemporaryDirectory() as path:
                folder = Folder(path)
                file = folder.path / "given" / name
                file.write_bytes(data)
                if self.kind == "mesh":
                    file = folder.path / "given/robot.urdf"
                    file.write_text(ROBOT.format(name))
                problem = self.one_run(kind.arguments(command, str(file)), folder)
                if problem:
                    self.faults.append(f"{self.kind}, seed {seed}, sample {name}, {command.split()[0]}: {problem}")

    def one_run(self, arguments, folder):
        """What is wrong, or nothing."""
        process = subprocess.Popen([self.program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, cwd=folder.path / "work", env=folder.environment(),
                                   start_new_session=True)
        try:
            _, said = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return "hangs"
        return self.judge(process, said.decode(errors="replace"), folder)

    def judge(self, process, said, folder):
        left = processes_of(process.pid)
        if left:
            time.sleep(DYING_S)
            left = processes_of(process.pid)
        for process_id in left:
            os.kill(process_id, signal.SIGKILL)
        if left:
            return f"leaves {len(left)} processes"
        if process.returncode < 0:
            return f"ends by {signal.Signals(-process.returncode).name}"
        if "Sanitizer" in said or "runtime error:" in said:
            return "the sanitizer complains: " + said[:2000]
        if process.returncode not in (OK, *REFUSED):
            return f"ends with {process.returncode}: {said[:500]}"
        if process.returncode != OK and not said.strip():
            return f"ends with {process.returncode} and says nothing"
        strays = folder.strays()
        if strays:
            return f"leaves {strays[0].relative_to(folder.path)} and {len(strays) - 1} more"
        self.count(process.returncode, said)
        return ""

    def count(self, code, said):
        self.ends["ok" if code == OK else "refused"] += 1
        if "its reader crashed" in said:
            self.ends["crashed in the sandbox"] += 1
            self.ends["place named"] += ", near " in said
        self.ends["out of time"] += "took longer than" in said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--kind", choices=sorted(KINDS), required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-header", action="store_true", help="only the row, for a table of several kinds")
    options = parser.parse_args()
    torture = Torture(options.program, options.kind, options.seed)
    begin = time.monotonic()
    torture.run(options.count)
    columns = ("ok", "refused", "crashed in the sandbox", "place named", "out of time")
    if not options.no_header:
        print("| kind | files | " + " | ".join(columns) + " | wrong | s |\n" + "|---" * (len(columns) + 4) + "|")
    cells = [options.kind, options.count, *(torture.ends[column] for column in columns), len(torture.faults),
             round(time.monotonic() - begin)]
    print("| " + " | ".join(map(str, cells)) + " |")
    for fault in torture.faults:
        print(fault, file=sys.stderr)
    return 1 if torture.faults else 0


if __name__ == "__main__":
    sys.exit(main())
