#!/usr/bin/env python3
"""The machine divided as its design, in one program, and as one factorization: the same motion from the command line."""

import json
import unittest

import h5py
import numpy

from program_support import OK, SOURCE, USAGE_ERROR
from run_support import InFolder

CAR = SOURCE / "examples/car/car_redundant.yaml"
ENGINE = SOURCE / "examples/steam_engine/steam_engine.yaml"
# Positions (m, quaternion) after some hundred steps; what divisions do differently is rounding.
SAME = 1e-10


class Partition(InFolder):
    def motion(self, model, partition, duration):
        name = f"{model.stem}_{partition}.h5"
        result = self.run_here("run", model, "--partition", partition, "--duration", duration, "-o", name)
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertIn("verdict: good", result.stdout + result.stderr)
        with h5py.File(self.folder / name) as file:
            found = []
            file.visititems(lambda path, item: found.append(item[()]) if path.endswith("pose") else None)
            self.assertTrue(found)
            return numpy.concatenate([numpy.ravel(values) for values in found])

    def test_same_motion(self):
        for model, duration in ((CAR, "0.5 s"), (ENGINE, "0.2 s")):
            auto = self.motion(model, "auto", duration)
            for partition in ("model", "none"):
                difference = numpy.max(numpy.abs(self.motion(model, partition, duration) - auto))
                self.assertLess(difference, SAME, f"{model.stem} {partition}")

    def test_a_run_goes_on_with_its_own_partition(self):
        kept = self.run_here("run", CAR, "--partition", "model", "--duration", "0.1 s", "--checkpoint", "0.02 s", "-o",
                             "kept.h5")
        self.assertEqual(kept.returncode, OK)
        refused = self.run_here("run", "--resume", "kept.h5", "--partition", "none")
        self.assertEqual(refused.returncode, USAGE_ERROR)
        self.assertIn("--partition", refused.stderr)


# Enough bodies to be moved in parts.
LONG_CHAIN = """gelenk: 1
name: chain
definitions:
  link:
    parts:
      bar: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: {xx: 0.01, yy: 0.1, zz: 0.1}, frames: {end: [1, 0, 0]}}
    ports: {root: bar, tip: bar.end}
assemblies:
  link:
    use: link
    repeat: 5000
    at: ["=index * 1 m", 0, 0]
    attach: {root: {type: revolute, to: previous.tip, first_to: ground, axis: z}}
"""


class Threads(InFolder):
    def values(self, threads):
        name = f"by_{threads}.h5"
        result = self.run_here("run", "chain.yaml", "--threads", threads, "--duration", "0.004 s", "--step", "0.001 s",
                               "--output-every", "0.004 s", "-o", name)
        self.assertEqual(result.returncode, OK, result.stderr)
        with h5py.File(self.folder / name) as file:
            found = []
            file.visititems(lambda path, item: found.append(item[()].tobytes()) if path.endswith("pose") else None)
            self.assertTrue(found)
            return found

    def test_the_same_bits(self):
        (self.folder / "chain.yaml").write_text(LONG_CHAIN)
        by_one = self.values("1")
        for threads in ("2", "3"):
            self.assertEqual(self.values(threads), by_one, threads)

    def test_not_a_number_of_threads(self):
        for threads in ("0", "-1", "1.5", "many"):
            result = self.run_here("run", CAR, "--threads", threads)
            self.assertEqual(result.returncode, USAGE_ERROR, threads)
            self.assertIn("--threads needs a whole number of at least 1", result.stderr)


# Lies flat after one second: the plane of the loop is closed twice there.
PARALLELOGRAM = """gelenk: 1
gravity: none
parts:
  left: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {top: [0, 1, 0]}}
  right: {at: [1, 0, 0], mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {top: [0, 1, 0]}}
  beam: {at: [0, 1, 0], mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {end: [1, 0, 0]}}
ground: {frames: {foot: [1, 0, 0]}}
joints:
  left_foot: {type: revolute, between: [ground, left], axis: z}
  left_top: {type: revolute, between: [left.top, beam], axis: z}
  right_top: {type: revolute, between: [right.top, beam.end], axis: z}
  right_foot: {type: revolute, between: [ground.foot, right], axis: z}
drivers:
  motor: {drives: left_foot.angle, position: "=-90 deg * time / (1 s)"}
simulation: {duration: 1.5 s, method: rk4, step: 10 ms, output_every: 0.5 s}
"""


class SingularPose(InFolder):
    def test_named_in_summary_events_and_certificate(self):
        model = self.write("parallelogram.yaml", PARALLELOGRAM)
        for partition in ("auto", "none"):
            result = self.run_here("run", model, "--partition", partition, "-o", f"{partition}.h5")
            self.assertEqual(result.returncode, OK, result.stderr)
            self.assertRegex(result.stdout, "singular pose: at 1 s rows of '.*' are no longer independent")
            self.assertIn("verdict: needs a look: the machine passed a singular pose at 1 s, at '", result.stdout)
            with h5py.File(self.folder / f"{partition}.h5") as file:
                events = [event for event in file["events"][()] if event["kind"] == b"rank"]
                certificate = json.loads(bytes(file["certificate"][()]))
            self.assertEqual([round(float(event["time"]), 9) for event in events], [1.0, 1.01])
            lost, regained = certificate["rankChanges"]
            self.assertEqual(lost["before"] - lost["after"], 1)
            self.assertTrue(lost["lost"])
            self.assertTrue(regained["regained"])
            self.assertEqual(regained["after"], lost["before"])
            self.assertEqual(events[0]["element"].decode(), lost["lost"][0])


BODY = "mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}"


