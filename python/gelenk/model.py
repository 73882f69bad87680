"""Models: read from files, built and changed by program, written as YAML."""

from __future__ import annotations

import copy
import os
import pathlib
from typing import Any, Iterator, Mapping

from . import _core
from .errors import FileError, UsageError
from .machine import Machine
from .values import Number, setting_text

__all__ = ["Element", "Frame", "Model", "demo", "load"]

# Sections of an assembly, and what one element of them is called.
SECTIONS = {
    "parameter": "parameters", "input": "inputs", "material": "materials", "frame": "frames", "part": "parts",
    "joint": "joints", "driver": "drivers", "force": "forces", "state": "states", "node": "nodes",
    "contact": "contacts", "assembly": "assemblies", "port": "ports", "output": "outputs",
}


class Frame:
    """A frame of a part, as joints and forces name it."""

    def __init__(self, path: str):
        self.path = path

    def __str__(self) -> str:
        return self.path


class Element:
    """Something with a name in a model. It is looked up again whenever it is asked for something."""

    def __init__(self, model: Model, address: tuple[str, str, str, str]):
        self._model, self._address = model, address

    @property
    def name(self) -> str:
        return self._address[2]

    @property
    def section(self) -> str:
        return self._address[1]

    @property
    def description(self) -> Any:
        """As a model file has it: texts, lists and dictionaries."""
        return self._model._core.description(self._address)

    def __getitem__(self, key: str) -> Any:
        return self.description[key]

    def frame(self, name: str) -> Frame:
        return Frame(f"{self.name}.{name}")

    def modify(self, **keys: Any) -> Element:
        """Sets keys; None takes a key away. All of it, or nothing with a ModelError."""
        self._model._core.modify(self._address, plain(keys))
        return self

    def remove(self) -> None:
        """Refused while something refers to it."""
        self._model._core.remove(self._address)

    def rename(self, name: str) -> Element:
        """All references and formulas follow."""
        self._model._core.rename(self._address, name)
        definition, section, _, owner = self._address
        return Element(self._model, (definition, section, name, owner))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.section} {self.name!r}>"


class Section(Mapping):
    """Elements of one section of the model, in the order of the file."""

    def __init__(self, model: Model, section: str):
        self._model, self._section = model, section

    def __getitem__(self, name: str) -> Element:
        if name not in list(self):
            raise KeyError(name)
        return Element(self._model, ("", self._section, name, ""))

    def __iter__(self) -> Iterator[str]:
        return iter([name for definition, section, name, owner in self._model._core.elements()
                     if (definition, section, owner) == ("", self._section, "")])

    def __len__(self) -> int:
        return len(list(iter(self)))


class Model:
    """An editable model. Machines that were made of it do not change with it.

    The keywords are keys of the model file, see docs/model-format.md: Model(name="chain", up="z", gravity="none").
    """

    parameters: Section
    inputs: Section
    materials: Section
    frames: Section
    parts: Section
    joints: Section
    drivers: Section
    forces: Section
    states: Section
    nodes: Section
    contacts: Section
    assemblies: Section
    ports: Section
    outputs: Section

    def __init__(self, name: str = "model", **keys: Any):
        self._core = _core.EditableModel.empty(f"{name}.yaml")
        self.set(name=name, **keys)

    @classmethod
    def _of(cls, core: _core.EditableModel) -> Model:
        result = cls.__new__(cls)
        result._core = core
        return result

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def path(self) -> str:
        """The file that it was read from."""
        return self._core.path

    def set(self, **keys: Any) -> Model:
        """Keys of the model itself: gravity, up, display, simulation ..."""
        self._core.modify(("", "", "", ""), plain(keys))
        return self

    def add(self, section: str, name: str, value: Any = None, /, **keys: Any) -> Element:
        """A new element, as a model file describes it: add("parameters", "k", "30 kN/m"), or by keys."""
        if value is not None and keys:
            raise UsageError(f"'{name}' is described by a value or by keys, not by both")
        address = ("", section, name, "")
        self._core.create(address, plain(keys if value is None else value))
        return Element(self, address)

    def assemble(self, set: Mapping[str, Number] | None = None) -> Machine:
        """Closes the joints and meets the start values. set: parameters by path, as `--set` does."""
        settings = [(path, setting_text(path, value)) for path, value in (set or {}).items()]
        return Machine(_core.AssembledMachine.make(self._core, settings))

    def check(self) -> list[_core.Diagnostic]:
        """Everything that is wrong with it, and warnings; raises nothing."""
        return self._core.check()

    def to_yaml(self) -> str:
        """One text with everything that it uses."""
        return self._core.to_yaml()

    def save(self, path: str | os.PathLike) -> None:
        """Writes to_yaml(). A file that exists is replaced in one step."""
        import tempfile

        target = pathlib.Path(path)
        text = self.to_yaml()
        try:
            handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(text)
                os.chmod(temporary, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
                os.replace(temporary, target)
            except BaseException:
                os.unlink(temporary)
                raise
        except OSError as error:
            raise FileError(f"'{target}' cannot be written: {error.strerror}") from error

    def copy(self) -> Model:
        return Model._of(copy.copy(self._core))

    def __repr__(self) -> str:
        return f"<Model {self.name!r}: {len(self.parts)} parts, {len(self.joints)} joints>"


def _add_sections() -> None:
    def section_of(section: str) -> property:
        return property(lambda self: Section(self, section), doc=f"{section} of the model, by name")

    def adder_of(section: str):
        def add(self: Model, name: str, value: Any = None, /, **keys: Any) -> Element:
            return self.add(section, name, value, **keys)
        return add

    for one, section in SECTIONS.items():
        setattr(Model, section, section_of(section))
        adder = adder_of(section)
        adder.__name__ = f"add_{one}"
        adder.__doc__ = f"A new element of `{section}:`, by the keys of docs/model-format.md."
        setattr(Model, f"add_{one}", adder)


_add_sections()


def plain(value: Any) -> Any:
    """What a model file could hold: elements and frames become their names."""
    if isinstance(value, (Element, Frame)):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def load(path: str | os.PathLike, allow_outside: bool = False) -> Model:
    """Reads a model file. A ModelError has all mistakes, a FileError says why it cannot be read."""
    return Model._of(_core.EditableModel.load(os.fspath(path), allow_outside))


def demo(name: str = "crank_slider") -> Machine:
    """A machine of the examples: crank_slider, four_bar, double_pendulum, car ..."""
    examples = pathlib.Path(__file__).parent / "examples"
    file = examples / name / f"{name}.yaml"
    if not file.is_file():
        known = sorted(folder.name for folder in examples.glob("*") if (folder / f"{folder.name}.yaml").is_file())
        raise UsageError(f"there is no example '{name}'; there are {', '.join(known)}")
    return load(file).assemble()
