"""A machine that is moved on step by step: for controllers, learning, and loops of one's own."""

from __future__ import annotations

from typing import Iterable, Iterator, MutableMapping

import numpy as np

from . import _core
from .errors import UsageError
from .values import Number, seconds

__all__ = ["Observer", "Simulator", "advance_all"]


class Inputs(MutableMapping):
    """Inputs of a machine, SI. What is set is held until it is set again."""

    def __init__(self, core: _core.StepSimulator, names: Iterable[str]):
        self._core = core
        self._places = {name: place for place, name in enumerate(names)}

    def _place(self, name: str) -> int:
        place = self._places.get(name)
        if place is None:
            known = ", ".join(self._places) or "none"
            raise UsageError(f"there is no input '{name}'; the machine has {known}")
        return place

    def __getitem__(self, name: str) -> float:
        return self._core.input(self._place(name))

    def __setitem__(self, name: str, value: float) -> None:
        self._core.set_input(self._place(name), value)

    def __delitem__(self, name: str) -> None:
        raise UsageError("inputs cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return repr(dict(self))


class Observer:
    """Calls look at the simulator, and return always the same array, with new numbers."""

    def __init__(self, core: _core.Watch):
        self._update = core.update
        self.names: list[str] = core.names
        self.values: np.ndarray = core.values

    def __call__(self) -> np.ndarray:
        self._update()
        return self.values


class Simulator:
    """Made by Machine.simulator(). Times are in s."""

    def __init__(self, machine: _core.AssembledMachine, settings: _core.RunSettings):
        self._core = _core.StepSimulator.make(machine, settings)
        self.inputs = Inputs(self._core, [name for name, _ in machine.inputs])
        self.step = self._core.step
        self.save = self._core.save
        self.load = self._core.load

    @property
    def time(self) -> float:
        return self._core.time

    @property
    def method(self) -> str:
        return self._core.method

    def advance(self, until: Number) -> None:
        """Steps until this time is reached; the last step ends on it."""
        self._core.advance(until if type(until) is float else seconds("until", until))

    def observer(self, names: Iterable[str] | str) -> Observer:
        """Channels to look at again and again, by their full names; a vector counts as its components."""
        return Observer(_core.Watch(self._core, [names] if isinstance(names, str) else list(names)))

    def observe(self, names: Iterable[str] | str) -> np.ndarray:
        """Channels at this instant."""
        return self.observer(names)().copy()

    def reset(self, state: bytes | None = None) -> None:
        """Back to the start, or to a state that save() returned."""
        if state is None:
            self._core.reset()
        else:
            self._core.load(state)

    def __repr__(self) -> str:
        return f"<Simulator at {self.time:.6g} s, {self.method}>"


def advance_all(simulators: Iterable[Simulator], until: Iterable[float]) -> None:
    """Advances each simulator to its time, on as many threads as there are processors. Same bits as one by one."""
    _core.advance_all([simulator._core for simulator in simulators], [float(time) for time in until])
