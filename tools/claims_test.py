#!/usr/bin/env python3
"""./dev claims: which claims are cited, where, and ids that are not in the list."""

import contextlib
import io
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import claims  # noqa: E402


def an_id(number):
    """In two pieces, so that this file cites nothing."""
    return f"S0-{number}"


class ClaimsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        self.write("docs/claims.txt", f"# a comment about {an_id(99)}\n{an_id(20)} redundant rows\n{an_id(21)} higher levels\n")
        self.write("tests/rows_test.cc", f"int x;\n// {an_id(20)}: rank\n")
        self.write("gelenk/solve/rows.cc", f"// version-{an_id(21)} and {an_id(21)}0 are something else\n")

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def claims(self, *words):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = claims.main(["--tree", str(self.tree), *words])
        return code, printed.getvalue()

    def test_cited_and_not_cited(self):
        code, printed = self.claims()
        self.assertEqual(code, 0)
        self.assertRegex(printed, r"S0 +2 +1 +1\n")
        self.assertEqual(printed.split("not cited:\n")[1], f"  {an_id(21)} higher levels\n")

    def test_places(self):
        self.assertEqual(self.claims(an_id(20))[1], f"{an_id(20)} redundant rows\n    tests/rows_test.cc:2\n")
        self.assertIn("higher levels\n    not cited", self.claims("--places")[1])

    def test_ids_that_are_not_in_the_list(self):
        self.write("docs/page.md", f"As {an_id(77)} says.\n")
        code, printed = self.claims()
        self.assertEqual(code, 1)
        self.assertIn(f"{an_id(77)} is cited in docs/page.md:1, but", printed)

    def test_the_list_of_this_repository(self):
        found = claims.read_claims(claims.SOURCE)
        self.assertEqual(list(found), sorted(found))
        for claim, text in found.items():
            self.assertTrue(re.fullmatch(claims.ID, claim) and text.strip(), claim)
        self.assertLessEqual(set(claims.citations(claims.SOURCE)), set(found))


if __name__ == "__main__":
    unittest.main()
