#!/usr/bin/env python3
"""`gelenk export` of what is looked at: the viewer with its data as one file, pictures, videos."""

import json
import re
import struct
import unittest
import zlib

import h5py
import numpy

from program_support import FILE_ERROR, InFolder, MODEL_ERROR, OK, run, SOURCE, USAGE_ERROR
from view_support import check_policy, OneFile

FOUR_BAR = SOURCE / "examples/four_bar/four_bar.yaml"
CANNOT_CLOSE = SOURCE / "tests/broken/motion/cannot_close.yaml"
MOST_PAGE_BYTES = 1_000_000
RUN_S = 0.5


def pixels(data):
    """Lines of pixels, 8 bits a channel: the filters of PNG (ISO 15948, chapter 9)."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, color, _, _, interlace = struct.unpack_from(">IIBBBBB", data, 16)
    assert (depth, interlace) == (8, 0) and color in (2, 6)
    channels = {2: 3, 6: 4}[color]
    packed, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    lines = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(height, 1 + width * channels)
    result = numpy.zeros((height, width * channels), numpy.int32)
    before = numpy.zeros(width * channels, numpy.int32)
    for row, line in enumerate(lines):
        result[row] = before = unfiltered(line[0], line[1:].astype(numpy.int32), before, channels)
    return result.reshape(height, width, channels)


def unfiltered(kind, line, above, step):
    if kind in (0, 2):
        return (line + above * (kind == 2)) % 256
    out = line.tolist()
    above = above.tolist()
    for i, value in enumerate(out):
        left, corner = (out[i - step], above[i - step]) if i >= step else (0, 0)
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + above[i]) // 2
        else:
            guess = min((left, above[i], corner), key=lambda it: abs(left + above[i] - corner - it))
        out[i] = (value + guess) % 256
    return numpy.array(out, numpy.int32)


def boxes(data):
    """Boxes of an MP4 file (ISO 14496-12): kind and content, those in `moov` as well."""
    at = 0
    while at + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        begin = at + 8
        if size == 1:
            size = struct.unpack_from(">Q", data, begin)[0]
            begin += 8
        content = data[begin:at + size] if size else data[begin:]
        yield kind, content
        if kind in (b"moov", b"trak", b"mdia"):
            yield from boxes(content)
        at += size or len(data)


class Exports(InFolder):
    def setUp(self):
        super().setUp()
        self.assert_exit(run("run", FOUR_BAR, "-o", "a.h5", "--duration", f"{RUN_S} s", cwd=self.folder), OK)

    def export(self, *arguments, code=OK, **options):
        result = run("export", *arguments, cwd=self.folder, **options)
        self.assert_exit(result, code)
        return result


class OnePage(Exports):
    def test_it_holds_the_run(self):
        reported = json.loads(self.export("a.h5", "-o", "a.html", "--json").stdout)
        page = OneFile(self.folder / "a.html")
        self.assertLessEqual(page.page_bytes, MOST_PAGE_BYTES)
        self.assertEqual(reported["bytes"], (self.folder / "a.html").stat().st_size)
        (described,) = page.head["runs"]
        self.assertEqual((described["rows"], described["status"]), (reported["rows"], "done"))
        self.assertEqual(page.head["scene"]["name"], "four_bar")
        with h5py.File(self.folder / "a.h5") as file:
            times = file["time"][:]
            rows = len(times)
            self.assertEqual(rows, described["rows"])
            self.assertEqual(page.numbers[described["timesOffset"]:][:8 * rows], times.tobytes())
            for block in described["blocks"]:
                table = file[block["name"]][:].astype("<f4").tobytes()
                self.assertEqual(block["offset"] % 8, 0)
                self.assertEqual(len(table), 4 * rows * block["width"])
                self.assertEqual(page.numbers[block["offset"]:][:len(table)], table, block["name"])

    def test_only_its_own_scripts_run_in_it(self):
        self.export("a.h5", "-o", "a.html")
        page = (self.folder / "a.html").read_text()
        (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)"', page.split("<script")[0])
        check_policy(self, page, policy)

    def test_the_same_run_gives_the_same_file(self):
        self.export("a.h5", "-o", "a.html")
        self.export("a.h5", "-o", "b.html")
        self.assertEqual((self.folder / "a.html").read_bytes(), (self.folder / "b.html").read_bytes())

    def test_models(self):
        self.export(FOUR_BAR, "-o", "a.html")
        page = OneFile(self.folder / "a.html")
        self.assertEqual((page.head["runs"], page.head["diagnostics"], page.numbers), ([], [], b""))
        # Only who looks at once wants to see what is wrong.
        self.export(CANNOT_CLOSE, "-o", "b.html", code=MODEL_ERROR)
        self.assertFalse((self.folder / "b.html").exists())

    def test_mistakes(self):
        self.write("b.html", "mine")
        self.assertIn("'b.html' already exists", self.export("a.h5", "-o", "b.html", code=FILE_ERROR).stderr)
        self.assertEqual((self.folder / "b.html").read_text(), "mine")
        self.assert_usage_error(self.export("a.h5", "-o", "c.html", "--size", "320x240", code=USAGE_ERROR), "--size")
        self.export("none.h5", "-o", "c.html", code=FILE_ERROR)


class Pictures(Exports):
    def test_png(self):
        self.export("a.h5", "-o", "a.png", "--size", "320x240", "--time", "0.25 s")
        picture = pixels((self.folder / "a.png").read_bytes())
        self.assertEqual(picture.shape[:2], (240, 320))
        colors = len(numpy.unique(picture.reshape(-1, picture.shape[2]), axis=0))
        self.assertGreater(colors, 50, "more than a background")

    def test_mp4(self):
        frames_per_second, speed = 5, 2
        self.export("a.h5", "-o", "a.mp4", "--fps", frames_per_second, "--size", "160x120", "--speed", speed)
        found = list(boxes((self.folder / "a.mp4").read_bytes()))
        self.assertEqual(found[0][0], b"ftyp")
        contents = dict(found)
        version = contents[b"mvhd"][0]
        scale, duration = struct.unpack_from(">IQ" if version else ">II", contents[b"mvhd"], 20 if version else 12)
        # From the first row to the last, both of them shown.
        self.assertAlmostEqual(duration / scale, RUN_S / speed, delta=1.01 / frames_per_second)
        width, height = struct.unpack_from(">II", contents[b"tkhd"], len(contents[b"tkhd"]) - 8)
        self.assertEqual((width >> 16, height >> 16), (160, 120))

    def test_without_a_browser(self):
        for name in ("a.png", "a.mp4"):
            result = self.export("a.h5", "-o", name, code=FILE_ERROR, env={"CHROMIUM": "/nonexistent"})
            self.assertIn("Chromium", result.stderr)
            self.assertIn("-o X.html", result.stderr)
            self.assertFalse((self.folder / name).exists())

    def test_a_browser_that_does_not_work(self):
        result = self.export("a.h5", "-o", "a.png", code=FILE_ERROR, env={"CHROMIUM": "/bin/false"})
        self.assertIn("'/bin/false'", result.stderr)
        self.assertIn("-o X.html", result.stderr)

    def test_mistakes(self):
        for name, options, words in [
                ("a.png", ["--view", "inside"], "there is no view 'inside'"),
                ("a.png", ["--size", "large"], "'large' is not a size in pixels"),
                ("a.png", ["--size", "320"], "is not a size"), ("a.png", ["--size", "320x"], "is not a size"),
                ("a.png", ["--size", "-320x240"], "is not a size"), ("a.png", ["--size", "320x240x3"], "is not a size"),
                ("a.png", ["--size", "8x8"], "16 to 8192 pixels, not 8"),
                ("a.png", ["--size", "100x9000"], "16 to 8192 pixels, not 9000"),
                ("a.mp4", ["--size", "161x120"], "an even number of pixels, not 161"),
                ("a.mp4", ["--speed", "0"], "--speed"), ("a.mp4", ["--speed", "fast"], "--speed"),
                ("a.mp4", ["--fps", "-1"], "--fps"), ("a.png", ["--fps", "5"], "--fps"),
                ("a.png", ["--time", "9 s"], "--time")]:
            self.assert_usage_error(self.export("a.h5", "-o", name, *options, code=USAGE_ERROR), words)
        self.assert_usage_error(self.export(FOUR_BAR, "-o", "a.mp4", code=USAGE_ERROR), "a video needs a run")
        self.assert_usage_error(self.export(FOUR_BAR, "-o", "a.png", "--time", "0.1 s", code=USAGE_ERROR), "--time")


if __name__ == "__main__":
    unittest.main()
