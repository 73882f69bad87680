"""What a run has recorded: numpy views of it, tables, and what the program makes of a file."""

from __future__ import annotations

import fnmatch
import json
import os
from types import SimpleNamespace
from typing import Any, Iterable, Iterator, Mapping, NamedTuple

import numpy as np

from . import _core, program
from .errors import UsageError
from .values import did_you_mean

__all__ = ["Event", "Run", "open"]


class Event(NamedTuple):
    time: float
    kind: str
    element: str
    text: str


class _Column(NamedTuple):
    block: int
    column: int
    unit: str
    quantity: str
    shown_unit: str
    shown_factor: float
    shown_offset: float


class PartRows:
    """Of one part; world axes, SI. Views."""

    def __init__(self, run: Run, path: str):
        self._run, self._path = run, path

    @property
    def pose(self) -> np.ndarray:
        """(rows, 7): place of the origin x y z, quaternion w x y z"""
        return self._run._slice(f"{self._path}.position.x", 7)

    @property
    def twist(self) -> np.ndarray:
        """(rows, 6): velocity of the origin, angular velocity"""
        return self._run._slice(f"{self._path}.velocity.x", 6)

    @property
    def acceleration(self) -> np.ndarray:
        """(rows, 6): acceleration of the origin, angular acceleration"""
        return self._run._slice(f"{self._path}.acceleration.x", 6)


class JointRows:
    """Of one joint: run.joints["hinge"]["angle"], and its reaction."""

    def __init__(self, run: Run, path: str):
        self._run, self._path = run, path

    def __getitem__(self, name: str) -> np.ndarray:
        return self._run[f"{self._path}.{name}"]

    @property
    def reaction(self) -> np.ndarray:
        """(rows, 6): force and moment on the second part, in axes of the first frame"""
        return self._run._slice(f"{self._path}.reaction.force.x", 6)


class _Elements(Mapping):
    """Elements of a run by their paths."""

    def __init__(self, run: Run, kind: type, paths: Iterable[str]):
        self._run, self._kind, self._paths = run, kind, list(paths)

    def __getitem__(self, path: str):
        if path not in self._paths:
            raise KeyError(path)
        return self._kind(self._run, path)

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


