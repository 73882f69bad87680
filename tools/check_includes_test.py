#!/usr/bin/env python3
"""The check of includes must be able to fail: each rule is broken once, in a tree made for it."""

import pathlib
import tempfile
import unittest

import check_includes

TEXT_H = "#pragma once\n#include <string>\nnamespace gelenk {\nstd::string join(int n);\nclass Joiner {};\n" \
         "constexpr int kMostJoined = 3;\nstd::string list_names(int n);\n}\n"


class CheckIncludesTest(unittest.TestCase):

    def errors_of(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {"gelenk/base/text.h": TEXT_H, **files}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check_includes.check(root)

    def test_what_is_included_may_be_used(self):
        self.assertEqual([], self.errors_of({
            "gelenk/model/part.h": '#include "gelenk/base/text.h"\n',
            "gelenk/model/part.cc": '#include "gelenk/model/part.h"\nstd::string text = join(kMostJoined);\nJoiner joiner;\n',
        }))

    def test_types_constants_and_functions_need_their_header(self):
        for use, name in (("Joiner joiner;", "Joiner"), ("int n = f(kMostJoined);", "kMostJoined"),
                          ("auto names = list_names(2);", "list_names"), ("return join(2);", "join")):
            errors = self.errors_of({"gelenk/model/part.cc": f"\n{use}\n"})
            self.assertEqual([f'gelenk/model/part.cc:2: {name} is used without an include of "gelenk/base/text.h"'], errors)

    def test_a_name_declared_here_is_our_own(self):
        self.assertEqual([], self.errors_of({
            "gelenk/model/part.cc": "struct Joiner {};\nJoiner joiner;\nvoid f() { const int kMostJoined = 4; g(kMostJoined); }\n"}))

    def test_a_forward_declaration_is_not_the_header(self):
        errors = self.errors_of({"gelenk/model/part.cc": "class Joiner;\nvoid f() { return g(Joiner()); }\n"})
        self.assertEqual(1, len(errors), errors)

    def test_comments_texts_and_members_do_not_count(self):
        self.assertEqual([], self.errors_of({
            "gelenk/model/part.cc": '// a Joiner\nauto t = "Joiner"; /* Joiner */\nauto u = list.list_names(1);\n'}))

    def test_names_of_layers_above_are_others(self):
        self.assertEqual([], self.errors_of({"gelenk/model/part.h": "class Machine {};\n", "gelenk/base/a.cc": "Machine m;\n"}))

    def test_names_of_the_standard_library_need_their_header(self):
        errors = self.errors_of({"gelenk/model/part.cc": "std::vector<int> v;\nstd::vector<int> w;\n"})
        self.assertEqual(["gelenk/model/part.cc:1: std::vector is used without an include of <vector>"], errors)

    def test_a_helper_must_not_hide_a_function_of_all(self):
        helper = "namespace gelenk::model {{\nnamespace {{\n\nstd::string {}(int n) {{ return {{}}; }}\n\n}}  // namespace\n}}\n"
        errors = self.errors_of({"gelenk/model/part.cc": "#include <string>\n" + helper.format("join")})
        self.assertEqual(1, len(errors), errors)
        self.assertIn("gelenk/model/part.cc:5: the helper join() has the name of a function", errors[0])
        self.assertEqual([], self.errors_of({"gelenk/model/part.cc": "#include <string>\n" + helper.format("absorb")}))

    def test_this_tree_is_clean(self):
        self.assertEqual([], check_includes.check(pathlib.Path(__file__).resolve().parent.parent))


if __name__ == "__main__":
    unittest.main()
