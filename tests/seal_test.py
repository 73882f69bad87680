#!/usr/bin/env python3
"""`gelenk seal` as makers meet it: what goes into a component, what it discloses, what stays inside. The library that
every component carries is a file with a few bytes here."""

import io
import json
import os
import pathlib
import platform
import shutil
import stat
import struct
import subprocess
import tempfile
import unittest
import zipfile

import component_support as gkc
from program_support import FAILED, FILE_ERROR, InFolder, MODEL_ERROR, OK, PROGRAM, SOURCE, TIMEOUT_S

LIBRARY = b"\x7fELF as if it were the library"
HOST = f"{platform.machine()}-linux"
NOTICES = "documentation/licenses/gelenk-runtime.txt"
SEED = b"a maker's seed, 32 bytes long..."

STRUT = """# a comment with a secret
gelenk: 1
name: strut
about: {name: Strut X, version: 1.2, maker: Müller & Söhne, contact: strut@example.com, doc: A strut., validity: up to 2 m/s}
parameters:
  spring: {value: 40 kN/m, min: 10 kN/m, max: 80 kN/m, doc: stiffness}
  damping: 2500 N*s/m
  inner_stop: =spring / 2
parts:
  hidden_tube: {mass: 4.25 kg, inertia: {xx: 0.06, yy: 0.06, zz: 0.004}}
  hidden_rod: {at: [0, 0, -0.2 m], mass: 3 kg, inertia: {xx: 0.04, yy: 0.04, zz: 0.002}}
joints:
  hidden_slide: {type: prismatic, between: [hidden_tube, hidden_rod], axis: z}
forces:
  hidden_spring: {type: spring_damper, between: [hidden_tube, hidden_rod], stiffness: =spring, damping: =damping}
outputs:
  travel: {value: hidden_slide.travel, doc: of the rod}
  speed: hidden_slide.speed
ports:
  top: {frame: hidden_tube, doc: upper end}
  foot: hidden_rod
"""


CASE = """title: a stone falls
model:
  gelenk: 1
  parts: {stone: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
  outputs: {height: stone.position.z}
  gravity: [0, 0, -10]
  simulation: {duration: 1 s, output_every: 0.5 s}
quantities:
  - {channel: height, tolerance: 1e-9, reason: a parabola, values: [[0.5, -1.25], [1, -5]]}
  - {channel: stone.velocity, tolerance: 1e-9, values: [[1, 0, 0, -10]]}
"""


class Sealing(InFolder):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.program = pathlib.Path(folder.name) / "gelenk"
        shutil.copy2(PROGRAM, cls.program)
        (cls.program.parent / "gelenk-runtime.so").write_bytes(LIBRARY)

    def gelenk(self, *arguments, program=None):
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder / "settings")}
        return subprocess.run([program or self.program, *map(str, arguments)], capture_output=True, text=True,
                              timeout=TIMEOUT_S, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL)

    def seal(self, *arguments, model=STRUT):
        """Seals strut.yaml, anew each time; what it reports."""
        self.write("strut.yaml", model)
        result = self.gelenk("seal", "strut.yaml", "--force", "--json", *arguments)
        self.assert_exit(result, OK)
        return json.loads(result.stdout)

    def refusal(self, code, *arguments, model=STRUT):
        """What is said when strut.yaml cannot be sealed; nothing is written then."""
        self.write("strut.yaml", model)
        before = sorted(self.folder.rglob("*"))
        result = self.gelenk("seal", "strut.yaml", *arguments)
        self.assert_exit(result, code)
        self.assertEqual(result.stdout, "")
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        return result.stderr

    def entries(self, name="strut.gkc"):
        with zipfile.ZipFile(self.folder / name) as archive:
            return {entry: archive.read(entry) for entry in archive.namelist()}

    def manifest(self, name="strut.gkc"):
        result = self.gelenk("info", name, "--json")
        self.assert_exit(result, OK)
        return json.loads(result.stdout)["manifest"]


