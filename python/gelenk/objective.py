"""A measure of a run as a function of parameters, for scipy.optimize and the like."""

from __future__ import annotations

from typing import Any, Callable, Mapping

import numpy as np

from .errors import GelenkError, UsageError

MEASURES: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "max": lambda time, values: float(values.max()),
    "min": lambda time, values: float(values.min()),
    "end": lambda time, values: float(values[-1]),
    "mean": lambda time, values: float(np.trapezoid(values, time) / (time[-1] - time[0])),
    "rms": lambda time, values: float(np.sqrt(np.trapezoid(values**2, time) / (time[-1] - time[0]))),
    "integral": lambda time, values: float(np.trapezoid(values, time)),
    "peak": lambda time, values: float(np.abs(values).max()),
}
if not hasattr(np, "trapezoid"):  # numpy before 2.0
    np.trapezoid = np.trapz  # type: ignore[attr-defined]


class Objective:
    """f(x) -> float. x are the parameters in SI, in the order in which they were named.

    A pose that cannot be assembled, or a run that fails, gives NaN, and `last_error` says why.
    """

    def __init__(self, machine, measure: str, parameters: list[str], options: Mapping[str, Any]):
        name, _, rest = measure.partition("(")
        if name not in MEASURES or not rest.endswith(")"):
            raise UsageError(f"a measure is one of {', '.join(f'{one}(CHANNEL)' for one in MEASURES)}, not '{measure}'")
        self._machine, self._options = machine, dict(options)
        self._measure, self._channel = MEASURES[name], rest[:-1].strip()
        known = machine.parameters
        for parameter in parameters:
            if parameter not in known:
                raise UsageError(f"there is no parameter '{parameter}'; the machine has {', '.join(known) or 'none'}")
        base = self._channel.removesuffix(".magnitude")
        if self._channel not in machine.channels and base + ".x" not in machine.channels:
            raise UsageError(f"there is no channel '{self._channel}'")
        self.parameters = parameters
        self.x0 = np.array([known[parameter] for parameter in parameters])
        limits = machine.limits
        self.bounds = [limits.get(parameter, (None, None)) for parameter in parameters]
        self.last_error: GelenkError | None = None
        self.last_run = None
        self.calls = 0

    def __call__(self, x) -> float:
        self.calls += 1
        self.last_error = None
        try:
            values = dict(zip(self.parameters, (float(one) for one in np.atleast_1d(x)), strict=True))
            self.last_run = self._machine.with_parameters(values).run(record=[self._channel], **self._options)
            return self._measure(self.last_run.time, self.last_run[self._channel])
        except GelenkError as error:
            if isinstance(error, UsageError):
                raise
            self.last_error = error
            return float("nan")
