#!/usr/bin/env python3
"""Which packages a package brings along: through others, by the first alternative, by who stands in for it."""

import unittest

from debian_closure import alternatives, Packages

LISTING = """\
libc6\tamd64\tinstalled\t\t, libgcc-s1
libc6\ti386\tinstalled\t\t, wrong
libgcc-s1\tamd64\tinstalled\t\t, libc6 (>= 2.35), gcc-12-base (= 12.2.0)
gcc-12-base\tamd64\tinstalled\t\t,\x20
mesa\tamd64\tinstalled\tlibgl (= 1)\tlibc6 (>= 2.3), other | tzdata:any
tzdata\tall\tinstalled\t\t, debconf | debconf-2.0
cdebconf\tamd64\tinstalled\tdebconf-2.0\t,\x20
gone\tamd64\tconfig-files\t\t,\x20
"""


class DebianClosureTest(unittest.TestCase):
    packages = Packages(LISTING, "amd64")

    def test_fields(self):
        self.assertEqual(alternatives("a (>= 1:2~x), b | c:any [amd64], "), [["a"], ["b", "c"]])
        self.assertEqual(alternatives(", "), [])

    def test_through_others_and_in_circles(self):
        self.assertEqual(self.packages.closure("libc6 (>= 2.3)"), ["gcc-12-base:amd64", "libc6:amd64", "libgcc-s1:amd64"])

    def test_alternatives_and_virtual_packages(self):
        self.assertEqual(self.packages.closure("libgl"), ["cdebconf:amd64", "gcc-12-base:amd64", "libc6:amd64",
                                                          "libgcc-s1:amd64", "mesa:amd64", "tzdata:all"])

    def test_what_is_not_there(self):
        for name in ("gone", "nowhere | nobody"):
            with self.assertRaisesRegex(LookupError, name.split()[0]):
                self.packages.closure(name)


if __name__ == "__main__":
    unittest.main()