class Content(Sealing):
    # S0-09: a black box; only its interface is known.
    def test_nothing_is_published_unless_named(self):
        self.seal()
        manifest = self.manifest()
        self.assertEqual(manifest["about"], {"name": "Strut X", "version": "1.2", "maker": "Müller & Söhne",
                                             "contact": "strut@example.com", "doc": "A strut.",
                                             "validity": "up to 2 m/s"})
        self.assertEqual(manifest["abi"], {"major": 1, "minor": 2})
        self.assertEqual(manifest["platforms"], [HOST])
        self.assertEqual([(port["name"], port["kind"], port.get("doc")) for port in manifest["ports"]],
                         [("top", "frame", "upper end"), ("foot", "frame", None)])
        self.assertEqual((manifest["parameters"], manifest["outputs"]), ([], []))
        entries = self.entries()
        self.assertEqual(entries[f"binaries/{HOST}/Strut_X.so"], LIBRARY)
        self.assertEqual(sorted(entries), [f"binaries/{HOST}/Strut_X.so", NOTICES, gkc.MANIFEST, "resources/inside.bin"])

    def test_published(self):
        self.seal("--publish", "damping,spring", "--output", "travel", "--publish", "spring")
        manifest = self.manifest()
        self.assertEqual(manifest["parameters"],
                         [{"name": "spring", "unit": "N/m", "default": 40000, "min": 10000, "max": 80000,
                           "doc": "stiffness"},
                          {"name": "damping", "unit": "N*s/m", "default": 2500}])
        self.assertEqual(manifest["outputs"], [{"name": "travel", "unit": "m", "doc": "of the rod"}])

    def test_channels_can_be_published(self):
        self.seal("--output", "hidden_spring.force,speed")
        self.assertEqual(self.manifest()["outputs"], [{"name": "hidden_spring.force", "unit": "N"},
                                                      {"name": "speed", "unit": "m/s"}])

    def test_inner_names_stay_inside(self):
        self.seal("--publish", "spring", "--output", "travel")
        for path, content in {**self.entries(), "": (self.folder / "strut.gkc").read_bytes()}.items():
            for secret in (b"hidden", b"inner_stop", b"secret", b"4.25", b"strut.yaml", b"speed"):
                self.assertNotIn(secret, content, path)

    def test_texts_go_along(self):
        self.write("COPYING", "You may.\n")
        self.write("manual.md", "# Manual\n")
        self.write("cases/drop.yaml", CASE)
        self.write("cases/push.yaml", CASE + "# push\n")
        self.seal("--licence", "COPYING", "--doc", "manual.md", "--case", "cases/drop.yaml", "--case", "cases/push.yaml")
        entries = self.entries()
        self.assertEqual(entries["documentation/licenses/license.txt"], b"You may.\n")
        self.assertEqual(entries["documentation/manual.md"], b"# Manual\n")
        self.assertEqual(entries["extra/org.gelenk.component/cases/push.yaml"], (CASE + "# push\n").encode())
        self.assertIn("extra/org.gelenk.component/cases/drop.yaml", entries)
        self.assertEqual(self.manifest()["about"]["licence"], "documentation/licenses/license.txt")

    def test_licences_of_the_library_go_along(self):
        """What they ask for: copyright and permission notices, and where the source of Eigen is."""
        self.seal()
        text = self.entries()[NOTICES].decode()
        self.assertEqual(text, (SOURCE / "apps/gelenk-runtime/licenses/gelenk-runtime.txt").read_text())
        for piece in ("Jesse Beder", "Victor Zverovich", "Frank Denis", "Colin Percival", "Benoit Jacob", "Intel Corporation",
                      "https://mozilla.org/MPL/2.0/", "gitlab.com/libeigen/eigen", "GCC Runtime Library Exception",
                      (SOURCE / "LICENSE").read_text().strip("\n")):
            self.assertIn(piece, text)
        self.assertNotIn("licence", self.manifest()["about"])  # it is not that of the component

    def test_shape(self):
        """A box that is drawn elsewhere and turned, as other programs read it."""
        model = ("gelenk: 1\nparts: {a: {at: {position: [1, 0, 0], orientation: {axis: z, angle: 90 deg}}, density: 1000, "
                 "shape: {box: {size: [0.4, 0.2, 0.6]}}}}\nports: {eye: a}\n")
        self.seal(model=model)
        self.assertNotIn("extra/org.gelenk.component/shape.glb", self.entries())
        bare = len(self.entries()["resources/inside.bin"])
        self.seal("--show-shape", model=model)
        data = self.entries()["extra/org.gelenk.component/shape.glb"]
        self.assertGreater(len(self.entries()["resources/inside.bin"]), bare + len(data))  # it is in there, too
        magic, version, size, json_size, json_kind = struct.unpack("<4sIII4s", data[:20])
        self.assertEqual((magic, version, size, json_kind), (b"glTF", 2, len(data), b"JSON"))
        tree = json.loads(data[20:20 + json_size])
        binary_size, binary_kind = struct.unpack("<I4s", data[20 + json_size:28 + json_size])
        binary = data[28 + json_size:]
        self.assertEqual((binary_kind, binary_size, tree["buffers"][0]["byteLength"]), (b"BIN\0", len(binary), len(binary)))
        vertices, indices = tree["accessors"]
        numbers = struct.unpack(f"<{3 * vertices['count']}f", binary[:12 * vertices["count"]])
        for axis, (low, high) in enumerate([(0.9, 1.1), (-0.2, 0.2), (-0.3, 0.3)]):
            self.assertAlmostEqual(min(numbers[axis::3]), low, places=6)
            self.assertAlmostEqual(max(numbers[axis::3]), high, places=6)
            self.assertEqual((vertices["min"][axis], vertices["max"][axis]), (min(numbers[axis::3]), max(numbers[axis::3])))
        self.assertEqual(indices["count"], 36)
        begin = tree["bufferViews"][1]["byteOffset"]
        corners = struct.unpack("<36I", binary[begin:begin + 4 * 36])
        self.assertEqual(set(corners), set(range(vertices["count"])))
        self.assertIn("no part of the model has a shape", self.refusal(2, "--show-shape", "-o", "new.gkc"))

    def test_same_input_same_bytes(self):
        self.seal("--publish", "spring")
        first = (self.folder / "strut.gkc").read_bytes()
        self.seal("--publish", "spring", "-o", "other.gkc")
        self.assertEqual((self.folder / "other.gkc").read_bytes(), first)

    def test_signed(self):
        self.assert_exit(self.gelenk("trust", "keygen", "-o", "mine"), OK)
        self.assert_exit(self.gelenk("trust", "add", "me", "mine.pub"), OK)
        report = self.seal("--key", "mine")
        seed = gkc.seed_of(self.folder / "mine")
        self.assertEqual(report["fingerprint"], gkc.fingerprint(seed))
        self.assert_exit(self.gelenk("verify", "strut.gkc"), OK)

    def test_not_signed_says_so(self):
        self.write("strut.yaml", STRUT)
        result = self.gelenk("seal", "strut.yaml")
        self.assert_exit(result, OK)
        self.assertIn("not signed", result.stderr)
        self.assertIn("gelenk trust keygen", result.stderr)
        self.assert_exit(self.gelenk("trust", "keygen"), OK)
        self.assertIn(f"--key {self.folder}/settings/gelenk/signing-key", self.gelenk("seal", "strut.yaml", "--force").stderr)

    def test_other_platforms_are_added(self):
        self.seal("--publish", "spring")
        files = {path.replace(HOST, "riscv64-linux"): content for path, content in self.entries().items()
                 if path != gkc.MANIFEST}
        manifest = self.manifest()
        manifest.update(platforms=["riscv64-linux"], files=gkc.manifest(files)["files"])
        (self.folder / "riscv.gkc").write_bytes(gkc.container(content=manifest, files=files))
        self.seal("--publish", "spring", "--add", "riscv.gkc")
        self.assertEqual(self.manifest()["platforms"], sorted([HOST, "riscv64-linux"]))
        self.assertIn("its parameters differ", self.refusal(2, "--add", "riscv.gkc", "-o", "new.gkc"))
        self.assertIn("both files have binaries", self.refusal(2, "--publish", "spring", "--add", "strut.gkc", "-o", "new.gkc"))

    def test_the_map_is_for_the_maker_alone(self):
        self.write("strut.gkc.map", "an old one that all can read")
        self.seal()
        path = self.folder / "strut.gkc.map"
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        lines = [line.split() for line in path.read_text().splitlines()[1:]]
        self.assertIn(["part#1", "hidden_rod"], lines)
        self.assertIn(["joint#0", "hidden_slide"], lines)
        self.assertIn(["force#0", "hidden_spring"], lines)
        self.assertEqual(self.seal("--map", "other.txt")["map"], "other.txt")

    def test_files_of_the_model_go_along(self):
        self.write("parts/rod.yaml", "gelenk: 1\nparts: {rod: {mass: 3 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\nports: {eye: rod}\n")
        model = "gelenk: 1\nassemblies: {a: {use: parts/rod.yaml}}\nports: {eye: a.eye}\n"
        small = len(self.seal_bytes(model))
        self.write("parts/rod.yaml", "gelenk: 1\nparts: {rod: {mass: 3 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
                   f"ports: {{eye: rod}}\nnote: {'long' * 1000}\n")
        self.assertGreater(len(self.seal_bytes(model)), small)

    def seal_bytes(self, model):
        self.seal(model=model)
        return self.entries()["resources/inside.bin"]


