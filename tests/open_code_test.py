#!/usr/bin/env python3
"""Code in C of an open model: compiled when the model is run, in a sandbox or, where it is trusted, in the program. The same motion
as the same law in the model file, and the same bits as the sealed component; then code that is wrong or means harm."""

import json
import os
import signal
import subprocess
import time
import unittest

import h5py

from program_support import FAILED, FILE_ERROR, InFolder, MODEL_ERROR, OK, PROGRAM, TIMEOUT_S

COMPONENT_FAILED = 5

# A spring behind a damper, along the tube, and the heat in the damper.
CODE = r"""#include "gelenk_code.h"
static int evaluate(const gelenk_code_in* in, gelenk_code_out* out) {
  const double pull = in->states[0], stiffness = in->parameters[0], damping = in->parameters[1];
  double speed = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double axis = in->frames[0].rotation[3 * i + 2];
    speed += axis * (in->frames[1].velocity[i] - in->frames[0].velocity[i]);
    out->wrenches[0].force[i] = pull * axis;
    out->wrenches[1].force[i] = -pull * axis;
    out->wrenches[0].moment[i] = out->wrenches[1].moment[i] = 0.0;
  }
  out->rates[0] = stiffness * speed - stiffness / damping * pull;
  out->rates[1] = pull * pull / damping;
  out->outputs[0] = pull * pull / damping;
  return 0;
}
GELENK_CODE(evaluate, .frame_count = 2, .state_count = 2, .parameter_count = 2, .output_count = 1)
"""
STRUT = """gelenk: 1
name: strut
parts:
  tube: {at: [0, 0, 0.4 m], mass: 4 kg, inertia: {xx: 0.06, yy: 0.06, zz: 0.004}}
  rod: {mass: 3 kg, inertia: {xx: 0.04, yy: 0.04, zz: 0.002}}
joints:
  slide: {type: prismatic, between: [tube, rod], axis: z}
ports: {top: tube, foot: rod}
"""
IN_C = """code:
  source: maxwell.c
  frames: {tube: tube, rod: rod}
  states: {pull: 0 N, heat: 0 J}
  parameters: {stiffness: 3000 N/m, damping: 400 N*s/m}
  outputs: {power: W}
outputs: {pull: code.pull}
"""
IN_YAML = """states:
  pull: {start: 0 N, rate: "=3000 (N/m) * slide.speed - 3000 (N/m) / (400 (N*s/m)) * pull"}
  heat: {start: 0 J, rate: "=pull * pull / (400 (N*s/m))"}
forces:
  maxwell: {type: actuator, drives: slide.travel, value: =-pull}
"""
MACHINE = """gelenk: 1
name: machine
parts:
  left_weight: {at: [0, 0, 0.5 m], mass: 5 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  right_weight: {at: [1 m, 0, 0.5 m], mass: 8 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
assemblies:
  left: {use: STRUT, attach: {top: {type: fixed, to: left_weight}, foot: {type: revolute, to: ground, axis: y}}}
  right: {use: STRUT, at: [1 m, 0, 0], attach: {top: {type: fixed, to: right_weight}, foot: {type: revolute, to: ground, axis: y}}}
joints:
  rope: {type: distance, between: [left_weight, right_weight], length: 1 m}
simulation: {duration: 0.2 s, output_every: 0.05 s, method: rk4, step: 1 ms}
"""
# The same in an assembly of its own.
NESTED = """gelenk: 1
name: nested
assemblies: {rig: {use: machine.yaml}}
simulation: {duration: 0.2 s, output_every: 0.05 s, method: rk4, step: 1 ms}
"""
RETURN = "  return 0;\n}"