class Run:
    """Numbers are SI. Arrays are views of what was recorded: they cannot be written to, and stay alive on their own."""

    def __init__(self, core: _core.Recorded):
        self._core = core
        self._columns = {name: _Column(*rest) for name, *rest in core.columns}
        self._names = [name for name in self._columns if name != "time"]
        self._rows: dict[int, np.ndarray] = {}

    # Numbers

    def _block(self, number: int) -> np.ndarray:
        rows = self._rows.get(number)
        if rows is None:
            rows = self._rows[number] = self._core.rows(number)
        return rows

    def _slice(self, first: str, count: int) -> np.ndarray:
        column = self._find(first)
        return self._block(column.block)[:, column.column:column.column + count]

    def _find(self, name: str) -> _Column:
        column = self._columns.get(name)
        if column is None:
            raise UsageError(f"there is no channel '{name}'{did_you_mean(name, self._names)}")
        return column

    @property
    def time(self) -> np.ndarray:
        """s, of each row"""
        return self._block(0)[:, 0]

    def __getitem__(self, name: str) -> np.ndarray:
        """One channel, (rows,): a view. Of a vector (rows, 3), of an orientation (rows, 4), `.magnitude` is computed."""
        column = self._columns.get(name)
        if column is not None:
            return self._block(column.block)[:, column.column]
        if name == "time":
            return self.time
        if name.endswith(".magnitude") and name[:-9] + "x" in self._columns:
            return np.linalg.norm(self._slice(name[:-9] + "x", 3), axis=1)
        if name + ".w" in self._columns:
            return self._slice(name + ".w", 4)
        if name + ".x" in self._columns:
            return self._slice(name + ".x", 3)
        self._find(name)
        raise AssertionError

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.time)

    @property
    def channels(self) -> list[str]:
        return list(self._names)

    def unit(self, name: str) -> str:
        """SI unit of a channel."""
        for known in (name, name + ".x", name.removesuffix("magnitude") + "x"):
            if known in self._columns:
                return self._columns[known].unit
        return self._find(name).unit

    @property
    def parts(self) -> Mapping[str, PartRows]:
        return _Elements(self, PartRows, self._elements_of("parts/", ".position.x", ".velocity.x", ".acceleration.x"))

    @property
    def joints(self) -> Mapping[str, JointRows]:
        blocks = self._core.blocks
        paths = [name.rsplit(".", 1)[0] for name, column in self._columns.items()
                 if blocks[column.block] == "joints/coordinate" and not name.endswith((".w", ".x", ".y", ".z"))]
        return _Elements(self, JointRows, dict.fromkeys(paths + self._elements_of("joints/", ".reaction.force.x")))

    def _elements_of(self, prefix: str, *suffixes: str) -> list[str]:
        blocks = self._core.blocks
        found = [name.removesuffix(suffix) for suffix in suffixes for name, column in self._columns.items()
                 if blocks[column.block].startswith(prefix) and name.endswith(suffix)]
        return list(dict.fromkeys(found))

    @property
    def outputs(self) -> dict[str, np.ndarray]:
        """Of the model."""
        blocks = self._core.blocks
        return {name: self[name] for name, column in self._columns.items() if blocks[column.block] == "outputs/value"}

    @property
    def energy(self) -> SimpleNamespace:
        """J: kinetic, potential, total, work_of_forces, work_of_drivers, work_of_impacts"""
        return SimpleNamespace(**{name.removeprefix("energy."): self[name] for name in self._names
                                  if name.startswith("energy.")})

    # What else there is to know

    @property
    def name(self) -> str:
        return self._core.model_name

    @property
    def path(self) -> str | None:
        """The file of results; None for a run in memory."""
        return self._core.path or None

    @property
    def status(self) -> str:
        """'done', 'failed', 'stopped' or 'running'"""
        return self._core.status

    @property
    def message(self) -> str:
        """Why it failed."""
        return self._core.message

    @property
    def certificate(self) -> dict[str, Any]:
        """What the run says about its own quality; see docs/certificate.md. Empty while it is being written."""
        return json.loads(self._core.certificate or "{}")

    @property
    def events(self) -> list[Event]:
        return [Event(*event) for event in self._core.events()]

    def refresh(self) -> Run:
        """Looks how far a file is by now that is being written. Arrays that were taken stay as they are."""
        self._core.refresh()
        self._rows.clear()
        return self

    # Tables

    def choose(self, names: Iterable[str] | str | None = None) -> list[str]:
        """Channels by name, by element (all of its channels) or by pattern; all without names."""
        if names is None:
            return list(self._names)
        chosen: dict[str, None] = {}
        for name in [names] if isinstance(names, str) else names:
            fitting = [name] if name in self._columns or name.endswith(".magnitude") else [
                one for one in self._names if fnmatch.fnmatchcase(one, name) or one.startswith(name + ".")]
            if not fitting:
                self._find(name)
            chosen.update(dict.fromkeys(fitting))
        return list(chosen)

    def to_pandas(self, names: Iterable[str] | str | None = None, units: str = "si"):
        """A DataFrame: index time in s, columns (name, unit). units: "si", or "display" as the model wants to see them."""
        import pandas

        chosen = self.choose(names)
        columns, data = [], []
        for name in chosen:
            values, unit = self._in_units(name, units)
            columns.append((name, unit))
            data.append(values)
        table = np.column_stack(data) if data else np.empty((len(self), 0))
        index = pandas.Index(self.time, name="time")
        return pandas.DataFrame(table, index=index, columns=pandas.MultiIndex.from_tuples(columns or [("", "")][:0],
                                                                                          names=["channel", "unit"]),
                                copy=False)

    def to_xarray(self, names: Iterable[str] | str | None = None, units: str = "si"):
        """A Dataset with the dimension time; every channel with the attribute unit."""
        import xarray

        variables = {}
        for name in self.choose(names):
            values, unit = self._in_units(name, units)
            variables[name] = ("time", values, {"unit": unit})
        return xarray.Dataset(variables, coords={"time": ("time", self.time, {"unit": "s"})},
                              attrs={"model": self.name, "status": self.status})

    def _in_units(self, name: str, units: str) -> tuple[np.ndarray, str]:
        if units not in ("si", "display"):
            raise UsageError(f"units are 'si' or 'display', not {units!r}")
        values = self[name]
        column = self._columns.get(name) or self._find(name.removesuffix("magnitude") + "x")
        if units == "si":
            return values, column.unit
        return (values - column.shown_offset) / column.shown_factor, column.shown_unit

    # Files and pictures

    def save(self, path: str | os.PathLike, force: bool = False) -> Run:
        """Writes a run in memory to a file of results, and returns that."""
        if self.path is not None:
            raise UsageError(f"this run is in a file already: '{self.path}'")
        self._core.save(os.fspath(path), force)
        return open(path)

    def export(self, path: str | os.PathLike) -> None:
        """As `gelenk export`: .html, .glb, .csv, .mp4 ... by the end of the name."""
        with program.results_file(self) as file:
            program.call("export", file, "-o", os.fspath(path), "--force")

    def view(self):
        """Shows the motion: in a notebook as an inline page, elsewhere in the browser."""
        return program.view(self)

    def plot(self, *names: str, units: str = "display"):
        """Channels over time, with matplotlib; the outputs of the model without names. Returns the axes."""
        import matplotlib.pyplot as plt

        _, axes = plt.subplots()
        for name in self.choose(names or list(self.outputs)):
            values, unit = self._in_units(name, units)
            axes.plot(self.time, values, label=f"{name} [{unit}]")
        axes.set_xlabel("time [s]")
        axes.legend()
        return axes

    def _repr_html_(self) -> str:
        return program.inline_page(self)

    def __repr__(self) -> str:
        return f"<Run of {self.name!r}: {self.status}, {len(self)} rows, {len(self._names)} channels>"


def open(path: str | os.PathLike) -> Run:
    """A file of results, also one that is still being written."""
    return Run(_core.Recorded(os.fspath(path)))


