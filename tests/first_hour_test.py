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

    def test_files_of_other_programs_are_named_with_what_to_do(self):
        for name, verb, said in (("press.sldasm", "import", "as STEP"), ("press.iges", "run", "as STEP"), ("lid.stl", "import", "mesh"),
                                 ("arm.xacro", "import", "xacro"), ("walker.sdf", "import", "URDF"), ("pump.mo", "check", "gelenk new"),
                                 ("rows.csv", "plot", "not a results file"), ("all.zip", "check", "unpack")):
            with self.subTest(name=name):
                with open(os.path.join(self.folder, name), "wb") as file:
                    file.write(b"PK\x03\x04" if name.endswith(".zip") else b"solid\n")
                result = run(verb, name, cwd=self.folder)
                self.assert_exit(result, FILE_ERROR)
                self.assertIn(said, result.stderr)

    def test_a_model_may_have_any_name(self):
        self.write("machine.txt", LOCKING)
        self.assert_exit(run("check", "machine.txt", cwd=self.folder), OK)

    def test_a_file_without_a_verb_gets_the_one_that_takes_it(self):
        for name, verb in (("run.h5", "view"), ("machine.yaml", "check"), (ENGINE, "import")):
            self.assertIn(f"gelenk {verb} {name}", run(name, cwd=self.folder).stderr)

    def test_edit_and_repair_name_other_files_too(self):
        self.assertIn("is a results file", run("edit", "run.h5", "set", "parts.a.mass=1 kg", cwd=self.folder).stderr)
        self.assertIn("is a model", run("repair", "machine.yaml", cwd=self.folder).stderr)

    def test_formats_of_other_verbs(self):
        for name, said in (("a.svg", "gelenk plot"), ("a.xlsx", ".csv"), ("a.md", "gelenk report"), ("a.gif", ".png")):
            self.assertIn(said, run("export", "run.h5", "-o", name, cwd=self.folder).stderr)

    def test_an_empty_file_is_called_empty(self):
        for name, verb in (("nothing.h5", "view"), ("nothing.h5", "repair"), ("nothing.step", "import"), ("nothing.urdf", "import"),
                           ("nothing.FCStd", "import"), ("nothing.yaml", "check")):
            self.write(name, "")
            result = run(verb, name, cwd=self.folder)
            self.assertIn(" is empty", result.stderr.splitlines()[0])
            self.assertNotIn("ZIP", result.stderr)

    def test_a_folder_that_is_missing_is_named(self):
        self.assert_exit(run("run", CRANK_SLIDER, "-o", "r.h5", "--duration", "10 ms", cwd=self.folder), OK)
        for words in (["run", CRANK_SLIDER, "-o", "out/r.h5"], ["export", "r.h5", "-o", "out/r.csv"], ["export", "r.h5", "-o", "out/r.glb"],
                      ["export", "r.h5", "-o", "out/r.html"], ["report", "r.h5", "-o", "out/r.md"], ["plot", "r.h5", "--png", "out/r.png"]):
            with self.subTest(words=words):
                result = run(*words, cwd=self.folder)
                self.assert_exit(result, FILE_ERROR)
                self.assertIn("there is no folder 'out'", result.stderr)

    def test_commands_to_copy_work_in_a_shell(self):
        os.mkdir(os.path.join(self.folder, "my machine"))
        self.write("my machine/a run.yaml", LOCKING)
        result = run("plot", "my machine/a run.yaml", cwd=self.folder)
        self.assertIn("try: gelenk run 'my machine/a run.yaml'", result.stderr)
        result = run("import", ENGINE, "-o", "my machine/engine", cwd=self.folder)
        self.assertRegex(result.stdout, r"\nnext +gelenk run 'my machine/engine/steam_engine.yaml' --start ")

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


