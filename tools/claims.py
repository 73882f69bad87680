#!/usr/bin/env python3
"""Shows which claims of docs/claims.txt are cited by a test, the code or a page, and where.

claims.py                 a table for each paper, then the claims that nobody cites
claims.py --places        every claim with the places that cite it
claims.py S0-20 S1-18     these only, with their places

Ends with 1 when a place cites an id that is not in the list.
"""

import argparse
import collections
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LIST = "docs/claims.txt"
FOLDERS = ("tests", "gelenk", "docs")
ID = re.compile(r"(?<![\w-])S[0-4]-\d\d(?![\w-])")


def read_claims(tree):
    lines = (tree / LIST).read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))


def citations(tree):
    """Places by id: `file:line`."""
    found = collections.defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*")):
            name = str(path.relative_to(tree))
            if name == LIST or not path.is_file() or "__pycache__" in name:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                for claim in ID.findall(line):
                    found[claim].append(f"{name}:{number}")
    return found


def table(claims, places):
    lines = [f"{'paper':<7}{'claims':>7}{'cited':>7}{'by tests':>10}"]
    for paper in sorted({claim[:2] for claim in claims}):
        own = [claim for claim in claims if claim.startswith(paper)]
        cited = [claim for claim in own if places.get(claim)]
        tested = [claim for claim in cited if any("test" in place for place in places[claim])]
        lines.append(f"{paper:<7}{len(own):>7}{len(cited):>7}{len(tested):>10}")
    return lines


def with_places(claims, places):
    lines = []
    for claim, text in claims.items():
        lines.append(f"{claim} {text}")
        lines += [f"    {place}" for place in places.get(claim, ["not cited"])]
    return lines


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="./dev claims", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument("--places", action="store_true", help="every claim with its places")
    parser.add_argument("--tree", default=str(SOURCE), metavar="FOLDER", help="the checkout")
    options = parser.parse_args(arguments)
    tree = pathlib.Path(options.tree)
    claims, places = read_claims(tree), citations(tree)
    unknown = [one for one in options.ids if one not in claims]
    if unknown:
        parser.error(f"{LIST} does not have {', '.join(unknown)}")
    if options.ids or options.places:
        lines = with_places({claim: text for claim, text in claims.items() if not options.ids or claim in options.ids}, places)
    else:
        lines = [*table(claims, places), "", "not cited:"]
        lines += [f"  {claim} {text}" for claim, text in claims.items() if claim not in places]
    print("\n".join(lines))
    wrong = sorted(set(places) - set(claims))
    for claim in wrong:
        print(f"{claim} is cited in {', '.join(places[claim])}, but it is not in {LIST}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
