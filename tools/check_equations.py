#!/usr/bin/env python3
"""Fails where a comment of gelenk/ cites an equation or a section that docs/theory does not have.

An equation is cited by the page and its number, 'elimination.md (4.2)'; more of the same page may follow: 'equations.md (7.1),
(7.2)', '(9.3) to (9.5)'. A section: 'elimination.md, section 9'. A number of an equation without its page is an error, because three
pages count from 1. Numbers without a point, '(1)', are those of the comment or header that has them; only after the name of a
page they are looked up there.
"""

import pathlib
import re
import sys

# The number of an equation ends its line, and the line is set apart.
EQUATION = re.compile(r"^    .*\((\d+(?:\.\d+)?)\)$", re.M)
SECTION = re.compile(r"^## (\d+)\. ", re.M)

NUMBER = r"\((\d+(?:\.\d+)?)\)"
CITATION = re.compile(rf"\b(\w+)\.md\s*(?P<numbers>{NUMBER}(?:\s*(?:,|and|to|or)\s*{NUMBER})*)")
CITED_SECTION = re.compile(r"\b(\w+)\.md,? sections? (\d+)(?: (?:and|to) (\d+))?")
OTHER_FORM = re.compile(r"\b(\w+)\.md,? (?:equations? )?(\d+\.\d+)")
ALONE = re.compile(r"(?<!\w)\((\d{1,2}\.\d{1,2})\)")


def pages(folder):
    """Name of a page -> its equations and its sections; and errors."""
    result, errors = {}, []
    for path in sorted(folder.glob("*.md")):
        text = path.read_text()
        numbers = EQUATION.findall(text)
        for number in sorted({n for n in numbers if numbers.count(n) > 1}):
            errors.append(f"docs/theory/{path.name}: ({number}) is the number of more than one equation")
        result[path.stem] = (set(numbers), set(SECTION.findall(text)))
    return result, errors


def comments(text):
    """(number of the first line, text) of each comment; lines of their own that follow each other are one."""
    first, lines = 0, []
    for number, line in enumerate(text.splitlines(), 1):
        whole = re.match(r"\s*//(.*)", line)
        if whole and lines:
            lines.append(whole[1])
            continue
        if lines:
            yield first, "\n".join(lines)
            lines = []
        if whole:
            first, lines = number, [whole[1]]
        elif match := re.search(r"(?<!:)//(.*)", line):
            yield number, match[1]
    if lines:
        yield first, "\n".join(lines)


def errors_of(comment, known):
    """(place in the comment, message) of each error."""
    cited = []
    for match in CITATION.finditer(comment):
        cited.append(match.span())
        if match[1] not in known:
            yield match.start(), f"docs/theory has no page {match[1]}.md"
            continue
        for number in re.findall(NUMBER, match["numbers"]):
            if number not in known[match[1]][0]:
                yield match.start(), f"docs/theory/{match[1]}.md has no equation ({number})"
    for match in CITED_SECTION.finditer(comment):
        for number in filter(None, match.groups()[1:]):
            if match[1] in known and number not in known[match[1]][1]:
                yield match.start(), f"docs/theory/{match[1]}.md has no section {number}"
    for match in OTHER_FORM.finditer(comment):
        if match[1] in known:
            yield match.start(), f"write '{match[1]}.md ({match[2]})'"
    for match in ALONE.finditer(comment):
        if not any(begin <= match.start() < end for begin, end in cited):
            yield match.start(), f"({match[1]}): of which page? Write, for example, 'equations.md ({match[1]})'"


def check(root):
    known, errors = pages(root / "docs/theory")
    for path in sorted(p for p in (root / "gelenk").rglob("*") if p.suffix in (".h", ".cc")):
        for first, comment in comments(path.read_text()):
            for place, message in errors_of(comment, known):
                errors.append(f"{path.relative_to(root)}:{first + comment.count(chr(10), 0, place)}: {message}")
    return errors


if __name__ == "__main__":
    found = check(pathlib.Path(__file__).resolve().parent.parent)
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
