#!/usr/bin/env python3
"""Every model in the documents checks clean, and every error page shows a model with its own error."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import docs_blocks

ROOT = pathlib.Path(os.environ["GELENK_SOURCE_DIR"])
PROGRAM = os.environ["GELENK_PROGRAM"]


def check(model):
    with tempfile.TemporaryDirectory() as folder:
        path = model.write_to(pathlib.Path(folder))
        return subprocess.run([PROGRAM, "check", str(path)], capture_output=True, text=True, timeout=60)


class DocsExamplesTest(unittest.TestCase):

    def test_models_check_clean(self):
        count = 0
        for page in docs_blocks.pages(ROOT):
            for model in docs_blocks.models_of(page):
                count += 1
                with self.subTest(model=str(model)):
                    result = check(model)
                    self.assertEqual(0, result.returncode, result.stderr)
                    self.assertNotIn("warning:", result.stderr)
        self.assertGreater(count, 0, "no models were found: has the form of the blocks changed?")

    def test_error_pages_show_their_own_error(self):
        for page in docs_blocks.error_pages(ROOT):
            # The first model of a page is the broken one; a second would be its cure.
            for model in list(docs_blocks.models_of(page))[:1]:
                with self.subTest(model=str(model)):
                    self.assertIn(f"[{page.stem}]", check(model).stderr)


class DocsBlocksTest(unittest.TestCase):

    def test_blocks_are_found_with_the_files_beside_them(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text("text\n```yaml\n# file: link.yaml\ngelenk: 1\n```\n\n```yaml\njoints: {}\n```\n"
                            "```yaml\ngelenk: 1\nuse: link.yaml\n```\n```yaml\ngelenk: 1\n```\n")
            first, second = docs_blocks.models_of(page)
            self.assertEqual({"link.yaml": "# file: link.yaml\ngelenk: 1\n"}, first.beside)
            self.assertEqual(("gelenk: 1\nuse: link.yaml\n", 10), (first.text, first.line))
            self.assertEqual(({}, "gelenk: 1\n"), (second.beside, second.text))


if __name__ == "__main__":
    unittest.main()
