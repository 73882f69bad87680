#!/usr/bin/env python3
"""What tripped new users: files of another kind, mistyped names, bare numbers, machines that lock up or fall apart."""

import json
import math
import os
import unittest

from program_support import FAILED, FILE_ERROR, MODEL_ERROR, OK, run, SOURCE
from run_support import InFolder

CRANK_SLIDER = str(SOURCE / "examples/crank_slider/crank_slider.yaml")
ENGINE = str(SOURCE / "tests/data/cad/steam_engine.step")

# A crank of 100 mm on a rod of 70 mm: it goes as far as the rod reaches across, asin(0.7).
LOCKING = """gelenk: 1
up: y
parts:
  crank: {material: steel, shape: {cylinder: {radius: 5 mm, from: [0, 0, 0], to: pin}}, frames: {pin: {at: [100 mm, 0, 0]}}}
  rod: {at: crank.pin, material: steel, shape: {cylinder: {radius: 5 mm, from: [0, 0, 0], to: end}},
        frames: {end: {at: [70 mm, 0, 0]}}}
  piston: {at: rod.end, mass: 0.5 kg, inertia: {xx: 1e-4, yy: 1e-4, zz: 1e-4}}
joints:
  crank_bearing: {type: revolute, between: [ground, crank], axis: z, start: {angle: 10 deg}}
  pin: {type: revolute, between: [crank.pin, rod], axis: z}
  wrist: {type: revolute, between: [rod.end, piston], axis: z}
  guide: {type: prismatic, between: [ground, piston], axis: x}
drivers:
  motor: {drives: crank_bearing.angle, rate: 60 rpm}
simulation: {duration: 1 s}
"""
FREE = math.degrees(math.asin(0.7))

# A pendulum, and two parts that are joined with each other only.
LOOSE = """gelenk: 1
up: y
parts:
  arm: {mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, center_of_mass: [0.1, 0, 0]}
  hub: {at: [0.5, 0, 0], mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}START}
  lid: {at: [0.5, 0.1, 0], mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}}
joints:
  pivot: {type: revolute, between: [ground, arm], axis: z}
  screw: {type: fixed, between: [hub, lid], at: [0.5, 0, 0]}
simulation: {duration: 2 s}
"""


PAIR = """gelenk: 1
display: {length: mm, angle: deg}
parts:
  a: {mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {tip: {at: [0, 0, -300 mm]}}}
  b: {mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, at: [0, 0, -300 mm]}
joints:
  shoulder: {type: revolute, between: [ground, a], axis: y, start: {angle: 30 deg}, limits: {angle: {min: -10 deg}}}
  elbow: {type: revolute, between: [a.tip, b], axis: y}
outputs:
  bend: =shoulder.angle - elbow.angle
  height: {value: b.position.z, unit: cm}
simulation: {duration: 1 s}
"""


class Files(InFolder):
    def setUp(self):
        super().setUp()
        self.write("machine.yaml", LOCKING)
        os.mkdir(os.path.join(self.folder, "empty"))
        with open(os.path.join(self.folder, "run.h5"), "wb") as file:
            file.write(b"\x89HDF\r\n\x1a\n" + bytes(100))

    def test_a_file_of_another_kind_is_named_with_the_command_that_takes_it(self):
        for words, said in ((["run", "run.h5"], "gelenk view run.h5"), (["check", "run.h5"], "gelenk view run.h5"),
                            (["import", "run.h5"], "gelenk view run.h5"), (["import", "machine.yaml"], "gelenk run machine.yaml"),
                            (["plot", "machine.yaml"], "gelenk run machine.yaml"), (["run", ENGINE], "gelenk import"),
                            (["run", "."], "machine.yaml"), (["import", "empty"], "is a folder")):
            with self.subTest(words=words):
                result = run(*words, cwd=self.folder)
                self.assert_exit(result, FILE_ERROR)
                self.assertIn(said, result.stderr)
                self.assertNotIn("byte 0x", result.stderr)

    def test_a_mistyped_name_gets_the_right_one(self):
        for words, said in ((["run", "machin.yaml"], "did you mean 'machine.yaml'?"),
                            (["run", "machine.ymal"], "did you mean 'machine.yaml'?"), (["info", "rum.h5"], "did you mean 'run.h5'?"),
                            (["import", ENGINE.replace("engine", "engin")], "steam_engine.step'?"),
                            (["run", "none/machine.yaml"], "there is no folder 'none'")):
            with self.subTest(words=words):
                result = run(*words, cwd=self.folder)
                self.assert_exit(result, FILE_ERROR)
                self.assertIn(said, result.stderr)

    def test_a_machine_in_a_folder_of_its_own_is_found(self):
        self.assert_exit(run("new", "pendulum", cwd=self.folder), OK)
        result = run("check", "pendulum.yaml", cwd=self.folder)
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("did you mean 'pendulum/pendulum.yaml'?", result.stderr)

    def test_a_used_file_with_a_mistyped_name(self):
        self.write("outer.yaml", "gelenk: 1\nassemblies: {m: {use: machne.yaml}}\n")
        result = run("check", "outer.yaml", cwd=self.folder)
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("machine.yaml'?", result.stderr)


