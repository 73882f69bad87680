#!/usr/bin/env python3
"""Signals in and out of components: a motor that its owner controls moves the same machine, open or sealed, to the last
bit; what cannot be sealed or read is reported."""

import subprocess
import unittest

from customer_support import COMPONENT_FAILED, Customer
from program_support import MODEL_ERROR, OK, PROGRAM, TIMEOUT_S

# No electrical states: the torque follows the voltage at once. The brake switches with the voltage.
MOTOR = """gelenk: 1
name: motor
about: {version: 1.0}
parameters:
  constant: {value: 0.05 N*m/A, doc: torque for each ampere}
  resistance: {value: 0.5 ohm, min: 0.1 ohm}
inputs:
  voltage: {value: 12 V, doc: at the terminals}
parts:
  case: {mass: 0.8 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 2e-3}}
  rotor: {mass: 0.3 kg, inertia: {xx: 2e-4, yy: 2e-4, zz: 1e-4}}
joints:
  bearing: {type: revolute, between: [case, rotor], axis: z}
forces:
  winding: {type: actuator, drives: bearing.angle, value: =constant * current}
  brake: {type: actuator, drives: bearing.angle, value: "=if(voltage > 1 V, 0 (N*m), -1e-3 (N*m*s) * rate)"}
outputs:
  speed: {value: bearing.rate, doc: of the shaft}
  current: {value: =(voltage - constant * bearing.rate) / resistance, doc: in the winding}
ports: {case: case, shaft: rotor}
"""

MACHINE = """gelenk: 1
name: drive
parameters: {gain: 0.02 V*s}
parts:
  base: {mass: 5 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  wheel: {mass: 2 kg, inertia: {xx: 0.01, yy: 0.01, zz: 0.02}}
joints:
  pivot: {type: revolute, between: [ground, base], axis: z}
forces:
  spring: {type: rotational_spring_damper, drives: pivot.angle, stiffness: 20 N*m, damping: 0.1 N*m*s}
  drag: {type: torque, applied_to: wheel, about: z, value: "=-1e-4 (N*m*s) * motor.speed"}
assemblies:
  motor:
    use: motor.yaml
    inputs: {voltage: "=if(time < 0.1 s, 0 V, 10 V) - gain * motor.speed + 0.5 (V) * sin(pivot.angle)"}
    attach:
      case: {type: fixed, to: base}
      shaft: {type: fixed, to: wheel}
simulation: {duration: 0.5 s, output_every: 5 ms, method: dopri5}
"""

# One part, and a force that reads the second component: its signal is no motion of a part.
TWO = """gelenk: 1
name: two
parts:
  wheel: {mass: 2 kg, inertia: {xx: 0.01, yy: 0.01, zz: 0.02}}
assemblies:
  first:
    use: motor.gkc
    inputs: {voltage: 10 V}
    attach: {case: {type: fixed, to: ground}, shaft: {type: fixed, to: wheel}}
  second:
    use: motor.gkc
    inputs: {voltage: 5 V}
    attach: {case: {type: fixed, to: ground}}
forces:
  drag: {type: torque, applied_to: wheel, about: z, value: "=-1e-3 (N*m*s) * second.speed"}
simulation: {duration: 0.2 s, output_every: 10 ms, tolerance: 1e-8}
"""


