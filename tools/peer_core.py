#!/usr/bin/env python3
"""Times Pinocchio and MuJoCo on our scenes, beside us: peer_core.py BENCHMARK [--python PYTHON] [--repeat 3] [--core N].

BENCHMARK is the program bench/core_bench of a build folder. PYTHON is an interpreter that has the wheels `pin` and `mujoco`,
best of an environment of its own outside the checkout:

  python3 -m venv FOLDER && FOLDER/bin/pip install pin mujoco && tools/peer_core.py BENCHMARK --python FOLDER/bin/python3

A wheel that is not there is left out. The wheels bring headers and libraries: what is timed are the C++ programs of
benchmarks/peers, so that Python takes no part. They are built with the flags of our core. Programs run in turn, the least
time of each counts, and all times are those of the processor.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import compare_core

SOURCE = pathlib.Path(__file__).resolve().parent.parent
FLAGS = [*compare_core.FLAGS, "-DFMT_HEADER_ONLY", f"-I{SOURCE}"]
# As the package of Pinocchio asks for.
BOOST_LIMITS = ["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
                "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"]
# What is compared, in the order of the table; beside it the values that count as errors and what is allowed of them.
BENCHMARKS = {
    "evaluate_chain/10": ("chain 10: evaluation", {"weighted_error": 1e-6}),
    "evaluate_chain/100": ("chain 100: evaluation", {"weighted_error": 1e-6}),
    "run_chain": ("chain 10: 2 s", {"energy_error": 1e-5, "tip_error": 1e-6}),
    "run_four_bars/1/20": ("four-bars 1: 10 s", {"energy_error": 0.1}),
    "run_four_bars/10/20": ("four-bars 10: 10 s", {"energy_error": 0.1}),
    "run_four_bars/40/20": ("four-bars 40: 10 s", {"energy_error": 0.1}),
    "run_engine_v6/1000": ("V6: 1 s", {"angle_error": 1e-6}),
}
WHERE = """
import importlib.metadata, importlib.util, json
found = {}
for name, package in (("pinocchio", "pin"), ("mujoco", "mujoco")):
    spec = importlib.util.find_spec(name)
    if spec:
        found[name] = (spec.origin, importlib.metadata.version(package))
print(json.dumps(found))
"""


def find_peers(python):
    """Name -> folder of its package and version."""
    found = json.loads(subprocess.run([python, "-c", WHERE], check=True, capture_output=True, text=True).stdout)
    return {name: (pathlib.Path(origin).parent, version) for name, (origin, version) in found.items()}


def build_options(name, folder):
    """Options of the compiler, and of the linker."""
    if name == "mujoco":
        return ["-isystem", str(folder / "include")], [str(next(folder.glob("libmujoco.so.*"))), f"-Wl,-rpath,{folder}"]
    # .../cmeel.prefix/lib/python3.x/site-packages/pinocchio; the rest of what it needs lies in the same prefix.
    prefix = folder.parents[3]
    eigen = subprocess.run(["pkg-config", "--cflags-only-I", "eigen3"], check=True, capture_output=True, text=True).stdout.split()
    return ([*BOOST_LIMITS, "-isystem", str(prefix / "include"), *eigen],
            [f"-L{prefix / 'lib'}", "-lboost_serialization", f"-Wl,-rpath,{prefix / 'lib'}"])


def build(name, folder, target):
    program, unit = target / name, target / f"{name}.o"
    source = SOURCE / f"benchmarks/peers/{name}_core.cc"
    costs = "; its headers take minutes and 4 GB" if name == "pinocchio" else ""
    print(f"building {source.name}{costs}", file=sys.stderr)
    compile_options, link_options = build_options(name, folder)
    launcher = ["ccache"] if shutil.which("ccache") else []
    subprocess.run([*launcher, "g++", *FLAGS, *compile_options, "-c", str(source), "-o", str(unit)], check=True)
    subprocess.run(["g++", str(unit), *link_options, "-o", str(program)], check=True)
    return program


def run_peer(program, core, best):
    """Adds (benchmark, how) -> values, the least time of all runs."""
    for line in compare_core.run([str(program)], core).splitlines():
        row = json.loads(line)
        key = (row.pop("benchmark"), row.pop("how"))
        row["time"] = min(row["time"], best.get(key, row)["time"])
        best[key] = row


def print_table(ours, peers):
    print("| what | who | how | time | times ours | errors |\n|---|---|---|---|---|---|")
    for benchmark, (title, allowed) in BENCHMARKS.items():
        mine = ours.get(benchmark, {"failure": "not run"})
        if "failure" in mine:
            print(f"| {title} | Gelenk | | **failed** | | {mine['failure']} |")
        else:
            print(f"| {title} | Gelenk | default | {compare_core.time_text(mine['time'])} | 1 | {compare_core.accuracy_text(mine)} |")
        for name, results in peers.items():
            for (other, how), row in results.items():
                if other != benchmark:
                    continue
                is_good = all(row.get(key, 0.0) <= value for key, value in allowed.items())
                ratio = f"{row['time'] / mine['time']:.2f}" if "time" in mine else "–"
                print(f"| {title} | {name} | {how} | {compare_core.time_text(row['time'])} | {ratio} | "
                      f"{compare_core.accuracy_text(row)}{'' if is_good else ' (**misses the target**)'} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", help="bench/core_bench of a build folder")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has the wheels")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--core", type=int, help="processor to stay on")
    arguments = parser.parse_args()
    found = find_peers(arguments.python)
    for name in ("pinocchio", "mujoco"):
        print(f"{name}: {found[name][1] if name in found else 'not installed'}", file=sys.stderr)
    ours, peers = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        programs = {name: build(name, place, pathlib.Path(folder)) for name, (place, _) in found.items()}
        for _ in range(arguments.repeat):
            rows = compare_core.run_ours(arguments.benchmark, "|".join(BENCHMARKS), arguments.core)
            compare_core.keep_least(ours, rows, ("time", "per_body"))
            for name, program in programs.items():
                run_peer(program, arguments.core, peers.setdefault(f"{name} {found[name][1]}", {}))
    print_table(ours, peers)
    return 1 if any("failure" in row for row in ours.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
