#!/usr/bin/env python3
"""Fails where a file lives on the includes of its neighbors in a joint unit (cmake/GelenkUnits.cmake).

A file must reach, through its own includes, the header that declares each name it uses; that holds for our own types,
constants and functions, and for the names of the standard library in STANDARD. The check reads text, so it knows only
names that one header alone declares at the margin; clang-tidy compiles changed files alone and knows the rest.

It also fails where a helper of one file has the name of a function of gelenk/base or gelenk/math: in a joint unit the
files behind it would call the helper.
"""

import collections
import functools
import pathlib
import re
import sys

import check_layers

FOLDERS = ("gelenk", "apps", "python", "tests", "benchmarks")
# Their functions are in the namespace around all others.
OUTER = ("gelenk/base/", "gelenk/math/")
SPACES = {None, "gelenk", "test", "app", "exporting"} | {layer.split("/")[-1] for layer in check_layers.LAYERS}

# name in std: the headers that may bring it
STANDARD = {
    "vector": ["vector"], "string": ["string"], "optional": ["optional"], "span": ["span"], "array": ["array"],
    "map": ["map"], "set": ["set"], "unordered_map": ["unordered_map"], "unordered_set": ["unordered_set"],
    "deque": ["deque"], "variant": ["variant"], "visit": ["variant"], "function": ["functional"],
    "unique_ptr": ["memory"], "shared_ptr": ["memory"], "make_unique": ["memory"], "make_shared": ["memory"],
    "sort": ["algorithm"], "find_if": ["algorithm"], "any_of": ["algorithm"], "all_of": ["algorithm"],
    "accumulate": ["numeric"], "iota": ["numeric"], "numeric_limits": ["limits"], "sqrt": ["cmath", "complex"],
    "isfinite": ["cmath"], "hypot": ["cmath"], "thread": ["thread"], "mutex": ["mutex"], "atomic": ["atomic"],
    "filesystem": ["filesystem"], "ifstream": ["fstream"], "ofstream": ["fstream"], "mt19937_64": ["random"],
    "mt19937": ["random"], "ostringstream": ["sstream"], "istringstream": ["sstream"], "bit_cast": ["bit"],
    "from_chars": ["charconv"], "to_chars": ["charconv"],
}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.M)
NOISE = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)
TYPE = re.compile(r"^(?:template <.*> )?(?:class|struct|union|enum class|enum) (?:\[\[\w+\]\] )?(\w+)\b(?![^{;]*;)", re.M)
ALIAS = re.compile(r"^using (\w+) =", re.M)
CONSTANT = re.compile(r"^(?:inline |constexpr |const |static )+[\w:<>, *&]*?\b(k[A-Z]\w+)\b", re.M)
FUNCTION = re.compile(r"^(?:inline |constexpr |static |extern |\[\[nodiscard\]\] )*(?!return|else|using|typedef|namespace)"
                      r"(?:[\w:]+(?:<[^;(){}]*>)?(?: const)?[&*]* )+[&*]*([a-z]\w+)\(", re.M)
# What a file declares elsewhere than at the margin: members, variables, parameters, names of tests, aliases
NESTED = (
    re.compile(r"\b(?:class|struct|union|enum class|enum|typename|class\.\.\.|auto|namespace|using) [&*]*(\w+)\b(?!;)"),
    re.compile(r"\busing [\w:]*::(\w+);"),
    re.compile(r"^[ \t]*(?!return\b|else\b|throw\b|co_|case\b)(?:[\w:]+(?:<[^;(){}]*>)?[&*]* )+[&*]*(\w+)\(", re.M),
    re.compile(r"(?<!class)(?<!struct)(?<!return)(?<!case)(?<!throw)(?<!new)(?<!else)(?<!in)(?<=[\w>&*,]) (\w+)(?: =(?!=)|[,;){])"),
    re.compile(r"\bTEST(?:_F|_P)?\((\w+),"),
    re.compile(r"\b(?:BENCHMARK|INSTANTIATE_TEST_SUITE_P)\((\w+)"),
)
WORD = re.compile(r"(?<![\w.>])(?:(\w+)::)?([A-Za-z]\w*)\b(\()?")
STD_WORD = re.compile(r"\bstd::(\w+)")
LOCAL_SPACE = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.M | re.S)


def without_noise(text):
    """Comments and texts blanked, lines kept."""
    return NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)


def declared_names(code):
    """At the margin, where the names of namespaces stand."""
    return set(TYPE.findall(code)) | set(ALIAS.findall(code)) | set(CONSTANT.findall(code)) | set(FUNCTION.findall(code))