class Settings(InFolder):
    def test_a_bare_angle_is_in_radians(self):
        self.write("machine.yaml", "gelenk: 1\nparameters: {target: {value: 45 deg}, share: {value: 5 %}}\nparts: {a: {mass: 1, "
                                   "inertia: {xx: 1, yy: 1, zz: 1}, at: [=share*1 m, 0, =target*1 m]}}\n")
        result = run("check", "machine.yaml", "--set", "target=60", "--set", "share=2", cwd=self.folder)
        self.assertIn("60 without a unit means 60 rad; the model has 45 deg", result.stderr)
        self.assertIn("2 without a unit means 2; the model has 5 %", result.stderr)

    def test_a_bare_number_where_the_model_has_a_unit(self):
        result = run("check", CRANK_SLIDER, "--set", "crank_length=0.06")
        self.assert_exit(result, OK)
        self.assertIn("0.06 without a unit means 0.06 m; the model has 50 mm", result.stderr)
        self.assertIn('--set crank_length="0.06 mm"', result.stderr)
        self.assertEqual("", run("check", CRANK_SLIDER, "--set", "crank_length=60 mm").stderr)

    def test_hertz_is_blamed_where_it_was_written(self):
        result = run("check", CRANK_SLIDER, "--set", "speed=50 Hz")
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("--set:1:7: error: parameter 'speed'", result.stderr)
        self.assertNotIn("crank_slider.yaml:", result.stderr)


class Units(InFolder):
    """What people see is in the units that they asked for."""

    def setUp(self):
        super().setUp()
        self.write("pair.yaml", PAIR)
        self.ran = run("run", "pair.yaml", cwd=self.folder)
        self.assert_exit(self.ran, OK)

    def test_outputs_have_units_of_their_own_and_angles_stay_angles(self):
        plotted = run("plot", "pair.h5", cwd=self.folder).stdout
        self.assertIn("bend [deg]", plotted)
        self.assertIn("height [cm]", plotted)
        self.assertIn("-30 ┤", plotted)
        head, first, *_ = run("export", "pair.h5", "bend", "height", "--display", cwd=self.folder).stdout.splitlines()
        self.assertEqual(head, "time [s],bend [deg],height [cm]")
        for number, expected in zip(first.split(","), (0.0, 30.0, -30.0 * math.cos(math.radians(30.0)))):
            self.assertAlmostEqual(float(number), expected, places=9)
        self.assert_exit(run("report", "pair.h5", "-o", "pair.md", cwd=self.folder), OK)
        with open(os.path.join(self.folder, "pair.md"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"\| height \| -30 cm ")

    def test_sentences_are_in_the_units_of_the_model(self):
        self.assertIn("were moved to close the joints at their start values, 'b' by 155 mm and 30 deg", self.ran.stdout)
        self.assertRegex(self.ran.stdout, r"limit of shoulder.angle exceeded: -\d+(\.\d+)? deg at .* allowed -10 deg")


class LockingUp(InFolder):
    def setUp(self):
        super().setUp()
        self.write("machine.yaml", LOCKING)

    def test_the_driver_is_named_with_what_stops_it(self):
        for method in (["--method", "dopri5"], ["--method", "adams"], ["--method", "bdf"], ["--method", "rk4", "--step", "1 ms"],
                       ["--method", "generalized_alpha", "--step", "1 ms"]):
            with self.subTest(method=method):
                result = run("run", "machine.yaml", "-o", "run.h5", "--force", *method, cwd=self.folder)
                self.assert_exit(result, FAILED)
                self.assertIn("driver 'motor': cannot turn 'crank_bearing' past 44.43 deg", result.stderr)
                self.assertIn("'rod' is stretched between 'pin' and 'wrist' (dead center)", result.stderr)
                self.assertIn("--sweep motor", result.stderr)

    def test_sweep_tells_before_any_run(self):
        result = run("check", "machine.yaml", "--sweep", "motor", "--json", cwd=self.folder)
        self.assert_exit(result, OK)
        (sweep,) = json.loads(result.stdout)["summary"]["sweeps"]
        self.assertFalse(sweep["goesRound"])
        self.assertAlmostEqual(FREE, math.degrees(sweep["highest"]), 4)
        self.assertAlmostEqual(-FREE, math.degrees(sweep["lowest"]), 4)
        self.assertIn("'rod'", sweep["above"])
        self.assertIn("goes all the way round", run("check", CRANK_SLIDER, "--sweep", "main_bearing").stdout)
        self.assertIn("did you mean 'motor'?", run("check", "machine.yaml", "--sweep", "moter", cwd=self.folder).stderr)


class LooseParts(InFolder):
    def verdict(self, start):
        self.write("machine.yaml", LOOSE.replace("START", start))
        result = run("run", "machine.yaml", "-o", "run.h5", "--force", "--json", cwd=self.folder)
        self.assert_exit(result, OK)
        return json.loads(result.stdout)["certificate"]

    def test_check_names_them(self):
        self.write("machine.yaml", LOOSE.replace("START", ""))
        self.assertIn("loose         1 group of parts is not joined to the ground: 'hub' and 'lid'",
                      run("check", "machine.yaml", cwd=self.folder).stdout)
        self.assertNotIn("loose", run("check", CRANK_SLIDER).stdout)

    def test_what_falls_out_of_sight_is_not_good(self):
        certificate = self.verdict("")
        self.assertEqual("look at", certificate["verdict"])
        self.assertIn("'hub' and 'lid' ended 19.6 m from the start", certificate["reasons"][0])
        self.assertAlmostEqual(0.5 * 9.80665 * 2**2, certificate["departures"][0]["distance"], 9)

    def test_what_was_thrown_is_meant_to_fly(self):
        certificate = self.verdict(", start: {velocity: [1 m/s, 0, 0]}")
        self.assertEqual("good", certificate["verdict"])
        self.assertNotIn("departures", certificate)


class Sizes(InFolder):
    def test_check_measures_what_the_import_measured(self):
        self.assert_exit(run("import", ENGINE, "-o", "engine", cwd=self.folder), OK)
        checked = run("check", "engine/steam_engine.yaml", cwd=self.folder)
        self.assertIn("size          590 x 220 x 175 mm", checked.stdout)


if __name__ == "__main__":
    unittest.main()
