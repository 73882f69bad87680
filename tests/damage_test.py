#!/usr/bin/env python3
"""Files of results with flipped bits: `info`, `verify` and `run --resume` notice, whatever the bit means."""

import json
import random
import struct
import unittest

import h5py

from program_support import FAILED, FILE_ERROR, OK
from run_support import BLOCK, CRANK_SLIDER, InFolder

# A fixed seed: which bits are flipped is the same every time. Bits where nothing is stored change nothing.
SEED = 11
FLIPS = 25


def content(path):
    """Everything that can be read from the file."""
    found = {}

    def visit(name, thing):
        found[name] = sorted((key, str(value)) for key, value in thing.attrs.items())
        if isinstance(thing, h5py.Dataset):
            found[name].append(thing[()].tobytes() if thing.shape else thing[()])

    with h5py.File(path, "r") as file:
        found["/"] = sorted((key, str(value)) for key, value in file.attrs.items())
        file.visititems(visit)
    return found


class WithBits(InFolder):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "run.h5"

    def make_run(self, *options, code=OK):
        self.assert_exit(self.run_here("run", CRANK_SLIDER, "--duration", "0.2 s", "-o", "run.h5", "-q", *options), code)
        self.whole = self.path.read_bytes()

    def flip(self, place, bit):
        damaged = bytearray(self.whole)
        damaged[place] ^= 1 << bit
        self.path.write_bytes(damaged)

    def flip_last_bit_of_row(self, row):
        """Too little for any other check: the last bit of the height of a part."""
        with h5py.File(self.path, "r") as file:
            poses = file["parts/pose"][row].tobytes()
        self.flip(self.whole.index(poses), 0)


