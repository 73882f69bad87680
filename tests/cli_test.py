#!/usr/bin/env python3
"""Drives the program as a person or a script would: verbs, exit codes, streams, JSON, color."""

import json
import os
import pathlib
import pty
import re
import resource
import subprocess
import unittest

from program_support import FILE_ERROR, InFolder, MODEL_ERROR, OK, PROGRAM, run, SOURCE, TIMEOUT_S, USAGE_ERROR

CRANK_SLIDER = str(SOURCE / "examples/crank_slider/crank_slider.yaml")

VERBS = ["demo", "new", "check", "run", "analyze", "generate", "view", "report", "compare", "plot", "import", "export", "edit", "info", "verify", "repair", "seal", "component", "trust", "schema", "explain", "help", "doctor", "completion"]
# The aim is 30 ms; with sanitizers it takes ten times what it takes without.
VERSION_TIME_LIMIT_S = 0.2

GOOD = """gelenk: 1
parameters: {length: {value: 400 mm, max: 2 m, doc: of the arm}, half: =length / 2}
parts:
  arm: {material: steel, shape: {box: {size: [=length, 10 mm, 10 mm]}}}
joints:
  pivot: {type: revolute, between: [ground, arm], axis: y}
"""
MISTYPED = GOOD.replace("[ground, arm]", "[ground, arn]")
WARNING = GOOD.replace("material: steel, ", "")


def stderr_on_terminal(*arguments, env=None):
    """What the program writes to stderr when that is a terminal."""
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    environment.update({"TERM": "xterm", **(env or {})})
    main, terminal = pty.openpty()
    subprocess.run([PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=terminal, stdin=subprocess.DEVNULL,
                   timeout=TIMEOUT_S, env=environment)
    os.close(terminal)
    text = b""
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:  # Linux reports the closed other end of a terminal as an error.
            break
        if not piece:
            break
        text += piece
    os.close(main)
    return text.decode()


class Program(InFolder):
    def test_version_is_quick(self):
        def used():
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return usage.ru_utime + usage.ru_stime

        times = []  # of the processor: what others do on this machine does not count
        for _ in range(5):
            begin = used()
            result = run("--version")
            times.append(used() - begin)
        self.assertRegex(result.stdout, r"^gelenk \d+\.\d+\.\d+\n$")
        print(f"gelenk --version: {1000 * min(times):.1f} ms", flush=True)
        self.assertLess(min(times), VERSION_TIME_LIMIT_S)

    def test_version_json(self):
        self.assertEqual(json.loads(run("--json", "--version").stdout)["name"], "gelenk")

    def test_without_arguments_the_first_commands(self):
        result = run()
        self.assert_exit(result, OK)
        self.assertEqual(len(re.findall(r"^  gelenk ", result.stdout, re.MULTILINE)), 4)

    def test_help_lists_all_verbs(self):
        for arguments in (["--help"], ["-h"], ["help"]):
            result = run(*arguments)
            self.assert_exit(result, OK)
            for verb in VERBS:
                self.assertRegex(result.stdout, rf"(?m)^  {verb} +\w")

    def test_every_verb_has_help(self):
        for verb in VERBS:
            result = run(verb, "--help")
            self.assert_exit(result, OK)
            self.assertIn(f"usage: gelenk {verb}", result.stdout)
            self.assertIn("--json", result.stdout)
            self.assertEqual(run("help", verb).stdout if verb != "help" else result.stdout, result.stdout)

    def test_mistyped_verb(self):
        self.assert_usage_error(run("chek", "a.yaml"), "'chek'", "did you mean 'check'?")
        self.assert_usage_error(run("fly"), "'fly'", "gelenk help")

    def test_mistyped_option(self):
        self.assert_usage_error(run("check", CRANK_SLIDER, "--detials"), "did you mean '--details'?")
        self.assert_usage_error(run("check", "--detials"), "did you mean '--details'?")
        self.assert_usage_error(run("check", CRANK_SLIDER, "--jsn=1"), "did you mean '--json'?")
        self.assert_usage_error(run("--versoin"), "did you mean '--version'?")

    def test_file_without_verb(self):
        self.assert_usage_error(run("model.yaml"), "gelenk check model.yaml")
        path = self.write("machine", GOOD)
        self.assert_usage_error(run(path), f"gelenk check {path}")

    def test_missing_and_surplus_arguments(self):
        self.assert_usage_error(run("check"), "needs FILE", "usage: gelenk check FILE")
        self.assert_usage_error(run("check", CRANK_SLIDER, "other.yaml"), "'other.yaml'")
        self.assert_usage_error(run("check", CRANK_SLIDER, "--set"), "--set")

    def test_usage_error_as_json(self):
        result = run("check", "--json")
        self.assert_exit(result, USAGE_ERROR)
        report = json.loads(result.stdout)
        self.assertEqual((report["ok"], report["exitCode"]), (False, USAGE_ERROR))

    def test_broken_pipe_is_quiet(self):
        shell = subprocess.run(["bash", "-c", f"'{PROGRAM}' schema | head -n 1"], capture_output=True, text=True,
                               timeout=TIMEOUT_S)
        self.assertEqual((shell.stdout, shell.stderr), ("{\n", ""))
        # With the signal ignored the program sees the error itself.
        shell = subprocess.run(["bash", "-c", f"trap '' PIPE; '{PROGRAM}' schema | head -n 1"], capture_output=True,
                               text=True, timeout=TIMEOUT_S)
        self.assertEqual(shell.stderr, "")

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_full_disk(self):
        for arguments in (["schema"], ["check", CRANK_SLIDER], ["check", CRANK_SLIDER, "--json"], ["--version"]):
            with open("/dev/full", "w") as full:
                result = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                        timeout=TIMEOUT_S)
            self.assertEqual(result.returncode, FILE_ERROR)
            self.assertIn("No space left", result.stderr)


