#!/usr/bin/env python3
"""A drawing of 301 parts with fasteners: exported by the program, imported again, summed up in 25 lines."""

import json
import resource
import unittest

from program_support import InFolder, OK, run

STATIONS = 60
MOST_LINES = 25
MOST_SECONDS = 60.0  # of the processor; it takes some 8 s


def part(name, at, *shapes):
    return "\n".join([f"  {name}:", f"    at: [{at[0]}, {at[1]}, {at[2]}]", "    shape:", *(f"      - {s}" for s in shapes)])


def round_solid(radius, low, high, is_hole=False, x=0.0, y=0.0):
    hole = ", hole: true" if is_hole else ""
    return f"cylinder: {{radius: {radius} mm, from: [{x} mm, {y} mm, {low} mm], to: [{x} mm, {y} mm, {high} mm]{hole}}}"


def machine():
    """A bed with posts, each held by two bolts with a washer on one of them, and an arm on each post."""
    parts = [part("bed", (0, 0, 0), f"box: {{size: [{0.1 * STATIONS + 0.1}, 0.2, 0.02], at: [{0.05 * STATIONS - 0.05}, 0, -0.01]}}",
                  *(round_solid(4, -30, 10, True, 100.0 * i, y) for i in range(STATIONS) for y in (-30.0, 30.0)))]
    for i in range(STATIONS):
        x = 0.1 * i
        parts.append(part(f"post_{i}", (x, 0, 0), "box: {size: [0.04, 0.08, 0.02], at: [0, 0, 0.01]}",
                          round_solid(10, 20, 60), round_solid(4, -10, 30, True, 0, -30.0), round_solid(4, -10, 30, True, 0, 30.0)))
        for number, y in enumerate((-0.03, 0.03)):
            parts.append(part(f"bolt_{i}_{number}", (x, y, 0), round_solid(4, -20, 20 if number == 0 else 22),
                              round_solid(7, 20 if number == 0 else 22, 26)))
        parts.append(part(f"washer_{i}", (x, 0.03, 0.02), round_solid(7, 0, 2), round_solid(4, -1, 3, True)))
        parts.append(part(f"arm_{i}", (x, 0, 0.02), "box: {size: [0.03, 0.3, 0.01], at: [0, 0.1, 0.025]}", round_solid(10, 10, 40, True)))
    return "gelenk: 1\nname: line\nparts:\n" + "\n".join(parts) + "\n"


class Large(InFolder):
    def test_three_hundred_parts(self):
        self.write("line.yaml", machine())
        result = run("export", "line.yaml", "-o", "line.step", cwd=self.folder)
        self.assert_exit(result, OK)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        result = run("import", "line.step", "-o", "out", cwd=self.folder)
        self.assert_exit(result, OK)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, MOST_SECONDS)
        self.assertLessEqual(len(result.stdout.splitlines()), MOST_LINES, result.stdout)
        self.assertIn("301 parts", result.stdout)
        self.assertIn("180 fasteners merged", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^took +[0-9.]+ s, [0-9.]+ MB$")
        self.assertRegex(result.stdout, r"motions +60 free motions: arm_0 turns")
        report = json.loads((self.folder / "out/line.cad/import.json").read_text())
        types = [joint["type"] for joint in report["joints"] if joint["origin"] == "inferred"]
        self.assertEqual((types.count("fixed"), types.count("revolute"), len(types)), (STATIONS, STATIONS, 2 * STATIONS))


if __name__ == "__main__":
    unittest.main()
