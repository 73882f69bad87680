#!/usr/bin/env python3
"""Fails where a class is larger than a reader can keep in mind: more than 25 public functions, or more than 600 lines
over all files of its layer.

Public functions are member functions, each overload once. Constructors, destructors, what is defaulted or deleted, and
friends, which are functions beside the class, do not count. Lines are those of the class and of its functions that are
defined elsewhere. The check reads text; it knows the layout that clang-format gives.

Classes that are larger are listed in ALLOWANCES with their sizes. The list only shrinks: a class on it must not grow,
and a class that has become small enough must leave it.
"""

import collections
import pathlib
import re
import sys

import check_includes

FUNCTION_LIMIT = 25
LINE_LIMIT = 600
FOLDERS = ("gelenk", "apps", "python")
ALLOWANCES = "tools/large_classes.txt"

CLASS = re.compile(r"^([ \t]*)(?:template <[^\n]*>\s*)?(class|struct) (?:\[\[\w+\]\] )?(?:\w+::)*(\w+)(?: final)?"
                   r"(?:\s*:(?!:)[^{;()]*)?\s*\{", re.M)
ACCESS = re.compile(r"\s*(public|protected|private)\s*:(?!:)")
# At the margin: "void Name::function(", "Name<T>::Name(", "bool Outer::Name::operator==("
DEFINITION = re.compile(r"^(?![ \t}#]|using |namespace |return )[^\n;={}]*?(?<![\w:])((?:\w+(?:<[\w, ]*>)?::)+)"
                        r"~?(?:operator\W+|\w+)\(", re.M)


def end_of_block(code, begin):
    """The place after the brace that closes the one at `begin`."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, begin):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.end()
    return len(code)


def members(body):
    """(access or None, text) of each member of a class, bodies of functions left out."""
    access, begin, at, round_depth = None, 0, 0, 0
    while at < len(body):
        letter = body[at]
        label = ACCESS.match(body, at) if round_depth == 0 and at == begin else None
        if label:
            access, begin, at = label.group(1), label.end(), label.end()
            continue
        if letter in "()":
            round_depth += 1 if letter == "(" else -1
        if letter == "{" and round_depth == 0:
            head, at = body[begin:at], end_of_block(body, at)
            # `int x{3};` and `enum E {...};` end at the semicolon, `: a_{1}, b_{2} {}` at the last block.
            if not re.match(r"\s*[;,{]", body[at:]):
                yield access, head
                begin = at
            continue
        if letter == ";" and round_depth == 0:
            yield access, body[begin:at]
            begin = at + 1
        at += 1


def is_function(text, name):
    text = re.sub(r"\[\[\w+\]\]", "", text).strip()
    text = re.sub(r"^template <[^()]*?>\s*(?=\S)", "", text)
    if not text or re.match(r"(using|friend|typedef|static_assert|enum|class|struct|union)\b", text):
        return False
    if re.search(r"=\s*(default|delete)\s*$", text):
        return False
    while "operator" not in text and re.search(r"<[^<>]*>", text):
        text = re.sub(r"<[^<>]*>", "", text)  # std::function<void()> is not a function
    signature = re.match(r"[^=(]*?(operator\s*(?:\(\)|[^\s(]+(?: \w+)?)|~?\w+)\s*\(", text)
    return bool(signature) and signature.group(1).lstrip("~") != name


def measured(files):
    """{(layer, class): [public functions, lines]} of {path: text}."""
    result = collections.defaultdict(lambda: [0, 0])
    for path, text in files.items():
        code = check_includes.without_noise(text)
        layer = path.rsplit("/", 1)[0] if path.startswith(("apps/", "python/")) else "/".join(path.split("/")[:2])
        for match in CLASS.finditer(code):
            begin = match.end() - 1
            end = end_of_block(code, begin)
            size = result[layer, match.group(3)]
            first_access = "public" if match.group(2) == "struct" else "private"
            size[0] += sum((access or first_access) == "public" and is_function(member, match.group(3))
                           for access, member in members(code[begin + 1:end - 1]))
            size[1] += code.count("\n", match.start(), end) + 1
        for match in DEFINITION.finditer(code):
            begin = re.compile(r"[{;]").search(code, match.end())
            if begin is None or begin.group() == ";":
                continue
            owner = re.sub(r"<[^>]*>", "", match.group(1)).rstrip(":").split("::")[-1]
            end = code.find("\n}", match.start())
            result[layer, owner][1] += code.count("\n", match.start(), end) + 2
    return result


def read_allowances(root):
    path = root / ALLOWANCES
    lines = path.read_text().splitlines() if path.exists() else []
    entries = (line.split() for line in lines if line.strip() and not line.startswith("#"))
    return {(layer, name): (int(functions), int(size)) for layer, name, functions, size in entries}


def check(root):
    files = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = str(path.relative_to(root))
            if path.suffix in (".h", ".cc") and not re.search(r"_(test|bench|fuzz)\.cc$|_test_support\.h$", name):
                files[name] = path.read_text(errors="replace")
    sizes = measured(files)
    allowances = read_allowances(root)
    errors = []
    for (layer, name), (functions, lines) in sorted(sizes.items()):
        most_functions, most_lines = allowances.get((layer, name), (0, 0))
        most_functions, most_lines = max(FUNCTION_LIMIT, most_functions), max(LINE_LIMIT, most_lines)
        size = f"{layer}: class {name} has {functions} public functions and {lines} lines"
        if functions > most_functions or lines > most_lines:
            errors.append(f"{size}; split it: at most {most_functions} and {most_lines}")
        elif (layer, name) in allowances and functions <= FUNCTION_LIMIT and lines <= LINE_LIMIT:
            errors.append(f"{size}; take it off {ALLOWANCES}")
    for layer, name in sorted(set(allowances) - set(sizes)):
        errors.append(f"{ALLOWANCES}: there is no class {name} in {layer} (any more)")
    return errors


def main():
    errors = check(pathlib.Path(__file__).resolve().parent.parent)
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