class Refusals(Sealing):
    def test_ports(self):
        self.assertIn("the model has no ports", self.refusal(MODEL_ERROR, model=STRUT[:STRUT.index("ports:")]))
        error = self.refusal(MODEL_ERROR, model=STRUT + "  base: ground\n")
        self.assertIn("GK1315", error)
        self.assertIn("it is on the ground, but a component is mounted at parts that move", error)
        self.assertIn("base: ground", error)

    def test_mistakes_in_the_model(self):
        error = self.refusal(MODEL_ERROR, model=STRUT.replace("foot: hidden_rod", "foot: hidden_rdo"))
        self.assertIn("did you mean 'hidden_rod'?", error)
        self.assert_exit(self.gelenk("seal", "missing.yaml"), FILE_ERROR)
        report = json.loads(self.gelenk("seal", "missing.yaml", "--json").stdout)
        self.assertEqual((report["ok"], report["file"]), (False, None))

    def test_names_that_are_not_there(self):
        self.assertIn("did you mean 'spring'?", self.refusal(2, "--publish", "sprng"))
        self.assertIn("hidden_slide", self.refusal(2, "--output", "hidden_slide.travl"))
        self.assertIn("nothing", self.refusal(2, "--output", "nothing"))
        self.assertIn("the file is named by -o", self.refusal(2, "--output", "strut.gkc"))
        self.assertIn("does not end in .gkc", self.refusal(2, "-o", "strut.yaml"))

    def test_computed_parameters(self):
        error = self.refusal(MODEL_ERROR, "--publish", "inner_stop")
        self.assertIn("it is computed from others", error)
        self.assertIn("inner_stop: =spring / 2", error)

    def test_files_that_are_there(self):
        self.write("strut.gkc", "mine")
        self.assertIn("'strut.gkc' already exists", self.refusal(FILE_ERROR))
        self.write("a.map", "mine")
        self.assertIn("'a.map' already exists", self.refusal(FILE_ERROR, "-o", "new.gkc", "--map", "a.map"))
        error = self.refusal(FILE_ERROR, "-o", "new.gkc", "--map", "strut.yaml", "--force")
        self.assertIn("is a file of the model", error)

    def test_files_that_are_missing(self):
        for option in ("--licence", "--doc", "--case", "--add", "--key"):
            self.assertIn("nowhere", self.refusal(FILE_ERROR, option, "nowhere"))
        self.write("a/case.yaml", "")
        self.write("b/case.yaml", "")
        self.assertIn("two files would both be", self.refusal(2, "--case", "a/case.yaml", "--case", "b/case.yaml"))

    def test_without_the_library(self):
        self.write("strut.yaml", STRUT)
        alone = self.folder / "gelenk"
        shutil.copy2(PROGRAM, alone)
        result = self.gelenk("seal", "strut.yaml", program=alone)
        self.assert_exit(result, FILE_ERROR)
        for piece in ("gelenk-runtime.so, which is part of every sealed component, is missing", str(alone.parent),
                      "./dev build", "gelenk doctor"):
            self.assertIn(piece, result.stderr)
        self.assertFalse((self.folder / "strut.gkc").exists())

    def test_key_that_others_can_read(self):
        self.assert_exit(self.gelenk("trust", "keygen", "-o", "mine"), OK)
        (self.folder / "mine").chmod(0o644)
        self.assertIn("mine", self.refusal(FILE_ERROR, "--key", "mine"))


