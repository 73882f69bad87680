#!/usr/bin/env python3
"""Hard forces of joint coordinates, stops, dry friction, clutches: `method: moreau` against closed forms."""

import math
import re
import unittest

from program_support import MODEL_ERROR, OK, SOURCE, USAGE_ERROR
from resume_support import certificate_of
from run_support import InFolder

G = 9.80665

# One block on a rail: m = 2 kg.
BLOCK = """gelenk: 1
gravity: none
parts: {{block: {{mass: 2, inertia: {{xx: 1, yy: 1, zz: 1}}}}}}
joints: {{slide: {{type: prismatic, between: [ground, block], axis: x, start: {{speed: {speed}}}}}}}
forces:
  rub: {rub}
  pull: {{type: actuator, drives: slide.travel, value: "{pull}"}}
outputs: {{x: slide.travel, v: slide.speed, f: rub.force, mode: rub.mode}}
simulation: {{duration: {duration}, step: {step}, output_every: 10 ms}}
"""

# Two wheels on the ground, J = 1 and 2, and something between them.
WHEELS = """gelenk: 1
gravity: none
parts:
  first: {{mass: 1, inertia: {{xx: 1, yy: 1, zz: 1}}}}
  second: {{mass: 1, inertia: {{xx: 2, yy: 2, zz: 2}}}}
joints:
  one: {{type: revolute, between: [ground, first], axis: z, start: {{rate: {rate}}}}}
  two: {{type: revolute, between: [ground, second], axis: z, start: {{rate: {other}}}}}
forces:
  link: {link}
  load: {{type: actuator, drives: one.angle, value: "{load}"}}
outputs: {{w1: one.rate, w2: two.rate, torque: link.torque, mode: link.mode, power: link.power}}
simulation: {{duration: {duration}, step: 1 ms, output_every: 10 ms}}
"""

# A rod that falls about its hinge, level at 0; J = 0.6666 about it, center of mass 0.5 m away.
ROD = """gelenk: 1
parts: {{rod: {{mass: 2, center_of_mass: [0.5, 0, 0], inertia: {{xx: 1e-3, yy: 0.1666, zz: 0.1666}}}}}}
joints: {{hinge: {{type: revolute, between: [ground, rod], axis: y, start: {{angle: -0.5}}}}}}
forces: {{{forces}}}
outputs: {{angle: hinge.angle, rate: hinge.rate}}
simulation: {{duration: {duration}, step: 1 ms, output_every: 1 ms}}
"""
INERTIA = 0.1666 + 2 * 0.25

# A wheel in a play of 0.2 rad on a shaft that turns with 1 rad/s.
RATTLE = """gelenk: 1
gravity: none
parts:
  shaft: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  wheel: {mass: 1, inertia: {xx: 3, yy: 3, zz: 3}}
joints:
  drive: {type: revolute, between: [ground, shaft], axis: z}
  idle: {type: revolute, between: [ground, wheel], axis: z}
drivers: {motor: {drives: drive.angle, rate: 1 rad/s}}
forces: {teeth: {type: backlash, drives: idle.angle, relative_to: drive.angle, width: 0.2, restitution: 0.5}}
outputs: {w: idle.rate}
simulation: {duration: 3 s, step: 1 ms, output_every: 10 ms}
"""

ARM = """gelenk: 1
definitions:
  wrist:
    parts:
      hand: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: {xx: 0.01, yy: 0.05, zz: 0.05}}
      finger: {at: [0.6, 0, 0], mass: 0.3, center_of_mass: [0.1, 0, 0.05], inertia: {xx: 1e-3, yy: 2e-3, zz: 2e-3}}
    joints: {knuckle: {type: revolute, between: [hand, finger], at: [0.6, 0, 0], axis: [0, 1, 0.4]}}
    forces:
      rub: {type: dry_friction, drives: knuckle.angle, coulomb: 0.12}
      play: {type: rigid_stop, drives: knuckle.angle, lower: -0.3, upper: 0.25, restitution: 0.4}
    ports: {mount: hand}
    outputs: {angle: knuckle.angle, torque: rub.torque}
parts: {base: {mass: 2, center_of_mass: [0.2, 0, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.2}}}
joints:
  turn: {type: revolute, between: [ground, base], axis: z, start: {rate: 3}}
  hold: {type: revolute, between: [base, wrist.mount], at: [0.5, 0, 0], axis: x, start: {rate: 2}}
assemblies: {wrist: {use: wrist, at: [0.5, 0, 0]}}
outputs: {angle: wrist.angle, torque: wrist.torque, rate: turn.rate}
simulation: {duration: 1 s, step: 1 ms, output_every: 10 ms}
"""