class Check(InFolder):
    def test_good_model(self):
        result = run("check", CRANK_SLIDER)
        self.assert_exit(result, OK)
        self.assertIn("3 parts", result.stdout)
        self.assertEqual(result.stderr, "")

    def test_start_that_cannot_be_reached(self):
        text = pathlib.Path(CRANK_SLIDER).read_text()
        path = self.write("m.yaml", text.replace("axis: x}", "axis: x, start: {travel: 1 m}}"))
        result = run("check", path)
        self.assert_exit(result, MODEL_ERROR)
        self.assertEqual(result.stdout, "")
        self.assertIn("joint 'bore': its travel should start at 1000 mm", result.stderr)
        report = json.loads(run("check", path, "--json").stdout)
        self.assertEqual((report["ok"], report["summary"]), (False, None))
        self.assertEqual([(d["code"], d["element"]) for d in report["diagnostics"]], [("GK1705", "bore")])

    def test_parts_that_start_elsewhere(self):
        path = self.write("m.yaml", GOOD.replace("axis: y", "axis: y, start: {angle: 30 deg}"))
        # It turns in its place: a distance of rounding is none.
        self.assertIn("moved         arm by 30 deg\n", run("check", path, "--details").stdout)
        assembly = json.loads(run("check", path, "--json").stdout)["summary"]["assembly"]
        self.assertEqual((assembly["bodies"], [m["part"] for m in assembly["moved"]]), (1, ["arm"]))

    def test_model_of_nothing(self):
        path = self.write("m.yaml", "gelenk: 1\n")
        for verb in ("check", "run"):
            result = run(verb, path, cwd=self.folder)
            self.assert_exit(result, MODEL_ERROR)
            self.assertIn("the model has no parts", result.stderr)
        self.assertEqual([entry.name for entry in self.folder.iterdir()], ["m.yaml"])

    def test_errors_go_to_stderr_with_place_caret_and_count(self):
        self.write("m.yaml", MISTYPED)
        result = run("check", "m.yaml", cwd=self.folder)
        self.assert_exit(result, MODEL_ERROR)
        self.assertEqual(result.stdout, "")
        line = "  pivot: {type: revolute, between: [ground, arn], axis: y}"
        self.assertRegex(result.stderr, rf"^m\.yaml:6:{line.index('arn') + 1}: error: joint 'pivot': .*\[GK1301\]\n")
        self.assertIn(f"   6 | {line}\n     | {' ' * line.index('arn')}^~~ did you mean 'arm'?\n", result.stderr)
        self.assertTrue(result.stderr.endswith("\n1 error\n"), result.stderr)

    def test_files_that_cannot_be_read(self):
        self.assert_exit(run("check", str(self.folder / "none.yaml")), FILE_ERROR)
        self.assert_exit(run("check", str(self.folder)), FILE_ERROR)
        self.assert_exit(run("check", "/dev/zero"), FILE_ERROR)
        # A missing file that a model names is a mistake in the model.
        path = self.write("m.yaml", "gelenk: 1\nassemblies: {a: {use: none.yaml}}\n")
        result = run("check", path)
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn(f"{path}:2:", result.stderr)

    def test_warnings(self):
        path = self.write("m.yaml", WARNING)
        result = run("check", path)
        self.assert_exit(result, OK)
        self.assertIn("warning: part 'arm'", result.stderr)
        self.assertIn("1 warning\n", result.stderr)
        self.assertNotEqual(result.stdout, "")
        strict = run("check", path, "--werror")
        self.assert_exit(strict, MODEL_ERROR)
        self.assertEqual(strict.stdout, "")
        self.assertFalse(json.loads(run("check", path, "--werror", "--json").stdout)["ok"])

    def test_quiet(self):
        result = run("check", "-q", self.write("m.yaml", WARNING))
        self.assert_exit(result, OK)
        self.assertEqual((result.stdout, result.stderr), ("", ""))
        result = run("check", "--quiet", self.write("m.yaml", WARNING.replace("axis: y", "axis: q")))
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("error:", result.stderr)
        self.assertNotIn("warning:", result.stderr)

    def test_details(self):
        plain = run("check", CRANK_SLIDER).stdout
        details = run("check", CRANK_SLIDER, "--details").stdout
        self.assertGreater(details.count("\n"), plain.count("\n"))

    def test_json(self):
        report = json.loads(run("check", CRANK_SLIDER, "--json").stdout)
        self.assertEqual(set(report), {"file", "ok", "errors", "warnings", "diagnostics", "summary"})
        self.assertEqual((report["ok"], report["errors"], report["summary"]["parts"]), (True, 0, 3))

    def test_json_diagnostics_have_the_shape_of_language_servers(self):
        result = run("check", self.write("m.yaml", MISTYPED), "--json")
        self.assert_exit(result, MODEL_ERROR)
        self.assertEqual(result.stderr, "")
        report = json.loads(result.stdout)
        self.assertIsNone(report["summary"])
        (diagnostic,) = report["diagnostics"]
        self.assertEqual(set(diagnostic), {"file", "range", "severity", "code", "source", "message", "element",
                                           "elementKind", "hint", "relatedInformation"})
        column = MISTYPED.splitlines()[5].index("arn")
        self.assertEqual(diagnostic["range"], {"start": {"line": 5, "character": column},
                                               "end": {"line": 5, "character": column + 3}})
        self.assertEqual((diagnostic["severity"], diagnostic["code"], diagnostic["element"]), (1, "GK1301", "pivot"))

    def test_outside_folder_needs_a_flag(self):
        self.write("arm.yaml", GOOD)
        path = self.write("inner/m.yaml", "gelenk: 1\nassemblies: {a: {use: ../arm.yaml}}\n")
        result = run("check", path)
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("--allow-outside", result.stderr)
        self.assert_exit(run("check", path, "--allow-outside"), OK)