class Cases(Sealing):
    def failure(self, code, text):
        self.write("case.yaml", text)
        return self.refusal(code, "--case", "case.yaml")

    def test_cases_that_hold(self):
        self.write("case.yaml", CASE)
        self.assertEqual(self.seal("--case", "case.yaml")["cases"][0]["compared"], 5)
        self.assertIn("1 acceptance case: 5 numbers", self.gelenk("seal", "strut.yaml", "--force", "--case", "case.yaml").stderr)

    def test_cases_that_fail(self):
        error = self.failure(FAILED, CASE.replace("[1, -5]", "[1, -5.1]"))
        self.assertIn("the acceptance case 'case.yaml' fails: height at t = 1 s is -5 m, but -5.1 is expected", error)
        self.assertIn("stone.velocity.z", self.failure(FAILED, CASE.replace("0, -10]]", "0, -9]]")))
        self.assertIn("no row is recorded at t = 0.7 s", self.failure(FAILED, CASE.replace("[0.5,", "[0.7,")))
        self.assertIn("there is no channel 'hight'", self.failure(FAILED, CASE.replace("channel: height", "channel: hight")))
        self.assertIn("its run fails", self.failure(FAILED, CASE.replace("stone.position", "stone.pos")))

    def test_cases_that_say_nothing(self):
        for change, complaint in ((("title:", "titel:"), "case.yaml:1:1: unknown key 'titel'"),
                                  (("quantities:", "title2: x\nquantities:"), "unknown key 'title2'"),
                                  (("1e-9,", "0,"), "a tolerance must be positive"),
                                  (("-1.25", "1 m"), "a number is expected, in SI"),
                                  (("[0.5, -1.25]", "[0.5]"), "a time and one number are expected"),
                                  (("[0.5, -1.25]", "[0.5, 0, 0, 0]"), "rows differ in length"),
                                  (("[[1, 0, 0, -10]]", "[]"), "there are no values"),
                                  (("model:", "model: [1]\nx:"), "unknown key 'x'")):
            self.assertIn(complaint, self.failure(MODEL_ERROR, CASE.replace(*change, 1)))
        self.assertIn("the key 'quantities' is missing", self.failure(MODEL_ERROR, CASE[:CASE.index("quantities")]))
        self.assertIn("a map is expected", self.failure(MODEL_ERROR, "[]\n"))
        self.assertIn("case.yaml:1:", self.failure(MODEL_ERROR, "a: b: c\n"))