class Signals(Customer):
    def setUp(self):
        super().setUp()
        self.write("motor.yaml", MOTOR)
        self.write("open.yaml", MACHINE)
        self.write("sealed.yaml", MACHINE.replace("motor.yaml", "motor.gkc"))
        self.assert_exit(self.gelenk("trust", "keygen", "-o", "key"), OK)

    def seal(self, *arguments):
        result = self.gelenk("seal", "motor.yaml", "--output", "speed,current", "--key", "key", "--force", *arguments)
        self.assert_exit(result, OK)
        return result

    def column(self, run, channel):
        rows = self.rows(run)
        names = [name for name in rows if name.split(" [")[0] == channel]
        self.assertEqual(len(names), 1, channel)
        return [float(text) for text in rows[names[0]]]

    # S0-12: a motor that is controlled from outside, by its signals.
    def test_moves_as_the_open_machine_with_both_hosts(self):
        self.seal()
        for method in ("rk4", "dopri5", "adams"):
            options = ["--partition", "sealed", "--method", method, "--force"]
            if method == "rk4":
                options += ["--step", "1 ms"]
            self.assert_same_with_both_hosts("open.yaml", "sealed.yaml", options)
            # It really was driven: the voltage jumped at 0.1 s, row 20, and the speed fed back.
            voltage = self.column("process.h5", "motor.voltage")
            self.assertLess(max(voltage[:20]), 0.5)
            self.assertGreater(voltage[20], 9.0)
            self.assertLess(voltage[-1], voltage[20] - 0.2)
            self.assertGreater(self.column("process.h5", "motor.speed")[-1], 15.0)
            self.assertGreater(self.column("process.h5", "motor.current")[-1], 10.0)

    def test_a_stopped_run_goes_on_with_the_same_bits(self):
        self.seal()
        options = ["--partition", "sealed", "--force", "--duration", "20 s", "--tolerance", "1e-9"]
        self.assert_exit(self.gelenk("run", "open.yaml", "-o", "whole.h5", *options), OK)
        process = subprocess.Popen([PROGRAM, "run", "sealed.yaml", "-o", "killed.h5", *options], cwd=self.folder,
                                   env=self.environment(), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.kill_a_worker_of(process, after_s=0.05)
        _, error = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, COMPONENT_FAILED, error)
        self.assert_exit(self.gelenk("run", "--resume", "killed.h5"), OK)
        self.assert_same("killed.h5", "whole.h5")

    def test_implicit_methods_leave_out_how_signals_change(self):
        self.seal()
        self.write("two.yaml", TWO)
        ends = []
        for method in ("dopri5", "bdf"):
            self.assert_exit(self.gelenk("run", "two.yaml", "-o", "two.h5", "--method", method, "--force"), OK)
            ends.append(self.column("two.h5", "wheel.angular_velocity.z")[-1])
        self.assertGreater(ends[0], 1.0)
        self.assertNotEqual(*ends)
        self.assertAlmostEqual(*ends, delta=1e-5)  # of 20 rad/s

    def test_motions_of_ports_are_read(self):
        self.seal()
        drag = '-1e-4 (N*m*s) * motor.speed'
        outputs = ("outputs: {turn: \"angle(motor.shaft, motor.case)\", gap: \"distance(motor.shaft, wheel)\",\n"
                   "  spin: \"relative(motor.shaft, motor.case).angular_velocity.z\", tip: motor.shaft.position.x}\n")
        self.assertIn(drag, MACHINE)
        spin = 'relative(motor.shaft, motor.case).angular_velocity.z'
        read = MACHINE.replace(drag, '-1e-4 (N*m*s) * ' + spin).replace('gain * motor.speed', 'gain * ' + spin) + outputs
        self.write("open.yaml", read)
        self.write("sealed.yaml", read.replace("motor.yaml", "motor.gkc"))
        for method in ("dopri5", "bdf"):
            for name in ("open", "sealed"):
                self.assert_exit(self.gelenk("run", name + ".yaml", "-o", name + ".h5", "--partition", "sealed", "--force",
                                             "--method", method, "--tolerance", "1e-9"), OK)
            for channel in ("turn", "spin", "gap", "tip", "wheel.angular_velocity.z"):
                pairs = list(zip(self.column("open.h5", channel), self.column("sealed.h5", channel)))
                self.assertLess(max(abs(a - b) for a, b in pairs), 1e-6 if method == "bdf" else 1e-9, channel)
        spin, speed = self.column("sealed.h5", "spin"), self.column("sealed.h5", "motor.speed")
        self.assertGreater(spin[-1], 15.0)
        self.assertLess(max(abs(a - b) for a, b in zip(spin, speed)), 1e-9)

    def test_motions_of_ports_that_nothing_holds_are_read(self):
        self.seal()
        self.write("two.yaml", TWO.replace("second.speed", "second.shaft.angular_velocity.z")
                   + "outputs: {spin: second.shaft.angular_velocity.z}\n")
        self.assert_exit(self.gelenk("run", "two.yaml", "-o", "two.h5", "--method", "dopri5"), OK)
        spin, speed = self.column("two.h5", "spin"), self.column("two.h5", "second.speed")
        self.assertGreater(speed[-1], 5.0)
        self.assertLess(max(abs(a - b) for a, b in zip(spin, speed)), 1e-9)

    def test_the_sheet_and_the_manifest_have_them(self):
        text = self.seal().stderr + self.seal().stdout
        self.assertIn("  inputs: voltage\n", text)
        self.assertIn("  known at every instant: speed\n", text)
        text = self.gelenk("info", "motor.gkc").stdout
        for word in ("voltage", "signal_in", "signal_out"):
            self.assertIn(word, text)

    def test_component_test_steps_them(self):
        self.seal()
        result = self.gelenk("component", "test", "motor.gkc")
        self.assert_exit(result, OK)
        self.assertIn("moves when its inputs step", result.stdout)

    def test_runs_alone_with_the_value_of_its_input(self):
        self.assert_exit(self.gelenk("run", "motor.yaml", "-o", "alone.h5", "--duration", "0.1 s"), OK)
        self.assertAlmostEqual(self.column("alone.h5", "current")[0], 24.0, places=9)
        other = self.gelenk("run", "motor.yaml", "-o", "set.h5", "--duration", "0.1 s", "--set", "voltage=6 V")
        self.assert_exit(other, OK)
        self.assertAlmostEqual(self.column("set.h5", "current")[0], 12.0, places=9)

    def test_says_what_is_not_possible(self):
        self.seal()
        sealed = (self.folder / "sealed.yaml").read_text()
        for old, new, code, words in (
                ("gain * motor.speed", "0.01 ohm * motor.current", "GK1701",
                 "not known while the motion is being computed"),
                ("    inputs:", "    note:", "GK1102", "the input 'voltage' has no value"),
                ("gain * motor.speed", "0.01 (V/(N*m)) * spring.torque", "GK1701", "reads forces or accelerations"),
                ("-1e-4 (N*m*s) * motor.speed", "1 (kg*m) * motor.shaft.acceleration.x", "GK1304",
                 "does not report the acceleration of its ports")):
            self.write("wrong.yaml", sealed.replace(old, new))
            result = self.gelenk("check", "wrong.yaml")
            self.assert_exit(result, MODEL_ERROR)
            self.assertIn(words, result.stderr)
            self.assertIn(code, result.stderr)
        driver = "drivers: {d: {drives: bearing.angle, rate: =voltage * 1 (1/(V*s))}}"
        self.write("motor.yaml", MOTOR.replace("ports:", driver + "\nports:"))
        result = self.gelenk("seal", "motor.yaml", "--force")
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("GK1315", result.stderr)


if __name__ == "__main__":
    unittest.main()
