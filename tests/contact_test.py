#!/usr/bin/env python3
"""Contact, friction and impact with `method: moreau`, against closed forms; refusals; the same bits every time."""

import math
import re
import unittest

import h5py

from program_support import MODEL_ERROR, OK, SOURCE, USAGE_ERROR
from resume_support import certificate_of, state_hash
from run_support import InFolder

EXAMPLES = SOURCE / "examples/contact"
G = 9.80665

# The slope is level in the drawing, and gravity is inclined.
BLOCK = """gelenk: 1
gravity: [{gx}, 0, {gz}]
parts:
  block:
    at: [0, 0, 0.1]
    mass: 1
    shape: {{box: {{size: [0.2, 0.2, 0.2]}}}}
    contours: {{faces: {{from: shape}}}}
    start: {{velocity: [{speed}, 0, 0]}}
ground: {{contours: {{slope: {{plane: {{normal: z}}}}}}}}
contacts: {{rest: {{between: [block.faces, ground.slope], friction: {friction}}}}}
outputs: {{x: block.position.x, speed: block.velocity.x}}
simulation: {{duration: 1 s, method: moreau, step: 1 ms, output_every: 100 ms}}
"""

TOWER = """gelenk: 1
parts:
  box_1: {mass: 1, at: [0, 0, 0.1], shape: {box: {size: [0.2, 0.2, 0.2]}}, contours: {faces: {from: shape}}}
  box_2: {copy_of: box_1, at: [0, 0, 0.3]}
  box_3: {copy_of: box_1, at: [0, 0, 0.5]}
  box_4: {copy_of: box_1, at: [0, 0, 0.7]}
  box_5: {copy_of: box_1, at: [0, 0, 0.9]}
ground: {contours: {base: {plane: {normal: z}}}}
contacts: {pile: {among: [box_1, box_2, box_3, box_4, box_5], with: [ground.base], friction: 0.5}}
outputs: {top: box_5.position.z, side: box_5.position.x}
simulation: {duration: 2 s, step: 1 ms, output_every: 100 ms}
"""

# A rod on a hinge falls on a post, and stays there: the hinge carries what the post does not.
ROD = """gelenk: 1
parts:
  rod:
    mass: 2
    center_of_mass: [0.5, 0, 0]
    inertia: {{xx: 1e-3, yy: 0.1666, zz: 0.1666}}
    contours: {{tip: {{sphere: {{radius: 0.05, at: [0.8, 0, 0]}}}}}}
joints: {{hinge: {{type: revolute, between: [ground, rod], axis: y, start: {{angle: -0.5}}}}}}
ground: {{contours: {{post: {{plane: {{at: [0, 0, -0.05]}}}}}}}}
contacts: {{stop: {{between: [rod.tip, ground.post], restitution: {restitution}}}}}
outputs: {{rate: hinge.rate, load: hinge.reaction.force.z, push: stop.force.z}}
simulation: {{duration: 1.5 s, method: moreau, step: 0.5 ms, output_every: 1 ms}}
"""


def events_of(file):
    """(time, text) of the contacts' events."""
    return [(row[0], row[3].decode()) for row in file["events"][()] if row[1] == b"contact"]


