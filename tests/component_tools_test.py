#!/usr/bin/env python3
"""`gelenk component` beyond its first trial: how long a component takes, what two of them do at once."""

import json
import os
import pathlib
import platform
import subprocess
import unittest

import component_support as gkc
from program_support import FILE_ERROR, InFolder, OK, PROGRAM, TIMEOUT_S, USAGE_ERROR

HOST = f"{platform.machine()}-linux"
COMPONENTS = pathlib.Path(os.environ["GELENK_TEST_COMPONENTS"])
STRUT = """gelenk: 1
name: strut
about: {version: 1.0, maker: ACME}
parameters:
  spring: {value: 40 kN/m, min: 10 kN/m, max: 80 kN/m, doc: stiffness}
parts:
  tube: {at: [0, 0, 0.4 m], mass: 4 kg, inertia: {xx: 0.06, yy: 0.06, zz: 0.004}}
  rod: {mass: 3 kg, inertia: {xx: 0.04, yy: 0.04, zz: 0.002}}
joints:
  slide: {type: cylindrical, between: [tube, rod], axis: z}
forces:
  strut: {type: spring_damper, between: [tube, rod], stiffness: =spring, damping: 2500 N*s/m, free_length: 0.4 m}
outputs:
  travel: slide.travel
ports:
  top: tube
  foot: rod
"""


class Trying(InFolder):
    def setUp(self):
        super().setUp()
        self.assert_exit(self.gelenk("trust", "keygen", "-o", "key"), OK)

    def gelenk(self, *arguments):
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder / "home")}
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT_S,
                              cwd=self.folder, env=environment, stdin=subprocess.DEVNULL)

    def seal(self, name="strut.gkc", model=STRUT, options=("--key", "key")):
        self.write("strut.yaml", model)
        self.assert_exit(self.gelenk("seal", "strut.yaml", "--publish", "spring", "--output", "travel", "--force", "-o",
                                     name, *options), OK)

    def trust(self):
        self.assert_exit(self.gelenk("trust", "add", "ACME", "key.pub"), OK)

    def findings(self, code, *arguments):
        result = self.gelenk("component", *arguments, "--json")
        self.assert_exit(result, code)
        return json.loads(result.stdout)


class Bench(Trying):
    ROWS = ["evaluation", "load", "factor", "right side", "up", "down", "rk4 step"]

    def test_code_of_strangers_stays_in_its_cage(self):
        self.seal()
        found = self.findings(OK, "bench", "strut.gkc")
        self.assertEqual([one["carrier"] for one in found["carriers"]], ["worker"])
        result = self.gelenk("component", "bench", "strut.gkc")
        self.assert_exit(result, OK)
        self.assertIn("not measured in the process", result.stdout)
        found = self.findings(OK, "bench", "strut.gkc", "--trust-once")
        self.assertEqual([one["carrier"] for one in found["carriers"]], ["in process", "worker"])

    def test_both_places_side_by_side(self):
        self.seal()
        self.trust()
        found = self.findings(OK, "bench", "strut.gkc", "--set", "spring=35 kN/m", "--report", "times.json")
        self.assertEqual(json.loads((self.folder / "times.json").read_text()), found)
        self.assertEqual((found["component"], found["ports"]), ("strut", 2))
        self.assertEqual([one["carrier"] for one in found["carriers"]], ["in process", "worker"])
        for one in found["carriers"]:
            times = one["microseconds"]
            self.assertEqual(list(times), self.ROWS)
            for row in times.values():
                self.assertGreater(row["median"], 0.0)
                self.assertGreaterEqual(row["percentile99"], row["median"])
            # Four evaluations and the machine around it
            self.assertGreater(times["rk4 step"]["median"], times["evaluation"]["median"])
        text = self.gelenk("component", "bench", "strut.gkc").stdout
        self.assertRegex(text, r"in process +worker\n +median +99 % +median +99 %\n")
        self.assertRegex(text, r"rk4 step +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+\n$")

    def test_what_cannot_be_measured(self):
        self.assert_exit(self.gelenk("component", "bench", "nowhere.gkc"), FILE_ERROR)
        self.seal()
        self.assertIn("its minimum is", self.gelenk("component", "bench", "strut.gkc", "--set", "spring=1").stderr)
        self.assertIn("needs NAME=VALUE", self.gelenk("component", "bench", "strut.gkc", "--set", "spring").stderr)
        self.assert_exit(self.gelenk("component", "bnch", "strut.gkc"), USAGE_ERROR)


class Pairs(Trying):
    """Components in C of tests/carriers: a body on its own, and one that keeps what it has found for all of its kind."""

    CHECK = "same bits beside another one, in two threads"

    def pack(self, name):
        manifest = {"format": {"major": 1, "minor": 0}, "abi": {"major": 1, "minor": 0},
                    "about": {"name": name, "version": "1.0"},
                    "ports": [{"name": "eye", "kind": "frame", "width": 6},
                              {"name": "push", "kind": "signal_in", "width": 1, "unit": "N"},
                              {"name": "speed", "kind": "signal_out", "width": 1, "unit": "m/s"}],
                    "parameters": [{"name": "mass", "unit": "kg", "default": 2, "min": 1e-3, "max": 1e3}],
                    "outputs": [{"name": "height", "unit": "m"}], "platforms": [HOST]}
        files = {f"binaries/{HOST}/body.so": (COMPONENTS / f"{name}.so").read_bytes()}
        manifest["files"] = gkc.manifest(files)["files"]
        content = gkc.container(seed=gkc.seed_of(self.folder / "key"), content=manifest, files=files)
        (self.folder / f"{name}.gkc").write_bytes(content)

    def check_of(self, name):
        self.pack(name)
        found = json.loads(self.gelenk("component", "test", f"{name}.gkc", "--json").stdout)
        (check,) = [check for check in found["checks"] if check["name"] == self.CHECK]
        return found["carrier"], check["ok"], check["figure"]

    def test_what_two_of_them_share_is_found(self):
        self.trust()
        carrier, is_good, figure = self.check_of("careless_body")
        self.assertEqual((carrier, is_good), ("in process", False), figure)
        self.assertIn("two of it share something", figure)
        carrier, is_good, figure = self.check_of("free_body")
        self.assertEqual((carrier, is_good), ("in process", True), figure)

    def test_workers_share_nothing(self):
        for name in ("careless_body", "free_body"):
            carrier, is_good, figure = self.check_of(name)
            self.assertEqual((carrier, is_good), ("worker", True), figure)
            self.assertRegex(figure, r"^\d+ motions$")


if __name__ == "__main__":
    unittest.main()