class Flipped(WithBits):
    def test_the_last_bit_of_a_number(self):
        self.make_run()
        self.flip_last_bit_of_row(7)
        for verb, code in (("verify", FAILED), ("info", FILE_ERROR)):
            result = self.run_here(verb, "run.h5")
            self.assert_exit(result, code)
            self.assertIn("'run.h5' is damaged: 1 row differs from what was recorded: 7", result.stderr)
            report = json.loads(self.run_here(verb, "run.h5", "--json").stdout)
            self.assertEqual((report["ok"], report["damage"]), (False, ["1 row differs from what was recorded: 7"]))
        result = self.run_here("run", "--resume", "run.h5")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("1 row differs from what was recorded: 7", result.stderr)

    def test_what_is_made_of_a_damaged_row_comes_with_a_warning(self):
        self.make_run()
        self.flip_last_bit_of_row(7)
        (self.folder / "sound.h5").write_bytes(self.whole)
        warning = "warning: 'run.h5' is damaged: 1 row differs from what was recorded: 7"
        for arguments in (("plot", "run.h5"), ("export", "run.h5", "-o", "run.csv"), ("export", "run.h5", "-o", "run.glb"),
                          ("export", "run.h5", "-o", "run.html"), ("report", "run.h5")):
            with self.subTest(arguments=arguments):
                result = self.run_here(*arguments, "-q")
                self.assert_exit(result, OK)
                self.assertEqual(result.stderr.count(warning), 1, result.stderr)
                self.assertNotIn("damaged", self.run_here(*[word.replace("run", "sound") for word in arguments]).stderr)
        self.assertIn("do not use", (self.folder / "run.report.html").read_text())
        self.assertNotIn("do not use", (self.folder / "sound.report.html").read_text())
        result = self.run_here("compare", "sound.h5", "run.h5", "--tolerance", "1")
        self.assert_exit(result, FAILED)
        self.assertIn(warning, result.stderr)
        for verb in ("plot", "report"):
            self.assertEqual(json.loads(self.run_here(verb, "run.h5", "--json").stdout)["damage"],
                             ["1 row differs from what was recorded: 7"])
        self.assertIn("verdict:  none: the file is damaged", self.run_here("info", "run.h5").stdout)

    def test_bits_anywhere(self):
        self.make_run()
        before = content(self.path)
        dice = random.Random(SEED)
        noticed = 0
        for _ in range(FLIPS):
            place, bit = dice.randrange(len(self.whole)), dice.randrange(8)
            self.flip(place, bit)
            result = self.run_here("verify", "run.h5")
            with self.subTest(place=place, bit=bit):
                self.assertIn(result.returncode, (OK, FAILED, FILE_ERROR), result.stderr)
                if result.returncode == OK:
                    self.assertEqual(content(self.path), before)
                else:
                    noticed += 1
        self.assertGreater(noticed, FLIPS // 4)

    def test_a_view_that_crashes_the_library(self):
        """How many dimensions a view selects is read before its checksum: HDF5 1.10 writes beyond its memory, and aborts."""
        self.make_run()
        source = self.whole.index(b".\0/parts/pose\0", self.whole.index(b"GCOL"))
        dimensions = self.whole.index(b"\0", source + 2) + 14  # behind type, version, flags and length of the selection
        damaged = bytearray(self.whole)
        damaged[dimensions] = 0x7F
        self.path.write_bytes(damaged)
        for verb, code in (("info", FILE_ERROR), ("verify", FAILED)):
            result = self.run_here(verb, "run.h5")
            self.assert_exit(result, code)
            self.assertIn("'run.h5' is damaged: its reader crashed", result.stderr)
            self.assertIn(", near 'by_path/", result.stderr)
        self.assert_exit(self.run_here("export", "run.h5"), OK)  # nobody needs the views for it

    def test_a_heap_that_leads_the_library_in_circles(self):
        """The names of views are in a heap whose last object is its free room: HDF5 1.10 never passes one without any."""
        self.make_run()
        heap = self.whole.index(b"GCOL")
        place = heap + 16
        number, _, _, size = struct.unpack_from("<HHIQ", self.whole, place)
        while number != 0:
            place += 16 + (size + 7) // 8 * 8
            number, _, _, size = struct.unpack_from("<HHIQ", self.whole, place)
        self.assertLess(place, heap + struct.unpack_from("<Q", self.whole, heap + 8)[0])
        damaged = bytearray(self.whole)
        struct.pack_into("<Q", damaged, place + 8, 0)
        self.path.write_bytes(damaged)
        result = self.run_here("info", "run.h5")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("'run.h5' is damaged: its reader does not come to an end, near 'by_path/", result.stderr)

    def test_a_file_without_checksums_is_read_and_verify_says_so(self):
        self.make_run()
        with h5py.File(self.path, "r+") as file:
            del file["checksums"]
            for name in ("model/resolved", "model/source/0", "options"):
                del file[name].attrs["crc32"]
        result = self.run_here("verify", "run.h5")
        self.assert_exit(result, OK)
        self.assertIn("not checked: checksums of rows: there are none, an older version", result.stdout)
        self.assert_exit(self.run_here("info", "run.h5"), OK)
        self.assertFalse(json.loads(self.run_here("info", "run.h5", "--json").stdout)["hasChecksums"])

    def test_a_file_without_rows(self):
        self.make_run()
        with h5py.File(self.path, "r+") as file:
            for name in ("time", "checksums/rows"):
                file[name].resize(0, axis=0)
        result = self.run_here("verify", "run.h5")
        self.assert_exit(result, FAILED)
        self.assertIn("'run.h5' has no rows: there is nothing to verify", result.stderr)


class Resumed(WithBits):
    def stop(self):
        """A run that failed after half of its time, with checkpoints."""
        self.write("ends.yaml", BLOCK + 'forces: {push: {type: force, applied_to: block, along: x, value: '
                   '"=1 N*sqrt(1.05 - time/(1 s))"}}\n')
        self.assert_exit(self.run_here("run", "ends.yaml", "--duration", "2 s", "--output-every", "10 ms",
                                       "--checkpoint", "0.1 s", "-o", "run.h5", "-q"), FAILED)
        self.whole = self.path.read_bytes()

    def test_behind_a_damaged_row_nothing_goes_on(self):
        self.stop()
        self.flip_last_bit_of_row(50)
        before = self.path.read_bytes()
        result = self.run_here("run", "--resume", "run.h5")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("cannot be continued: 1 row differs from what was recorded: 50", result.stderr)
        self.assertEqual(self.path.read_bytes(), before)

    def test_a_file_without_checksums_goes_on_without(self):
        self.stop()
        with h5py.File(self.path, "r+") as file:
            del file["checksums"]
        before = content(self.path)
        result = self.run_here("run", "--resume", "run.h5")
        self.assert_exit(result, FAILED)  # as before
        self.assertIn("continuing from 1.0", result.stderr)
        after = content(self.path)
        self.assertEqual(after["parts/pose"], before["parts/pose"])
        self.assertIn("there are none, an older version", self.run_here("verify", "run.h5").stdout)

    def test_damaged_checkpoints_are_named(self):
        self.stop()
        self.assert_exit(self.run_here("verify", "run.h5"), OK)
        for path in self.folder.glob("run.checkpoint-?"):
            damaged = bytearray(path.read_bytes())
            damaged[len(damaged) // 2] ^= 4
            path.write_bytes(damaged)
        result = self.run_here("verify", "run.h5")
        self.assert_exit(result, FAILED)
        self.assertIn("run.checkpoint-1 is damaged (its checksum is wrong)", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