class Contact(InFolder):
    def run_text(self, text, *arguments):
        """A file of results, opened, and its certificate."""
        name = self.write(f"model{self.run_count}.yaml", text)
        file = self.results(name, *arguments)
        return file, certificate_of(file.filename)

    def end_of(self, file, channel):
        return file["by_path"][channel][()][-1]

    # S4-03: nothing in it is a stiffness, and it is exact with any step. S2-14: that the ball touches is found.
    def test_ball_bounces_as_in_the_closed_form(self):
        file = self.results(EXAMPLES / "bouncing_ball.yaml")
        certificate = certificate_of(file.filename)
        self.assertEqual(certificate["verdict"], "good", certificate["reasons"])
        first, e = math.sqrt(2.0 / G), 0.5
        impacts = [(time, float(re.search(r"meet at (\S+) m/s", text)[1]))
                   for time, text in events_of(file) if "meet at" in text]
        self.assertGreaterEqual(len(impacts), 9)
        time = first
        for n in range(9):
            self.assertAlmostEqual(impacts[n][0], time, delta=1e-7)
            self.assertAlmostEqual(impacts[n][1], G * first * e**n, delta=1e-3 * G * first * e**n)
            time += 2.0 * first * e**(n + 1)
        # All of it lies at rest where the sum of infinitely many bounces says.
        self.assertAlmostEqual(impacts[-1][0], first * (1 + e) / (1 - e), delta=3e-3)
        self.assertAlmostEqual(self.end_of(file, "height_of_ball"), 0.05, delta=1e-8)
        mass = 1100 * 4 / 3 * math.pi * 0.05**3
        contacts = certificate["contacts"]
        self.assertAlmostEqual(contacts["workOfImpacts"], -mass * G, delta=1e-4 * mass * G)
        self.assertEqual((contacts["unsolved"], contacts["lateImpacts"], contacts["lostBounces"]), (0, 0, 0))
        self.assertLess(certificate["energy"]["imbalance"], 1e-9)

    def test_ball_slides_then_rolls(self):
        file = self.results(EXAMPLES / "sliding_ball.yaml")
        certificate = certificate_of(file.filename)
        self.assertEqual(certificate["verdict"], "good", certificate["reasons"])
        rolls_at = 2 * 3.0 / (7 * 0.25 * G)
        x = 3.0 * rolls_at - 0.5 * 0.25 * G * rolls_at**2 + 5 / 7 * 3.0 * (2.0 - rolls_at)
        self.assertAlmostEqual(self.end_of(file, "speed_of_ball"), 5 / 7 * 3.0, delta=1e-10)
        self.assertAlmostEqual(self.end_of(file, "slip"), 0.0, delta=1e-10)
        self.assertAlmostEqual(self.end_of(file, "x"), x, delta=1e-5)
        [sticks] = [time for time, text in events_of(file) if "stick" in text]
        self.assertAlmostEqual(sticks, rolls_at, delta=1.1e-3)
        mass = 7850 * 4 / 3 * math.pi * 1e-3
        self.assertAlmostEqual(certificate["contacts"]["workOfFriction"], -mass * 3.0**2 / 7,
                               delta=1e-3 * mass)

    def test_block_on_a_slope(self):
        # Slope, friction, speed at the start; where it is after a second, and how fast.
        for degrees, friction, speed in ((20, 0.5, 2.0), (30, 0.3, 2.0), (25, 0.2, -1.0), (20, 0.37, 0.0)):
            slope = math.radians(degrees)
            pull, grip = G * math.sin(slope), friction * G * math.cos(slope)
            x, v = 0.0, speed
            left = 1.0
            if v > 0.0:  # upward, until it stands
                stop = min(left, v / (pull + grip))
                x, left, v = v * stop - 0.5 * (pull + grip) * stop**2, left - stop, v - (pull + grip) * stop
            if pull > grip and left > 0.0:
                x += v * left - 0.5 * (pull - grip) * left**2
                v -= (pull - grip) * left
            with self.subTest(degrees=degrees, friction=friction):
                file, certificate = self.run_text(
                    BLOCK.format(gx=-pull, gz=-G * math.cos(slope), speed=speed, friction=friction))
                self.assertEqual(certificate["contacts"]["unsolved"], 0)
                self.assertAlmostEqual(self.end_of(file, "x"), x, delta=1.2e-3)
                self.assertAlmostEqual(self.end_of(file, "speed"), v, delta=5e-3)
                if pull < grip and speed == 0.0:
                    self.assertAlmostEqual(self.end_of(file, "x"), 0.0, delta=1e-6)

    # S4-09: many points at once, by time stepping.
    def test_boxes_stand_on_each_other(self):
        file, certificate = self.run_text(TOWER)
        self.assertEqual(certificate["method"]["name"], "moreau")
        self.assertEqual(certificate["verdict"], "good", certificate["reasons"])
        self.assertAlmostEqual(self.end_of(file, "top"), 0.9, delta=2e-6)
        # What the solver leaves, in two seconds.
        self.assertAlmostEqual(self.end_of(file, "side"), 0.0, delta=2 * certificate["contacts"]["tolerance"])
        self.assertLess(certificate["contacts"]["deepest"], 1e-5)
        self.assertEqual(self.run_text(TOWER)[1]["stateHash"], certificate["stateHash"])

    def test_joints_carry_impacts(self):
        file, certificate = self.run_text(ROD.format(restitution=0.5))
        self.assertEqual(certificate["verdict"], "good", certificate["reasons"])
        # About the hinge: J = 0.1666 + 2·0.5²; it falls through the sine of its angle.
        inertia = 0.1666 + 2 * 0.25
        rate = math.sqrt(2 * 2 * G * 0.5 * math.sin(0.5) / inertia)
        impacts = [text for _, text in events_of(file) if "meet at" in text]
        speed = float(re.search(r"meet at (\S+) m/s", impacts[0])[1])
        self.assertAlmostEqual(speed, 0.8 * rate, delta=2e-4 * rate)
        energy = float(re.search(r"energy by (\S+) J", impacts[0])[1])
        self.assertAlmostEqual(energy, -0.75 * 0.5 * inertia * rate**2, delta=1e-2)
        next_speed = float(re.search(r"meet at (\S+) m/s", impacts[1])[1])
        self.assertAlmostEqual(next_speed, 0.5 * speed, delta=2e-3 * speed)
        self.assertLess(certificate["energy"]["imbalance"], 1e-5 * certificate["energy"]["turnover"])

    def test_reactions_contain_what_contacts_do(self):
        file, certificate = self.run_text(
            ROD.format(restitution=0).replace("output_every: 1 ms", "output_every: 0.5 ms"))
        self.assertEqual(certificate["verdict"], "good", certificate["reasons"])
        on_post = 2 * G * 0.5 / 0.8
        self.assertAlmostEqual(self.end_of(file, "load"), 2 * G - on_post, delta=1e-3)
        self.assertAlmostEqual(self.end_of(file, "rate"), 0.0, delta=1e-9)
        # Its own channels, and what outputs read of them: on the post, downwards.
        self.assertAlmostEqual(self.end_of(file, "push"), -on_post, delta=1e-3)
        self.assertAlmostEqual(self.end_of(file, "stop/normal_force"), on_post, delta=1e-3)
        self.assertEqual(self.end_of(file, "stop/points"), 1)
        force = file["by_path/stop/force"][()]
        self.assertEqual(list(force[-1][:2]), [0.0, 0.0])
        # All of it together is the impulse: what the rod loses of its turning when it meets the post is in it.
        arm, times = 0.8, file["time"][()]
        pushed = -sum(force[1:, 2] * (times[1:] - times[:-1]))
        gravity = sum(2 * G * 0.5 * math.cos(a) for a in file["by_path/hinge/angle"][()][1:]) * 0.5e-3
        self.assertAlmostEqual(pushed * arm, gravity, delta=5e-3 * gravity)

    def test_forces_of_contacts_are_for_outputs_alone(self):
        text = BLOCK.format(gx=0, gz=-G, speed=3, friction=0.2).replace(
            "outputs: {x: block.position.x, speed: block.velocity.x}",
            "outputs: {grip: rest.friction_force, normal: rest.force.magnitude}")
        file, certificate = self.run_text(text)
        self.assertEqual(certificate["verdict"], "good", certificate["reasons"])
        self.assertAlmostEqual(self.end_of(file, "grip"), 0.2 * G, delta=1e-4)
        self.assertAlmostEqual(self.end_of(file, "normal"), math.hypot(0.2, 1) * G, delta=1e-4)
        self.assertEqual(self.end_of(file, "rest/points"), 4)
        push = "forces: {push: {type: force, applied_to: block, along: x, value: =rest.normal_force}}\nsimulation:"
        self.assert_refused(text.replace("simulation:", push), "force 'push'", "the normal_force of contact 'rest'")

    def assert_refused(self, text, *pieces, code=MODEL_ERROR, arguments=()):
        result = self.run_here("run", self.write("refused.yaml", text), *arguments, "-o", "refused.h5")
        self.assert_exit(result, code)
        for piece in pieces:
            self.assertIn(piece, result.stderr)

    def test_what_cannot_run_is_refused(self):
        self.assert_refused(TOWER, "has contacts, such as 'pile'", "dopri5", code=USAGE_ERROR,
                            arguments=("--method", "dopri5", "--tolerance", "1e-6"))
        self.assert_refused(TOWER.replace("with: [ground.base]", "with: [ground.bass]"),
                            "refused.yaml:9:", "contact 'pile': there is no contour 'ground.bass'", "ground.base")
        self.assert_refused(TOWER.replace("box: {size: [0.2, 0.2, 0.2]}", "cylinder: {radius: 0.1, length: 0.2}"),
                            "'box_1.faces' is a cylinder and 'box_2.faces' a cylinder", "not computed yet")
        self.assert_refused(TOWER.replace("{plane: {normal: z}}", "{plane: {normal: z}, sphere: {radius: 1}}"),
                            "contour 'ground.base': it has more than one form")
        self.assert_refused(TOWER.replace("from: shape", "sphere: {radius: 0.1, hole: true}"), "`hole` belongs to shapes")
        self.assert_refused(TOWER.replace("friction: 0.5", "restitution: 1.5"), "restitution")
        self.assert_refused(TOWER.replace("among: [box_1, box_2, box_3, box_4, box_5], ", ""), "it is between nothing")
        self.assert_refused(TOWER.replace("box: {size: [0.2, 0.2, 0.2]}", "tube: {radius: 0.1, inner_radius: 0.05, length: 0.1}"),
                            "contours cannot be tubes")

    def test_runs_with_contacts_are_not_verified(self):
        file, _ = self.run_text(TOWER)
        result = self.run_here("verify", file.filename)
        self.assertNotEqual(result.returncode, OK)
        self.assertIn("it has contacts", result.stdout + result.stderr)

    def test_what_misses_the_table_is_noticed(self):
        model = """gelenk: 1
parts:
  ball: {at: [AT, 0, 1.1], material: steel, shape: {sphere: {radius: 0.1}}, contours: {skin: {from: shape}}}
ground:
  shape: {box: {size: [2, 2, 0.2]}}
  contours: {top: {box: {size: [2, 2, 0.2]}}}
contacts: {fall: {between: [ball.skin, ground.top], restitution: 0.3}}
simulation: {duration: 8 s}
"""
        _, certificate = self.run_text(model.replace("AT", "0.5"))
        self.assertEqual((certificate["verdict"], "departures" in certificate), ("good", False), certificate["reasons"])
        _, certificate = self.run_text(model.replace("AT", "5"))
        self.assertIn("'ball' ended", " ".join(certificate["reasons"]))
        self.assertNotEqual(certificate["verdict"], "good")

    def test_rows_of_sub_assemblies(self):
        model = """gelenk: 1
definitions:
  crate:
    parts: {box: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, contours: {faces: {from: shape}}}}
    ports: {middle: box}
assemblies: {crates: {use: crate, repeat: 4, at: [0, 0, "=0.1 m + index*0.2 m"]}}
ground: {contours: {base: {plane: {normal: z}}}}
contacts: {pile: {among: [crates], with: [ground.base], friction: 0.5}}
simulation: {duration: 0.2 s}
"""
        _, certificate = self.run_text(model)
        self.assertEqual(certificate["verdict"], "good", certificate["reasons"])
        self.assertEqual(certificate["method"]["step"], 1e-3)
        self.assertGreater(certificate["contacts"]["solves"], 100)


if __name__ == "__main__":
    unittest.main()