BOB = """gelenk: 1
name: bob on a spring
parameters: {stiffness: {value: 400 N/m, min: 100 N/m, max: 1 kN/m}, secret_mass: 3 kg}
parts: {bob: {mass: =secret_mass, inertia: {xx: 0.02, yy: 0.02, zz: 0.02}}}
forces:
  spring: {type: bushing, between: [ground, bob], stiffness: [=stiffness, =stiffness, =stiffness]}
ports: {eye: bob}
"""
# With a block of 1 kg on it, it sinks by g m / k (1 - cos(w t)): 0.1 m and w = 10 / s.
BOB_CASE = """title: a block swings on it
model:
  gelenk: 1
  gravity: [0, 0, -10]
  parts: {block: {mass: 1 kg, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}}
  assemblies:
    bob: {use: component.gkc, attach: {eye: {type: fixed, to: block}}}
  simulation: {duration: 1 s, output_every: 0.5 s, method: dopri5, tolerance: 1e-10}
quantities:
  - channel: block.position
    tolerance: 1e-8
    values: [[0.5, 0, 0, -0.0716337814536774], [1, 0, 0, -0.1839071529076452]]
"""


@unittest.skipUnless((pathlib.Path(PROGRAM).parent / "gelenk-runtime.so").exists(), "there is no library in this build")
class WithTheLibrary(Sealing):
    """Components that work: sealed, tried by their cases, and run by somebody else."""

    def setUp(self):
        super().setUp()
        self.program = PROGRAM

    def test_cases_use_the_component(self):
        self.write("case.yaml", BOB_CASE)
        report = self.seal("--case", "case.yaml", model=BOB)
        self.assertEqual(report["cases"][0]["compared"], 6)
        self.write("case.yaml", BOB_CASE.replace("-0.183907", "-0.183917"))
        error = self.refusal(FAILED, "--case", "case.yaml", "-o", "new.gkc", model=BOB)
        self.assertIn("block.position.z at t = 1 s is -0.183907", error)

    def test_published_parameters_have_limits(self):
        self.seal("--publish", "stiffness", model=BOB)
        model = BOB_CASE[BOB_CASE.index("model:\n") + 7:BOB_CASE.index("quantities")].replace("\n  ", "\n")[2:]
        model = model.replace("component.gkc", "strut.gkc")
        self.write("owner.yaml", model)
        self.assert_exit(self.gelenk("run", "owner.yaml", "-q"), OK)
        self.write("owner.yaml", model.replace("{use: strut.gkc", "{use: strut.gkc, set: {stiffness: 90 N/m}"))
        result = self.gelenk("run", "owner.yaml", "-q")
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("stiffness", result.stderr)
        self.write("owner.yaml", model.replace("{use: strut.gkc", "{use: strut.gkc, set: {secret_mass: 1 kg}"))
        self.assert_exit(self.gelenk("run", "owner.yaml", "-q"), MODEL_ERROR)

    def test_components_in_components(self):
        """The library of the inner one stays behind, and so do its names."""
        self.seal(model=BOB)
        owner = "gelenk: 1\nassemblies: {a: {use: strut.gkc}}\nparts: {b: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\nports: {eye: b}\n"
        self.write("owner.yaml", owner)
        self.assert_exit(self.gelenk("seal", "owner.yaml"), OK)
        sizes = [(self.folder / name).stat().st_size for name in ("strut.gkc", "owner.gkc")]
        self.assertLess(sizes[1] - sizes[0], 20_000)
        map_text = (self.folder / "owner.gkc.map").read_text()
        self.assertIn("assembly#1", map_text)