class Tree:
    """The sources, and what each of them includes and declares."""

    def __init__(self, root):
        self.text, self.code, self.own, self.standard = {}, {}, {}, {}
        for folder in FOLDERS:
            for path in sorted((root / folder).rglob("*")):
                if path.suffix in (".h", ".cc") and "/data/" not in str(path):
                    self.read(str(path.relative_to(root)), path.read_text(errors="replace"))
        self.owners = collections.defaultdict(set)
        for name, code in self.code.items():
            if name.endswith(".h"):
                for word in declared_names(code):
                    self.owners[word].add(name)

    def read(self, name, text):
        found = INCLUDE.findall(text)
        self.text[name] = text
        self.code[name] = without_noise(text)
        self.own[name] = [own for own, _ in found if own]
        self.standard[name] = {standard for _, standard in found if standard}

    @functools.cache
    def reached(self, name):
        """All own files that the file includes, itself among them."""
        seen, left = set(), [name]
        while left:
            current = left.pop()
            if current not in seen:
                seen.add(current)
                left.extend(self.own.get(current, ()))
        return seen

    @functools.cache
    def nested(self, name):
        return set().union(*(pattern.findall(self.code.get(name, "")) for pattern in NESTED))


def line_of(code, position):
    return code.count("\n", 0, position) + 1


@functools.cache
def may_use(name, owner):
    """Whether a file of ours could mean the other: its layer is one below, and it is not made for tests alone."""
    is_test = name.endswith(("_test.cc", "_bench.cc", "_test_support.h")) or name.startswith(("tests/", "benchmarks/"))
    if owner.startswith(("tests/", "benchmarks/")) or owner.endswith("_test_support.h"):
        return is_test and owner.split("/")[:2] == name.split("/")[:2]
    layer = next((layer for layer in check_layers.LAYERS if name.startswith(layer + "/")), None)
    if layer is None:
        return not owner.startswith("apps/")
    return owner.startswith((layer + "/", *(below + "/" for below in check_layers.reachable(check_layers.LAYERS, layer))))


def missing_own(tree, name):
    """Names of ours whose header is not reached: 'FILE:LINE: ...' once for each name."""
    code, reached = tree.code[name], tree.reached(name)
    known = set().union(*(tree.nested(file) for file in reached))
    if name.endswith(".h"):
        known.update(re.findall(r"^(?:class|struct) (\w+);", code, re.M))  # and it is compiled alone by ./dev lint
    reported = set()
    for match in WORD.finditer(code):
        space, word, call = match.groups()
        owners = [owner for owner in tree.owners.get(word, ()) if may_use(name, owner)]
        if word in reported or word in known or space not in SPACES or not owners or reached.intersection(owners):
            continue
        # A call by a single small word may as well be one of others, but for the few of the lowest layers.
        is_call = call and ("_" in word or all(owner.startswith("gelenk/base/") for owner in owners))
        if not (word[0].isupper() or re.match(r"k[A-Z]", word) or is_call):
            continue
        reported.add(word)
        yield f'{name}:{line_of(code, match.start())}: {word} is used without an include of "{sorted(owners)[0]}"'


def missing_standard(tree, name):
    code = tree.code[name]
    included = set().union(*(tree.standard.get(file, set()) for file in tree.reached(name)))
    reported = set()
    for match in STD_WORD.finditer(code):
        headers = STANDARD.get(match.group(1))
        if headers and match.group(1) not in reported and not included.intersection(headers):
            reported.add(match.group(1))
            yield f"{name}:{line_of(code, match.start())}: std::{match.group(1)} is used without an include of <{headers[0]}>"


def hidden_functions(tree, name):
    """Helpers of a file that files behind it in a joint unit would call by mistake."""
    outer = {word for word, owners in tree.owners.items() if any(owner.startswith(OUTER) for owner in owners)}
    code = tree.code[name]
    # The end of the space is marked by its comment.
    for space in LOCAL_SPACE.finditer(tree.text[name]):
        for match in FUNCTION.finditer(code, *space.span(1)):
            if match.group(1) in outer:
                yield (f"{name}:{line_of(code, match.start())}: the helper {match.group(1)}() has the name of a function of "
                       "gelenk/base or gelenk/math; give it another one")


def check(root):
    tree = Tree(root)
    errors = []
    for name in sorted(tree.code):
        # Fuzzers are units of their own; consumers and peers are built outside of our build.
        if name.endswith("_fuzz.cc") or "/consumer/" in name or "/peers/" in name:
            continue
        errors.extend(missing_own(tree, name))
        errors.extend(missing_standard(tree, name))
        if name.endswith(".cc") and not name.endswith(("_test.cc", "_bench.cc")):
            errors.extend(hidden_functions(tree, name))
    return errors


def main():
    errors = check(pathlib.Path(__file__).resolve().parent.parent)
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
