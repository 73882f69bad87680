#!/usr/bin/env python3
"""What the README shows as output of the program is its output."""

import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("GELENK_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent))
README = (ROOT / "README.md").read_text(encoding="utf-8")
# The two mistakes that the README says it made.
MISTAKES = {"radius: 6 mm": "radius: 6 kg", "[ground, arm]": "[ground, amr]"}
EXIT_MODEL_ERROR = 3
MOST_BYTES = 600_000  # of the moving picture: everybody who opens the page loads it


def block(language, after):
    """The first fenced block of this language behind the given words."""
    return re.search(rf"```{language}\n(.*?)```", README[README.index(after):], re.DOTALL).group(1)


def check(text):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "pendulum.yaml").write_text(text, encoding="utf-8")
        return subprocess.run([os.environ["GELENK_PROGRAM"], "check", "pendulum.yaml"], cwd=folder, text=True,
                              capture_output=True, timeout=60)


def chunks(data):
    """The chunks of a RIFF file or of a part of it: names and contents."""
    while data:
        name, size = struct.unpack("<4sI", data[:8])
        yield name, data[8:8 + size]
        data = data[8 + size + size % 2:]


def three_bytes(data):
    """Numbers of three bytes each."""
    return [int.from_bytes(data[i:i + 3], "little") for i in range(0, len(data), 3)]


class Film(unittest.TestCase):
    """The moving picture at the top: `npm run film` in the folder of the viewer makes it."""

    def setUp(self):
        found = re.search(r"!\[([^\]]+)\]\((\S+\.webp)\)", README)
        self.words, self.data = found.group(1), (ROOT / found.group(2)).read_bytes()
        (riff, content), = chunks(self.data)
        self.assertEqual((riff, content[:4]), (b"RIFF", b"WEBP"))
        self.chunks = list(chunks(content[4:]))

    def test_it_is_small_and_has_words_for_those_who_do_not_see_it(self):
        self.assertLess(len(self.data), MOST_BYTES)
        self.assertGreater(len(self.words.split()), 10)

    def test_its_frames_are_inside_of_it_and_run_for_seconds(self):
        self.assertEqual([name for name, _ in self.chunks[:2]], [b"VP8X", b"ANIM"])
        width, height = (number + 1 for number in three_bytes(self.chunks[0][1][4:]))
        frames = [three_bytes(content[:15]) for name, content in self.chunks if name == b"ANMF"]
        self.assertGreater(len(frames), 20)
        self.assertEqual(frames[0][:4], [0, 0, width - 1, height - 1])
        for left, top, frame_width, frame_height, _ in frames:
            self.assertLessEqual(2 * left + frame_width + 1, width)
            self.assertLessEqual(2 * top + frame_height + 1, height)
        self.assertTrue(5_000 < sum(frame[4] for frame in frames) < 20_000)


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
