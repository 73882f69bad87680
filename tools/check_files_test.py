#!/usr/bin/env python3
"""The file check must be able to fail: a long file, a path of a machine, an unfinished place."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import check_files


class CheckFilesTest(unittest.TestCase):

    def errors_of(self, files):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            root = pathlib.Path(folder)
            for name, content in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
            return check_files.check(root, list(files))

    def test_file_of_the_limit_passes_and_one_more_line_fails(self):
        self.assertEqual([], self.errors_of({"a.cc": "x\n" * check_files.LINE_LIMIT}))
        self.assertEqual(1, len(self.errors_of({"a.cc": "x\n" * (check_files.LINE_LIMIT + 1)})))

    def test_long_file_needs_a_reason(self):
        long_file = {"a.cc": "x\n" * (check_files.LINE_LIMIT + 1)}
        self.assertEqual([], self.errors_of(long_file | {check_files.ALLOWANCES: "a.cc one table\n"}))
        self.assertEqual(1, len(self.errors_of(long_file | {check_files.ALLOWANCES: "a.cc\n"})))

    def test_allowance_that_nobody_needs_fails(self):
        self.assertEqual(1, len(self.errors_of({"a.cc": "x\n", check_files.ALLOWANCES: "a.cc one table\n"})))

    def test_texts_and_data_may_be_long(self):
        self.assertEqual([], self.errors_of({"a.md": "x\n" * 2000, "a.yaml": "x\n" * 2000}))

    def test_machine_paths_fail(self):
        for folder in ("work", "home", "root"):
            errors = self.errors_of({"a.md": f"first\nsee /{folder}/someone\n"})
            self.assertEqual([f"a.md:2: '/{folder}/' names a path of somebody's machine"], errors)
        self.assertEqual([], self.errors_of({"a.md": "net/work/flow, https://host.org/home/page, ${x}/home/y\n"}))

    def test_unfinished_places_fail(self):
        for word in ("TO" "DO", "FIX" "ME"):
            self.assertEqual(1, len(self.errors_of({"a.cc": f"// {word}: later\n"})), word)
        self.assertEqual([], self.errors_of({"a.cc": "// mastodon, toDoList\n"}))

    def test_data_of_others_is_left_alone(self):
        self.assertEqual([], self.errors_of({"tests/data/robot.urdf": "<!-- " + "TO" + "DO -->\n"}))

    def test_merge_leftovers_fail(self):
        self.assertEqual(1, len(self.errors_of({"a.md": "<" * 7 + " HEAD\n"})))

    def test_binary_files_are_left_alone(self):
        self.assertEqual([], self.errors_of({"seed": b"\0TO" b"DO", "latin": b"\xff TO" b"DO"}))


if __name__ == "__main__":
    unittest.main()
