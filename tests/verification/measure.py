"""Runs a problem through the program and compares what it recorded with the reference."""

import dataclasses
import subprocess
import tempfile
import time

import numpy

from verification import run_file

TIMEOUT_S = 400


class RunFailed(Exception):
    pass


@dataclasses.dataclass
class Comparison:
    """The worst point of one quantity: that with the largest error in terms of its tolerance."""
    quantity: object
    points: int
    time: float
    component: str  # of a vector, else empty
    reference: float
    ours: float
    tolerance: float

    @property
    def error(self):
        return abs(self.ours - self.reference)

    @property
    def is_good(self):
        return self.error <= self.tolerance  # false for NaN, too


@dataclasses.dataclass
class Outcome:
    problem: object
    comparisons: list = dataclasses.field(default_factory=list)
    failure: str = ""  # why there is nothing to compare
    seconds: float = 0.0

    @property
    def is_good(self):
        return not self.failure and all(comparison.is_good for comparison in self.comparisons)


def _series(quantity, run):
    if quantity.axes_of:
        return run.in_axes_of(quantity.axes_of, quantity.channel)
    if quantity.axis:
        return run.axis_direction(quantity.channel, quantity.axis)
    return run.channel(quantity.channel)


def _pairs(quantity, run):
    """(time, references, ours, tolerance) of every point that is compared."""
    series = _series(quantity, run)
    if not quantity.values:
        for at, values in zip(run.time, series):
            yield at, numpy.array([quantity.closed_form(at)]), values, quantity.tolerance
        return
    for number, (at, *references) in enumerate(quantity.values):
        references = numpy.array(references, dtype=float)
        ours = series[run.row_at(at)]
        if references.shape != ours.shape:
            raise run_file.MissingChannel(f"{quantity.channel} has {ours.size} components, not {references.size}")
        if ours.size == 4 and ours @ references < 0:
            ours = -ours  # q and -q are the same orientation
        yield at, references, ours, quantity.tolerance_of(number)


def compare(quantity, run):
    worst, worst_ratio, points = None, -1.0, 0
    for at, references, ours, tolerance in _pairs(quantity, run):
        points += 1
        names = {1: ("",), 3: ("x", "y", "z"), 4: ("w", "x", "y", "z")}[ours.size]
        for component, reference, value in zip(names, references, ours):
            ratio = abs(value - reference) / tolerance
            # NaN must win: it compares as false with everything.
            if not ratio <= worst_ratio:
                worst_ratio = ratio
                worst = Comparison(quantity, 0, float(at), component, float(reference), float(value), tolerance)
                if ratio != ratio:
                    worst_ratio = float("inf")
    worst.points = points
    return worst


def _run(program, problem, output_every, folder):
    path = f"{folder}/run.h5"
    command = [program, "run", *problem.arguments(output_every), "--force", "-o", path]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT_S,
                          cwd=folder)
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().replace(f"{problem.model.parent}/", "")
        raise RunFailed(f"exit status {done.returncode}: {said[-600:]}")
    return run_file.RunFile(path)


def measure(program, problem):
    """Never raises for what the program or its results do: that is what is tested."""
    outcome = Outcome(problem)
    begin = time.monotonic()
    worst = {}
    with tempfile.TemporaryDirectory() as folder:
        try:
            for output_every, quantities in problem.grids().items():
                run = _run(program, problem, output_every, folder)
                worst |= {quantity.name: compare(quantity, run) for quantity in quantities}
            outcome.comparisons = [worst[quantity.name] for quantity in problem.quantities]
        except subprocess.TimeoutExpired:
            outcome.failure = f"not finished after {TIMEOUT_S} s"
        except (OSError, KeyError, RunFailed, run_file.MissingChannel) as error:
            outcome.failure = str(error)
    outcome.seconds = time.monotonic() - begin
    return outcome
