#!/usr/bin/env python3
"""Makes the tables and pictures of docs/methods.md: work_precision.py PROGRAM [--picture-folder docs/measured].

Every machine is run by every method with tighter and tighter settings; the error of the end position is measured against a run of
dopri5 at a tolerance of 1e-13, the work is the time that the simulation itself took, the least of three runs. Times are those of
one machine; what counts is how the curves lie to each other.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import h5py
import numpy

SOURCE = pathlib.Path(__file__).resolve().parent.parent
REPETITIONS = 3
TOLERANCES = ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9", "1e-10"]
TOO_LONG_S = 60.0


def bushing_chain(links, stiffness, damping):
    lines = ["gelenk: 1", "name: bushing_chain", "up: z", "parts:"]
    for i in range(links):
        lines.append(f"  link{i}: {{at: [{0.1 * i}, 0, 0], mass: 0.2, center_of_mass: [0.05, 0, 0], "
                     "inertia: {xx: 1e-4, yy: 1e-3, zz: 1e-3}, frames: {tip: [0.1, 0, 0]}}")
    ends = ["ground", *(f"link{i}.tip" for i in range(links - 1))]
    lines.append("joints:")
    lines += [f"  ball{i}: {{type: spherical, between: [{ends[i]}, link{i}]}}" for i in range(links)]
    lines.append("forces:")
    lines += [f"  mount{i}: {{type: bushing, between: [{ends[i]}, link{i}], rotational_stiffness: [{stiffness}, {stiffness}, "
              f"{stiffness}], rotational_damping: [{damping}, {damping}, {damping}]}}" for i in range(links)]
    return "\n".join(lines) + "\n"


# name: title, model, duration, fixed steps, whether the reference may be explicit
def machines(folder):
    chain = folder / "bushing_chain.yaml"
    chain.write_text(bushing_chain(16, 1e4, 10.0))
    models = SOURCE / "tests/verification/models"
    return {
        "andrews_squeezer": ("Andrews' squeezer (A03)", models / "andrews_squeezer.yaml", "0.05 s",
                             [2e-4, 1e-4, 5e-5, 2e-5, 1e-5]),
        "heavy_top": ("heavy top", models / "heavy_top.yaml", "1 s", [4e-3, 2e-3, 1e-3, 5e-4, 2e-4]),
        "car": ("car, a passenger gets in", SOURCE / "examples/car/car.yaml", "3 s", [2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4]),
        "bushing_chain": ("16 links with stiff, damped bushings", chain, "0.2 s", [1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4]),
    }


def run(program, model, output, *options):
    """Positions of all parts at the end and the time that the simulation took; None when it failed."""
    command = [program, "run", str(model), *options, "-o", str(output), "--force", "--json"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=TOO_LONG_S)
    except subprocess.TimeoutExpired:
        return None
    if result.returncode != 0:
        return None
    with h5py.File(output, "r") as file:
        return file["parts/pose"][-1, :, :3], json.loads(result.stdout)["wallSeconds"]


def curve(program, model, output, duration, reference, settings):
    points = []
    for options in settings:
        best = None
        for _ in range(REPETITIONS):
            outcome = run(program, model, output, "--duration", duration, "--output-every", duration, *options)
            if outcome is None:
                break
            error = numpy.abs(outcome[0] - reference).max()
            best = (error, min(outcome[1], best[1] if best else numpy.inf))
            if outcome[1] > 2.0:
                break
        if best is not None and numpy.isfinite(best[0]) and 0.0 < best[0] < 1.0:
            points.append((options[-1], *best))
    return points


def draw(title, curves, picture, folder):
    commands = ["set terminal pngcairo size 760,520 font 'sans,11'", f"set output '{picture}'", "set logscale xy",
                "set format x '10^{%L}'", "set format y '10^{%L}'", "set grid", "set key outside right",
                f"set title \"{title}\"", "set xlabel 'error of the end position (m)'",
                "set ylabel 'time of the simulation (s)'", "set xrange [*:*] reverse"]
    plots = []
    for number, (method, points) in enumerate(curves.items(), start=1):
        if not points:
            continue
        data = folder / f"{method}.dat"
        data.write_text("".join(f"{error:.6e} {seconds:.6e}\n" for _, error, seconds in points))
        plots.append(f"'{data}' with linespoints linewidth 2 pointtype {number + 4} title '{method.replace('_', '-')}'")
    commands.append("plot " + ", ".join(plots))
    subprocess.run(["gnuplot"], input="\n".join(commands), text=True, check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--picture-folder", type=pathlib.Path, default=SOURCE / "docs/measured")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        output = folder / "run.h5"
        for key, (title, model, duration, steps) in machines(folder).items():
            reference = run(arguments.program, model, output, "--duration", duration, "--output-every", duration, "--method",
                            "dopri5", "--tolerance", "1e-13")[0]
            curves = {}
            for method in ("rk4", "generalized_alpha"):
                settings = [("--method", method, "--step", str(step)) for step in steps]
                curves[method] = curve(arguments.program, model, output, duration, reference, settings)
            for method in ("dopri5", "adams", "bdf", "cvode"):
                settings = [("--method", method, "--tolerance", tolerance) for tolerance in TOLERANCES]
                curves[method] = curve(arguments.program, model, output, duration, reference, settings)
            draw(title, curves, arguments.picture_folder / f"work_precision_{key}.png", folder)
            print(f"### {title}\n\n| method | step or tolerance | error (m) | time (s) |\n|---|---|---|---|")
            for method, points in curves.items():
                for setting, error, seconds in points:
                    print(f"| {method} | {setting} | {error:.1e} | {seconds:.4f} |", flush=True)
            print()


if __name__ == "__main__":
    main()
