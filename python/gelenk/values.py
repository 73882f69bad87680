"""Numbers as people give them: 0.05, "50 mm", numpy.float64(0.05)."""

from __future__ import annotations

import math
from typing import Iterable, SupportsFloat, Union

from . import _core
from .errors import UsageError

Number = Union[SupportsFloat, str]


def number(name: str, value: Number, quantity: str) -> float:
    """In SI. A text has a unit of this quantity, or none."""
    if isinstance(value, str):
        try:
            return _core.quantity(value, quantity)
        except UsageError as error:
            raise UsageError(f"{name}: {error}") from None
    result = float(value)
    if not math.isfinite(result):
        raise UsageError(f"{name} must be finite, not {result}")
    return result


def seconds(name: str, value: Number) -> float:
    return number(name, value, "time")


def setting_text(path: str, value: Number) -> str:
    """A parameter as a model file would have it."""
    if isinstance(value, str):
        return value
    result = float(value)
    if not math.isfinite(result):
        raise UsageError(f"parameter '{path}' must be finite, not {result}")
    return repr(result)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """What to add to a message about a name that is not known; may be empty."""
    import difflib

    near = difflib.get_close_matches(name, sorted(known), 1, 0.7)
    return f": did you mean '{near[0]}'?" if near else ""
