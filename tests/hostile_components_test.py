#!/usr/bin/env python3
"""Components that break, lie or attack (tests/hosts/bad_body.c), met as a customer meets them: every run ends with exit
code 5, names the component and keeps its file, and the program goes on as if nothing had happened."""

import os
import pathlib
import platform
import re
import unittest

import component_support as gkc
from customer_support import COMPONENT_FAILED, Customer
from program_support import OK, SOURCE

HOST = f"{platform.machine()}-linux"
COMPONENTS = pathlib.Path(os.environ["GELENK_TEST_COMPONENTS"])
# They do no harm: nothing at all, and printing, which nobody sees.
HARMLESS = {"bad_mode_none", "bad_print"}
# These wait for deadlines of 10 and 30 s; tests/hosts tries them with shorter ones.
SLOW = {"bad_hang", "bad_hang_in_create", "bad_hang_in_mount"}
MACHINE = """gelenk: 1
gravity: [0, 0, -9.81]
parts:
  block: {mass: 1 kg, inertia: {xx: 0.01, yy: 0.02, zz: 0.03}, frames: {end: {at: [0.3 m, 0.1 m, 0]}}}
assemblies:
  guest:
    use: ball.gkc
    inputs: {push: 0 N}
    at: [0.3 m, 0.1 m, 0]
    set: {mass: 3 kg}
    attach: {eye: {type: spherical, to: block.end}}
simulation: {duration: 0.05 s, output_every: 10 ms, method: rk4, step: 5 ms}
"""


def modes():
    text = (SOURCE / "tests/hosts/bad_modes.h").read_text()
    return re.findall(r"^  (bad_\w+)", text, re.MULTILINE)


class Hostile(Customer):
    def pack(self, number):
        files = {f"binaries/{HOST}/ball.so": (COMPONENTS / "bad_body.so").read_bytes(),
                 "resources/inside.bin": str(number).encode()}
        (self.folder / "ball.gkc").write_bytes(gkc.ball(HOST, "ball", files))

    def test_all_end_with_exit_code_5_and_an_intact_host(self):
        self.write("machine.yaml", MACHINE)
        (self.folder / "mine.txt").write_text("mine")
        names = modes()
        self.assertGreater(len(names), 40)
        for number, name in enumerate(names):
            if name in SLOW:
                continue
            with self.subTest(mode=name):
                self.pack(number)
                result = self.gelenk("run", "machine.yaml", "-o", "run.h5", "--force")
                if name in HARMLESS:
                    self.assert_exit(result, OK)
                    continue
                self.assert_exit(result, COMPONENT_FAILED)
                self.assertRegex(result.stderr, r"component '(guest|ball)")
                self.assertNotIn("\033[2J", result.stderr)
        self.assertEqual((self.folder / "mine.txt").read_text(), "mine")
        self.pack(names.index("bad_mode_none"))
        self.assert_exit(self.gelenk("run", "machine.yaml", "-o", "last.h5"), OK)


if __name__ == "__main__":
    unittest.main()