class Settings(InFolder):
    def mass(self, *arguments):
        result = run("check", self.write("m.yaml", GOOD), "--json", *arguments)
        self.assert_exit(result, OK)
        return json.loads(result.stdout)["summary"]["mass"]

    def test_change_the_model(self):
        # The mass is proportional to the length.
        self.assertAlmostEqual(self.mass("--set", "length=800 mm"), 2 * self.mass())
        self.assertAlmostEqual(self.mass("--set", "length=0.8"), 2 * self.mass())
        self.assertAlmostEqual(self.mass("--set", "length==2 * 300 mm"), 1.5 * self.mass())

    def test_the_last_counts(self):
        self.assertAlmostEqual(self.mass("--set", "length=1 m", "--set", "length=400 mm"), self.mass())

    def test_mistakes(self):
        path = self.write("m.yaml", GOOD)
        for setting, code in (("lenght=1 m", "GK1308"), ("length=1 kg", "GK1203"), ("length=", "GK12"),
                              ("length=5 m", "GK1214"), ("length==half +", "GK1205")):
            result = run("check", path, "--set", setting)
            self.assert_exit(result, MODEL_ERROR)
            self.assertIn("--set:1:", result.stderr)
            self.assertIn(f"[{code}", result.stderr)
        self.assert_usage_error(run("check", path, "--set", "length"), "PATH=VALUE")


class Color(InFolder):
    def test_only_on_a_terminal_that_wants_it(self):
        path = self.write("m.yaml", MISTYPED)
        self.assertIn("\x1b[", stderr_on_terminal("check", path))
        self.assertNotIn("\x1b", stderr_on_terminal("check", path, env={"NO_COLOR": "1"}))
        self.assertIn("\x1b[", stderr_on_terminal("check", path, env={"NO_COLOR": ""}))
        self.assertNotIn("\x1b", stderr_on_terminal("check", path, env={"TERM": "dumb"}))
        self.assertNotIn("\x1b", run("check", path).stderr)


