#!/usr/bin/env python3
"""debian_closure.py DEPENDS: the installed packages that a field such as 'libc6 (>= 2.34), gnuplot | plotter' brings
along, with all that they need in turn; one a line, with its architecture. What apt would install into an empty system,
as far as it is installed here. Recommended packages do not count: the program must run without them.
"""

import re
import subprocess
import sys

FIELDS = ["${Package}", "${Architecture}", "${db:Status-Status}", "${Provides}", "${Pre-Depends}, ${Depends}"]


def alternatives(field):
    """'a (>= 1), b | c:any' -> [['a'], ['b', 'c']]"""
    groups = [group.split("|") for group in field.split(",") if group.strip()]
    return [[re.sub(r"\(.*?\)|\[.*?\]", "", word).strip().split(":")[0] for word in group] for group in groups]


class Packages:
    """What dpkg-query lists in these fields, for one architecture."""

    def __init__(self, listing, architecture):
        self.names, self.needs, self.providers = {}, {}, {}
        for line in listing.splitlines():
            name, of, status, provides, needs = line.split("\t")
            if status != "installed" or of not in (architecture, "all"):
                continue
            self.names[name] = f"{name}:{of}"
            self.needs[name] = alternatives(needs)
            for (virtual,) in alternatives(provides):
                self.providers.setdefault(virtual, name)

    def choose(self, group):
        """The first of several that is there; a real package rather than one that only stands in for it."""
        for name in group:
            if name in self.needs:
                return name
        for name in group:
            if name in self.providers:
                return self.providers[name]
        raise LookupError(f"none of these packages is installed: {', '.join(group)}")

    def closure(self, field):
        found, open_groups = set(), alternatives(field)
        while open_groups:
            name = self.choose(open_groups.pop())
            if name not in found:
                found.add(name)
                open_groups += self.needs[name]
        return sorted(self.names[name] for name in found)


def ask(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    listing = ask("dpkg-query", "-W", "-f", "\t".join(FIELDS) + "\n")
    try:
        print("\n".join(Packages(listing, ask("dpkg", "--print-architecture").strip()).closure(sys.argv[1])))
    except LookupError as problem:
        raise SystemExit(problem.args[0])


if __name__ == "__main__":
    main()
