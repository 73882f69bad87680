"""A machine: a model with all its numbers, its joints closed and its start values met."""

from __future__ import annotations

import fnmatch
import os
from typing import Callable, Iterable, Mapping

from . import _core
from .errors import Interrupted, SimulationError, UsageError
from .run import Run
from .simulator import Simulator
from .values import Number, did_you_mean, seconds, setting_text

__all__ = ["Machine"]


class Machine:
    """A value: nothing changes it, neither a run nor an edit of its model. Made by Model.assemble()."""

    def __init__(self, core: _core.AssembledMachine):
        self._core = core

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def parameters(self) -> dict[str, float]:
        """Parameters of all assemblies as they are in force, by path, SI."""
        return self._core.parameters

    @property
    def limits(self) -> dict[str, tuple[float | None, float | None]]:
        """(min, max) of the parameters that have one, SI."""
        return self._core.limits

    @property
    def inputs(self) -> dict[str, float]:
        """Inputs of the machine with the values that they have when nobody gives them, SI."""
        return dict(self._core.inputs)

    @property
    def channels(self) -> dict[str, str]:
        """Everything that a run can record, with its SI unit."""
        return dict(self._core.channels)

    @property
    def warnings(self) -> list[_core.Diagnostic]:
        return self._core.warnings

    def summary(self) -> str:
        """What `gelenk check` says: assemblies, mass, motions."""
        return self._core.summary()

    def with_parameters(self, settings: Mapping[str, Number] | None = None, /, **parameters: Number) -> Machine:
        """The same machine with other parameters; paths with dots go into the dictionary.

        Nothing is compiled again when only numbers change.
        """
        wanted = {**(settings or {}), **parameters}
        return Machine(self._core.with_parameters([(path, setting_text(path, value)) for path, value in wanted.items()]))

    def run(self, duration: Number | None = None, *, method: str | None = None, step: Number | None = None,
            tolerance: float | None = None, max_step: Number | None = None, output_every: Number | None = None,
            spectral_radius: float | None = None, reactions: str | None = None, output: str | os.PathLike | None = None,
            force: bool = False, record: Iterable[str] | str | None = None, checkpoint_every: Number | None = None,
            progress: bool | Callable[[float], object] = False) -> Run:
        """Simulates. What is not said is as the model says, or as `gelenk run` decides.

        output: a file of results; in memory otherwise. record: patterns of channels. progress: True prints the time,
        a function is called with it now and then.
        """
        request = _core.RunRequest()
        request.simulation = _settings(duration=duration, method=method, step=step, tolerance=tolerance,
                                       max_step=max_step, output_every=output_every, spectral_radius=spectral_radius,
                                       reactions=reactions)
        request.record = self._patterns(record)
        request.output = "" if output is None else os.fspath(output)
        request.force = force
        request.checkpoint_every = 0.0 if checkpoint_every is None else seconds("checkpoint_every", checkpoint_every)
        listener = _print_time if progress is True else progress or None
        outcome = _core.run(self._core, request, listener)
        run = Run(outcome.recorded)
        if progress is True:
            print()
        if outcome.is_interrupted:
            raise Interrupted(f"stopped at {outcome.time:.6g} s", run=run)
        if outcome.failure is not None:
            raise SimulationError(run.message, [outcome.failure], time=outcome.time, run=run)
        return run

    def _patterns(self, record: Iterable[str] | str | None) -> list[str]:
        patterns = [record] if isinstance(record, str) else list(record or [])
        names = set(self.channels)
        names |= {name[:-2] for name in names if name.endswith((".w", ".x", ".y", ".z"))}
        names |= {f"{name[:-2]}.magnitude" for name in names if name.endswith(".x")}
        for pattern in patterns:
            if not fnmatch.filter(names, pattern):
                raise UsageError(f"there is no channel '{pattern}' to record{did_you_mean(pattern, names)}")
        return patterns

    def simulator(self, *, method: str | None = None, step: Number | None = None, tolerance: float | None = None,
                  max_step: Number | None = None, spectral_radius: float | None = None) -> Simulator:
        """The machine to be moved on step by step, with inputs."""
        settings = _settings(method=method, step=step, tolerance=tolerance, max_step=max_step,
                             spectral_radius=spectral_radius)
        core = self._core.with_open_inputs() if self._core.inputs else self._core
        return Simulator(core, settings)

    def objective(self, *, measure: str, parameters: Iterable[str], **options) -> "Objective":
        """A function of parameters for optimizers: a measure of the run. See docs/python.md."""
        from .objective import Objective

        return Objective(self, measure, list(parameters), options)

    def __repr__(self) -> str:
        return f"<Machine {self.name!r}>"


def _settings(**wanted) -> _core.RunSettings:
    result = _core.RunSettings()
    for key, value in wanted.items():
        if value is None:
            continue
        if key in ("duration", "step", "max_step", "output_every"):
            value = seconds(key, value)
        setattr(result, key, value)
    return result


def _print_time(time: float) -> None:
    print(f"\r{time:.6g} s", end="", flush=True)