def mixed_machine(bays):
    """A hub with a row of parallelograms on one joint, and two equal arms that close a loop with it."""
    lines = ["gelenk: 1", "parts:", f"  hub: {{{BODY}}}", "joints:",
             "  root: {type: revolute, between: [ground, hub], axis: z}",
             "  tip: {type: revolute, axis: z, between: [left.end, right.end]}", "definitions:",
             "  arm:", f"    parts: {{rod: {{{BODY}, frames: {{end: [1, 0, 0]}}}}}}", "    ports: {start: rod, end: rod.end}",
             "  row:", "    parts:"]
    lines += [f"      base: {{{BODY}, frames: {{" + ", ".join(f"p{i}: [{i}, 0, 0]" for i in range(bays + 1)) + "}}"]
    lines += [f"      post_{i}: {{at: [{i}, 0, 0], {BODY}, frames: {{top: [0, 1, 0]}}}}" for i in range(bays + 1)]
    lines += [f"      beam_{i}: {{at: [{i}, 1, 0], {BODY}, frames: {{end: [1, 0, 0]}}}}" for i in range(bays)]
    lines += ["    joints:"]
    for i in range(bays + 1):
        lines += [f"      foot_{i}: {{type: revolute, axis: z, between: [base.p{i}, post_{i}]}}"]
    for i in range(bays):
        lines += [f"      left_{i}: {{type: revolute, axis: z, between: [post_{i}.top, beam_{i}]}}",
                  f"      right_{i}: {{type: revolute, axis: z, between: [beam_{i}.end, post_{i + 1}.top]}}"]
    lines += ["    ports: {foot: base}", "assemblies:",
              "  row: {use: row, attach: {foot: {type: revolute, to: hub, axis: z}}}",
              "  left: {use: arm, attach: {start: {type: revolute, to: hub, axis: z}}}",
              "  right: {use: arm, attach: {start: {type: revolute, to: hub, axis: z}}}"]
    return "\n".join(lines) + "\n"


def large_machine(assemblies):
    """Chains of 3, 4, 5, ... links on one hub: no two are equal."""
    lines = ["gelenk: 1", "parts:", f"  hub: {{{BODY}}}", "joints:",
             "  root: {type: revolute, between: [ground, hub], axis: z}", "definitions:"]
    for n in range(3, 3 + assemblies):
        lines += [f"  chain_{n}:", "    parts:"]
        lines += [f"      link_{i}: {{at: [{i}, 0, 0], {BODY}, frames: {{end: [1, 0, 0]}}}}" for i in range(n)]
        lines += ["    joints:"]
        lines += [f"      pin_{i}: {{type: revolute, axis: z, between: [link_{i - 1}.end, link_{i}]}}"
                  for i in range(1, n)]
        lines += ["    ports: {start: link_0}"]
    lines += ["assemblies:"]
    lines += [f"  a_{n}: {{use: chain_{n}, attach: {{start: {{type: revolute, to: hub, axis: z}}}}}}"
              for n in range(3, 3 + assemblies)]
    return "\n".join(lines) + "\n"


class CheckComponents(InFolder):
    # S4-18: nested assemblies; which of them stay components is decided automatically, for efficiency.
    def test_text(self):
        result = self.run_here("check", CAR, "--components")
        self.assertEqual(result.returncode, OK, result.stderr)
        for part in ("components    car_redundant: 1 body, 8 joints", "front_left.damper: 2 bodies, 1 joint, 2 ports",
                     "partition     auto: one program for the whole machine",
                     "front_left.damper: dissolved, with front_left ",
                     "front_left, front_right, rear_left, rear_right: dissolved, with car_redundant together ",
                     "12 calls of components count as 1.0 k operations each, in their owners"):
            self.assertIn(part, result.stdout)

    def test_one_boundary_is_kept_and_another_dissolved(self):
        model = self.write("mixed.yaml", mixed_machine(10))
        result = self.run_here("check", model, "--components")
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertIn("auto: 1 of 3 boundaries kept", result.stdout)
        answer = json.loads(self.run_here("check", model, "--components", "--json").stdout)["summary"]["components"]
        self.assertEqual((answer["partition"], answer["compared"]), ("mixed", "boundaries"))
        boundaries = {one["path"]: one for one in answer["boundaries"]}
        self.assertEqual({path: one["kept"] for path, one in boundaries.items()},
                         {"row": True, "left": False, "right": False})
        for one in boundaries.values():
            self.assertEqual(one["kept"], one["operationsDissolved"] >= 0.9 * one["operationsKept"])
        self.assertEqual(boundaries["left"]["together"], 2, "equal siblings are decided together")
        # What the single decisions save adds up to the difference of the whole.
        saved = boundaries["left"]["operationsKept"] - boundaries["left"]["operationsDissolved"]
        self.assertAlmostEqual(answer["operations"], answer["operationsAsDesigned"] - saved, delta=1e-6)
        self.assertEqual(answer["operationsOfDealing"], 90.0 * sum(one["bodies"] for one in answer["components"]))

    def test_large_machines_are_compared_as_a_whole(self):
        model = self.write("large.yaml", large_machine(60))
        answer = json.loads(self.run_here("check", model, "--components", "--json").stdout)["summary"]["components"]
        self.assertEqual((answer["compared"], answer["boundaries"]), ("extremes", []))
        self.assertIn("too many for every boundary", self.run_here("check", model, "--components").stdout)

    def test_json(self):
        result = self.run_here("check", ENGINE, "--components", "--json")
        components = json.loads(result.stdout)["summary"]["components"]
        self.assertEqual(len(components["components"]), 7)
        self.assertEqual(sum(one["bodies"] for one in components["components"]), 7)
        self.assertLess(components["operations"], components["operationsAsDesigned"])


if __name__ == "__main__":
    unittest.main()
