#!/usr/bin/env python3
"""What the Python package costs beside C++: time to import, calls, columns, memory. Prints one line for each bar.

    PYTHONPATH=build/release/python .venv/bin/python3 benchmarks/python_bars.py
"""

import gc
import pathlib
import resource
import subprocess
import sys
import time

import gelenk as gk

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
CAR = EXAMPLES / "car/car.yaml"


def best(count, deed):
    """Of so many times, s."""
    times = []
    for _ in range(count):
        before = time.perf_counter()
        deed()
        times.append(time.perf_counter() - before)
    return min(times)


def show(what, value, unit, bar):
    print(f"{what:<58} {value:10.4g} {unit:<5} bar {bar}")


def import_time():
    code = "import time; a = time.perf_counter(); import gelenk; print(time.perf_counter() - a)"
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
               for _ in range(5))


def calls(steps=1000):
    """One call for each step beside one call for all of them, both in C++."""
    sim = gk.load(CAR).assemble().simulator(method="rk4", step="1 ms")

    def at_once():
        sim.reset()
        sim.advance(steps * 1e-3)

    def one_by_one():
        sim.reset()
        for i in range(1, steps + 1):
            sim.advance(i * 1e-3)

    return best(5, at_once) / steps, best(5, one_by_one) / steps


def columns():
    """100,000 rows."""
    run = gk.load(EXAMPLES / "crank_slider/crank_slider.yaml").assemble().run(
        method="rk4", step="1 ms", duration="100 s", output_every="1 ms")
    name = "piston.position.x"
    run[name]
    return len(run), len(run.channels), best(1000, lambda: run[name])


def growth(count=1000):
    """Of the resident memory, bytes, after the first hundred."""
    def once():
        gk.load(EXAMPLES / "crank_slider/crank_slider.yaml").assemble().run(duration="20 ms")

    for _ in range(100):
        once()
    gc.collect()
    before = resident()
    for _ in range(count):
        once()
    gc.collect()
    return resident() - before


def resident():
    pages = int(pathlib.Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def main():
    show("import gelenk", 1e3 * import_time(), "ms", "150")
    together, alone = calls()
    show("car, a step of rk4 in one call for all", 1e6 * together, "µs", "-")
    show("car, a step of rk4 in a call of its own", 1e6 * alone, "µs", "-")
    show("the second beside the first", alone / together, "", "1.03")
    rows, names, seconds = columns()
    show(f"a column of {rows} rows x {names} channels", 1e6 * seconds, "µs", "5")
    show("1,000 times load, assemble, run, delete: growth", growth() / 1e6, "MB", "5")


if __name__ == "__main__":
    main()
