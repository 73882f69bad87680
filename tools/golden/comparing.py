"""Says what differs between two records of a case, or between two results files of it."""

import h5py
import numpy

import digest

# Of the kept sum itself: smaller changes are not seen in it.
ROUNDING = 1e-16


def change_of(old, new):
    """By how much a block moved, from what is kept of it: an estimate, mostly within a factor of ten."""
    size = max(old.size, new.size)
    moved = abs(new.sum - old.sum)
    if not size > 0 or moved != moved:
        return ""
    return f" by about {moved / size:.0e} of its size" if moved > ROUNDING * size else " by less than 1e-16 of its size"


def first_rows(old, new):
    """Where the rows begin to differ."""
    if old.rows != new.rows:
        return ""
    edges, letters = digest.group_edges(new.rows), digest.GROUP_LETTERS
    for i, (begin, end) in enumerate(zip(edges, edges[1:])):
        if old.groups[letters * i:letters * (i + 1)] != new.groups[letters * i:letters * (i + 1)]:
            rows = f"row {begin}" if end == begin + 1 else f"rows {begin} to {end - 1}"
            return f"first in {rows} of {new.rows}"
    return ""


def word(record, key):
    return record.words.get(key, digest.USUAL.get(key, "0"))


def differences(old, new):
    """Sentences about what changed; none when nothing did."""
    if old.end != new.end:
        return [f"{described(old)} before, {described(new)} now"]
    found = [f"{key} {word(old, key)} before, {word(new, key)} now"
             for key in sorted(old.words.keys() | new.words.keys()) if old.words.get(key) != new.words.get(key)]
    for name in sorted(old.blocks.keys() | new.blocks.keys()):
        if name not in new.blocks or name not in old.blocks:
            found.append(f"{name} is {'new' if name in new.blocks else 'gone'}")
        elif old.blocks[name].hash != new.blocks[name].hash:
            found.append(f"{name} changed{change_of(old.blocks[name], new.blocks[name])}")
    where = first_rows(old, new)
    return [*found, where] if found and where else found


def described(record):
    code = f", {record.words['code']}" if "code" in record.words else ""
    return f"{record.end} (exit code {word(record, 'exit')}{code})"


def column_names(file, block):
    return {int(row["column"]): row["name"].decode() for row in file["index"] if row["block"].decode() == block}


def block_difference(name, old, new, names):
    """Exact, from both files. Many channels are zero but for rounding, so changes are relative to the whole block."""
    if old.shape != new.shape:
        return f"{name} has the shape {new.shape}, not {old.shape}"
    a, b = (values.reshape(len(values), -1).astype(float) if values.ndim else values.reshape(1, 1) for values in (old, new))
    differs = a.view(numpy.uint64) != b.view(numpy.uint64)
    row = int(numpy.argmax(differs.any(axis=1)))
    with numpy.errstate(invalid="ignore", over="ignore"):
        moved = numpy.max(numpy.abs(b - a), axis=0)
        largest = max(float(numpy.max(numpy.abs(a))), float(numpy.finfo(float).tiny))
    column = int(numpy.argmax(moved))  # NaN counts as the largest
    return (f"{name}: {names.get(column, name)} moved most, by {moved[column]:.1e} ({moved[column] / largest:.0e} of the largest number "
            f"of the block); first in row {row} of {len(a)}, {int(differs.any(axis=0).sum())} of {a.shape[1]} columns differ")


def certificate_differences(old, new, path="certificate"):
    if isinstance(old, dict) and isinstance(new, dict):
        return [text for key in sorted(old.keys() | new.keys())
                for text in certificate_differences(old.get(key), new.get(key), f"{path}.{key}")]
    return [] if old == new else [f"{path} {short(old)} before, {short(new)} now"]


def short(value):
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def file_differences(old_path, new_path):
    """The same from the files themselves."""
    with h5py.File(old_path, "r") as old, h5py.File(new_path, "r") as new:
        before, now = digest.datasets(old), digest.datasets(new)
        found = [f"{name} is {'new' if name in now else 'gone'}" for name in sorted(before.keys() ^ now.keys())]
        found += [block_difference(name, before[name], now[name], column_names(new, name))
                  for name in sorted(before.keys() & now.keys())
                  if before[name].shape != now[name].shape or before[name].tobytes() != now[name].tobytes()]
        return found + certificate_differences(digest.numbers_of(digest.certificate_of(old)),
                                               digest.numbers_of(digest.certificate_of(new)))
