#!/usr/bin/env python3
"""Components whose forces are written in C, as their makers meet them: `gelenk new --component c`, a compiler, `gelenk
seal`, `gelenk component test`, and a machine that uses the component; then code that is wrong or means harm."""

import json
import math
import os
import subprocess
import unittest

from program_support import FAILED, FILE_ERROR, InFolder, MODEL_ERROR, OK, PROGRAM, TIMEOUT_S, USAGE_ERROR

COMPONENT_FAILED = 5
# Of the starter: volts of the battery, ohm of winding and battery, henry, V*s, kg*m^2 of rotor and flywheel
VOLTAGE, RESISTANCE, INNER, INDUCTANCE, CONSTANT, INERTIA = 12.0, 1.0, 0.2, 5e-3, 0.2, 0.01


def closed_form(time, resistance=RESISTANCE):
    """L i' = U - R i - k w, J w' = k i, from rest: current and speed."""
    decay = (resistance + INNER) / INDUCTANCE
    root = math.sqrt(decay**2 - 4 * CONSTANT**2 / (INDUCTANCE * INERTIA))
    slow, fast = (root - decay) / 2, (-root - decay) / 2
    a, b = math.exp(slow * time), math.exp(fast * time)
    current = VOLTAGE / INDUCTANCE * (a - b) / (slow - fast)
    return current, VOLTAGE / CONSTANT * (1 + (fast * a - slow * b) / (slow - fast))


