#!/usr/bin/env python3
"""Sealed components with joints that hold velocities, inside and at their ports: they run as the open machine does, to
rounding."""

import unittest

from customer_support import Customer
from program_support import OK

# Two wheels on an axle roll on a table, all inside; a blade trails.
CART = """gelenk: 1
parts:
  table: {mass: 8 kg, inertia: {xx: 0.5, yy: 0.6, zz: 0.7}}
  axle:
    at: [0, 0, 0.3 m]
    mass: 2 kg
    center_of_mass: [-0.1 m, 0.05 m, -0.02 m]
    inertia: {xx: 0.2, yy: 0.05, zz: 0.2}
    frames: {left: [0, 0.4 m, 0], right: [0, -0.4 m, 0]}
  left: {at: [0, 0.4 m, 0.3 m], mass: 1.5 kg, inertia: {xx: 0.04, yy: 0.07, zz: 0.04}}
  right: {at: [0, -0.4 m, 0.3 m], mass: 1.5 kg, inertia: {xx: 0.04, yy: 0.07, zz: 0.04}}
joints:
  hub_left: {type: revolute, between: [axle.left, left], axis: y}
  hub_right: {type: revolute, between: [axle.right, right], axis: y}
  roll_left: {type: rolling, between: [table, left], radius: 0.3 m, axis: y}
  roll_right: {type: rolling, between: [table, right], radius: 0.3 m, axis: y, slip: sideways}
ports: {base: table}
"""
WHEEL = """gelenk: 1
parts:
  rim: {mass: 1.5 kg, center_of_mass: [0.02 m, 0, 0.01 m], inertia: {xx: 0.04, yy: 0.07, zz: 0.04}}
  weight: {mass: 0.3 kg, center_of_mass: [0.1 m, 0, -0.1 m], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
joints:
  swing: {type: revolute, between: [rim, weight], axis: y}
ports: {hub: rim}
"""
MACHINE = """gelenk: 1
gravity: [1 m/s^2, 0.3 m/s^2, -9.81 m/s^2]
parts:
  frame: {at: [0, 2 m, 0.3 m], mass: 3 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  sleigh: {at: [0, 4 m, 0], mass: 2 kg, center_of_mass: [0.4 m, 0, 0], inertia: {xx: 0.2, yy: 0.2, zz: 0.3}}
assemblies:
  cart: {use: CART, attach: {base: {type: prismatic, to: ground, axis: x}}}
  wheel: {use: WHEEL, at: [0, 2 m, 0.3 m]}
joints:
  track: {type: planar, between: [ground, frame], at: [0, 2 m, 0.3 m], axis: y}
  axle: {type: revolute, between: [frame, wheel.hub], axis: y}
  rim: {type: rolling, between: [ground, wheel.hub], radius: 0.3 m, axis: y, slip: sideways}
  ice: {type: planar, between: [ground, sleigh], at: [0, 4 m, 0], axis: z, start: {rate: 3 rad/s, speed_x: 0, speed_y: 0}}
  blade: {type: knife_edge, between: [ground, sleigh], axis: y}
forces:
  hold: {type: spring_damper, between: [ground, cart.base], stiffness: 400 N/m, damping: 5 N*s/m, free_length: 0.2 m}
"""


# Rounding of numbers of size one, which some hundred steps pass on.
AGREE = 1e-11


class Rolling(Customer):
    def setUp(self):
        super().setUp()
        self.write("cart.yaml", CART)
        self.write("wheel.yaml", WHEEL)
        self.write("open.yaml", MACHINE.replace("CART", "cart.yaml").replace("WHEEL", "wheel.yaml"))
        self.write("sealed.yaml", MACHINE.replace("CART", "cart.gkc").replace("WHEEL", "wheel.gkc"))
        self.assert_exit(self.gelenk("trust", "keygen", "-o", "key"), OK)
        for name in ("cart.yaml", "wheel.yaml"):
            self.assert_exit(self.gelenk("seal", name, "--key", "key"), OK)

    def assert_same(self, run, other):
        mine, theirs = self.rows(run), self.rows(other)
        shared = [name for name in mine if name in theirs and not name.startswith("energy")]
        self.assertGreater(len(shared), 40)
        for name in shared:
            size = max(1.0, *(abs(float(number)) for number in theirs[name]))
            for a, b in zip(mine[name], theirs[name], strict=True):
                self.assertLess(abs(float(a) - float(b)), AGREE * size, name)

    def test_moves_as_the_open_machine_with_both_hosts(self):
        for method in ("rk4", "dopri5", "adams", "bdf", "generalized_alpha"):
            options = ["--duration", "0.6 s", "--partition", "sealed", "--method", method, "--force"]
            if method in ("rk4", "generalized_alpha"):
                options += ["--step", "1 ms"]
            with self.subTest(method):
                self.assert_same_with_both_hosts("open.yaml", "sealed.yaml", options)

    def test_moves(self):
        self.assert_exit(self.gelenk("run", "sealed.yaml", "-o", "run.h5", "--duration", "0.6 s", "--partition", "model"), OK)
        rows = self.rows("run.h5")
        self.assertGreater(float(rows["frame.position.x [m]"][-1]), 0.05)
        self.assertGreater(abs(float(rows["sleigh.angular_velocity.z [rad/s]"][-1])), 0.1)
        self.assert_exit(self.gelenk("run", "open.yaml", "-o", "open.h5", "--duration", "0.6 s"), OK)
        self.assert_exit(self.gelenk("verify", "open.h5"), OK)


if __name__ == "__main__":
    unittest.main()
