#!/usr/bin/env python3
"""What the README shows as output of the program is its output."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("GELENK_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent))
README = (ROOT / "README.md").read_text(encoding="utf-8")
# The two mistakes that the README says it made.
MISTAKES = {"radius: 6 mm": "radius: 6 kg", "[ground, arm]": "[ground, amr]"}
EXIT_MODEL_ERROR = 3


def block(language, after):
    """The first fenced block of this language behind the given words."""
    return re.search(rf"```{language}\n(.*?)```", README[README.index(after):], re.DOTALL).group(1)


def check(text):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "pendulum.yaml").write_text(text, encoding="utf-8")
        return subprocess.run([os.environ["GELENK_PROGRAM"], "check", "pendulum.yaml"], cwd=folder, text=True,
                              capture_output=True, timeout=60)


class Readme(unittest.TestCase):
    model = block("yaml", "## A first model")

    def test_the_model_checks_as_shown(self):
        result = check(self.model)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.stdout, block("", "answers:"))

    def test_the_broken_model_fails_as_shown(self):
        broken = self.model
        for right, wrong in MISTAKES.items():
            self.assertEqual(broken.count(right), 1)
            broken = broken.replace(right, wrong)
        result = check(broken)
        self.assertEqual(result.returncode, EXIT_MODEL_ERROR)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr, block("", "## When something is wrong"))


if __name__ == "__main__":
    unittest.main()