def body(mass, inertia, at=(0, 0, 0), more=""):
    moments = ", ".join(f"{axis}{axis}: {value}" for axis, value in zip("xyz", inertia))
    return f"{{at: {list(at)}, mass: {mass}, inertia: {{{moments}}}{more}}}"


class Disclosed(Sealing):
    """The mobility at a port against formulas of mechanics."""

    def port(self, text):
        report = self.seal(model="gelenk: 1\n" + text)
        (port,) = report["disclosure"]["ports"]
        return port

    def text(self):
        return self.gelenk("seal", "strut.yaml", "--force").stdout

    def assert_felt(self, felt, smallest, largest, immovable=()):
        self.assertAlmostEqual(felt["smallest"] / smallest, 1.0, places=10)
        self.assertAlmostEqual(felt["largest"] / largest, 1.0, places=10)
        self.assertEqual([[round(abs(number), 9) for number in direction] for direction in felt["immovable"]],
                         [list(direction) for direction in immovable])

    def test_free_body_at_its_center(self):
        port = self.port(f"parts: {{a: {body(3, (0.1, 0.2, 0.25))}}}\nports: {{eye: a}}\n")
        self.assert_felt(port["mass"], 3.0, 3.0)
        self.assert_felt(port["massKeptFromTurning"], 3.0, 3.0)
        self.assert_felt(port["inertia"], 0.1, 0.25)
        text = self.text()
        self.assertIn("apparent mass at 'eye': 3 kg\n", text)
        self.assertIn("apparent inertia at 'eye': 0.1 to 0.25 kg*m^2\n", text)
        self.assertIn("stays inside: 1 part\n", text)

    def test_free_body_beside_its_center(self):
        """Pushed across the arm it turns away: 1/m + d²/J."""
        frame = ", frames: {eye: {at: [0.4, 0, 0]}}"
        port = self.port(f"parts: {{a: {body(3, (0.1, 0.2, 0.25), more=frame)}}}\nports: {{eye: a.eye}}\n")
        self.assert_felt(port["mass"], 1 / (1 / 3 + 0.16 / 0.2), 3.0)
        self.assert_felt(port["massKeptFromTurning"], 3.0, 3.0)
        self.assert_felt(port["inertia"], 0.1, 0.25)
        self.assertIn("kg; if kept from turning: 3 kg\n", self.text())

    def test_pendulum_under_a_body(self):
        """Along the arm both masses are felt, across it the second one only by its reduced mass m J / (J + m l²)."""
        a, b, arm, moments = 2.0, 5.0, 0.3, (0.02, 0.05, 0.06)
        frames = ", frames: {pin: {at: [-0.3, 0, 0]}}"
        port = self.port(f"parts: {{a: {body(a, (0.1, 0.2, 0.25))}, b: {body(b, moments, (arm, 0, 0), frames)}}}\n"
                         "joints: {pin: {type: spherical, between: [a, b.pin]}}\nports: {eye: a}\n")
        across = [a + b * J / (J + b * arm**2) for J in moments[1:]]
        self.assert_felt(port["mass"], min(across), a + b)
        self.assert_felt(port["massKeptFromTurning"], min(across), a + b)
        self.assert_felt(port["inertia"], 0.1, 0.25)

    def test_slider_under_a_body(self):
        """Kept from turning, the slider is felt across its way only."""
        port = self.port(f"parts: {{a: {body(2, (0.1, 0.2, 0.25))}, b: {body(5, (1, 1, 1), (0, 0, 0.5))}}}\n"
                         "joints: {way: {type: prismatic, between: [a, b], axis: x, at: b}}\nports: {eye: a}\n")
        self.assert_felt(port["massKeptFromTurning"], 2.0, 7.0)

    def test_immovable_directions(self):
        slider = "parts: {{a: {}}}\njoints: {{way: {{type: {}, between: [ground, a]{}}}}}\nports: {{eye: a}}\n"
        port = self.port(slider.format(body(3, (1, 1, 1)), "prismatic", ", axis: x"))
        self.assert_felt(port["mass"], 3.0, 3.0, immovable=[(0, 0, 1), (0, 1, 0)])
        self.assertEqual(len(port["inertia"]["immovable"]), 3)
        self.assertIsNone(port["inertia"]["smallest"])
        text = self.text()
        self.assertIn("apparent mass at 'eye': 3 kg along x, immovable otherwise\n", text)
        self.assertIn("apparent inertia at 'eye': cannot be turned\n", text)

        port = self.port(slider.format(body(3, (1, 1, 1)), "planar", ", axis: y"))
        self.assert_felt(port["mass"], 3.0, 3.0, immovable=[(0, 1, 0)])
        self.assertIn("'eye': 3 kg, immovable along y\n", self.text())
        self.assertIn("'eye': 1 kg*m^2 about y, cannot be turned otherwise\n", self.text())

        port = self.port(slider.format(body(3, (1, 1, 1)), "spherical", ""))
        self.assertEqual(len(port["mass"]["immovable"]), 3)
        self.assertIn("apparent mass at 'eye': immovable\n", self.text())

    def test_suspension_of_the_car(self):
        shutil.copy(SOURCE / "examples/car/suspension.yaml", self.folder)
        result = self.gelenk("seal", "suspension.yaml", "--publish", "spring,damping")
        self.assert_exit(result, OK)
        self.assertIn("ports: strut_top, arm_pivot\n", result.stdout)
        self.assertIn("parameters: spring, damping\n", result.stdout)
        self.assertIn("stays inside: 4 parts, 3 joints, 2 forces, 4 parameters\n", result.stdout)
        self.assertEqual(self.gelenk("seal", "suspension.yaml", "--force", "-q").stdout, "")


if __name__ == "__main__":
    unittest.main()
