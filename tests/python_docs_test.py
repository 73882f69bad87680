#!/usr/bin/env python3
"""Every block of docs/python.md runs, in the order of the page, beside the files that it shows."""

import contextlib
import importlib
import io
import os
import re
import sys
import unittest

from python_support import InFolder, SOURCE

_BLOCK = re.compile(r"^```(python|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"# file: (\S+)\n")


class PythonPageTest(InFolder):

    def test_every_block_runs(self):
        page = SOURCE / "docs/python.md"
        text = page.read_text(encoding="utf-8")
        names, count = {}, 0
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for block in _BLOCK.finditer(text):
            language, content = block.groups()
            if language == "yaml":
                self.write(_FILE_NAME.match(content).group(1), content)
                continue
            count += 1
            # Lines of the page, in what a failure shows.
            padding = "\n" * text.count("\n", 0, block.start(2))
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(padding + content, str(page), "exec"), names)
        self.assertGreater(count, 10)

    def test_examples(self):
        folder = SOURCE / "examples/python"
        sys.path.insert(0, str(folder))
        self.addCleanup(sys.path.remove, str(folder))
        results = {}
        with contextlib.redirect_stdout(io.StringIO()):
            for script in sorted(folder.glob("*.py")):
                results[script.stem] = importlib.import_module(script.stem).main()
        travel, angle = results.pop("balance_pole")
        self.assertLess(travel, 0.02)
        self.assertLess(angle, 0.01)
        loads = results.pop("crank_length")
        self.assertEqual(sorted(loads), loads, "a longer crank accelerates the piston more")
        self.assertEqual(100, results.pop("learn_by_chance"))
        self.assertEqual({}, results)


if __name__ == "__main__":
    unittest.main()
