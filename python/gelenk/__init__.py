"""Gelenk: multibody dynamics of machines designed in CAD.

    import gelenk as gk
    run = gk.load("crank_slider.yaml").assemble().run(duration="1 s")
    print(run["crank_pin.reaction.force.magnitude"].max())
"""

from ._core import Diagnostic, __version__, quantity, schema, set_threads
from .compare import Comparison, compare
from .errors import (AssemblyError, ComponentError, FileError, GelenkError, Interrupted, ModelError, SimulationError,
                     UsageError)
from .machine import Machine
from .model import Element, Frame, Model, demo, load
from .program import Verification, resume, verify
from .run import Run, open
from .simulator import Observer, Simulator, advance_all

__all__ = [
    "AssemblyError", "Comparison", "ComponentError", "Diagnostic", "Element", "FileError", "Frame", "GelenkError",
    "Interrupted", "Machine", "Model", "ModelError", "Observer", "Run", "SimulationError", "Simulator", "UsageError",
    "Verification", "__version__", "advance_all", "compare", "demo", "load", "open", "quantity", "resume", "schema",
    "set_threads", "verify",
]
