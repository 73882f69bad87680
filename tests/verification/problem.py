"""Published problems as data: which model is run, which quantities are compared with which numbers, and how exactly.

One YAML file per problem in problems/. A row of `values` is a time followed by one number, or by one for each component
of a vector. Two other kinds of reference hold in every recorded row: `always` is a constant (an invariant), `formula` a
closed form in the time t, in Python's notation with the functions of `math` and `max`; it may use `constants` of the
problem. The tolerance of row i of `values` is `tolerance` times `growth[i]`, where errors grow by a factor that the
source gives.

`output_every` of a quantity is for references on a grid of times of their own: the problem is then run once more.
"""

import dataclasses
import math
import pathlib

import yaml_core

FOLDER = pathlib.Path(__file__).resolve().parent
_RUN_KEYS = {"method", "tolerance", "duration", "step", "output_every", "keep_welds"}
_FUNCTIONS = {name: value for name, value in vars(math).items() if not name.startswith("_")} | {"max": max}


class ProblemError(Exception):
    """A data file that does not say what it must; the message names the file."""


@dataclasses.dataclass
class Quantity:
    name: str
    channel: str
    tolerance: float
    reason: str  # in words: why this tolerance and no other
    unit: str = ""
    axes_of: str = ""  # a part: the vector is turned from world axes into axes of this part
    axis: str = ""  # of an orientation: the direction of this axis of the part, in the world
    source: str = ""  # where the numbers are from when that is not the reference of the problem
    output_every: str = ""  # rows at other times than the problem's
    always: float | None = None
    formula: str = ""
    constants: dict = dataclasses.field(default_factory=dict)  # numbers with names, for the formula
    values: list = dataclasses.field(default_factory=list)  # [time, value...]
    growth: list = dataclasses.field(default_factory=list)

    def tolerance_of(self, row):
        return self.tolerance * (self.growth[row] if self.growth else 1.0)

    def closed_form(self, time):
        """What holds in every row: the formula or the constant at this time."""
        if self.always is not None:
            return self.always
        return eval(self.formula, {"__builtins__": {}, **_FUNCTIONS, **self.constants, "t": time})


@dataclasses.dataclass
class Problem:
    name: str
    title: str
    about: str
    sources: list
    reference: str  # how the numbers were made, and how many digits hold
    model: pathlib.Path
    quantities: list
    set: dict = dataclasses.field(default_factory=dict)  # parameters of the model
    run: dict = dataclasses.field(default_factory=dict)  # options that differ from the model's `simulation`

    def run_options(self, output_every=""):
        options = self.run | ({"output_every": output_every} if output_every else {})
        return [f"--{key.replace('_', '-')}" + ("" if value is True else f"={value}") for key, value in options.items()]

    def arguments(self, output_every=""):
        """What stands after `gelenk run`, without the file of results."""
        settings = [word for key, value in self.set.items() for word in ("--set", f"{key}={value}")]
        return [str(self.model), *self.run_options(output_every), *settings]

    def grids(self):
        """The quantities by the rows they need: {output_every: [quantity...]}."""
        grids = {}
        for quantity in self.quantities:
            grids.setdefault(quantity.output_every, []).append(quantity)
        return grids


def _constants(data, where):
    """Numbers with names, each a number or an expression over those before it."""
    constants = {}
    for name, value in data.items():
        try:
            constants[name] = float(eval(str(value), {"__builtins__": {}, **_FUNCTIONS, **constants}))
        except (SyntaxError, NameError, TypeError, ValueError) as error:
            raise ProblemError(f"{where}: constant {name}: {error}") from None
    return constants


def _quantity(data, constants, where):
    data = dict(data, constants=constants)
    if "from" in data:
        data["source"] = data.pop("from")
    data.setdefault("name", data.get("channel"))
    try:
        quantity = Quantity(**data)
    except TypeError as error:
        raise ProblemError(f"{where}: {error}") from None
    where = f"{where}: {quantity.name}"
    if [bool(quantity.values), quantity.always is not None, bool(quantity.formula)].count(True) != 1:
        raise ProblemError(f"{where}: needs one of `values`, `always` and `formula`")
    if not quantity.tolerance > 0 or not quantity.reason:
        raise ProblemError(f"{where}: needs a tolerance above zero and its reason")
    if quantity.growth and len(quantity.growth) != len(quantity.values):
        raise ProblemError(f"{where}: `growth` and `values` have different lengths")
    if len({len(row) for row in quantity.values}) > 1:
        raise ProblemError(f"{where}: rows of `values` have different lengths")
    return quantity


def load(path):
    data = yaml_core.load(path.read_text(encoding="utf-8"))
    constants = _constants(data.pop("constants", {}), path.name)
    quantities = [_quantity(item, constants, path.name) for item in data.pop("quantities")]
    names = [quantity.name for quantity in quantities]
    if len(set(names)) != len(names):
        raise ProblemError(f"{path.name}: two quantities have the same name")
    try:
        problem = Problem(name=path.stem, quantities=quantities, **data)
    except TypeError as error:
        raise ProblemError(f"{path.name}: {error}") from None
    problem.model = FOLDER / "models" / problem.model
    if not problem.model.is_file():
        raise ProblemError(f"{path.name}: there is no model {problem.model.name}")
    if not problem.sources or set(problem.run) - _RUN_KEYS:
        raise ProblemError(f"{path.name}: needs sources, and only {sorted(_RUN_KEYS)} in `run`")
    return problem


def load_all():
    return [load(path) for path in sorted((FOLDER / "problems").glob("*.yaml"))]


def unused_models(problems):
    """Model files that no problem runs: forgotten ones would look like verified ones."""
    used = {problem.model.name for problem in problems}
    return sorted(path.name for path in (FOLDER / "models").glob("*.yaml") if path.name not in used)