class Explain(InFolder):
    def test_every_code_and_page(self):
        codes = [entry["code"] for entry in json.loads(run("explain", "--json").stdout)["codes"]]
        self.assertGreater(len(codes), 50)
        listing = run("explain").stdout
        for code in codes:
            self.assertIn(code, listing)
            result = run("explain", code)
            self.assert_exit(result, OK)
            self.assertTrue(result.stdout.startswith(code), result.stdout)
        for page in sorted((SOURCE / "docs/errors").glob("GK*.md")):
            self.assertIn(page.stem, codes)
            heading = page.read_text().splitlines()[0].lstrip("# ")
            self.assertIn(heading, run("explain", page.stem).stdout)
            self.assertEqual(json.loads(run("explain", page.stem, "--json").stdout)["text"], page.read_text())

    def test_forms_of_a_code(self):
        expected = run("explain", "GK1301").stdout
        for word in ("gk1301", "1301", "Gk1301"):
            self.assertEqual(run("explain", word).stdout, expected)

    def test_unknown_code(self):
        self.assert_usage_error(run("explain", "GK1399"), "'GK1399'", "did you mean 'GK13")
        self.assert_usage_error(run("explain", "nonsense"), "gelenk explain")


class Help(InFolder):
    def test_every_topic(self):
        pages = sorted((SOURCE / "docs/help").glob("*.md"))
        self.assertLessEqual({"model", "units", "expressions", "materials", "joints", "forces", "assemblies",
                              "exit-codes"}, {page.stem for page in pages})
        overview = run("help").stdout
        for page in pages:
            self.assertIn(page.stem, overview)
            result = run("help", page.stem)
            self.assert_exit(result, OK)
            self.assertTrue(result.stdout.startswith(page.read_text().splitlines()[0].lstrip("# ")))
            self.assertNotRegex(result.stdout, r"\{\{|```|\*\*")
            self.assertLessEqual(max(map(len, result.stdout.splitlines())), 120)
            self.assertEqual(json.loads(run("help", page.stem, "--json").stdout)["topic"], page.stem)

    def test_tables_come_from_the_program(self):
        self.assertRegex(run("help", "materials").stdout, r"(?m)^ +steel +7850 ")
        self.assertRegex(run("help", "joints").stdout, r"(?m)^ +cylindrical .*\n.*\n.*angle/rate travel/speed")
        self.assertRegex(run("help", "forces").stdout, r"(?m)^ +bushing ")

    def test_variables_and_files_that_the_program_reads(self):
        page = run("help", "environment").stdout
        read = set()
        for file in [*(SOURCE / "apps").rglob("*.cc"), *(SOURCE / "gelenk").rglob("*.cc")]:
            if not file.stem.endswith("_test"):
                read |= set(re.findall(r'(?:getenv|environment|variable)\w*\(\s*"([A-Z_]{2,})"', file.read_text()))
        self.assertGreater(len(read), 10)
        # std::filesystem asks for TMPDIR.
        for name in [*read, "TMPDIR", "trusted-keys", "signing-key", "licences-shown"]:
            self.assertRegex(page, rf"\b{name}\b")

    def test_unknown_topic(self):
        self.assert_usage_error(run("help", "unit"), "did you mean 'units'?")


class New(InFolder):
    def test_starter_checks_clean(self):
        result = run("new", "swing", cwd=self.folder)
        self.assert_exit(result, OK)
        self.assertIn("gelenk check swing/swing.yaml", result.stderr)
        check = run("check", "swing/swing.yaml", "--werror", cwd=self.folder)
        self.assert_exit(check, OK)
        self.assertEqual(check.stderr, "")
        self.assertTrue(check.stdout.startswith("swing"), check.stdout)
        self.assertIn("1 free motion", check.stdout)

    def test_never_overwrites(self):
        path = self.write("swing/swing.yaml", "mine\n")
        result = run("new", "swing", cwd=self.folder)
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("swing/swing.yaml", result.stderr)
        self.assertEqual(pathlib.Path(path).read_text(), "mine\n")

    def test_in_another_folder(self):
        result = run("new", "a-b", "--in", str(self.folder / "deep/er"), "--json")
        self.assert_exit(result, OK)
        self.assertTrue(pathlib.Path(json.loads(result.stdout)["file"]).is_file())

    def test_bad_names_and_places(self):
        for name in ("a/b", "../x", "1st", "a b", ""):
            self.assert_exit(run("new", name, cwd=self.folder), USAGE_ERROR)
        self.write("file", "")
        self.assert_exit(run("new", "x", "--in", str(self.folder / "file")), FILE_ERROR)
        self.assertEqual(os.listdir(self.folder), ["file"])


