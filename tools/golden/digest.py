"""What is kept of a results file: a short hash of every dataset of numbers, and enough to say by how much it changed."""

import base64
import dataclasses
import hashlib
import json
import math

import h5py
import numpy

HASH_LETTERS = 8            # 40 bits
GROUPS = 21                 # of rows; a run with fewer rows has one for each
GROUP_LETTERS = 2           # 12 bits: enough to say where a change begins
# Views, sums over the same numbers, and texts.
LEFT_OUT = {"by_path", "checksums", "index", "model", "options", "status", "message", "certificate", "conventions", "display"}
# Of the certificate: which program, which texts, when it was continued. The bits of the state are in the rows.
NOT_NUMBERS = {"certificate", "programVersion", "build", "modelHash", "optionsHash", "stateHash", "checksum", "resumedAt",
               "assumptions", "reasons", "verdict", "status", "confirmation", "display",
               "doubledStep", "unknownStepError"}
COUNTS = {"steps": ("method", "steps"), "rejected": ("method", "rejectedSteps"), "evaluations": ("method", "evaluations"),
          "newton": ("method", "newtonIterations"), "factorizations": ("method", "factorizations"),
          "independent": ("joints", "independentRows"), "shared": ("reactions", "sharedCount"), "events": ("events", "count")}
CERTIFICATE = "certificate"
# What a record does not have to say.
USUAL = {"verdict": "good", "code": "-"}


@dataclasses.dataclass
class Block:
    hash: str
    sum: float = 0.0    # of all numbers with fixed signs: moves by about as much as the numbers do
    size: float = 0.0   # root of the sum of squares; 0: only the hash is kept


@dataclasses.dataclass
class Record:
    end: str                                        # done, failed, refused
    words: dict = dataclasses.field(default_factory=dict)   # exit code, verdict, counts
    groups: str = ""
    blocks: dict = dataclasses.field(default_factory=dict)

    @property
    def rows(self):
        return int(self.words.get("rows", 0))


def short_hash(data, letters=HASH_LETTERS):
    return base64.b32encode(hashlib.sha256(data).digest()).decode().lower()[:letters]


def signs(count):
    """+1 and -1 that look like chance, the same everywhere."""
    with numpy.errstate(over="ignore"):
        mixed = (numpy.arange(1, count + 1, dtype=numpy.uint64)) * numpy.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> numpy.uint64(32)
        mixed *= numpy.uint64(0xD6E8FEB86659FD93)
    return numpy.where(mixed >> numpy.uint64(63), -1.0, 1.0)


def exact_sum(values):
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):
        return math.nan


def block_of(values):
    flat = numpy.ascontiguousarray(values).astype(numpy.float64).ravel()
    with numpy.errstate(over="ignore", invalid="ignore"):
        return Block(short_hash(numpy.ascontiguousarray(values).tobytes()), exact_sum(flat * signs(flat.size)),
                     float(numpy.sqrt(numpy.sum(flat * flat))))


def datasets(file):
    """Every dataset of numbers: name, values."""
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and name.split("/")[0] not in LEFT_OUT and item.dtype.kind in "fiu":
            found[name] = item[()]
    file.visititems(visit)
    return found


def events_hash(file):
    """Times, kinds and elements of events; their texts may be reworded."""
    rows = [[event[key].hex() if key == "time" else event[key].decode() for key in ("time", "kind", "element")]
            for event in file["events"][()]]
    return short_hash(json.dumps(rows).encode())


def certificate_of(file):
    data = bytes(file["certificate"][()]).rstrip(b"\0") if "certificate" in file else b""
    return json.loads(data) if data else {}


def numbers_of(certificate):
    return {key: value for key, value in certificate.items() if key not in NOT_NUMBERS}


def counts_of(certificate):
    return {name: certificate.get(section, {}).get(key, 0) for name, (section, key) in COUNTS.items()}


def certificate_hash(certificate):
    """Of what is not a count, which has its own place, and not a text."""
    numbers = json.loads(json.dumps(numbers_of(certificate)))
    for section, key in (*COUNTS.values(), ("method", "reason")):
        numbers.get(section, {}).pop(key, None)
    return short_hash(json.dumps(numbers, sort_keys=True).encode())


def group_edges(rows):
    """The first row of each group, and the end."""
    count = min(rows, GROUPS)
    return [rows * i // count for i in range(count + 1)] if count else [0]


def group_marks(blocks, rows):
    edges = group_edges(rows)
    mark = lambda data: base64.b64encode(hashlib.sha256(data).digest()).decode()[:GROUP_LETTERS]  # noqa: E731
    with_rows = [values for _, values in sorted(blocks.items()) if values.ndim and len(values) == rows]
    return "".join(mark(b"".join(numpy.ascontiguousarray(values[begin:end]).tobytes() for values in with_rows))
                   for begin, end in zip(edges, edges[1:]))


def record_of(path, end, exit_code):
    with h5py.File(path, "r") as file:
        found = datasets(file)
        certificate = certificate_of(file)
        rows = len(found.get("time", ()))
        words = {"exit": str(exit_code)} if exit_code else {}
        words |= {"rows": str(rows)}
        if certificate.get("verdict") != USUAL["verdict"]:
            words["verdict"] = str(certificate.get("verdict", "-")).replace(" ", "_")
        words |= {name: str(value) for name, value in counts_of(certificate).items() if value}
        blocks = {name: block_of(values) for name, values in found.items()}
        if "time" in blocks:
            blocks["time"] = Block(blocks["time"].hash)
        if len(file["events"]):
            blocks["events"] = Block(events_hash(file))
        blocks[CERTIFICATE] = Block(certificate_hash(certificate))
        return Record(end, words, group_marks(found, rows), blocks)


def refused(exit_code, code):
    return Record("refused", {"exit": str(exit_code)} | ({"code": code} if code else {}))
