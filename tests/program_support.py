"""What tests that drive the program share: how it is started, a folder of their own, exit codes."""

import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["GELENK_PROGRAM"]
SOURCE = pathlib.Path(os.environ["GELENK_SOURCE_DIR"])

OK, FAILED, USAGE_ERROR, MODEL_ERROR, FILE_ERROR, INTERRUPTED = 0, 1, 2, 3, 4, 130
TIMEOUT_S = 120


def run(*arguments, env=None, cwd=None, **options):
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    environment.update(env or {})
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT_S,
                          env=environment, cwd=cwd, stdin=subprocess.DEVNULL, **options)


class InFolder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def assert_exit(self, result, code):
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)

    def assert_usage_error(self, result, *pieces):
        self.assert_exit(result, USAGE_ERROR)
        self.assertEqual(result.stdout, "")
        for piece in pieces:
            self.assertIn(piece, result.stderr)
