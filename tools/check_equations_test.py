#!/usr/bin/env python3
"""The check of cited equations must be able to fail: each rule is broken once, in a tree made for it."""

import pathlib
import tempfile
import unittest

import check_equations

PAGE = """# Fronts

## 4. Fronts

    a_B = W y + r                                        (4.1)
    attach:  W' = W L                                    (4.2)

As (4.9) of another book has it.
"""


class CheckEquationsTest(unittest.TestCase):

    def errors_of(self, text, page=PAGE):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, content in {"docs/theory/fronts.md": page, "gelenk/solve/front.h": text}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content)
            return check_equations.check(root)

    def test_numbers_of_the_page_are_good(self):
        self.assertEqual([], self.errors_of("// W: fronts.md (4.1)\nint x;  // docs/theory/fronts.md (4.1) and (4.2)\n"))
        self.assertEqual([], self.errors_of("// As in\n// fronts.md (4.1),\n// (4.2), and fronts.md, section 4\n"))

    def test_a_number_that_the_page_does_not_have(self):
        self.assertEqual(["gelenk/solve/front.h:3: docs/theory/fronts.md has no equation (4.9)"],
                         self.errors_of("int x;\n// W of the front,\n// fronts.md (4.1) to (4.9)\n"))
        self.assertEqual(["gelenk/solve/front.h:1: docs/theory/fronts.md has no equation (3)"],
                         self.errors_of("int x;  // fronts.md (3)\n"))

    def test_a_section_that_the_page_does_not_have(self):
        self.assertEqual(["gelenk/solve/front.h:1: docs/theory/fronts.md has no section 5"],
                         self.errors_of("// fronts.md, section 5\n"))

    def test_a_number_without_its_page(self):
        errors = self.errors_of("// W as in (4.1)\n")
        self.assertEqual(1, len(errors))
        self.assertIn("front.h:1: (4.1): of which page?", errors[0])

    def test_only_one_form(self):
        self.assertEqual(["gelenk/solve/front.h:1: write 'fronts.md (4.1)'"], self.errors_of("// (fronts.md, 4.1)\n"))

    def test_a_page_that_does_not_exist(self):
        self.assertEqual(["gelenk/solve/front.h:1: docs/theory has no page font.md"], self.errors_of("// font.md (4.1)\n"))

    def test_what_is_no_citation(self):
        self.assertEqual([], self.errors_of("// log10(0.1), (1) of rows.h, fronts.md\nf(4.9);\n"))

    def test_numbers_of_a_page_are_unique(self):
        self.assertEqual(["docs/theory/fronts.md: (4.2) is the number of more than one equation"],
                         self.errors_of("", PAGE.replace("(4.1)", "(4.2)")))

    def test_the_project_itself(self):
        self.assertEqual([], check_equations.check(pathlib.Path(__file__).resolve().parent.parent))


if __name__ == "__main__":
    unittest.main()
