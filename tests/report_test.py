#!/usr/bin/env python3
"""Reports of runs: the numbers against numpy, the pages as pages, and what cannot be reported."""

import base64
import html.parser
import json
import math
import os
import re
import struct
import unittest

import h5py
import numpy

from program_support import FAILED, FILE_ERROR, OK, SOURCE
from run_support import BLOCK, CRANK_SLIDER, InFolder

# Two ways of adding up the same few hundred numbers.
ROUNDING = 1e-12
# Within this, peaks count as equal and the first is reported.
SAME_VALUE = 1e-9

PNG = "data:image/png;base64,"
MOST_BYTES = 150_000  # of the report of a small machine

TENT = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"

VOID = {"meta", "br", "wbr", "line", "polyline"}


class Page(html.parser.HTMLParser):
    """Checks that tags are closed in order; collects texts and what would be loaded."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.problems = []
        self.tags = []
        self.loads = []
        self.pictures = []  # of machines, PNG
        self.texts = []
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.loads += [value for name, value in attrs if name in ("src", "href", "srcset", "data")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if tag == "image" and name == "href" and value.startswith(PNG):
                self.pictures.append(base64.b64decode(value[len(PNG):], validate=True))
            elif name in ("src", "href", "srcset", "data"):
                self.loads.append(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        if data.strip() and (not self.open or self.open[-1] != "style"):
            self.texts.append(data.strip())


def trapezoid_mean(times, values):
    return float(numpy.sum(0.5 * numpy.diff(times) * (values[1:] + values[:-1])) / (times[-1] - times[0]))


class Numbers(InFolder):
    """Every kind of number of the digest against numpy, on the crank-slider."""

    def setUp(self):
        super().setUp()
        self.file = self.results(CRANK_SLIDER)
        result = self.run_here("report", "out1.h5", "--json")
        self.assert_exit(result, OK)
        self.digest = json.loads(result.stdout)
        self.time = self.file["time"][:]

    def named(self, section, name, key="path"):
        return next(item for item in self.digest[section] if item[key] == name)

    def assert_summary(self, summary, values):
        self.assertEqual(summary["count"], len(values))
        self.assertAlmostEqual(summary["mean"], trapezoid_mean(self.time, values), delta=ROUNDING * abs(values).max())
        self.assertAlmostEqual(summary["rms"], math.sqrt(trapezoid_mean(self.time, values**2)),
                               delta=ROUNDING * abs(values).max())
        self.assertEqual(summary["min"]["value"], values.min())
        self.assertEqual(summary["max"]["value"], values.max())
        self.assertEqual(summary["end"], values[-1])
        self.assertAlmostEqual(abs(summary["peak"]["value"]), abs(values).max(), delta=SAME_VALUE * abs(values).max())
        for extreme, sign in ((summary["max"], 1), (summary["min"], -1)):
            at = values[numpy.searchsorted(self.time, extreme["time"])]
            self.assertLessEqual(sign * (extreme["value"] - at), SAME_VALUE * abs(at))

    def test_drivers(self):
        motor = self.named("drivers", "motor")
        self.assertEqual(motor["drives"], "main_bearing.angle")
        torque = self.file["by_path/motor/torque"][:]
        self.assert_summary(motor["effort"]["summary"], torque)
        self.assert_summary(motor["power"]["summary"], self.file["drivers/effort"][:, 0, 1])

    def test_parts(self):
        pose = self.file["by_path/rod/pose"][:]
        rod = self.named("parts", "rod")
        distance = numpy.linalg.norm(pose[:, :3] - pose[0, :3], axis=1)
        self.assertAlmostEqual(rod["distance"]["max"]["value"], distance.max(), delta=ROUNDING)
        self.assertEqual(rod["extent"]["x"], [pose[:, 0].min(), pose[:, 0].max()])
        speed = numpy.linalg.norm(self.file["by_path/rod/twist"][:, :3], axis=1)
        self.assertAlmostEqual(rod["speed"]["max"]["value"], speed.max(), delta=ROUNDING * speed.max())
        crank = self.named("parts", "crank")
        self.assertTrue(crank["moves"])
        self.assertLess(crank["distance"]["max"]["value"], ROUNDING)
        self.assertAlmostEqual(crank["angularSpeed"]["max"]["value"], 600 * 2 * math.pi / 60, delta=SAME_VALUE)

    def test_joints(self):
        self.assertEqual({joint["path"]: joint["second"] for joint in self.digest["joints"]},
                         {"main_bearing": "crank", "crank_pin": "rod", "wrist_pin": "piston", "bore": "piston"})
        reaction = self.file["by_path/crank_pin/reaction"][:]
        force = numpy.linalg.norm(reaction[:, :3], axis=1)
        pin = self.named("joints", "crank_pin")["force"]
        self.assertAlmostEqual(pin["magnitude"]["peak"]["value"], force.max(), delta=ROUNDING * force.max())
        row = numpy.searchsorted(self.time, pin["magnitude"]["peak"]["time"])
        for i in range(3):
            self.assertAlmostEqual(pin["direction"][i], reaction[row, i] / force[row], delta=ROUNDING)
        angle = self.named("coordinates", "main_bearing.angle", "name")["value"]["summary"]
        # Ten turns in a second, from 30 degrees.
        self.assertAlmostEqual(angle["max"]["value"] - angle["min"]["value"], 20 * math.pi, delta=SAME_VALUE)
        self.assertAlmostEqual(angle["min"]["value"], math.pi / 6, delta=SAME_VALUE)

    def test_outputs(self):
        for output in self.digest["outputs"]:
            self.assert_summary(output["summary"], self.file["by_path/" + output["name"]][:])
        self.assertEqual([output["unit"] for output in self.digest["outputs"]], ["m", "N*m"])


class Pages(InFolder):
    def report(self, model=CRANK_SLIDER, *options, run_options=()):
        self.assert_exit(self.run_here("run", model, "-o", "run.h5", "--force", *run_options), OK)
        result = self.run_here("report", "run.h5", *options)
        self.assert_exit(result, OK)
        return result

    def page(self):
        return (self.folder / "run.report.html").read_text()

    def test_html_is_whole_and_alone(self):
        result = self.report()
        self.assertIn("run.report.html", result.stdout)
        page = Page(self.page())
        self.assertEqual(page.problems, [])
        self.assertEqual(page.loads, [], "nothing is loaded from anywhere")
        self.assertNotIn("script", page.tags)
        self.assertEqual(page.tags.count("svg"), 4, "two pictures, two curves: the torque of the motor is drawn once")
        text = " ".join(page.texts)
        for piece in ("Verdict", "What moves", "Joint motion", "Loads on the joints", "99.45 mm", "600 rpm", "N·m"):
            self.assertIn(piece, text)
        self.assertNotIn("nan", text.split())
        self.assertNotIn("http", self.page().replace('xmlns="http://www.w3.org/2000/svg"', ""))

    def test_pictures_of_the_start_and_of_the_worst_moment(self):
        self.report()
        page = Page(self.page())
        self.assertEqual(len(page.pictures), 2)
        self.assertLess(len(self.page()), MOST_BYTES)
        start, worst = page.pictures
        self.assertNotEqual(start, worst)
        for picture in page.pictures:
            self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(struct.unpack(">II", picture[16:24]), (720, 480))
        text = " ".join(page.texts)
        self.assertIn("Start, at 0 s.", text)
        with h5py.File(self.folder / "run.h5", "r") as file:
            times = file["time"][:]
            forces = {joint: numpy.linalg.norm(file[f"by_path/{joint}/reaction"][:, :3], axis=1)
                      for joint in ("main_bearing", "crank_pin", "wrist_pin", "bore")}
        joint = max(forces, key=lambda name: forces[name].max())
        row = forces[joint].argmax()
        first = times[numpy.flatnonzero(forces[joint] >= forces[joint][row] * (1 - SAME_VALUE))[0]]
        self.assertIn(f"At {first:.4g} s: the largest force on a joint, {forces[joint].max():.0f} N in {joint}", text)

    def test_reports_of_one_file_are_equal_and_have_its_date(self):
        self.report()
        os.utime(self.folder / "run.h5", (1e9, 1e9))
        self.assert_exit(self.run_here("report", "run.h5"), OK)
        page = self.page()
        self.assertIn("run.h5 (file of 2001-09-09 01:46 UTC)", page)
        self.assert_exit(self.run_here("report", "run.h5", env={**os.environ, "TZ": "Asia/Tokyo"}), OK)
        self.assertEqual(self.page(), page)

    def test_parameters_are_those_of_the_run(self):
        self.report(run_options=("--set", "crank_length=60 mm", "--gravity", "none"))
        text = " ".join(Page(self.page()).texts)
        self.assertIn("crank_length 60 mm yes; the model has 50 mm main bearing to crank pin", text)
        self.assertIn("speed 600 rpm – –", text)
        self.assertIn("Changed for this run: --gravity none", text)
        self.report()
        self.assertIn("crank_length 50 mm main bearing to crank pin", " ".join(Page(self.page()).texts))

    def test_a_run_has_meshes_of_its_own(self):
        self.write("tent.obj", TENT)
        self.write("tent.yaml", "gelenk: 1\nparts: {tent: {material: steel, shape: {mesh: {file: tent.obj}}}}\n")
        self.assert_exit(self.run_here("run", "tent.yaml", "-o", "run.h5", "--duration", "0.1 s"), OK)
        self.assert_exit(self.run_here("report", "run.h5"), OK)
        self.assertEqual(len(Page(self.page()).pictures), 2)
        pictures = Page(self.page()).pictures
        (self.folder / "tent.obj").unlink()
        for verb in ("report", "verify"):
            result = self.run_here(verb, "run.h5")
            self.assert_exit(result, OK)
            self.assertEqual(result.stderr, "")
        self.assertEqual(Page(self.page()).pictures, pictures)
        # Files of older versions have none: then there is a report without pictures.
        with h5py.File(self.folder / "run.h5", "r+") as file:
            self.assertEqual(file["model/files/0"].attrs["file"].decode(), "tent.obj")
            self.assertEqual(file["model/files/0"][:].tobytes().decode(), TENT)
            del file["model/files"]
        result = self.run_here("report", "run.h5")
        self.assert_exit(result, OK)
        self.assertEqual(result.stderr, "")
        self.assertEqual(Page(self.page()).pictures, [])
        self.assertIn("There are no pictures and no parameters: ", self.page())

    def test_si_units(self):
        self.report(CRANK_SLIDER, "--si")
        self.assertIn("0.09945 m", self.page())
        self.assertNotIn("rpm", re.sub(r"base64,[^\"]*", "", self.page()))

    def test_markdown_has_the_same_tables(self):
        self.report(CRANK_SLIDER, "-o", "run.md")
        text = (self.folder / "run.md").read_text()
        self.assertIn("| crank_pin | rod |", text)
        self.assertIn("99.45 mm", text)
        tables = re.findall(r"(?:^\|.*\n)+", text, re.M)
        self.assertGreaterEqual(len(tables), 5)
        for table in tables:
            widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
            self.assertEqual(len(widths), 1, table)
        for name in re.findall(r"!\[\w+\]\(<(.*)>\)", text):
            self.assertIn(PNG, (self.folder / name).read_text())
        self.assertEqual([name for name in self.files() if name.endswith(".svg")], ["run.start.svg", "run.worst.svg"])
        command = re.search(r"`gelenk (plot [^`]*)`", text).group(1)
        self.assert_exit(self.run_here(*command.split()), OK)

    def test_what_was_not_recorded(self):
        self.report(run_options=("--record", "piston.*"))
        text = " ".join(Page(self.page()).texts)
        self.assertIn("1 of 3 parts are recorded.", text)
        self.assertEqual(text.count("Not recorded in this run."), 5)

    def test_every_example(self):
        for path in sorted((SOURCE / "examples").glob("*/*.yaml")):
            if path.name == "suspension.yaml" or path.parent.name == "gallery":
                continue
            with self.subTest(path.name):
                self.report(path, run_options=("--duration", "0.1 s"))
                page = Page(self.page())
                self.assertEqual(page.problems, [])
                self.assertNotIn("nan", " ".join(page.texts).split())

    def test_couplings_are_among_the_forces(self):
        self.report(SOURCE / "examples/gears/gears.yaml", run_options=("--duration", "0.1 s"))
        text = "".join(Page(self.page()).texts)
        for channel in ("bevel.torque", "planets.torque", "pinion.force"):
            self.assertIn(channel, text)

    def test_a_machine_at_rest_and_without_outputs(self):
        model = self.write("block.yaml", BLOCK)
        self.report(model, run_options=("--duration", "0.1 s", "--gravity", "none"))
        self.assertIn("1 part does not move.", self.page())

    def test_large_machines_are_cut(self):
        links = "".join(f"  l{i}: {{mass: 1 kg, inertia: {{xx: 1, yy: 1, zz: 1}}}}\n" for i in range(40))
        joints = "".join(f"  j{i}: {{type: prismatic, between: [ground, l{i}], axis: z, start: {{speed: {i} m/s}}}}\n"
                         for i in range(40))
        model = self.write("many.yaml", f"gelenk: 1\ngravity: none\nparts:\n{links}joints:\n{joints}")
        self.report(model, run_options=("--duration", "0.1 s"))
        text = self.page()
        self.assertIn("The 25 largest are shown, and there are 14 more.", text)
        self.assertIn("l39", text)
        self.assertNotIn(">l9<", text)
        self.assertIn("1 part does not move.", text)
        self.assertIn("40 joints carry no load.", text)

    def test_a_failed_run(self):
        # The root has no value after half a second.
        model = self.write("failing.yaml", BLOCK + """forces:
  push: {type: force, applied_to: block, along: x, value: "=8 N * sqrt(0.5 - time / 1 s)"}
