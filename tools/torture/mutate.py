#!/usr/bin/env python3
"""Makes broken copies of a file: mutate.py FILE KIND SEED > COPY. The same seed gives the same bytes.

Texts (step, urdf, mesh, yaml) are hurt in their words and numbers as well as in their bytes; sealed components (gkc) and results (h5) in
their bytes. Of a FreeCAD file (fcstd) one member is hurt, and the archive around it is good: else its checksum would end the matter.
"""

import io
import pathlib
import random
import re
import sys
import zipfile

TEXTS = ("step", "urdf", "mesh", "yaml")
KINDS = TEXTS + ("fcstd", "gkc", "h5")
MOST_CHANGES = 4
LONGEST_SPAN = 400
NUMBER = re.compile(rb"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
TOKEN = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*|#\d+|'[^']*'|\"[^\"]*\"")
ODD_NUMBERS = (b"0", b"-0.", b"1", b"-1", b"1e308", b"-1e-308", b"1e999", b"nan", b"2147483648", b"-9223372036854775809",
               b"18446744073709551616", b"0.1e", b"9" * 400, b"")
ODD_WORDS = (b"$", b"*", b"()", b"((((", b"'", b"''", b"\x00", b"\xff\xfe", b"\\X2\\D800\\X0\\", b"#0", b"#99999999999", b"<", b"&x;",
             b"!!binary ", b"*a", b"&a ", b"\t", b"\r", b"%s%n")
ODD_BYTES = (0x00, 0x01, 0x7F, 0x80, 0xFF)


def place(rng, data):
    return rng.randrange(len(data) + 1)


def span(rng, data):
    """A short piece; half of the time a line."""
    begin = place(rng, data)
    if rng.random() < 0.5:
        begin = data.rfind(b"\n", 0, begin) + 1
        end = data.find(b"\n", begin)
        return begin, len(data) if end < 0 else end + 1
    return begin, min(len(data), begin + rng.randint(1, LONGEST_SPAN))


def pick(rng, data, pattern):
    """One match near a random place, or None. Only a window is searched: files can be large."""
    begin = place(rng, data)
    matches = list(pattern.finditer(data, begin, min(len(data), begin + 2000)))
    return rng.choice(matches) if matches else None


def flip_bits(rng, data):
    for _ in range(rng.choice((1, 1, 1, 8, 64))):
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def set_bytes(rng, data):
    begin, length = place(rng, data), rng.choice((1, 2, 4, 8))
    data[begin:begin + length] = bytes(rng.choice(ODD_BYTES) for _ in range(len(data[begin:begin + length])))


def cut_end(rng, data):
    del data[place(rng, data):]


def remove_span(rng, data):
    begin, end = span(rng, data)
    del data[begin:end]


def repeat_span(rng, data):
    begin, end = span(rng, data)
    data[end:end] = bytes(data[begin:end]) * rng.choice((1, 1, 2, 50))


def move_span(rng, data):
    begin, end = span(rng, data)
    piece = bytes(data[begin:end])
    del data[begin:end]
    to = place(rng, data)
    data[to:to] = piece


def replace_number(rng, data):
    match = pick(rng, data, NUMBER)
    if match is None:
        return
    others = [other for other in (pick(rng, data, NUMBER),) if other is not None]
    number = rng.choice(ODD_NUMBERS) if rng.random() < 0.5 or not others else others[0].group()
    data[match.start():match.end()] = number


def replace_token(rng, data):
    match, other = pick(rng, data, TOKEN), pick(rng, data, TOKEN)
    if match is not None:
        data[match.start():match.end()] = rng.choice(ODD_WORDS) if other is None or rng.random() < 0.3 else other.group()


def swap_tokens(rng, data):
    first, second = pick(rng, data, TOKEN), pick(rng, data, TOKEN)
    if first is None or second is None:
        return
    if first.start() > second.start():
        first, second = second, first
    if first.end() > second.start():
        return
    one, other = first.group(), second.group()
    data[second.start():second.end()] = one
    data[first.start():first.end()] = other


def insert_word(rng, data):
    at = place(rng, data)
    data[at:at] = rng.choice(ODD_WORDS)


BINARY_CHANGES = (flip_bits, flip_bits, set_bytes, set_bytes, cut_end, remove_span, repeat_span, move_span)
TEXT_CHANGES = BINARY_CHANGES + (replace_number,) * 4 + (replace_token,) * 4 + (swap_tokens,) * 3 + (insert_word,)


def member_mutated(data, rng, seed):
    """The archive with one member changed: the list of objects half of the time, else a shape."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    shapes = [name for name, _ in members if name.endswith(".brp")]
    chosen = "Document.xml" if rng.random() < 0.5 or not shapes else rng.choice(shapes)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            changed = mutated(content, "mesh", seed) if name == chosen else content
            archive.writestr(zipfile.ZipInfo(name), changed, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def mutated(data, kind, seed):
    """A broken copy of these bytes."""
    rng = random.Random(f"{kind} {seed}")
    if kind == "fcstd":
        return member_mutated(data, rng, seed)
    changes = TEXT_CHANGES if kind in TEXTS else BINARY_CHANGES
    copy = bytearray(data)
    for _ in range(rng.randint(1, MOST_CHANGES)):
        rng.choice(changes)(rng, copy)
    # What is cut off is found at once; most copies shall get further.
    if kind == "step" and rng.random() < 0.9 and b"END-ISO-10303-21" not in copy[-4096:]:
        copy += b"\nENDSEC;\nEND-ISO-10303-21;\n"
    return bytes(copy)


def main():
    if len(sys.argv) != 4 or sys.argv[2] not in KINDS:
        print(__doc__, file=sys.stderr)
        return 2
    sys.stdout.buffer.write(mutated(pathlib.Path(sys.argv[1]).read_bytes(), sys.argv[2], int(sys.argv[3])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
