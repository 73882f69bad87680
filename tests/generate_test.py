#!/usr/bin/env python3
"""`gelenk generate`: equations in minimal coordinates as programs, which move as `gelenk run` does.

S2-23 S2-24 S2-27 S2-29 S2-30 S2-31 S2-32 S2-33 S2-34 S2-35 S0-34
"""

import csv
import importlib.util
import json
import re
import subprocess
import unittest

import numpy

from program_support import FILE_ERROR, InFolder, MODEL_ERROR, OK, run, SOURCE, USAGE_ERROR

STRICT = "-std=c99 -O1 -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Werror"


NEARLY_FLAT = """
gelenk: 1
name: nearly_flat
parts:
  crank: {mass: 1 kg, center_of_mass: [0.1, 0, 0], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}, frames: {pin: [0.18, 0, 0]}}
  rod: {mass: 1 kg, center_of_mass: [0.3, 0, 0], inertia: {xx: 0.01, yy: 0.03, zz: 0.03}, frames: {pin: [0.5, 0, 0]}}
  rocker: {mass: 1 kg, center_of_mass: [0.2, 0, 0], inertia: {xx: 0.01, yy: 0.02, zz: 0.02}, frames: {pin: [0.2, 0, 0]}}
frames: {far: [0.5, 0, 0]}
joints:
  a: {type: revolute, between: [ground, crank], axis: z, start: {angle: 60 deg, rate: 12}}
  b: {type: revolute, between: [crank.pin, rod], axis: z, guess: {angle: -60 deg}}
  c: {type: revolute, between: [rod.pin, rocker.pin], axis: z}
  d: {type: revolute, between: [far, rocker], axis: z, guess: {angle: 60 deg}}
gravity: [0, -9.81, 0]
outputs: {energy: =kinetic_energy + potential_energy}
simulation: {duration: 4 s, step: 1 ms}
"""


def example(name):
    return str(SOURCE / f"examples/{name}/{name}.yaml")


def table(text):
    """Columns of a CSV file by their names, without units."""
    rows = list(csv.reader(text.splitlines()))
    names = [re.sub(r" [\[(].*", "", name) for name in rows[0]]
    return dict(zip(names, numpy.array([[float(cell) for cell in row] for row in rows[1:]]).T))


