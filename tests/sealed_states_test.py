#!/usr/bin/env python3
"""Sealed components with states inside, beside a machine with states: they run as the open machine does, to rounding."""

import unittest

from customer_support import Customer
from program_support import OK

# A motor with inductance, and a shaft that shows how fast it turns.
DRIVE = """gelenk: 1
parameters: {R: 0.5 ohm, L: 2 mH, k: 0.05 N*m/A}
inputs: {voltage: {value: 0 V}}
parts:
  case: {mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}}
  rotor: {mass: 0.5 kg, inertia: {xx: 2e-4, yy: 2e-4, zz: 2e-4}}
joints:
  bearing: {type: revolute, between: [case, rotor], axis: z}
forces:
  winding:
    type: actuator
    drives: bearing.angle
    value: =k*i
    states: {i: {start: 0 A, rate: =(voltage - R*i - k*rate)/L}}
outputs: {current: winding.i, speed: bearing.rate}
ports: {case: case, shaft: rotor}
"""
# What leads it has a state of its own, which reads the joint at its port.
MACHINE = """gelenk: 1
gravity: none
parts:
  arm: {mass: 2 kg, center_of_mass: [0.1 m, 0, 0], inertia: {xx: 1e-3, yy: 5e-3, zz: 5e-3}}
assemblies:
  m: {use: DRIVE, attach: {case: {type: fixed, to: ground}}, inputs: {voltage: "=12 V + 3 (V/rad)*tilt - 2 (V*s/rad)*m.speed"}}
joints: {coupling: {type: revolute, between: [m.shaft, arm], axis: x}}
states: {tilt: {start: 0 rad, rate: =(coupling.angle - tilt)/(20 ms)}}
forces:
  spring: {type: rotational_spring_damper, drives: coupling.angle, stiffness: 3 N*m/rad, damping: 0.01 N*m*s/rad, free_angle: 30 deg}
  push: {type: actuator, drives: coupling.angle, value: "=-0.5 (N*m/rad)*tilt"}
outputs: {current: m.current, speed: m.speed}
"""
# Fixed steps differ by rounding alone; where steps are chosen by their errors, they are chosen a little differently.
AGREE = {"rk4": 1e-10, "generalized_alpha": 1e-10, "dopri5": 1e-7, "adams": 1e-6, "bdf": 1e-6}


class States(Customer):
    def setUp(self):
        super().setUp()
        self.write("drive.yaml", DRIVE)
        self.write("open.yaml", MACHINE.replace("DRIVE", "drive.yaml"))
        self.write("sealed.yaml", MACHINE.replace("DRIVE", "drive.gkc"))
        self.assert_exit(self.gelenk("trust", "keygen", "-o", "key"), OK)
        sealed = self.gelenk("seal", "drive.yaml", "--key", "key", "--output", "current,speed")
        self.assert_exit(sealed, OK)
        self.assertIn("1 state", sealed.stdout)

    def test_move_as_in_the_open_machine(self):
        for method, agree in AGREE.items():
            options = ["--duration", "0.3 s", "--method", method, "--tolerance", "1e-9", "--force"]
            if method in ("rk4", "generalized_alpha"):
                options = ["--duration", "0.3 s", "--method", method, "--step", "0.5 ms", "--force"]
            with self.subTest(method):
                for name in ("open", "sealed"):
                    self.assert_exit(self.gelenk("run", f"{name}.yaml", "-o", f"{name}.h5", *options), OK)
                mine, theirs = self.rows("sealed.h5"), self.rows("open.h5")
                for name in ("current [A]", "speed [rad/s]", "tilt [rad]", "coupling.angle [rad]"):
                    size = max(abs(float(number)) for number in theirs[name])
                    self.assertGreater(size, 0.1, name)
                    for a, b in zip(mine[name], theirs[name], strict=True):
                        self.assertLess(abs(float(a) - float(b)), agree * size, name)


if __name__ == "__main__":
    unittest.main()
