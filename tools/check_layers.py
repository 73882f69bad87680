#!/usr/bin/env python3
"""Fails on an include that the layers do not allow.

Folders are layers. LAYERS says which layers a folder may use; what those may use, it may use, too. Libraries that we hide
behind one layer (THIRD_PARTY) and calls of the operating system (POSIX) may be included there only.
"""

import pathlib
import re
import sys

# folder: folders it may use directly. ARCHITECTURE.md says what each of them holds.
LAYERS = {
    "gelenk/base": [],
    "gelenk/math": ["gelenk/base"],
    "gelenk/expression": ["gelenk/math"],
    "gelenk/geometry": ["gelenk/math"],
    "gelenk/model": ["gelenk/expression", "gelenk/geometry", "gelenk/contact"],
    "gelenk/formats": ["gelenk/model"],
    "gelenk/cad": ["gelenk/formats"],
    "gelenk/system": ["gelenk/model"],
    "gelenk/mechanics": ["gelenk/system"],
    "gelenk/symbolic": ["gelenk/expression"],
    "gelenk/minimal": ["gelenk/mechanics", "gelenk/symbolic"],
    "gelenk/generate": ["gelenk/minimal"],
    "gelenk/solve": ["gelenk/math"],
    "gelenk/integrate": ["gelenk/math"],
    "gelenk/contact": ["gelenk/math"],
    "gelenk/subsystem": ["gelenk/solve", "gelenk/integrate"],
    "gelenk/component": ["gelenk/mechanics", "gelenk/subsystem"],
    "gelenk/results": ["gelenk/system"],
    "gelenk/analysis": ["gelenk/contact", "gelenk/component", "gelenk/results"],
    "gelenk/export": ["gelenk/results", "gelenk/formats", "gelenk/geometry"],
    "gelenk/view": ["gelenk/export"],
    "apps": ["gelenk/analysis", "gelenk/view", "gelenk/cad", "gelenk/generate"],
    "python": ["gelenk/analysis", "gelenk/formats"],
}

# first part of an <include>: the folders that may name it
THIRD_PARTY = {
    "Eigen": ["gelenk/math"],
    "unsupported": ["gelenk/math"],
    "yaml-cpp": ["gelenk/formats"],
    "CLI": ["apps"],
    "nanobind": ["python"],
    "hdf5.h": ["gelenk/results"],
    "archive.h": ["gelenk/base"],
    "archive_entry.h": ["gelenk/base"],
    "sodium.h": ["gelenk/base"],
    "zlib.h": ["gelenk/base"],
    "oneapi": ["gelenk/base"],
    "cvode": ["gelenk/integrate"],
    "nvector": ["gelenk/integrate"],
    "sundials": ["gelenk/integrate"],
    "sunmatrix": ["gelenk/integrate"],
    "sunlinsol": ["gelenk/integrate"],
    "sunnonlinsol": ["gelenk/integrate"],
    "assimp": ["gelenk/cad"],
    "console_bridge": ["gelenk/cad"],
    "pugixml.hpp": ["gelenk/cad"],
    "urdf_model": ["gelenk/cad"],
    "urdf_parser": ["gelenk/cad"],
    "boost": ["gelenk/view"],
}

POSIX = re.compile(
    r"(sys|arpa|net|netinet|linux)/.*"
    r"|(unistd|fcntl|dlfcn|pthread|termios|poll|dirent|pwd|grp|sched|semaphore|spawn|ucontext|glob|fnmatch|wordexp"
    r"|langinfo|execinfo|netdb|aio|mqueue|syslog|utime|ftw|strings)\.h")
POSIX_LAYER = "gelenk/base"
# OpenCASCADE has thousands of headers without a folder of their own.
OPENCASCADE = re.compile(r"\w+\.hxx")
OPENCASCADE_LAYER = "gelenk/cad"

# Files that are copied into a folder of their own: they include each other by their names, and nothing of ours.
COPIED = ("gelenk/generate/program",)

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
SUFFIXES = {".h", ".cc"}


def find_cycle(graph):
    """A list of nodes, the first repeated at the end, or None."""
    done = set()

    def visit(node, path):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        for target in sorted(graph.get(node, ())):
            cycle = visit(target, path + [node])
            if cycle:
                return cycle
        done.add(node)
        return None

    for start in sorted(graph):
        cycle = visit(start, [])
        if cycle:
            return cycle
    return None


def reachable(layers, start):
    found, waiting = {start}, [start]
    while waiting:
        for target in layers[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def layer_of(path):
    """The layer of a path relative to the root: 'gelenk/base', 'apps' or 'python'."""
    parts = pathlib.PurePosixPath(path).parts
    return parts[0] if parts[0] in ("apps", "python") else "/".join(parts[:2])


def includes(text):
    """(line number, text between the quotes or None, text between the angle brackets or None)"""
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def check_quoted(layer, target, allowed, edges):
    if not target.startswith(("gelenk/", "apps/", "python/")):
        return f'"{target}" is not a full path; write "gelenk/..." or, for a library, <{target}>'
    other = layer_of(target)
    if other != layer:
        edges.setdefault(layer, set()).add(other)
    return None if other in allowed else f'{layer} may not use {other} ("{target}")'


def check_angled(layer, target):
    if target.startswith(("gelenk/", "apps/", "python/")):
        return f'<{target}> is ours; write "{target}"'
    homes = THIRD_PARTY.get(target.split("/")[0])
    if homes is not None and layer not in homes:
        return f"<{target}> may be included in {', '.join(homes)} only"
    if POSIX.fullmatch(target) and layer != POSIX_LAYER:
        return f"<{target}> belongs to the operating system and may be included in {POSIX_LAYER} only"
    if OPENCASCADE.fullmatch(target) and layer != OPENCASCADE_LAYER:
        return f"<{target}> belongs to OpenCASCADE and may be included in {OPENCASCADE_LAYER} only"
    return None


def check(root, layers=None):
    """All errors of the tree below root, as 'file:line: what is wrong'."""
    layers = LAYERS if layers is None else layers
    cycle = find_cycle(layers)
    if cycle:
        return ["the table of layers has a cycle: " + " -> ".join(cycle)]
    allowed = {layer: reachable(layers, layer) for layer in layers}
    errors, edges = [], {}
    files = sorted(path for top in ("gelenk", "apps", "python") for path in (root / top).rglob("*") if path.suffix in SUFFIXES)
    for path in files:
        name = path.relative_to(root).as_posix()
        if name.startswith(COPIED):
            errors += [f"{name}:{number}: \"{quoted}\" is not beside it" for number, quoted, _ in includes(path.read_text())
                       if quoted and not (path.parent / quoted).exists()]
            continue
        layer = layer_of(name)
        if layer not in layers:
            errors.append(f"{name}:1: the folder {layer} is not in the table of layers (tools/check_layers.py)")
            continue
        for number, quoted, angled in includes(path.read_text(encoding="utf-8", errors="replace")):
            if quoted:
                error = check_quoted(layer, quoted, allowed[layer], edges)
            else:
                error = check_angled(layer, angled)
            if error:
                errors.append(f"{name}:{number}: {error}")
    cycle = find_cycle(edges)
    if cycle:
        errors.append("folders include each other in a circle: " + " -> ".join(cycle))
    return errors


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    if len(sys.argv) < 2:
        root = root.parent.parent
    errors = check(root)
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
