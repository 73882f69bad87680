"""What became of one run in another."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .run import Run

__all__ = ["Change", "Comparison", "compare"]


class Change(NamedTuple):
    """Of one channel; SI."""

    name: str
    unit: str
    largest: float  # |B - A| at a time that both runs have
    at: float  # s
    range: float  # largest - smallest value, of the run where that is larger

    @property
    def relative(self) -> float:
        """Of the range."""
        return self.largest / self.range if self.range > 0.0 else (0.0 if self.largest == 0.0 else float("inf"))


class Comparison:
    def __init__(self, changes: list[Change], only_in_a: list[str], only_in_b: list[str]):
        self.changes = changes
        self.only_in_a, self.only_in_b = only_in_a, only_in_b

    def largest(self) -> Change | None:
        """The channel that changed most beside its range; None when there is none."""
        return max(self.changes, key=lambda change: change.relative, default=None)

    def __getitem__(self, name: str) -> Change:
        return next(change for change in self.changes if change.name == name)


def compare(a: Run, b: Run, names: list[str] | None = None) -> Comparison:
    """All channels of both runs, B between its rows linearly where A has a row. The outputs of the model are often what
    counts: compare(a, b, list(a.outputs))."""
    chosen = a.choose(names)
    common = [name for name in chosen if name in b or names is not None]
    begin, end = max(a.time[0], b.time[0]), min(a.time[-1], b.time[-1])
    rows = (a.time >= begin) & (a.time <= end)
    times = a.time[rows]
    same_times = len(a.time) == len(b.time) and bool(np.array_equal(a.time, b.time))
    changes = []
    for name in common:
        values_a = a[name][rows]
        values_b = b[name] if same_times else np.interp(times, b.time, b[name])
        if not len(values_a):
            continue
        difference = np.abs(values_b - values_a)
        place = int(np.argmax(difference))
        spread = max(float(np.ptp(values_a)), float(np.ptp(values_b)))
        changes.append(Change(name, a.unit(name), float(difference[place]), float(times[place]), spread))
    known = set(a.channels)
    return Comparison(changes, [name for name in chosen if name not in b], [name for name in b.channels if name not in known])
