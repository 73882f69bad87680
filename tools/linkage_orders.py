#!/usr/bin/env python3
"""Makes the pictures and the table of the overconstrained linkages in docs/verification.md: linkage_orders.py PROGRAM.

Every linkage of tests/linkages.py runs for two seconds by rk4 with shorter and shorter steps, and by dopri5 and adams at finer
and finer tolerances. The error is the largest distance of a part from where dopri5 at a tolerance of 1e-13 has it at the end.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "tests"))
import linkages  # noqa: E402

STEPS = ["10 ms", "5 ms", "2 ms", "1 ms", "0.5 ms"]
TOLERANCES = ["1e-5", "1e-6", "1e-7", "1e-8", "1e-9", "1e-10", "1e-11", "1e-12"]


def end_positions(program, model, *options):
    output = model.with_suffix(".h5")
    subprocess.run([program, "run", str(model), "--duration", "2 s", "--output-every", "2 s", *options, "-o", str(output), "--force"],
                   capture_output=True, check=True, timeout=120)
    with h5py.File(output, "r") as file:
        return file["parts/pose"][-1, :, :3]


def draw(curves, label, picture, folder):
    commands = ["set terminal pngcairo size 760,480 font 'sans,11'", f"set output '{picture}'", "set logscale xy",
                "set format x '10^{%L}'", "set format y '10^{%L}'", "set grid", "set key outside right", f"set xlabel '{label}'",
                "set ylabel 'error of the end position (m)'", "set xrange [*:*] reverse"]
    plots = []
    for number, (name, points) in enumerate(curves.items(), start=1):
        data = folder / f"{name}.dat"
        data.write_text("".join(f"{x:.6e} {error:.6e}\n" for x, error in points if error > 0.0))
        plots.append(f"'{data}' with linespoints linewidth 2 pointtype {number + 3} title '{name.replace('_', ' ')}'")
    subprocess.run(["gnuplot"], input="\n".join([*commands, "plot " + ", ".join(plots)]), text=True, check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--picture-folder", type=pathlib.Path, default=SOURCE / "docs/measured")
    arguments = parser.parse_args()
    methods = {"rk4": ("step (s)", [(float(step.split()[0]) * 1e-3, "--step", step) for step in STEPS]),
               "dopri5": ("tolerance", [(float(t), "--tolerance", t) for t in TOLERANCES]),
               "adams": ("tolerance", [(float(t), "--tolerance", t) for t in TOLERANCES])}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        models, references = {}, {}
        for make in linkages.LINKAGES:
            models[make.__name__] = folder / f"{make.__name__}.yaml"
            models[make.__name__].write_text(make())
            references[make.__name__] = end_positions(arguments.program, models[make.__name__], "--method", "dopri5",
                                                      "--tolerance", "1e-13")
        for method, (label, settings) in methods.items():
            curves = {}
            for key, model in models.items():
                curves[key] = [(x, numpy.abs(end_positions(arguments.program, model, "--method", method, *options)
                                             - references[key]).max()) for x, *options in settings]
            draw(curves, label, arguments.picture_folder / f"linkages_{method}.png", folder)
            print(f"| {method}, {label} | " + " | ".join(options[-1] for options in settings) + " |")
            print("|---" * (len(settings) + 1) + "|")
            for key, points in curves.items():
                print(f"| {key.replace('_', ' ')} | " + " | ".join(f"{error:.0e}" for _, error in points) + " |")
            print()


if __name__ == "__main__":
    main()