class Words(InFolder):
    """What users of other programs write is answered with the words of this one."""

    def checked(self, *, mass="1 kg", part="", base="ground", joint="type: revolute, axis: z", force="type: spring_damper, stiffness: 1 kN/m", simulation=""):
        self.write("machine.yaml", f"""gelenk: 1
parts:
  a: {{mass: {mass}, inertia: {{xx: 1e-3, yy: 1e-3, zz: 1e-3}}, frames: {{tip: {{at: [1, 0, 0]}}}}{part}}}
joints:
  j: {{between: [{base}, a], {joint}}}
forces:
  f: {{between: [ground, a.tip], {force}}}
simulation: {{duration: 1 s{simulation}}}
""")
        return run("check", "machine.yaml", cwd=self.folder).stderr

    def test_types(self):
        self.assertEqual("", self.checked())
        for word, name in (("hinge_joint", "revolute"), ("RevoluteJoint", "revolute"), ("JOINT_PRISMATIC", "prismatic"),
                           ("ball-joint", "spherical")):
            self.assertIn(f"'{word}' is called '{name}' here", self.checked(joint=f"type: {word}, axis: z"))
        self.assertIn("'spring_damper' is a force: write it in `forces:`", self.checked(joint="type: spring"))
        self.assertIn("`drivers:`", self.checked(joint="type: motor"))
        self.assertIn("'revolute' is a joint: write it in `joints:`", self.checked(force="type: hinge"))
        self.assertIn("`gravity: earth`", self.checked(force="type: gravity"))
        self.assertIn("`contours:`", self.checked(force="type: contact"))

    def test_keys(self):
        self.assertIn("half of the diameter", self.checked(part=", shape: {cylinder: {diameter: 8 mm, length: 1 m}}"))
        self.assertIn("`shape: {mesh: {...}}`", self.checked(part=", mesh: lid.stl"))
        self.assertIn("joint_friction", self.checked(joint="type: revolute, axis: z, damping: 3"))
        self.assertIn("'tol' is called 'tolerance' here", self.checked(simulation=", tol: 1e-6"))
        self.assertIn("'world' is called 'ground' here", self.checked(joint="type: revolute, axis: z", base="world"))

    def test_methods(self):
        for word, name in (("RK45", "dopri5"), ("ode15s", "bdf"), ("HHT", "generalized_alpha")):
            self.assertIn(f"'{word}' is called '{name}' here", self.checked(simulation=f", method: {word}"))
        self.assertIn("'ode45' is called 'dopri5' here", run("run", CRANK_SLIDER, "--method", "ode45", cwd=self.folder).stderr)

    def test_units(self):
        for word, name in (("U/min", "rev"), ("turns/s", "rev"), ("N/mm2", "mm^2"), ('"', "in")):
            self.assertIn(f"did you mean '{name}'?", run("check", CRANK_SLIDER, "--set", f"speed=600 {word}").stderr)

    def test_verbs_and_options(self):
        for word, verb in (("simulate", "run"), ("show", "view"), ("validate", "check"), ("init", "new"), ("diff", "compare")):
            self.assertIn(f"try 'gelenk {verb}': ", run(word).stderr)
        for word, option in (("--dt", "--step"), ("--time", "--duration"), ("--solver", "--method"), ("--param", "--set")):
            self.assertIn(f"did you mean '{option}'?", run("run", CRANK_SLIDER, word, "1").stderr)

    def test_a_verb_and_its_file_in_quotes(self):
        result = run("check machine.yaml", cwd=self.folder)
        self.assertIn("leave out the quotes\n  hint: gelenk check machine.yaml", result.stderr)

    def test_help_fits_a_page(self):
        for verb in ("run", "import", "seal", "export"):
            lines = run("help", verb).stdout.splitlines()
            options = lines[lines.index("options:"):]
            self.assertLess(max(map(len, options[:options.index("")])), 101)
        self.assertRegex(run("help", "run").stdout, r"\n  --method auto\|rk4\|\S+\n {20,}integration method")

    def test_a_quantity_is_named_with_its_article(self):
        self.assertIn("'mass' is a mass, but '3 m' is a length (m)", self.checked(mass="3 m"))
        self.assertIn("'mass' is a mass, but '30 deg' is an angle", self.checked(mass="30 deg"))