""")
        self.assert_exit(self.run_here("run", model, "-o", "run.h5", "--duration", "1 s"), FAILED)
        self.assert_exit(self.run_here("report", "run.h5"), OK)
        page = self.page()
        self.assertIn("do_not_use", re.search(r'class="verdict (\w+)"', page).group(1))
        self.assertIn("<li>the run failed at 0.5 s</li>", page)
        self.assertIn("is no longer a number", page)


    def test_a_motion_that_ran_away(self):
        """A mount of 32,000 rad/s with a step of 1 ms: every step multiplies the motion by a million."""
        model = self.write("stiff.yaml", BLOCK + """forces:
  mount: {type: bushing, between: [ground, block], stiffness: [2e9, 0, 0], damping: [1e4, 0, 0]}
  late: {type: force, applied_to: block, along: x, value: "=if(time > 0.1 s, 1 N, 0 N)"}
outputs: {place: block.position.x}
""")
        result = self.run_here("run", model, "-o", "run.h5", "--duration", "1 s", "--output-every", "10 ms",
                               "--method", "rk4", "--step", "1 ms")
        self.assert_exit(result, FAILED)
        self.assert_exit(self.run_here("report", "run.h5"), OK)
        text = " ".join(Page(self.page()).texts)
        with h5py.File(self.folder / "run.h5", "r") as file:
            times, speeds = file["time"][:], abs(file["by_path/block/twist"][:, 0])
        self.assertGreater(speeds.max(), 1e9)
        row = numpy.flatnonzero(speeds > 1e3)[0]
        self.assertGreater(row, 5)
        self.assertIn(f"The motion runs away at {times[row]:.4g} s, where 'block' becomes too fast", text)
        self.assertIn(f"{row} of {len(times)} rows", text)
        # After the verdict, which says how fast it got.
        self.assertNotRegex(text[text.index("What moves"):], r"e\+\d\d")
        digest = json.loads(self.run_here("report", "run.h5", "--json").stdout)
        self.assertEqual(digest["runAway"], {"time": times[row], "part": "block"})
        self.assertEqual(digest["outputs"][0]["summary"]["count"], row)


class Certificates(InFolder):
    def test_what_it_says_is_on_the_page(self):
        self.results(CRANK_SLIDER).close()
        certificate = json.loads(self.run_here("info", "out1.h5", "--certificate").stdout)
        self.assert_exit(self.run_here("report", "out1.h5"), OK)
        page = Page((self.folder / "out1.report.html").read_text())
        text = " ".join(page.texts)
        self.assertIn("Verdict: good", text)
        self.assertRegex(text, r"Joints stay closed to \S+ m, and energy is balanced to \S+ of its turnover")
        self.assertIn("Twice the step changes nothing.", text)
        for assumption in certificate["assumptions"]:
            self.assertIn(assumption, text)
        self.assertIn("held twice", text, "reactions are not unique here")
        for piece in ("Energy balance", "1000 taken, 0 rejected", "rk4, step 0.001 s", "Hash of the model"):
            self.assertIn(piece, text)
        self.assertEqual(len(re.findall(r"\b[0-9a-f]{64}\b", text)), 3)

    def test_one_that_cannot_be_read(self):
        self.results(CRANK_SLIDER).close()
        with h5py.File(self.folder / "out1.h5", "r+") as file:
            del file["certificate"]
            file["certificate"] = numpy.frombuffer(b"{rubbish", dtype="uint8")
        self.assert_exit(self.run_here("report", "out1.h5"), OK)
        text = (self.folder / "out1.report.html").read_text()
        self.assertIn("not judged", text)
        self.assertRegex(text, "certificate of the run cannot be read|has no certificate")

    def test_without_one_nothing_is_judged(self):
        self.results(CRANK_SLIDER).close()
        with h5py.File(self.folder / "out1.h5", "r+") as file:
            if "certificate" in file:
                del file["certificate"]
        self.assert_exit(self.run_here("report", "out1.h5"), OK)
        self.assertIn("The file has no certificate", (self.folder / "out1.report.html").read_text())
        self.assertIsNone(json.loads(self.run_here("report", "out1.h5", "--json").stdout)["verdict"])


class Rounding(InFolder):
    def test_plots_of_rounding_are_zero_and_say_so(self):
        """The crank turns about its origin, which moves by some 1e-17 m beside a rod of 150 mm."""
        noise = self.results(CRANK_SLIDER)["by_path/crank/pose"][:, 0]
        self.assertTrue(0 < abs(noise).max() < 1e-15)
        plot = self.run_here("plot", "out1.h5", "crank.position.x", "wrist_pin.angle").stdout
        self.assertIn("crank.position.x [mm]: only rounding, drawn as zero\n", plot)
        self.assertNotRegex(plot, r"e-\d")
        self.assertIn("wrist_pin.angle [deg]\n", plot)
        curves = json.loads(self.run_here("plot", "out1.h5", "crank.position.x", "rod.position.x", "--json").stdout)["curves"]
        self.assertEqual((curves[0]["min"], curves[0]["max"]), (0, 0))
        self.assertEqual([curve["note"] for curve in curves], ["only rounding, drawn as zero", ""])


class Refusals(InFolder):
    def setUp(self):
        super().setUp()
        self.results(CRANK_SLIDER, "--duration", "0.01 s").close()

    def test_only_reports_are_replaced(self):
        self.assert_exit(self.run_here("report", "out1.h5"), OK)
        self.assert_exit(self.run_here("report", "out1.h5", "--si"), OK)
        for name in ("mine.html", "mine.md"):
            self.write(name, "my own notes")
            result = self.run_here("report", "out1.h5", "-o", name)
            self.assert_exit(result, FILE_ERROR)
            self.assertIn(f"'{name}' already exists and was left unchanged", result.stderr)
            self.assertEqual((self.folder / name).read_text(), "my own notes")
            self.assert_exit(self.run_here("report", "out1.h5", "-o", name, "--force"), OK)
            self.assertIn("crank_slider", (self.folder / name).read_text())

    def test_only_own_pictures_are_replaced(self):
        self.write("out1.start.svg", "my own drawing")
        self.assert_exit(self.run_here("report", "out1.h5", "-o", "out1.md"), FILE_ERROR)
        self.assertEqual((self.folder / "out1.start.svg").read_text(), "my own drawing")
        self.assertNotIn("out1.md", self.files())
        self.assert_exit(self.run_here("report", "out1.h5", "-o", "out1.md", "--force"), OK)
        self.assert_exit(self.run_here("report", "out1.h5", "-o", "out1.md"), OK)

    def test_never_the_run_itself(self):
        (self.folder / "out1.h5").rename(self.folder / "run.html")
        result = self.run_here("report", "run.html", "-o", "run.html", "--force")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("holds the results", result.stderr)

    def test_usage(self):
        self.assert_usage_error(self.run_here("report", "out1.h5", "-o", "a.pdf"),
                                "'a.pdf' has an unknown file extension", ".html")
        self.assert_usage_error(self.run_here("report"), "'gelenk report' needs RUN")

    def test_rubbish(self):
        self.write("rubbish.h5", "this is no HDF5")
        result = self.run_here("report", "rubbish.h5")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("does not hold results", result.stderr)
        result = self.run_here("report", CRANK_SLIDER)
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("gelenk run", result.stderr)
        self.assert_exit(self.run_here("report", "nowhere.h5"), FILE_ERROR)
        result = self.run_here("report", "out1.h5", "-o", "no/such/folder/a.html")
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("cannot be written", result.stderr)

    def test_damaged_files_never_crash(self):
        whole = bytearray((self.folder / "out1.h5").read_bytes())
        random = numpy.random.default_rng(7)
        for _ in range(40):
            damaged = whole.copy()
            for place in random.integers(48, len(damaged), 30):
                damaged[place] = int(random.integers(256))
            (self.folder / "damaged.h5").write_bytes(damaged)
            result = self.run_here("report", "damaged.h5", "-o", "damaged.html")
            self.assertIn(result.returncode, (OK, FILE_ERROR), result.stderr)
            self.assertTrue(result.returncode == OK or result.stderr.startswith("error: "), result.stderr)

    def test_json_writes_a_file_only_where_asked(self):
        before = self.files()
        self.assertEqual(json.loads(self.run_here("report", "out1.h5", "--json").stdout)["file"], "")
        self.assertEqual(self.files(), before)
        self.assertEqual(json.loads(self.run_here("report", "out1.h5", "-o", "a.md", "--json").stdout)["file"], "a.md")
        self.assertTrue((self.folder / "a.md").exists())
        result = self.run_here("report", "nowhere.h5", "--json")
        self.assertFalse(json.loads(result.stdout)["ok"])


if __name__ == "__main__":
    unittest.main()
