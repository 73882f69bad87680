"""The baseline: what every case gave when it was last accepted, as one text file, and the log of reasons."""

import base64
import dataclasses
import datetime
import json
import os
import platform
import struct
import subprocess

import digest

FILE = "tests/golden/baseline.txt"
LOG = "tests/golden/log.md"
HEADING = "# Written by ./dev golden --accept; docs/golden.md explains it."
LOG_HEADING = "# Why the golden results changed\n\nOldest first; written by `./dev golden --accept`.\n"
NAMES_IN_LOG = 6


@dataclasses.dataclass
class Baseline:
    made_with: str = ""
    records: dict = dataclasses.field(default_factory=dict)


def made_with(program):
    """What the bits may depend on besides the source: compiler, libraries, processor."""
    done = subprocess.run([program, "doctor", "--json"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    try:
        about = {key: value["text"] for key, value in json.loads(done.stdout).items()}
    except (ValueError, KeyError, TypeError):
        about = {}
    build = about.get("version", "unknown build").split(", ")[-1]
    eigen = next((one for one in about.get("libraries", "").split(", ") if one.startswith("Eigen")), "unknown Eigen")
    features = about.get("cpu", ": unknown").split(": ")[-1]
    return "; ".join([f"compiler {about.get('compiler', 'unknown')}", build, eigen, " ".join(platform.libc_ver()),
                      f"{platform.machine()} with {features}"])


def packed(number):
    """All bits of a number in eleven letters."""
    return base64.b64encode(struct.pack(">d", number)).decode().rstrip("=")


def unpacked(letters):
    return struct.unpack(">d", base64.b64decode(letters + "="))[0]


def block_line(name, block):
    size = f"{block.size:.0e}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")
    return f"  {name} {block.hash}" + (f" {packed(block.sum)} {size}" if block.size else "")


def lines_of(record):
    lines = [f"  {record.end} " + " ".join(f"{key}={value}" for key, value in record.words.items())]
    lines += [f"  rows {record.groups}"] if record.groups else []
    return lines + [block_line(name, block) for name, block in sorted(record.blocks.items())]


def text_of(baseline):
    """A case that gives what an earlier one gives is written as `= that one`."""
    lines, first = [HEADING, f"made with: {baseline.made_with}"], {}
    for name, record in sorted(baseline.records.items()):
        body = "\n".join(lines_of(record))
        lines += [name, f"  = {first[body]}" if body in first and record.blocks else body]
        first.setdefault(body, name)
    return "\n".join(lines) + "\n"


def parse_record(lines):
    end, *words = lines[0].split()
    record = digest.Record(end, dict(word.split("=", 1) for word in words))
    for line in lines[1:]:
        name, *rest = line.split()
        if name == "rows":
            record.groups = rest[0]
        else:
            record.blocks[name] = digest.Block(rest[0], unpacked(rest[1]), float(rest[2])) if rest[1:] else digest.Block(rest[0])
    return record


def parse(text):
    baseline, bodies, name = Baseline(), {}, ""
    for line in text.splitlines():
        if line.startswith("made with: "):
            baseline.made_with = line.removeprefix("made with: ")
        elif line.startswith("  "):
            bodies[name].append(line.strip())
        elif line and not line.startswith("#"):
            name = line
            bodies[name] = []
    for name, body in bodies.items():
        body = bodies[body[0].removeprefix("= ")] if body[0].startswith("= ") else body
        baseline.records[name] = parse_record(body)
    return baseline


def load(tree):
    path = tree / FILE
    return parse(path.read_text(encoding="utf-8")) if path.exists() else Baseline()


def write(path, text):
    """Complete, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".new")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, path)


def store(tree, baseline, names, why):
    write(tree / FILE, text_of(baseline))
    log = tree / LOG
    text = log.read_text(encoding="utf-8") if log.exists() else LOG_HEADING
    shown = ", ".join(names[:NAMES_IN_LOG]) + (f" and {len(names) - NAMES_IN_LOG} more" if len(names) > NAMES_IN_LOG else "")
    count = f"{len(names)} case" + ("" if len(names) == 1 else "s")
    write(log, f"{text}\n- {datetime.date.today().isoformat()}, {count} ({shown}): {why.strip()}\n")