class Programs(InFolder):
    def make(self, model, *options):
        """A program in the folder `made`, compiled without a warning; returns its name."""
        self.assert_exit(run("generate", model, "--as", "program", "-o", "made", "--force", *options, cwd=self.folder), OK)
        made = self.folder / "made"
        subprocess.run(["make", "-s", "-B", f"CFLAGS={STRICT}"], cwd=made, check=True)
        return max(made.glob("*.data"), key=lambda path: path.stat().st_mtime_ns).stem

    def move(self, name, changes=()):
        """The motion by its data file, after these changes of lines."""
        made = self.folder / "made"
        text = (made / f"{name}.data").read_text()
        for pattern, replacement in changes:
            text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
            self.assertEqual(count, 1, pattern)
        (made / "changed.txt").write_text(text)
        result = subprocess.run([f"./{name}", "changed.txt"], cwd=made, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return table(result.stdout)

    def simulate(self, model, *options):
        self.assert_exit(run("run", model, "-o", "run.h5", "--force", "-q", *options, cwd=self.folder), OK)
        return table(run("export", "run.h5", "*", cwd=self.folder).stdout)

    def assert_same(self, motion, simulated, tolerance, least):
        columns = [name for name in motion if name in simulated]
        self.assertGreaterEqual(len(columns), least, columns)
        for name in columns:
            size = 1 + numpy.abs(simulated[name]).max()
            self.assertLess(numpy.abs(motion[name] - simulated[name]).max(), tolerance * size, name)

    def test_moves_as_the_simulation_does(self):
        """Trees, planar loops with redundant rows, drivers of every level, couplings, bushings, a whole car."""
        options = ("--method", "rk4", "--step", "1 ms", "--duration", "500 ms", "--output-every", "10 ms")
        data = ((r"^run.end_time = .*", "run.end_time = 0.5 s"), (r"^run.step = .*", "run.step = 0.001 s"),
                (r"^run.output_every = .*", "run.output_every = 0.01 s"))
        gallery = ("cardan_shaft", "differential", "scotch_yoke", "bicycle_wheel")
        models = [example(name) for name in ("double_pendulum", "crank_slider", "steam_engine", "car")]
        models += [str(SOURCE / f"examples/gallery/{name}.yaml") for name in gallery]
        for model in models:
            with self.subTest(model):
                name = self.make(model)
                self.assert_same(self.move(name, data), self.simulate(model, *options), 1e-7, 4)

    def test_numbers_are_read_at_the_start(self):
        """Masses, places and starts are changed in the data file: as another model, nothing is compiled again."""
        name = self.make(example("double_pendulum"))
        model = self.folder / "model.yaml"
        text = (SOURCE / "examples/double_pendulum/double_pendulum.yaml").read_text()
        model.write_text(re.sub(r"angle: 30 deg", "angle: 0.8", text))
        other = self.move(name, ((r"^start.elbow.angle = .*", "start.elbow.angle = 0.8"),
                                 (r"^run.end_time = .*", "run.end_time = 0.3 s"),
                                 (r"^run.step = .*", "run.step = 0.0005 s"),
                                 (r"^run.output_every = .*", "run.output_every = 0.01 s")))
        simulated = self.simulate("model.yaml", "--method", "rk4", "--step", "500 us", "--duration", "300 ms",
                                  "--output-every", "10 ms")
        self.assert_same(other, simulated, 1e-8, 4)
        heavier = self.move(name, ((r"^(lower_arm.mass) = .*", r"\1 = 40 kg"),))
        self.assertGreater(numpy.abs(heavier["shoulder.angle"] - self.move(name)["shoulder.angle"]).max(), 0.01)

    def test_coordinates_change_and_nothing_restarts(self):
        """A linkage that nearly folds at every turn: coordinates are chosen again and again, and errors fall with the fourth order."""
        (self.folder / "linkage.yaml").write_text(NEARLY_FLAT)
        name = self.make("linkage.yaml")
        for method, step in (("rk4", 1e-3), ("adams", 1e-3)):
            drift = []
            for h in (step, step / 2):
                motion = self.move(name, ((r"^run.method = .*", f"run.method = {method}"), (r"^run.step = .*", f"run.step = {h} s")))
                drift.append(numpy.abs(motion["energy"] - motion["energy"][0]).max())
            self.assertLess(drift[1], 3e-4, method)
            self.assertGreater(drift[0] / drift[1], 12, method)
        result = subprocess.run([f"./{name}", f"{name}.data"], cwd=self.folder / "made", capture_output=True, text=True, check=True)
        self.assertGreater(int(re.search(r"(\d+) changes of coordinates", result.stderr)[1]), 10)
        self.assertLess(float(re.search(r"residual of the rows (\S+)", result.stderr)[1].rstrip(",")), 1e-12)

    def test_mistakes_in_the_data_file_are_named(self):
        name = self.make(example("double_pendulum"))
        made = self.folder / "made"
        good = (made / f"{name}.data").read_text()
        for bad, words in ((good + "wings = 2\n", "wings"), (good.replace("run.step = ", "run.step = x"), "run.step"),
                           (re.sub(r"^gravity = .*\n", "", good, flags=re.MULTILINE), "gravity")):
            (made / "bad.data").write_text(bad)
            result = subprocess.run([f"./{name}", "bad.data"], cwd=made, capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 3)
            self.assertIn("bad.data:", result.stderr)
            self.assertIn(words, result.stderr)

    def test_python_has_the_same_equations(self):
        """M v' = f and the rows, by the module alone."""
        for model in ("double_pendulum", "steam_engine"):
            self.assert_exit(run("generate", example(model), "--as", "python", "-o", ".", cwd=self.folder), OK)
            path = next(self.folder.glob(f"*{model}*_equations.py"), None) or next(self.folder.glob("*_equations.py"))
            spec = importlib.util.spec_from_file_location(model, path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            w = module.prepare()
            x, v, s = (list(numbers.values()) for numbers in (module.POSITIONS, module.RATES, module.STATES))
            M, f, _ = module.motion(w, 0.0, x, v, s)
            M, f = numpy.array(M), numpy.array(f)
            numpy.testing.assert_allclose(M, M.T, atol=1e-13)
            self.assertGreater(numpy.linalg.eigvalsh(M).min(), 0)
            if module.ROWS:
                c, C, ct, g = (numpy.array(part) for part in module.constraints(w, 0.0, x, v, s))
                numpy.testing.assert_allclose(c, 0, atol=1e-9)
                numpy.testing.assert_allclose(C @ v + ct, 0, atol=1e-9)
            else:
                vdot, _ = module.accelerations(w, 0.0, x, v, s)
                numpy.testing.assert_allclose(M @ vdot, f, atol=1e-11 * numpy.abs(f).max())
            path.unlink()


class Verb(InFolder):
    def test_text_and_latex_of_a_pendulum(self):
        """S2-23: what a textbook has."""
        (self.folder / "p.yaml").write_text("""
gelenk: 1
name: pendulum
parts: {bob: {mass: 2 kg, center_of_mass: [0.5, 0, 0], inertia: {xx: 0.01, yy: 0.02, zz: 0.03}}}
joints: {pivot: {type: revolute, between: [ground, bob], axis: z}}
gravity: [0, -9.81, 0]
""")
        text = run("generate", "p.yaml", cwd=self.folder)
        self.assert_exit(text, OK)
        self.assertIn("pivot.angle", text.stdout)
        self.assertIn("(m1 c1^2 + J1) q1'' = -m1 g c1 cos(q1)", text.stdout)
        latex = run("generate", "p.yaml", "--as", "latex", cwd=self.folder).stdout
        self.assertIn(r"(m_1 c_1^2 + J_1) \ddot{q}_1 = -m_1 g c_1 \cos(q_1)", latex)

    def test_says_what_was_made(self):
        report = json.loads(run("generate", example("crank_slider"), "--as", "c", "-o", "c", "--json", cwd=self.folder).stdout)
        self.assertEqual((report["ok"], report["kind"], report["coordinates"]), (True, "c", 3))
        self.assertEqual(len(report["written"]), 2)
        self.assertIn("motor_torque", report["leftOut"][0])
        for file in report["written"]:
            self.assertTrue((self.folder / file).exists())

    def test_refuses_a_chain_that_is_too_long(self):
        links = range(160)
        parts = "".join(f"  l{i}: {{mass: 1, center_of_mass: [0.5, 0, 0], inertia: {{xx: 1, yy: 1, zz: 1}}, frames: {{end: [1, 0, 0]}}}}\n" for i in links)
        joints = "".join(f"  j{i}: {{type: revolute, between: [{f'l{i - 1}.end' if i else 'ground'}, l{i}], axis: y}}\n" for i in links)
        (self.folder / "chain.yaml").write_text(f"gelenk: 1\nparts:\n{parts}joints:\n{joints}")
        result = run("generate", "chain.yaml", "--as", "c", "-o", "chain", cwd=self.folder)
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("more than 1000000 operations", result.stderr)
        self.assertFalse((self.folder / "chain").exists())

    def test_refuses(self):
        car = example("double_pendulum")
        result = run("generate", car, "--as", "fortran", cwd=self.folder)
        self.assert_exit(result, USAGE_ERROR)
        self.assertIn("text, latex, c, program, python, matlab", result.stderr)
        self.assert_exit(run("generate", car, "--as", "program", cwd=self.folder), USAGE_ERROR)
        self.assert_exit(run("generate", car, "--as", "c", "-o", "out", cwd=self.folder), OK)
        again = run("generate", car, "--as", "c", "-o", "out", cwd=self.folder)
        self.assert_exit(again, FILE_ERROR)
        self.assertIn("already exists", again.stderr)
        ball = run("generate", str(SOURCE / "examples/contact/bouncing_ball.yaml"), cwd=self.folder)
        self.assert_exit(ball, MODEL_ERROR)
        self.assertIn("GK1901", ball.stderr)
        self.assertIn("contacts", ball.stderr)


if __name__ == "__main__":
    unittest.main()
