"""What can go wrong. All of it is a GelenkError; str() is what the program would print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from ._core import Diagnostic
    from .run import Run

__all__ = [
    "AssemblyError", "ComponentError", "FileError", "GelenkError", "Interrupted", "ModelError", "SimulationError",
    "UsageError",
]


class GelenkError(Exception):
    """`diagnostics` has everything that was found, not only the first."""

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic] = ()):
        super().__init__(text)
        self.diagnostics = list(diagnostics)


class UsageError(GelenkError, ValueError):
    """An argument that does not fit: a method without its step, a channel that does not exist."""


class ModelError(GelenkError):
    """The model has mistakes."""


class AssemblyError(GelenkError):
    """The joints cannot be closed, or the start values cannot be met."""


class SimulationError(GelenkError):
    """The run ended early. `run` has what was recorded until then."""

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic] = (), time: float | None = None,
                 run: Run | None = None):
        super().__init__(text, diagnostics)
        self.time = time
        self.run = run

    @property
    def element(self) -> str:
        """Path of the element that is to blame; may be empty."""
        return self.diagnostics[0].element if self.diagnostics else ""


class FileError(GelenkError, OSError):
    """A file cannot be read or written."""


class ComponentError(GelenkError):
    """A sealed component or code in C has failed, or cannot run here."""


class Interrupted(KeyboardInterrupt):
    """Stopped by Ctrl-C. `run` has what was recorded until then."""

    def __init__(self, text: str = "", diagnostics: Sequence[Diagnostic] = (), run: Run | None = None):
        super().__init__(text)
        self.diagnostics = list(diagnostics)
        self.run = run