class CodeComponent(InFolder):
    def setUp(self):
        super().setUp()
        self.assert_exit(self.gelenk("new", "--component", "c", "motor"), OK)
        self.folder /= "motor"

    def gelenk(self, *arguments):
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder / "home")}
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT_S,
                              cwd=self.folder, env=environment, stdin=subprocess.DEVNULL)

    def make(self):
        made = subprocess.run(["make", "-s", "CFLAGS=-O2 -Wall -Wextra -Werror"], capture_output=True, text=True,
                              timeout=TIMEOUT_S, cwd=self.folder)
        self.assertEqual((made.returncode, made.stdout, made.stderr), (0, "", ""))

    def seal(self, *arguments):
        return self.gelenk("seal", "motor.yaml", "--code", "motor.so", "--publish", "resistance", "--output",
                           "current,torque", "--force", *arguments)

    def change(self, file, before, after):
        text = (self.folder / file).read_text()
        self.assertIn(before, text)
        self.write(file, text.replace(before, after, 1))

    def rows(self, run):
        self.assert_exit(self.gelenk("export", run, "-o", run + ".csv", "--force"), OK)
        lines = [line for line in (self.folder / (run + ".csv")).read_text().splitlines() if not line.startswith("#")]
        names = [name.split(" ")[0] for name in lines[0].split(",")]
        return dict(zip(names, zip(*(line.split(",") for line in lines[1:]))))

    # S0-08, S1-05, S1-06: a motor, modeled, compiled and tested by its maker, used by somebody else.
    def test_project_works_as_it_is(self):
        self.make()
        for file in ("motor.yaml", "motor.c", "gelenk_code.h", "Makefile", "README.md", "machine.yaml",
                     "cases/spin_up.yaml"):
            self.assertTrue((self.folder / file).exists(), file)
            self.assertNotIn("@NAME@", (self.folder / file).read_text())
        self.assert_exit(self.gelenk("check", "motor.yaml"), OK)
        self.assert_exit(self.gelenk("trust", "keygen", "-o", "key"), OK)
        sealed = self.seal("--case", "cases/spin_up.yaml", "--key", "key")
        self.assert_exit(sealed, OK)
        self.assertIn("motor-code.so", sealed.stdout)
        self.assert_exit(self.gelenk("component", "test", "motor.gkc"), OK)
        self.assert_exit(self.gelenk("run", "machine.yaml", "-o", "worker.h5"), OK)
        self.assert_exit(self.gelenk("trust", "add", "ACME", "key.pub"), OK)
        self.assert_exit(self.gelenk("component", "test", "motor.gkc", "--report", "found.json"), OK)
        self.assertEqual(json.loads((self.folder / "found.json").read_text())["carrier"], "in process")
        self.assert_exit(self.gelenk("run", "machine.yaml", "-o", "process.h5"), OK)
        worker, process = self.rows("worker.h5"), self.rows("process.h5")
        self.assertEqual(worker, process)
        current = list(map(float, worker["motor.current"]))
        speed = list(map(float, worker["flywheel.angular_velocity.z"]))
        self.assertEqual(len(current), 101)
        for row, time in enumerate(map(float, worker["time"])):
            expected_current, expected_speed = closed_form(time)
            self.assertAlmostEqual(current[row], expected_current, delta=1e-6)  # tolerance 1e-9 a step, 130 steps
            self.assertAlmostEqual(speed[row], expected_speed, delta=1e-6)
            self.assertAlmostEqual(float(worker["motor.torque"][row]), CONSTANT * current[row], delta=1e-12)
            self.assertAlmostEqual(float(worker["motor.voltage"][row]), VOLTAGE - INNER * current[row], delta=1e-12)

    def test_the_owner_gives_and_reads_signals(self):
        self.make()
        text = self.seal().stdout
        self.assertIn("  inputs: voltage\n", text)
        self.assertIn("  known at every instant: current\n", text)
        self.change("machine.yaml", "    inputs:", "    set: {resistance: 2 ohm}\n    inputs:")
        self.assert_exit(self.gelenk("run", "machine.yaml", "-o", "run.h5"), OK)
        self.assertAlmostEqual(float(self.rows("run.h5")["motor.current"][-1]), closed_form(1.0, 2.0)[0], delta=1e-6)

    def test_every_method(self):
        self.make()
        self.assert_exit(self.seal(), OK)
        # generalized_alpha is of second order: the current changes within 5 ms.
        for method, options, delta in (("rk4", ["--step", "0.2 ms"], 1e-6), ("adams", [], 1e-6),
                                       ("bdf", ["--tolerance", "1e-8"], 1e-5),
                                       ("generalized_alpha", ["--step", "1 ms"], 1e-3)):
            with self.subTest(method):
                run = self.gelenk("run", "machine.yaml", "-o", "run.h5", "--force", "--method", method, *options)
                self.assert_exit(run, OK)
                rows = self.rows("run.h5")
                for row in (10, 50, 100):
                    current, speed = closed_form(0.01 * row)
                    self.assertAlmostEqual(float(rows["motor.current"][row]), current, delta=delta)
                    self.assertAlmostEqual(float(rows["flywheel.angular_velocity.z"][row]), speed, delta=10 * delta)

    def test_stiff_states_do_not_shorten_steps_of_implicit_methods(self):
        self.change("motor.yaml", "inductance: 5 mH", "inductance: 1e-4 mH")
        self.change("machine.yaml", " - inner_resistance * motor.current", "")
        self.make()
        self.assert_exit(self.seal(), OK)
        # The current follows at once; steps are 10000 times as long as its time constant.
        decay = CONSTANT**2 / (INERTIA * RESISTANCE)
        for method in ("bdf", "generalized_alpha"):
            with self.subTest(method):
                options = ["--step", "1 ms"] if method == "generalized_alpha" else ["--tolerance", "1e-7"]
                run = self.gelenk("run", "machine.yaml", "-o", "run.h5", "--force", "--method", method, *options)
                self.assert_exit(run, OK)
                speed = float(self.rows("run.h5")["flywheel.angular_velocity.z"][-1])
                self.assertAlmostEqual(speed, VOLTAGE / CONSTANT * (1.0 - math.exp(-decay)), delta=1e-3)

    def test_no_gravity_is_uniform(self):
        self.make()
        self.assert_exit(self.seal(), OK)
        self.change("machine.yaml", "name: machine\n", "name: machine\ngravity: none\n")
        self.assert_exit(self.gelenk("run", "machine.yaml", "-o", "run.h5"), OK)
        self.assertAlmostEqual(float(self.rows("run.h5")["motor.current"][-1]), closed_form(1.0)[0], delta=1e-6)
        self.change("machine.yaml", "gravity: none\n", "gravity: {point: {at: [0, 0, -10 m], strength: 1 m^3/s^2}}\n")
        result = self.gelenk("run", "machine.yaml", "-o", "run.h5", "--force")
        self.assert_exit(result, USAGE_ERROR)
        self.assertIn("need uniform gravity", result.stderr)

    def test_is_not_put_into_another_component(self):
        self.make()
        self.assert_exit(self.seal(), OK)
        machine = (self.folder / "machine.yaml").read_text()
        self.write("outer.yaml", machine + "ports: {carriage: carriage}\n")
        result = self.gelenk("seal", "outer.yaml")
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("GK1315", result.stderr)
        self.assertIn("has code in C", result.stderr)

    def test_names_that_are_taken(self):
        self.assert_exit(self.gelenk("new", "--component", "c", "motor", "--in", ".."), FILE_ERROR)
        self.assert_exit(self.gelenk("new", "--component", "fortran", "pump"), USAGE_ERROR)

    def test_an_open_model_must_name_its_file(self):
        self.write("user.yaml", "gelenk: 1\nassemblies: {m: {use: motor.yaml, inputs: {voltage: 12 V}}}\n")
        for model, section in (("motor.yaml", "code"), ("user.yaml", "m.code")):
            self.assert_exit(self.gelenk("check", model), OK)
            result = self.gelenk("run", model)
            self.assert_exit(result, MODEL_ERROR)
            self.assertIn(f"section '{section}': it does not name the C file with its code", result.stderr)
            self.assertIn("GK1316", result.stderr)
        self.change("motor.yaml", "code:\n", "code:\n  source: motor.c\n")
        for model in ("motor.yaml", "user.yaml"):
            self.assert_exit(self.gelenk("run", model, "--duration", "10 ms"), OK)

    def test_code_and_section_belong_together(self):
        self.make()
        result = self.gelenk("seal", "motor.yaml")
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("GK1315", result.stderr)
        self.change("motor.yaml", "  outputs: {torque: N*m}\n", "  outputs: {torque: N*m, power: W}\n")
        result = self.seal()
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("its code has 1 outputs, but the section `code:` of its model lists 2", result.stderr)
        self.write("plain.yaml", "gelenk: 1\nparts: {p: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\nports: {p: p}\n")
        result = self.gelenk("seal", "plain.yaml", "--code", "motor.so")
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("no section `code:`", result.stderr)
        self.write("motor.so", "no library")
        result = self.seal()
        self.assert_exit(result, MODEL_ERROR)

    def test_mistakes_in_the_section(self):
        for before, after, code in (("frames: {housing: housing,", "frames: {housing: hosing,", "GK1301"),
                                    ("{current: 0 A}", "{current: 0 Ampere}", "GK12"),
                                    ("{torque: N*m}", "{torque: kN*m}", "GK12"),
                                    ("value: code.current", "value: code.curent", "GK1304"),
                                    ("inputs: {voltage: =voltage}", "inputs: {voltage: =volts}", "GK1"),
                                    ("voltage: =voltage", "voltage: =code.torque", "GK1701")):
            with self.subTest(after):
                text = (self.folder / "motor.yaml").read_text()
                self.change("motor.yaml", before, after)
                result = self.gelenk("check", "motor.yaml")
                self.write("motor.yaml", text)
                self.assert_exit(result, MODEL_ERROR)
                self.assertIn(code, result.stderr)

    def bad_run(self, before, after):
        """The exit code and the message of a run whose code has changed."""
        self.change("motor.c", before, after)
        self.make()
        self.assert_exit(self.seal(), OK)
        return self.gelenk("run", "machine.yaml", "-o", "bad.h5", "--force")

    RETURN = "  return 0;\n}"

    def test_numbers_that_are_none(self):
        result = self.bad_run(self.RETURN, "  if (in->time > 0.05) out->rates[CURRENT] = 0.0 / 0.0;\n" + self.RETURN)
        self.assert_exit(result, COMPONENT_FAILED)
        self.assertIn("component 'motor (motor 0.1)'", result.stderr)
        self.assertIn("its code returns values that are not finite", result.stderr)

    def test_what_is_not_written_is_found(self):
        result = self.bad_run("  out->outputs[TORQUE] = torque;\n", "")
        self.assert_exit(result, COMPONENT_FAILED)
        self.assertIn("its code returns values that are not finite", result.stderr)

    def test_crash(self):
        self.change("motor.c", '#include "gelenk_code.h"\n', '#include "gelenk_code.h"\n#include <stdlib.h>\n')
        result = self.bad_run(self.RETURN, "  if (in->time > 0.05) abort();\n" + self.RETURN)
        self.assert_exit(result, COMPONENT_FAILED)
        self.assertRegex(result.stderr, r"component 'motor \(motor 0.1\)' crashed \(SIGABRT\), at 0.0")
        self.assertGreater(len(self.rows("bad.h5")["time"]), 2)

    def test_hang(self):
        result = self.bad_run(self.RETURN, "  while (in->time > 0.05) *(volatile double*)&in->time;\n" + self.RETURN)
        self.assert_exit(result, COMPONENT_FAILED)
        self.assertIn("does not answer", result.stderr)

    def test_way_out_of_the_sandbox(self):
        self.change("motor.c", '#include "gelenk_code.h"\n', '#include "gelenk_code.h"\n#include <stdio.h>\n')
        result = self.bad_run(self.RETURN, '  if (in->time > 0.05) fopen("/etc/passwd", "r");\n' + self.RETURN)
        self.assert_exit(result, COMPONENT_FAILED)
        self.assertIn("it made a system call that is not allowed", result.stderr)

    def test_memory_of_its_own_is_found(self):
        self.change("motor.c", "static int evaluate(", "static double calls;\nstatic int evaluate(")
        self.change("motor.c", self.RETURN, "  out->rates[CURRENT] += 1e-3 * calls++;\n" + self.RETURN)
        self.make()
        self.assert_exit(self.seal(), OK)
        result = self.gelenk("component", "test", "motor.gkc")
        self.assert_exit(result, COMPONENT_FAILED)
        self.assertRegex(result.stdout, r"(?m)^FAILED\s+same bits when")

    def test_no_answer_shortens_steps(self):
        result = self.bad_run(self.RETURN, "  return in->time > 0.05;\n}")
        self.assert_exit(result, FAILED)
        self.assertRegex(result.stderr, r"at 0\.05 s.*GK180[123]")
        self.assertGreater(float(self.rows("bad.h5")["time"][-1]), 0.0499)
        self.assertGreater(len(self.rows("bad.h5")["time"]), 2)


if __name__ == "__main__":
    unittest.main()