class Edit(InFolder):
    COMMENTED = GOOD.replace("joints:", "# what holds it\njoints:")

    def edit(self, *words, code=OK):
        result = run("edit", self.write("m.yaml", self.COMMENTED), *words)
        self.assert_exit(result, code)
        return (self.folder / "m.yaml").read_text(), result

    def test_changes_only_its_place(self):
        text, result = self.edit("set", "joints.pivot", "axis=z")
        self.assertEqual(text, self.COMMENTED.replace("axis: y", "axis: z"))
        self.assertIn("m.yaml", result.stderr)
        text, _ = self.edit("rename", "parts.arm", "bar")
        self.assertEqual(text, self.COMMENTED.replace("arm:", "bar:").replace("ground, arm", "ground, bar"))

    def test_dry_run_writes_nothing(self):
        text, result = self.edit("set", "joints.pivot", "axis=z", "--dry-run")
        self.assertEqual(text, self.COMMENTED)
        self.assertEqual(result.stdout, self.COMMENTED.replace("axis: y", "axis: z"))

    def test_json(self):
        text, result = self.edit("set", "joints.pivot", "axis=z", "--json")
        report = json.loads(result.stdout)
        self.assertEqual((report["ok"], report["written"], report["diagnostics"]), (True, True, []))
        self.assertEqual([changed["text"] for changed in report["changed"]], [text])

    def test_refusals(self):
        text, result = self.edit("remove", "parts.arm", code=MODEL_ERROR)
        self.assertEqual(text, self.COMMENTED)
        self.assertIn("[GK1503]", result.stderr)
        self.assertIn("did you mean", self.edit("set", "joints.pivto", "axis=z", code=MODEL_ERROR)[1].stderr)
        self.edit("fly", "parts.arm", code=USAGE_ERROR)
        self.assert_exit(run("edit", str(self.folder / "none.yaml"), "remove", "parts.arm"), FILE_ERROR)
        self.assert_exit(run("edit", "--json", self.write("m.yaml", GOOD), "fly", "x"), USAGE_ERROR)


class Others(InFolder):
    def test_info(self):
        self.write("arm.yaml", GOOD)
        path = self.write("m.yaml", GOOD + "assemblies: {a: {use: arm.yaml}}\nname: two\n")
        text = run("info", path).stdout
        for piece in ("model 'two'", "arm.yaml", "2 parts", "400 mm", "of the arm", "0.2 m"):
            self.assertIn(piece, text)
        report = json.loads(run("info", path, "--json").stdout)
        self.assertEqual((report["kind"], report["name"], report["formatVersion"]), ("model", "two", 1))
        self.assertEqual((len(report["files"]), report["written"]["parts"]), (2, 2))
        values = {row["name"]: (row["value"], row["unit"], row["doc"]) for row in report["parameters"]}
        self.assertEqual(values, {"length": (0.4, "m", "of the arm"), "half": (0.2, "m", "")})

    def test_info_lists_what_expressions_may_read(self):
        framed = GOOD.replace("material: steel, ", "material: steel, frames: {tip: [1 m, 0, 0]}, ")
        self.write("arm.yaml", framed + "ports: {held: arm.tip}\n")
        path = self.write("m.yaml", framed + "assemblies: {a: {use: arm.yaml}}\nname: two\n")
        listed = json.loads(run("info", path, "--channels", "--json").stdout)
        units = {channel["name"]: channel["unit"] for channel in listed["channels"]}
        self.assertEqual(len(units), len(listed["channels"]))
        for name, unit in (("arm.position.x", "m"), ("arm.tip.velocity.magnitude", "m/s"), ("a.held.orientation.w", "1"),
                           ("a.arm.tip.angular_acceleration.z", "rad/s^2")):
            self.assertEqual(units.get(name), unit, name)
        lines = run("info", path, "--channels").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines], list(units))
        path = self.write("m.yaml", MISTYPED)
        self.assert_exit(run("info", path, "--channels"), MODEL_ERROR)
        self.assertFalse(json.loads(run("info", path, "--channels", "--json").stdout)["ok"])

    def test_info_of_a_broken_model(self):
        result = run("info", self.write("m.yaml", MISTYPED))
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("1 part", result.stdout)
        self.assertIn("gelenk check", result.stderr)
        self.assert_exit(run("info", self.write("m.yaml", "no model")), MODEL_ERROR)
        self.assert_exit(run("info", "none.yaml"), FILE_ERROR)

    def test_schema(self):
        self.assertIn("$schema", json.loads(run("schema").stdout))


if __name__ == "__main__":
    unittest.main()
