#!/usr/bin/env python3
"""The JSON Schema takes whatever the reader takes, and refuses mistakes in the structure."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

import jsonschema
import yaml

import docs_blocks
import schema_instances
import yaml_core

ROOT = pathlib.Path(os.environ["GELENK_SOURCE_DIR"])
PROGRAM = os.environ["GELENK_PROGRAM"]
SEED = 20240607
RANDOM_MODELS = 200
SPOILED_COPIES = 12  # of each example
# Below this the random models would say little about one of the two answers.
LEAST_TAKEN_SHARE = 0.25
LEAST_STRUCTURAL_MODELS = 25

MACHINE = """gelenk: 1
parts: {rod: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {end: [1, 0, 0]}}}
joints: {hinge: {type: revolute, between: [ground, rod], axis: z}}
"""

# Each takes the place of a line of MACHINE or follows it; the reader refuses all of them for their structure.
MISTAKES = {
    "no version": ("gelenk: 1", "name: a"),
    "unknown version": ("gelenk: 1", "gelenk: 2"),
    "version is a list": ("gelenk: 1", "gelenk: [1]"),
    "unknown key of the file": "part: {}",
    "unknown key of a part": ("mass: 1 kg", "weight: 1 kg"),
    "missing key of an inertia": (", zz: 1", ""),
    "missing key of a joint": (", axis: z", ""),
    "missing type": ("type: revolute, ", ""),
    "unknown type of joint": ("revolute", "hinge"),
    "key of another type of joint": ("axis: z", "axis: z, pitch: 1 mm"),
    "coordinate of another joint": ("axis: z", "axis: z, start: {travel: 1}"),
    "limits that are no map": ("axis: z", "axis: z, limits: {angle: 1}"),
    "unknown direction": ("axis: z", "axis: w"),
    "direction of two numbers": ("axis: z", "axis: [0, 1]"),
    "one frame": ("[ground, rod]", "[ground]"),
    "frames that are no list": ("[ground, rod]", "rod"),
    "frame that is a map": ("[ground, rod]", "[ground, {}]"),
    "path with a blank": ("[ground, rod]", "[ground, rod end]"),
    "list of parts": "assemblies: [a, b]",
    "name with a blank": ("rod:", "the rod:"),
    "name that begins with a digit": ("hinge:", "1st:"),
    "reserved name": ("hinge:", "time:"),
    "function as a name": ("hinge:", "sin:"),
    "vector of two": ("[1, 0, 0]", "[1, 0]"),
    "negative mass": ("1 kg", "-1"),
    "negative mass with unit": ("1 kg", "-1 kg"),
    "mass in millimeters": ("1 kg", "1 mm"),
    "mass with unknown unit": ("1 kg", "1 kgs"),
    "mass with a decimal comma": ("1 kg", "'1,5 kg'"),
    "mass that is a list": ("1 kg", "[1]"),
    "mass without a value": ("1 kg", ""),
    "mass that is a word": ("1 kg", "heavy"),
    "formula without =": ("1 kg", "2*m"),
    "angular rate in Hz": ("axis: z", "axis: z, start: {rate: 5 Hz}"),
    "flag that is no flag": ("mass: 1 kg", "mass: 1 kg, enabled: on"),
    "unknown key about the maker": "about: {author: me}",
    "about that is a text": "about: mine",
    "unknown choice": "simulation: {method: euler}",
    "simulation without a value": "simulation:",
    "unknown quantity to display": "display: {lenght: mm}",
    "unit of another quantity": "display: {length: kg}",
    "gravity that is a number": "gravity: 9.81",
    "gravity with another key": "gravity: {center: {strength: 1}}",
    "modify that is a list": "use: base.yaml\nmodify: [a]",
    "unknown shape": ("mass: 1 kg", "mass: 1 kg, shape: {cube: {size: [1, 1, 1]}}"),
    "two shapes in one": ("mass: 1 kg", "shape: {sphere: {radius: 1}, box: {size: [1, 1, 1]}}"),
    "box without a size": ("mass: 1 kg", "shape: {box: {}}"),
    "placement with an unknown key": ("mass: 1 kg", "mass: 1 kg, at: {pos: [0, 0, 0]}"),
    "table without y": "outputs: {a: {value: {table: {of: time, x: [0, 1]}}}}",
    "driver of nothing": "drivers: {motor: {rate: 1}}",
    "port without a frame": "ports: {p: {}}",
    "attachment with between": "assemblies: {a: {use: b, attach: {p: {type: fixed, to: ground, between: [a, b]}}}}",
}


def mistaken(change):
    if isinstance(change, str):
        return MACHINE + change + "\n"
    old, new = change
    assert MACHINE.count(old) == 1, old
    return MACHINE.replace(old, new)


class SchemaTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        result = subprocess.run([PROGRAM, "schema"], capture_output=True, check=True, timeout=60)
        cls.schema = json.loads(result.stdout)
        cls.validator = jsonschema.Draft7Validator(cls.schema)
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    def problems(self, text):
        return [f"{'/'.join(map(str, error.path))}: {error.message[:200]}"
                for error in self.validator.iter_errors(yaml_core.load(text))]

    def check(self, text, folder="."):
        path = pathlib.Path(self.folder.name) / folder / "model.yaml"
        path.write_text(text, encoding="utf-8")
        return subprocess.run([PROGRAM, "check", str(path)], capture_output=True, text=True, timeout=60)

    def assert_both_take(self, text):
        result = self.check(text)
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual([], self.problems(text), text)

    def test_is_a_schema(self):
        jsonschema.Draft7Validator.check_schema(self.schema)
        self.assertEqual("urn:gelenk:schema:model:1", self.schema["$id"])

    def test_has_no_loose_ends(self):
        text = json.dumps(self.schema)
        for name in self.schema["definitions"]:
            self.assertIn(f'"#/definitions/{name}"', text)

    # S4-15: models in a file with a schema.
    def test_takes_examples(self):
        paths = sorted((ROOT / "examples").rglob("*.yaml"))
        self.assertTrue(paths)
        for path in paths:
            with self.subTest(path=str(path)):
                self.assertEqual([], self.problems(path.read_text(encoding="utf-8")))

    def test_takes_models_of_the_documents(self):
        for page in docs_blocks.pages(ROOT):
            for model in docs_blocks.models_of(page):
                for text in [model.text, *model.beside.values()]:
                    with self.subTest(model=str(model)):
                        self.assertEqual([], self.problems(text))

    def test_refuses_mistakes_in_structure(self):
        self.assert_both_take(MACHINE)
        for name, change in MISTAKES.items():
            with self.subTest(name):
                text = mistaken(change)
                self.assertNotEqual(0, self.check(text).returncode, "the reader takes it")
                self.assertNotEqual([], self.problems(text), "the schema takes it")

    def test_refuses_broken_models_marked_structural(self):
        count = 0
        for expected in sorted((ROOT / "tests" / "broken").rglob("*.expected")):
            if not expected.read_text(encoding="utf-8").startswith("# structural"):
                continue
            with self.subTest(path=str(expected)):
                text = expected.with_suffix(".yaml").read_text(encoding="utf-8")
                self.assertNotEqual([], self.problems(text))
                count += 1
        self.assertGreaterEqual(count, LEAST_STRUCTURAL_MODELS)

    def test_takes_every_unit(self):
        # The page lists all symbols; here they come from the pattern of a number of any quantity.
        pattern = self.schema["definitions"]["number"]["pattern"]
        symbols = pattern[pattern.rindex("(?:1|%|") + 3:pattern.rindex("|(?=")].split("|")
        self.assertGreater(len(symbols), 80)
        units = symbols + ["N*m/rad", "kg*m^2", "m^-1", "m^(1/2)", "mm²", "N/(m/s)", "N·m", "1/min", "kg * m ^ 2", "(m)"]
        numbers = [f"{number}{unit}" for unit in units for number in ("12 ", "-1.5e-3  ", "+.5 ")]
        parameters = "".join(f"  p{i}: '{number}'\n" for i, number in enumerate(numbers))
        self.assert_both_take(f"{MACHINE}parameters:\n{parameters}")

    def test_takes_scalars_that_editors_change(self):
        self.assert_both_take(MACHINE + "name: 12\n")
        self.assert_both_take(MACHINE + "meta: {when: 2024-01-01, no: null, list: [1, {}]}\nnote: null\n")
        self.assert_both_take(MACHINE.replace("gelenk: 1", "gelenk: '1'").replace("rod", "true"))
        self.assert_both_take(MACHINE.replace("rod", "null"))
        self.assert_both_take(MACHINE + "parameters: {a: '5', b: 1e-400, c: \" 3 mm\", d: {value: =a, unit: 1}}\n")
        self.assert_both_take(MACHINE + "display: {angle: 1, rate: Hz}\noutputs:\nforces: ~\n")
        self.assert_both_take(MACHINE + "definitions: {time: , sin: {parts: {p: }}}\noutputs: {a: 1, b: rod.position.x}\n")

    def test_takes_what_the_reader_takes(self):
        """Random maps as a definition that is never used: there the reader alone decides, not what a name means."""
        generator = random.Random(SEED)
        maker = schema_instances.Maker(self.schema, generator)
        others = ", ".join(f"{name}: " for name in schema_instances.NAMES)
        taken = refused_by_both = 0
        for number in range(RANDOM_MODELS):
            definition = maker.object(self.schema["definitions"]["assembly"], 0)
            for _ in range(generator.choice([0, 1, 1, 2])):
                maker.spoil(definition)
            text = f"{MACHINE}definitions: {{spare: {schema_instances.text_of(definition)}, {others}}}\n"
            try:
                problems = self.problems(text)
            except yaml.YAMLError:
                continue
            if self.check(text).returncode == 0:
                taken += 1
                self.assertEqual([], problems, f"model {number}:\n{text}")
            elif problems:
                refused_by_both += 1
        print(f"{RANDOM_MODELS} random models: {taken} taken by both, {refused_by_both} refused by both")
        self.assertGreater(taken, LEAST_TAKEN_SHARE * RANDOM_MODELS)
        self.assertGreater(refused_by_both, LEAST_TAKEN_SHARE * RANDOM_MODELS)

    def test_takes_spoiled_examples_that_the_check_takes(self):
        shutil.copytree(ROOT / "examples", pathlib.Path(self.folder.name) / "examples")
        maker = schema_instances.Maker(self.schema, random.Random(SEED))
        taken = 0
        for path in sorted((ROOT / "examples").rglob("*.yaml")):
            if path.parent.name == "gallery":
                continue  # many small ones: what they have is in the others
            text = path.read_text(encoding="utf-8")
            for _ in range(SPOILED_COPIES):
                tree = schema_instances.tree_of(text)
                maker.spoil(tree)
                spoiled = schema_instances.text_of(tree) + "\n"
                if self.check(spoiled, path.parent.relative_to(ROOT)).returncode != 0:
                    continue
                taken += 1
                self.assertEqual([], self.problems(spoiled), f"{path}:\n{spoiled}")
        print(f"{taken} spoiled examples taken by both")
        self.assertGreater(taken, 0)


if __name__ == "__main__":
    unittest.main()
