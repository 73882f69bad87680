"""What tests of the Python package share: the package of this build, and small models."""

import os
import sys

from program_support import InFolder, PROGRAM, SOURCE, run

sys.path.insert(0, os.environ["GELENK_PYTHON_PACKAGE"])
os.environ.setdefault("GELENK_PROGRAM", PROGRAM)

import gelenk as gk  # noqa: E402, the path comes first

__all__ = ["CART_POLE", "InFolder", "ROTOR", "SOURCE", "example", "gk", "run"]

# Without gravity the motion of a sampled controller is known exactly.
ROTOR = """gelenk: 1
name: rotor
gravity: none
inputs: {torque: {value: 0 N*m}}
parameters: {inertia: {value: 0.25 kg*m^2, min: 0.1 kg*m^2, max: 1 kg*m^2}}
parts: {rotor: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: =inertia}}}
joints: {hinge: {type: revolute, between: [ground, rotor], axis: z}}
forces: {motor: {type: actuator, drives: hinge.angle, value: =torque}}
simulation: {duration: 1 s}
"""

CART_POLE = """gelenk: 1
name: cart_pole
inputs: {push: {value: 0 N}, tilt: {value: 0 N*m}}
parts:
  cart: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  pole: {mass: 0.1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-4}, center_of_mass: [0, 0, 0.5]}
joints:
  slider: {type: prismatic, between: [ground, cart], axis: x}
  hinge: {type: revolute, between: [cart, pole], axis: y, start: {angle: 2 deg}}
forces:
  motor: {type: actuator, drives: slider.travel, value: =push}
  wind: {type: actuator, drives: hinge.angle, value: =tilt}
simulation: {duration: 5 s}
"""


def example(name):
    folder, _, file = name.rpartition("/")
    return SOURCE / "examples" / (folder or file) / f"{file}.yaml"