class OpenCode(InFolder):
    def setUp(self):
        super().setUp()
        self.write("maxwell.c", CODE)
        self.write("strut.yaml", STRUT + IN_C)
        self.write("written.yaml", STRUT + IN_YAML)
        for name, strut in (("machine", "strut.yaml"), ("states", "written.yaml"), ("sealed", "strut.gkc")):
            self.write(name + ".yaml", MACHINE.replace("STRUT", strut))
        self.environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder / "home"),
                            "XDG_CACHE_HOME": str(self.folder / "cache")}

    def gelenk(self, *arguments, **more):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT_S,
                              cwd=self.folder, env={**self.environment, **more}, stdin=subprocess.DEVNULL)

    def rows(self, model, *options, run="run.h5", **more):
        """What a run recorded, by channel, as text: all its digits."""
        result = self.gelenk("run", model, "-o", run, "--force", *options, **more)
        self.assert_exit(result, OK)
        return self.recorded(run)

    def recorded(self, run):
        self.assert_exit(self.gelenk("export", run, "-o", run + ".csv", "--force"), OK)
        lines = [line for line in (self.folder / (run + ".csv")).read_text().splitlines() if not line.startswith("#")]
        names = [name.split(" ")[0] for name in lines[0].split(",")]
        return dict(zip(names, zip(*(line.split(",") for line in lines[1:]))))

    def change(self, file, before, after):
        text = (self.folder / file).read_text()
        self.assertIn(before, text)
        self.write(file, text.replace(before, after, 1))

    # S1-05: a force law with two states in C does what the same law in the model file does.
    def test_same_as_states_of_the_model(self):
        for options, allowed in ((("--method", "rk4"), 1e-12), (("--method", "bdf", "--tolerance", "1e-9"), 1e-6)):
            with self.subTest(options):
                coded, written = self.rows("machine.yaml", *options), self.rows("states.yaml", *options)
                for one, other in (("left_weight.position.z", "left_weight.position.z"),
                                   ("right_weight.velocity.z", "right_weight.velocity.z"),
                                   ("left.code.pull", "left.pull"), ("right.code.heat", "right.heat")):
                    size = max(abs(float(value)) for value in written[other])
                    self.assertGreater(size, 1e-3)
                    for mine, expected in zip(coded[one], written[other]):
                        self.assertAlmostEqual(float(mine), float(expected), delta=100 * allowed * max(size, 1.0))

    def test_same_bits_in_the_sandbox_and_in_the_program_and_sealed_but_for_rounding(self):
        self.assert_exit(self.gelenk("seal", "strut.yaml", "--output", "pull"), OK)
        for method in ("rk4", "generalized_alpha"):
            with self.subTest(method):
                options = ("--method", method, "--step", "1 ms", "--partition", "model")
                sandboxed, here = self.rows("machine.yaml", *options), self.rows("machine.yaml", "--trust-code", *options)
                self.assertEqual(sandboxed, here)
                sealed = self.rows("sealed.yaml", *options)
                for channel in ("left_weight.position.z", "right_weight.velocity.z", "left_weight.acceleration.x",
                                "left.pull", "right.pull"):
                    for one, other in zip(sandboxed[channel], sealed[channel], strict=True):
                        self.assertAlmostEqual(float(one), float(other), delta=1e-13 * max(1.0, abs(float(one))), msg=channel)

    def test_at_any_depth(self):
        self.change("machine.yaml", "simulation:", "ports: {weight: left_weight}\nsimulation:")
        self.write("nested.yaml", NESTED)
        nested, flat = self.rows("nested.yaml"), self.rows("machine.yaml")
        self.assertEqual(nested["rig.left.code.pull"], flat["left.code.pull"])
        self.assertEqual(nested["rig.right.code.power"], flat["right.code.power"])
        self.assertNotEqual(flat["left.code.pull"], flat["right.code.pull"])
        states = self.gelenk("info", "--states", "nested.yaml").stdout
        self.assertRegex(states, r"(?m)^rig\.left\.code +states of code +2")
        self.assertRegex(states, r"(?m)^rig\.right\.code +states of code +2")
        checked = self.gelenk("check", "nested.yaml")
        self.assert_exit(checked, OK)
        self.assertIn("code in C     rig.left.code: maxwell.c, 2 frames, 2 states\n", checked.stdout)

    def test_two_sections_are_sealed_together(self):
        self.change("machine.yaml", "simulation:", "ports: {weight: left_weight}\noutputs: {pull: right.code.pull}\nsimulation:")
        self.assert_exit(self.gelenk("seal", "machine.yaml", "--output", "pull"), OK)
        self.write("user.yaml", NESTED.replace("machine.yaml", "machine.gkc"))
        self.write("nested.yaml", NESTED)
        sealed = self.rows("user.yaml", "--partition", "model")
        opened = self.rows("nested.yaml", "--partition", "model")
        self.assertEqual(sealed["rig.pull"], opened["rig.right.code.pull"])

    def test_expressions_read_its_states(self):
        self.change("machine.yaml", "simulation:", "forces: {brake: {type: force, applied_to: left_weight, along: z, value: "
                    "=-0.5*right.code.pull}}\noutputs: {power: right.code.power}\nsimulation:")
        rows = self.rows("machine.yaml")
        self.assertEqual(rows["power"], rows["right.code.power"])
        self.assertNotEqual(rows["left.code.pull"], self.rows("states.yaml")["left.pull"])

    def test_killed_and_resumed(self):
        options = ("--duration", "2 s", "--output-every", "0.1 s", "--step", "0.2 ms", "--checkpoint", "0.05 s")
        whole = self.rows("machine.yaml", *options, run="whole.h5")
        process = subprocess.Popen([PROGRAM, "run", "machine.yaml", "-o", "killed.h5", *options], cwd=self.folder,
                                   env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + TIMEOUT_S
        while not list(self.folder.glob("killed.checkpoint*")) and time.monotonic() < until:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        text = (self.folder / "maxwell.c").read_text()
        self.change("maxwell.c", "stiffness / damping", "2.0 * stiffness / damping")
        refused = self.gelenk("run", "--resume", "killed.h5")
        self.assert_exit(refused, FILE_ERROR)
        self.assertIn("the code of 'left.code' in 'maxwell.c' is not what the run was made with", refused.stderr)
        self.write("maxwell.c", text)
        resumed = self.gelenk("run", "--resume", "killed.h5")
        self.assert_exit(resumed, OK)
        self.assertIn("continuing from", resumed.stderr)
        self.assertEqual(self.recorded("killed.h5"), whole)

    def test_a_run_is_verified_with_its_code(self):
        self.assert_exit(self.gelenk("run", "machine.yaml", "-o", "run.h5"), OK)
        verified = self.gelenk("verify", "run.h5", "--json")
        self.assert_exit(verified, OK)
        checks = {check["name"]: check for check in json.loads(verified.stdout)["checks"]}
        self.assertGreater(checks["Newton"]["comparisons"], 0)
        with h5py.File(self.folder / "run.h5", "r+") as file:
            file["code/value"][3, 0] *= 1.001
        self.assertIn("code.power", self.gelenk("verify", "run.h5").stderr)
        self.assert_exit(self.gelenk("run", "machine.yaml", "-o", "run.h5", "--force"), OK)
        with h5py.File(self.folder / "run.h5", "r+") as file:
            file["states/value"][3, 0] *= 1.001
        changed = self.gelenk("verify", "run.h5")
        self.assert_exit(changed, FAILED)
        self.assertIn("force that its motion does not explain", changed.stderr)
        self.change("maxwell.c", "stiffness / damping", "2.0 * stiffness / damping")
        other = self.gelenk("verify", "run.h5")
        self.assert_exit(other, FAILED)
        self.assertIn("is not what the run was made with", other.stderr)

    def test_trusted_code_that_never_returns_is_ended_by_the_second_signal(self):
        self.change("maxwell.c", "double speed = 0.0;", "double speed = 0.0; while (*(volatile double*)&in->states[1] > 1e-9) {}")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([PROGRAM, "run", "machine.yaml", "-o", "endless.h5", "--force", "--trust-code"], cwd=self.folder,
                                       env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            until = time.monotonic() + TIMEOUT_S
            while not (self.folder / "endless.h5").exists() and time.monotonic() < until:
                time.sleep(0.01)
            time.sleep(0.5)
            process.send_signal(number)
            time.sleep(0.2)
            self.assertIsNone(process.poll())  # the first one waits for a row that does not come
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=TIMEOUT_S), -number)
            (self.folder / "endless.h5").unlink()

    def test_is_compiled_once(self):
        for _ in range(2):
            self.rows("machine.yaml")
        kept = list((self.folder / "cache/gelenk/code").iterdir())
        self.assertEqual(len(kept), 1)
        self.change("maxwell.c", "pull * pull", "2.0 * pull * pull")
        self.rows("machine.yaml")
        self.assertEqual(len(list((self.folder / "cache/gelenk/code").iterdir())), 2)

    def test_errors_name_the_section_and_the_file(self):
        def expect(code, *pieces, verb="check", **more):
            result = self.gelenk(verb, "machine.yaml", **more)
            self.assert_exit(result, code)
            for piece in pieces:
                self.assertIn(piece, result.stderr)
        expect(MODEL_ERROR, "strut.yaml:10:11: error: section 'left.code': there is no C compiler 'no-such-cc'", "GK1316",
               CC="no-such-cc")
        self.change("strut.yaml", "{stiffness: 3000 N/m, damping", "{damping")
        expect(MODEL_ERROR, "'maxwell.c' has 2 parameters, but this section lists 1", "GK1316")
        self.write("strut.yaml", STRUT + IN_C)
        self.change("maxwell.c", "pull = in->states[0]", "pull = in->stat[0]")
        expect(MODEL_ERROR, "strut.yaml:10:11: error: section 'left.code': the compiler reports", "maxwell.c:3:", "stat",
               "GK1316")
        self.write("maxwell.c", CODE.split("GELENK_CODE")[0])
        expect(MODEL_ERROR, "its code has code without a function gelenk_code_get_api")
        self.change("strut.yaml", "maxwell.c", "maxwel.c")
        expect(MODEL_ERROR, "there is no file 'maxwel.c'")
        self.change("strut.yaml", "  source: maxwel.c\n", "")
        expect(OK)
        expect(MODEL_ERROR, "it does not name the C file with its code", verb="run")

    def bad_run(self, after, more="", options=()):
        self.write("maxwell.c", more + CODE.replace(RETURN, after + RETURN if "return" not in after else after))
        return self.gelenk("run", "machine.yaml", "-o", "bad.h5", "--force", *options)

    def test_code_that_fails_ends_the_run(self):
        crash = self.bad_run("  if (in->time > 0.1) abort();\n", "#include <stdlib.h>\n")
        self.assert_exit(crash, COMPONENT_FAILED)
        self.assertRegex(crash.stderr, r"the code 'left.code' crashed \(SIGABRT\), at 0.1")
        self.assertEqual(len(self.recorded("bad.h5")["time"]), 3)
        nan = self.bad_run("  if (in->time > 0.1) out->rates[0] = 0.0 / 0.0;\n")
        self.assert_exit(nan, COMPONENT_FAILED)
        self.assertIn("the code 'left.code' returns values that are not finite", nan.stderr)
        for options in ((), ("--trust-code",), ("--method", "generalized_alpha")):
            silent = self.bad_run("  return in->time > 0.1;\n}", options=options)
            self.assert_exit(silent, FAILED)
            self.assertRegex(silent.stderr, r"section 'left.code': its code returned no result at 0\.\d+ s")
        spy = self.bad_run('  if (in->time > 0.1) fopen("/etc/passwd", "r");\n', "#include <stdio.h>\n")
        self.assert_exit(spy, COMPONENT_FAILED)
        self.assertIn("it made a system call that is not allowed", spy.stderr)

    def test_what_ran_is_in_the_file(self):
        self.rows("machine.yaml")
        info = self.gelenk("info", "run.h5").stdout
        self.assertIn("code:     left.code from maxwell.c, worker\n          right.code from maxwell.c, worker\n", info)


if __name__ == "__main__":
    unittest.main()
