#!/usr/bin/env python3
"""How generalized_alpha stands stiffness: stiff_chain.py PROGRAM [LINKS]. Prints the two tables of docs/methods.md.

A cantilever of links with spherical joints and torsional bushings falls under gravity. First the Newton iterations of a step of
10 ms for bushings of 1e3 to 1e9 N m/rad; then, at 1e3, the difference from dopri5 at a tolerance of 1e-10 after 0.1 s for shorter
and shorter steps.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy

import work_precision


def run(program, model, output, *options):
    command = [program, "run", str(model), *options, "-o", str(output), "--force", "--json"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stdout + result.stderr)
    with h5py.File(output, "r") as file:
        return json.loads(result.stdout)["certificate"], file["parts/pose"][-1, :, :3], file["parts/twist"][-1]


def main():
    program = sys.argv[1]
    links = int(sys.argv[2]) if len(sys.argv) > 2 else 64
    with tempfile.TemporaryDirectory() as name:
        model = pathlib.Path(name) / "chain.yaml"
        output = pathlib.Path(name) / "chain.h5"
        print("| stiffness (N m/rad) | Newton iterations per step | fastest part after 1 s (m/s) |\n|---|---|---|")
        for exponent in range(3, 10):
            stiffness = 10.0**exponent
            model.write_text(work_precision.bushing_chain(links, stiffness, 1e-4 * stiffness))
            certificate, _, twist = run(program, model, output, "--method", "generalized_alpha", "--step", "10 ms",
                                        "--duration", "1 s")
            method = certificate["method"]
            print(f"| 1e{exponent} | {method['newtonIterations'] / method['steps']:.2f} | {numpy.abs(twist[:, :3]).max():.2g} |",
                  flush=True)
        model.write_text(work_precision.bushing_chain(links, 1e3, 0.1))
        options = ("--duration", "0.1 s", "--output-every", "0.1 s")
        _, reference, _ = run(program, model, output, *options, "--method", "dopri5", "--tolerance", "1e-10")
        print("\n| step (s) | difference (m) | order |\n|---|---|---|")
        previous = None
        for step in (1e-4, 5e-5, 2.5e-5, 1.25e-5):
            _, position, _ = run(program, model, output, *options, "--method", "generalized_alpha", "--step", str(step))
            difference = numpy.abs(position - reference).max()
            order = f"{math.log2(previous / difference):.2f}" if previous else ""
            print(f"| {step:g} | {difference:.2e} | {order} |", flush=True)
            previous = difference


if __name__ == "__main__":
    main()
