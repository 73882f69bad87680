"""Which runs there are. Models are found, not listed: a new example or verification problem is a new case."""

import dataclasses
import fnmatch
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
import yaml_core  # noqa: E402

ADAPTIVE = ("dopri5", "adams", "bdf", "cvode")
FIXED_STEP = ("rk4", "generalized_alpha")
METHODS = ("auto", *FIXED_STEP, *ADAPTIVE)
PARTITIONS = ("auto", "model", "none")
HOSTS = ("process", "worker")
# cvode starts again at a checkpoint and promises no more than its tolerance.
RESUMABLE = ("rk4", "dopri5", "adams", "bdf", "generalized_alpha")
# A machine of the default length of `gelenk run`, where neither model nor problem says how long.
DEFAULT_DURATION_S = 10.0
SECONDS = {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0, "h": 3600.0}

# With every method a part of the motion is enough; the run as designed covers all of it.
SHORT_PART = 1 / 8
ROWS = 20
STEPS = {"rk4": 400, "generalized_alpha": 100}
TOLERANCE = {"dopri5": "1e-6", "adams": "1e-6", "bdf": "1e-5", "cvode": "1e-5"}
# A run that is stopped on its way must last long enough to be met alive.
RESUMED_STEPS = {"rk4": 4000, "generalized_alpha": 1000}
RESUMED_TOLERANCE = {"dopri5": "1e-10", "adams": "1e-10", "bdf": "1e-7"}
RESUMED_CHECKPOINTS = 50


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    machine: str            # model file, or the name of a machine with sealed components
    arguments: tuple = ()   # after `gelenk run MODEL`
    host: str = ""       # of sealed components: in the process, or in a worker
    resumed: bool = False   # stopped on its way, continued, and compared with the run that was not
    same_as: str = ""       # the case that must have the same numbers


@dataclasses.dataclass(frozen=True)
class Machine:
    """A model with what its problem sets."""
    name: str
    file: pathlib.Path
    duration_s: float
    has_assemblies: bool
    has_contacts: bool  # then it runs with one method alone
    arguments: tuple = ()   # parameters, and options that change the equations
    designed: tuple = ()    # options of the run as designed


def read(path):
    """A model as maps and lists, with the models that it builds on merged in at the top level."""
    data = yaml_core.load(path.read_text(encoding="utf-8")) or {}
    base = data.get("use")
    return {**read(path.parent / base), **data} if isinstance(base, str) else data


def seconds(value):
    number, unit = re.fullmatch(r"\s*([-+.\deE]+?)\s*([a-z]*)\s*", str(value)).groups()
    return float(number) * SECONDS[unit]


def machine(name, path, settings=None, run=None):
    settings, run = settings or {}, dict(run or {})
    data = read(path)
    duration = run.get("duration") or data.get("simulation", {}).get("duration") or DEFAULT_DURATION_S
    arguments = tuple(word for key, value in settings.items() for word in ("--set", f"{key}={value}"))
    if run.pop("keep_welds", False):
        arguments += ("--keep-welds",)
    designed = tuple(f"--{key.replace('_', '-')}={value}" for key, value in run.items())
    return Machine(name, path, seconds(duration), bool(data.get("assemblies")), bool(data.get("contacts")),
                   arguments, designed)


def machines(tree):
    """Every model of the examples and starters, and every verification problem."""
    found = [machine("examples/" + str(path.relative_to(tree / "examples").with_suffix("")), path)
             for path in sorted((tree / "examples").rglob("*.yaml")) if path.parent.name != "gallery"]
    found += [machine(f"starters/{path.stem}", path) for path in sorted((tree / "apps/gelenk/starters").glob("*.yaml"))]
    folder = tree / "tests/verification"
    for path in sorted((folder / "problems").glob("*.yaml")):
        data = yaml_core.load(path.read_text(encoding="utf-8"))
        found.append(machine(f"verification/{path.stem}", folder / "models" / data["model"], data.get("set"), data.get("run")))
    return found


def method_options(method, duration_s, steps, tolerance):
    options = ["--method", method]
    if method in FIXED_STEP:
        options += ["--step", f"{duration_s / steps[method]:.6g} s"]
    if method in tolerance:
        options += ["--tolerance", tolerance[method]]
    return options


def short_options(method, duration_s):
    # Rounded first, so that steps and rows divide it.
    short = float(f"{duration_s * SHORT_PART:.4g}")
    return ["--duration", f"{short:.6g} s", "--output-every", f"{short / ROWS:.6g} s",
            *method_options(method, short, STEPS, TOLERANCE), "--threads", "1"]


def designed_case(one):
    return Case(f"{one.name}/designed", str(one.file), (*one.arguments, *one.designed, "--threads", "1"))


def with_other_numbers(found):
    """Problems whose equations another problem has, too: only with the numbers as designed. The last one stands for all."""
    kinds = {(one.file, "--keep-welds" in one.arguments): one for one in found}
    return {one.name for one in found} - {one.name for one in kinds.values()}


def method_cases(one):
    for method in METHODS:
        for partition in PARTITIONS if one.has_assemblies else PARTITIONS[:1]:
            options = (*one.arguments, *short_options(method, one.duration_s), "--partition", partition)
            name = f"{one.name}/{method}/{partition}"
            yield Case(name, str(one.file), options)
            if partition == "model":
                yield Case(f"{name}/threads", str(one.file), (*options[:-4], "--threads", "2", *options[-2:]), same_as=name)


def resumed_cases(one):
    for method in RESUMABLE:
        options = ["--duration", f"{one.duration_s:.6g} s", "--output-every", f"{one.duration_s / 100:.6g} s",
                   *method_options(method, one.duration_s, RESUMED_STEPS, RESUMED_TOLERANCE),
                   "--checkpoint", f"{one.duration_s / RESUMED_CHECKPOINTS:.6g} s"]
        yield Case(f"resumed/{one.name}/{method}", str(one.file), (*one.arguments, *options), resumed=True)


def sealed_cases(name, duration_s):
    for method in METHODS:
        options = tuple(short_options(method, duration_s))
        for host in HOSTS:
            yield Case(f"sealed/{name}/{method}/{host}", name, options, host,
                       same_as="" if host == HOSTS[0] else f"sealed/{name}/{method}/{HOSTS[0]}")
    yield Case(f"sealed/{name}/none/process", name, (*short_options("rk4", duration_s), "--partition", "none"), "process")


def find(tree, sealed_durations):
    """All cases by name. Machines with sealed components come with how long they run."""
    found = []
    all_machines = machines(tree)
    only_designed = with_other_numbers(all_machines)
    for one in all_machines:
        found.append(designed_case(one))
        if one.has_contacts:
            continue
        found += method_cases(one) if one.name not in only_designed else []
        if one.name.startswith("examples/"):
            found += resumed_cases(one)
    for name, duration_s in sealed_durations.items():
        found += sealed_cases(name, duration_s)
    return {case.name: case for case in sorted(found, key=lambda case: case.name)}


def chosen(names, patterns):
    return [name for name in names if not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]