class HardForces(InFolder):
    def run_text(self, text, *arguments):
        file = self.results(self.write(f"model{self.run_count}.yaml", text), *arguments)
        return file, certificate_of(file.filename)

    def good(self, text, *arguments):
        file, certificate = self.run_text(text, *arguments)
        self.assertEqual(certificate["verdict"], "good", certificate["reasons"])
        self.assertEqual(certificate["method"]["name"], "moreau")
        return file, certificate

    def end_of(self, file, channel):
        return float(file["by_path"][channel.replace(".", "/")][()][-1])

    def events(self, file, word):
        """Times of events of hard forces, and the first number in them."""
        rows = [(row[0], row[3].decode()) for row in file["events"][()] if row[1] == b"contact"]
        number = re.compile(r"(-?[\d.]+(?:e-?\d+)?) (?:m/s|rad/s)")
        return [(time, float(found[1]) if (found := number.search(text)) else None)
                for time, text in rows if word in text]

    # S4-04, S4-02: friction in a line, motion and standstill in one equation.
    def test_dry_friction_stops_and_holds(self):
        rub = "{type: dry_friction, drives: slide.travel, coulomb: 3}"
        file, certificate = self.good(BLOCK.format(speed=2, rub=rub, pull="0", duration="2 s", step="1 ms"))
        stops = 2 / 1.5
        self.assertAlmostEqual(self.end_of(file, "x"), 2**2 / (2 * 1.5), delta=1e-6)
        self.assertAlmostEqual(self.end_of(file, "v"), 0.0, delta=1e-15)
        [(time, _)] = self.events(file, "sticks")
        self.assertAlmostEqual(time, stops, delta=1.1e-3)
        self.assertAlmostEqual(certificate["contacts"]["workOfFriction"], -4.0, delta=1e-5)
        self.assertLess(certificate["energy"]["imbalance"], 1e-9)
        x = file["by_path"]["x"][()]
        self.assertEqual(x[140], x[-1], "what sticks does not creep")
        # Below its limit it carries what pulls; above, the rest accelerates.
        file, _ = self.good(BLOCK.format(speed=0, rub=rub, pull="=2.9 N*sin(7*time/1 s)", duration="2 s", step="1 ms"))
        self.assertAlmostEqual(self.end_of(file, "x"), 0.0, delta=1e-14)
        self.assertAlmostEqual(self.end_of(file, "f"), -2.9 * math.sin(7 * (2 - 5e-4)), delta=1e-3)
        file, _ = self.good(BLOCK.format(speed=0, rub=rub, pull="3.1", duration="2 s", step="1 ms"))
        self.assertAlmostEqual(self.end_of(file, "v"), 0.05 * 2, delta=1e-12)

    def test_stiction_breaks_away(self):
        rub = "{type: dry_friction, drives: slide.travel, coulomb: 3, stiction: 1}"
        file, _ = self.good(BLOCK.format(speed=0, rub=rub, pull="=10 N*time/1 s", duration="0.5 s", step="0.1 ms"))
        [(time, _)] = self.events(file, "slides")
        self.assertAlmostEqual(time, 0.4, delta=2e-4)
        self.assertAlmostEqual(self.end_of(file, "v"), 0.075, delta=1e-4)
        self.assertEqual(self.end_of(file, "mode"), 2)

    # S4-24: the same two wheels with one law after the other. Closed form of a clutch that is engaged at 0.5 s.
    def test_clutch_brings_two_wheels_together(self):
        link = '{type: clutch, drives: two.angle, relative_to: one.angle, capacity: "=if(time < 0.5 s, 0 (N*m), 5 (N*m))"}'
        file, certificate = self.good(WHEELS.format(rate=10, other=0, link=link, load="0", duration="2.5 s"))
        slip = 1 * 2 * 10 / ((1 + 2) * 5)
        [(time, _)] = self.events(file, "sticks")
        self.assertAlmostEqual(time, 0.5 + slip, delta=1.1e-3)
        for wheel in ("w1", "w2"):
            self.assertAlmostEqual(self.end_of(file, wheel), 10 / 3, delta=1e-12)
        self.assertAlmostEqual(certificate["contacts"]["workOfFriction"], -0.5 * (2 / 3) * 10**2, delta=1e-9)
        w2 = file["by_path"]["w2"][()]
        self.assertEqual(w2[50], 0.0)
        self.assertAlmostEqual(w2[100], 0.5 * 5 / 2, delta=1e-12)
        torque = file["by_path"]["torque"][()]
        self.assertAlmostEqual(torque[100], 5.0, delta=1e-9)
        self.assertAlmostEqual(torque[-1], 0.0, delta=1e-9)
        mode = [int(m) for m in file["by_path"]["mode"][()]]
        self.assertEqual((mode[40], mode[100], mode[-1]), (0, 2, 1))

    def test_one_way_clutch(self):
        link = "{type: one_way, drives: two.angle, relative_to: one.angle}"
        # The first wheel takes the second along at once, then slows down and lets it run ahead.
        file, certificate = self.good(WHEELS.format(rate=10, other=0, link=link, load="-1", duration="2 s"))
        self.assertAlmostEqual(self.end_of(file, "w2"), 10 / 3, delta=2e-3)
        self.assertAlmostEqual(self.end_of(file, "w1"), 10 / 3 - 2, delta=2e-3)
        self.assertAlmostEqual(certificate["contacts"]["workOfImpacts"], -0.5 * (2 / 3) * 10**2, delta=2e-2)
        # A backstop: it runs out and is held.
        stop = "{type: one_way, drives: one.angle}"
        file, _ = self.good(WHEELS.format(rate=2, other=0, link=stop, load="-1", duration="3 s"))
        self.assertAlmostEqual(self.end_of(file, "w1"), 0.0, delta=1e-15)
        self.assertAlmostEqual(self.end_of(file, "torque"), 1.0, delta=1e-9)
        self.assertAlmostEqual(float(file["by_path"]["one"]["angle"][()][-1]), 2.0, delta=1e-6)
        file, _ = self.good(WHEELS.format(rate=-2, other=0, link=stop.replace("one.angle", "one.angle, free: backward"),
                                          load="1", duration="3 s"))
        self.assertAlmostEqual(self.end_of(file, "torque"), -1.0, delta=1e-9)

    def test_ratchet_falls_back_to_the_last_tooth(self):
        link = "{type: ratchet, drives: one.angle, pitch: 0.1}"
        file, _ = self.good(WHEELS.format(rate=1.02, other=0, link=link, load="-1", duration="2 s"))
        angle = file["by_path"]["one"]["angle"][()]
        self.assertAlmostEqual(max(angle), 1.02**2 / 2, delta=1e-4)
        self.assertAlmostEqual(angle[-1], 0.5, delta=1e-9)
        self.assertEqual(self.end_of(file, "mode"), 1)

    # S4-04: unilateral, with impacts. A rod falls through 0.5 rad on a stop at 0.
    def test_rod_meets_a_rigid_stop(self):
        stop = "{type: rigid_stop, drives: hinge.angle, upper: 0, restitution: 0.5}"
        file, certificate = self.good(ROD.format(forces=f"stop: {stop}", duration="1.5 s"))
        rate = math.sqrt(2 * 2 * G * 0.5 * math.sin(0.5) / INERTIA)
        impacts = self.events(file, "meets its stop")
        self.assertAlmostEqual(impacts[0][1], rate, delta=1e-3)
        self.assertAlmostEqual(impacts[1][1], 0.5 * rate, delta=1e-3)
        first = float(re.search(r"energy by (\S+) J", next(
            row[3].decode() for row in file["events"][()] if b"meets its stop" in row[3]))[1])
        self.assertAlmostEqual(first, -0.75 * 0.5 * INERTIA * rate**2, delta=1e-2)
        self.assertAlmostEqual(self.end_of(file, "angle"), 0.0, delta=1e-8)
        self.assertLess(max(file["by_path"]["angle"][()]), 1e-8)
        self.assertAlmostEqual(certificate["contacts"]["workOfImpacts"], -2 * G * 0.5 * math.sin(0.5), delta=1e-3)
        self.assertLess(certificate["energy"]["imbalance"], 1e-5 * certificate["energy"]["turnover"])
        # Without restitution it stays, and the stop carries it.
        file, _ = self.good(ROD.format(forces="stop: " + stop.replace(", restitution: 0.5", ""), duration="1 s"))
        self.assertAlmostEqual(self.end_of(file, "stop.torque"), -2 * G * 0.5, delta=1e-9)
        self.assertAlmostEqual(self.end_of(file, "rate"), 0.0, delta=1e-12)

    def test_stop_and_friction_together(self):
        forces = ("stop: {type: rigid_stop, drives: hinge.angle, upper: 0}, "
                  "rub: {type: dry_friction, drives: hinge.angle, coulomb: 4}")
        file, certificate = self.good(ROD.format(forces=forces, duration="1 s"))
        energy = 2 * G * 0.5 * math.sin(0.5)
        self.assertAlmostEqual(certificate["contacts"]["workOfFriction"], -4 * 0.5, delta=1e-2)
        self.assertAlmostEqual(certificate["contacts"]["workOfImpacts"], -(energy - 4 * 0.5), delta=1e-2)
        at_rest = self.end_of(file, "stop.torque") + self.end_of(file, "rub.torque")
        self.assertAlmostEqual(at_rest, -2 * G * 0.5, delta=1e-9)

    def test_backlash_rattles(self):
        file, _ = self.good(RATTLE)
        impacts = self.events(file, "meets its stop")
        time, play, speed = 0.1, 0.2, 1.0
        for found, approach in impacts[:4]:
            self.assertAlmostEqual(found, time, delta=1e-9)
            self.assertAlmostEqual(approach, speed, delta=1e-9)
            speed *= 0.5
            time += play / speed
        self.assertEqual(len(impacts), 4)

    # Published: Leine and others 1998, with the numbers of their limit cycle.
    def test_belt_stick_slip(self):
        model = """gelenk: 1
gravity: none
parts:
  block: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  belt: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  slide: {type: prismatic, between: [ground, block], axis: x, start: {travel: 0.9, speed: 0.2}}
  run: {type: prismatic, between: [ground, belt], axis: x}
drivers: {motor: {drives: run.travel, rate: 0.2 m/s}}
forces:
  spring: {type: coordinate_spring, drives: slide.travel, stiffness: 1}
  rub: {type: dry_friction, drives: slide.travel, relative_to: run.travel, coulomb: "=1 N/(1 + 3*abs(slide.speed - run.speed)/1 (m/s))"}
outputs: {x: slide.travel}
simulation: {duration: 26 s, step: 1 ms, output_every: 100 ms}
"""
        file, _ = self.run_text(model)
        slides = [time for time, _ in self.events(file, "slides")]
        sticks = [time for time, _ in self.events(file, "sticks") if time > slides[0]]
        self.assertAlmostEqual(slides[0], 0.5, delta=2e-3)
        self.assertAlmostEqual(sticks[0] - slides[0], 4.295999525480155, delta=5e-3)
        self.assertAlmostEqual(slides[1] - slides[0], 12.001031294830579, delta=5e-3)

    # S0-10, S1-07: friction and play are inside the component; whoever uses it sees its port alone. The same motion
    # with the machine as one program, and with components that are computed one by one.
    def test_friction_and_stops_inside_a_component(self):
        whole, _ = self.run_text(ARM, "--partition", "none")
        divided, certificate = self.run_text(ARM, "--partition", "model")
        self.assertGreater(certificate["contacts"]["impacts"], 0)
        for channel in ("angle", "torque", "rate"):
            a, b = whole["by_path"][channel][()], divided["by_path"][channel][()]
            self.assertLess(max(abs(a - b)), 1e-9 * max(abs(a)), channel)
        angles = whole["by_path"]["angle"][()]
        self.assertLess(max(angles), 0.25 + 1e-5)
        self.assertGreater(min(angles), -0.3 - 1e-5)
        self.assertGreater(max(angles) - min(angles), 0.1)

    # A stuck joint of an arm that turns in space.
    def test_what_sticks_on_a_moving_arm_stays(self):
        file, certificate = self.run_text(ARM.replace("coulomb: 0.12", "coulomb: 50"))
        self.assertLess(abs(self.end_of(file, "angle")), 1e-5)
        self.assertLess(abs(certificate["contacts"]["workOfFriction"]), 1e-4)

    def test_mirror_images_do_the_same(self):
        model = """gelenk: 1
definitions:
  side:
    parts: {lever: {mass: 1, center_of_mass: [0.4, 0.1, 0], inertia: {xx: 0.01, yy: 0.1, zz: 0.1}}}
    joints: {hinge: {type: revolute, between: [ground, lever], axis: [1, 2, 0]}}
    forces:
      stop: {type: rigid_stop, drives: hinge.angle, lower: -0.3, upper: 0.2, restitution: 0.5}
      rub: {type: dry_friction, drives: hinge.angle, coulomb: 0.2}
    outputs: {angle: hinge.angle, torque: rub.torque}
assemblies:
  left: {use: side, at: [0, 1, 0]}
  right: {mirror_of: left, plane: xz}
outputs: {a: left.angle, b: right.angle, c: left.torque, d: right.torque}
simulation: {duration: 1 s, step: 1 ms}
"""
        file, certificate = self.run_text(model)
        self.assertGreater(certificate["contacts"]["impacts"], 2)
        for one, other in (("a", "b"), ("c", "d")):
            x, y = file["by_path"][one][()], file["by_path"][other][()]
            self.assertLess(max(abs(x - y)), 1e-9)
            self.assertGreater(max(abs(x)), 0.1)

    def refused(self, text, *pieces, code=MODEL_ERROR, verb=("run",), arguments=()):
        result = self.run_here(*verb, self.write("refused.yaml", text), *arguments)
        self.assert_exit(result, code)
        for piece in pieces:
            self.assertIn(piece, result.stderr)

    def test_what_cannot_run_is_refused(self):
        rub = "{type: dry_friction, drives: slide.travel, coulomb: 3}"
        block = BLOCK.format(speed=2, rub=rub, pull="0", duration="2 s", step="1 ms")
        self.refused(block, "the machine has hard forces, such as the dry_friction 'rub', and dopri5 cannot follow them",
                     "use method moreau", code=USAGE_ERROR, arguments=("--method", "dopri5", "--tolerance", "1e-6"))
        self.refused(block, "'rub'", "a hard force", verb=("generate",), arguments=("--as", "python"))
        self.refused(block, "it has hard forces", code=USAGE_ERROR, verb=("analyze", "equilibrium"))
        self.refused(block, "it has hard forces", code=USAGE_ERROR, verb=("analyze", "inverse"),
                     arguments=("--drive", "slide.travel==0.1 m*sin(3 (rad/s)*time)"))
        self.refused(block.replace("coulomb: 3", "coulomb: -3"), "'coulomb' must not be negative")
        self.refused(block.replace('value: "0"', 'value: "=rub.force"'), "the force of force 'rub'")
        file, _ = self.good(block)
        result = self.run_here("verify", file.filename)
        self.assertNotEqual(result.returncode, OK)
        self.assertIn("it has hard forces", result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