class Settings(InFolder):
    def test_a_bare_angle_is_in_radians_in_the_model_too(self):
        self.write("pair.yaml", PAIR.replace("30 deg", "30"))
        result = run("check", "pair.yaml", cwd=self.folder)
        self.assertIn("30 without a unit means 30 rad, which is 4.77 turns", result.stderr)
        self.assertIn("write 30 deg or 30 rad", result.stderr)

    def test_a_bare_start_or_drive(self):
        for option, value in (("--start", "main_bearing.angle=30"), ("--drive", "main_bearing=30")):
            result = run("run", CRANK_SLIDER, option, value, "--duration", "10 ms", cwd=self.folder)
            self.assert_exit(result, OK)
            self.assertIn(f"warning: {option}: 30 without a unit means 30 rad", result.stderr)
            self.assertIn(f'write {option} {value} deg" if'.replace("=30", '="30'), result.stderr)
        result = run("run", CRANK_SLIDER, "--start", "main_bearing.angle=30 deg", "--duration", "10 ms", cwd=self.folder)
        self.assertEqual("", result.stderr)

    def test_a_driver_where_its_joint_is_meant(self):
        result = run("run", CRANK_SLIDER, "--drive", "motor=60 rpm", cwd=self.folder)
        self.assertIn("'motor' is a driver: name the joint that it drives, 'main_bearing'", result.stderr)

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

    def test_a_bare_number_beyond_a_limit(self):
        result = run("check", CRANK_SLIDER, "--set", "crank_length=60")
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("the value is 60 m, but its maximum is 0.08 m", result.stderr)
        self.assertIn("without a unit it is in m: write it with its unit", result.stderr)
        self.assertNotIn("without a unit", run("check", CRANK_SLIDER, "--set", "crank_length=90 mm").stderr)

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

    def test_parameters_are_in_the_units_in_which_they_are_written(self):
        details = run("check", CRANK_SLIDER, "--set", "speed=10 rad/s", "--details").stdout
        self.assertIn("parameter     speed = 95.493 rpm\n", details)
        self.assertIn("parameter     crank_length = 50 mm\n", details)

    def test_angles_are_in_degrees_unless_display_says_otherwise(self):
        self.write("plain.yaml", PAIR.replace("display: {length: mm, angle: deg}\n", ""))
        self.assert_exit(run("run", "plain.yaml", cwd=self.folder), OK)
        self.assertIn("shoulder.angle [deg]", run("plot", "plain.h5", "shoulder.angle", cwd=self.folder).stdout)
        self.assertIn("shoulder.angle [rad]", run("plot", "plain.h5", "shoulder.angle", "--si", cwd=self.folder).stdout)
        self.assertIn("shoulder.angle [rad]", run("export", "plain.h5", "shoulder.angle", cwd=self.folder).stdout)

    def test_what_an_element_has(self):
        self.assertIn("'shoulder' has angle, rate, reaction.force, reaction.moment",
                      run("plot", "pair.h5", "shoulder.torque.mag", cwd=self.folder).stderr)

    def test_rounding_is_not_a_label(self):
        self.assertRegex(run("plot", "pair.h5", "shoulder.angle", cwd=self.folder).stdout, r"\n +0 ┤")

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

    def test_the_report_leaves_out_what_the_collapse_has_made(self):
        for method in ("dopri5", "adams", "bdf"):
            with self.subTest(method=method):
                run("run", "machine.yaml", "-o", "run.h5", "--force", "--method", method, cwd=self.folder)
                self.assert_exit(run("report", "run.h5", "-o", "run.md", "--force", cwd=self.folder), OK)
                with open(os.path.join(self.folder, "run.md"), encoding="utf-8") as file:
                    text = file.read()
                self.assertIn("The motion runs away at 0.09563 s", text)
                self.assertNotRegex(text, r"\de\+(0[6-9]|[1-9]\d)")
                self.assertIn("| crank_bearing | crank | ", text)

    def test_plots_leave_it_out_too(self):
        run("run", "machine.yaml", "-o", "run.h5", cwd=self.folder)
        result = run("plot", "run.h5", "motor.torque", cwd=self.folder)
        self.assertIn("the motion runs away at 0.09563 s, where 'rod' becomes too fast for the steps: 1 of 49 rows is not shown", result.stderr)
        self.assertNotIn("e+", result.stdout)
        self.assertIn("e+", run("plot", "run.h5", "motor.torque", "--all", cwd=self.folder).stdout)

    def test_sweep_reports_before_any_run(self):
        result = run("check", "machine.yaml", "--sweep", "motor", "--json", cwd=self.folder)
        self.assert_exit(result, OK)
        (sweep,) = json.loads(result.stdout)["summary"]["sweeps"]
        self.assertFalse(sweep["goesRound"])
        self.assertAlmostEqual(FREE, math.degrees(sweep["highest"]), 4)
        self.assertAlmostEqual(-FREE, math.degrees(sweep["lowest"]), 4)
        self.assertIn("'rod'", sweep["above"])
        self.assertIn("goes all the way round", run("check", CRANK_SLIDER, "--sweep", "main_bearing").stdout)
        self.assertIn("did you mean 'motor'?", run("check", "machine.yaml", "--sweep", "moter", cwd=self.folder).stderr)


class StepErrors(InFolder):
    def test_a_run_of_one_step_is_not_good(self):
        self.write("pair.yaml", PAIR.replace(", limits: {angle: {min: -10 deg}}", ""))
        for step in ("100 ms", "1 s"):
            result = run("run", "pair.yaml", "--method", "rk4", "--step", step, "--duration", "100 ms", cwd=self.folder)
            self.assert_exit(result, OK)
            self.assertIn("the run is too short for twice the step", result.stdout)
            self.assertNotIn("verdict: good", result.stdout)
            self.assertNotIn("changes nothing", result.stdout)


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

    def test_what_falls_a_little_is_never_plain_good(self):
        self.write("machine.yaml", LOOSE.replace("START", "").replace("2 s", "0.5 s"))
        result = run("run", "machine.yaml", "-o", "run.h5", "--force", cwd=self.folder)
        self.assertIn("verdict: good (", result.stdout)
        self.assertIn("; 'hub' and 'lid' ended 1.23 m from the start: nothing joins them to the ground)", result.stdout)

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
