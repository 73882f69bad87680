"""What the program `gelenk` does for Python: pages, pictures, checks of files, runs that are continued."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import sys
from typing import TYPE_CHECKING, Iterator, NamedTuple

from .errors import ComponentError, FileError, GelenkError, ModelError, SimulationError, UsageError

if TYPE_CHECKING:
    from .run import Run

__all__ = ["Verification", "call", "path", "resume", "verify"]

# Larger pages are not put into a notebook, which keeps them for ever.
LARGEST_PAGE = 5_000_000
_ERRORS = {1: SimulationError, 2: UsageError, 3: ModelError, 4: FileError, 5: ComponentError}


def path() -> str:
    """The program: $GELENK_PROGRAM, the one of this package, or the one on the PATH."""
    import shutil

    own = pathlib.Path(__file__).parent / "bin" / "gelenk"
    found = os.environ.get("GELENK_PROGRAM") or (str(own) if own.exists() else shutil.which("gelenk"))
    if not found:
        raise FileError("the program gelenk is not there: set GELENK_PROGRAM, or put it on the PATH")
    return found


def call(*arguments: str, errors: tuple[int, ...] = ()) -> str:
    """Standard output. An exit code that is neither 0 nor in `errors` becomes the exception that fits."""
    import subprocess  # these are imported where they are needed: importing the package shall be quick

    done = subprocess.run([path(), *arguments], capture_output=True, text=True, check=False)
    if done.returncode and done.returncode not in errors:
        raise _ERRORS.get(done.returncode, GelenkError)(_reason(done.stderr or done.stdout))
    return done.stdout


def _reason(text: str) -> str:
    """Of a failure that was reported as text or as JSON."""
    try:
        report = json.loads(text)
        return f"{report['message']}: {report['hint']}" if report.get("hint") else report["message"]
    except (ValueError, KeyError, TypeError):
        return text.strip()


def _folder():
    import tempfile

    return tempfile.TemporaryDirectory(prefix="gelenk_")


@contextlib.contextmanager
def results_file(run: Run) -> Iterator[str]:
    """The file of a run; for one in memory a file that vanishes."""
    if run.path is not None:
        yield run.path
        return
    with _folder() as folder:
        file = os.path.join(folder, "run.h5")
        run.save(file)
        yield file


class Verification(NamedTuple):
    """What `gelenk verify` found."""

    passed: bool
    report: dict


def verify(file: str | os.PathLike) -> Verification:
    """Computes again, from what was recorded, what else the file says, and compares."""
    report = json.loads(call("verify", os.fspath(file), "--json", errors=(1,)))
    return Verification(bool(report["ok"]), report)


def resume(file: str | os.PathLike) -> Run:
    """Continues a run from its last checkpoint to its end, bit for bit, and opens it."""
    from .run import open

    call("run", "--resume", os.fspath(file))
    return open(file)


def _page(run: Run) -> str:
    with results_file(run) as file, _folder() as folder:
        page = os.path.join(folder, "run.html")
        call("export", file, "-o", page)
        return pathlib.Path(page).read_text(encoding="utf-8")


def inline_page(run: Run) -> str:
    """The run as a page that needs nothing else, for notebooks."""
    import html

    page = _page(run)
    if len(page) > LARGEST_PAGE:
        return f"<p>{html.escape(repr(run))}: too large for a notebook, use run.view()</p>"
    return (f'<iframe srcdoc="{html.escape(page)}" width="100%" height="480" style="border: 0" '
            'sandbox="allow-scripts"></iframe>')


def _is_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and getattr(shell.get_ipython(), "kernel", None) is not None


def view(run: Run):
    if _is_notebook():
        from IPython.display import HTML

        return HTML(inline_page(run))
    import tempfile
    import webbrowser

    file = pathlib.Path(tempfile.mkdtemp(prefix="gelenk_")) / "run.html"
    file.write_text(_page(run), encoding="utf-8")
    webbrowser.open(file.as_uri())
    return str(file)
