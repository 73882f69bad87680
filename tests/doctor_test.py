#!/usr/bin/env python3
"""`gelenk doctor`: every program and file that the product uses, where it is, and what to do when it is not there."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

from program_support import InFolder, OK, PROGRAM, run, SOURCE, TIMEOUT_S

HELPERS = {"gelenk-cad": "gelenk import", "gelenk-worker": "sealed components", "gelenk-runtime": "gelenk seal"}
TOOLS = {"gnuplot": "apt install gnuplot-nox", "chromium": "apt install chromium", "c-compiler": "apt install gcc",
         "make": "apt install gcc"}
# Nothing of the user's that says where something is.
PLAIN = {"CHROMIUM": "", "BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": "", "CC": ""}


class Doctor(InFolder):
    def findings(self, env=None, program=PROGRAM):
        result = subprocess.run([program, "doctor", "--json"], capture_output=True, text=True, timeout=TIMEOUT_S,
                                env={**os.environ, **PLAIN, "PATH": str(self.folder / "bin"), **(env or {})},
                                stdin=subprocess.DEVNULL)
        self.assert_exit(result, OK)
        return json.loads(result.stdout)

    def tool(self, name, script=""):
        path = pathlib.Path(self.write(f"bin/{name}", "#!/bin/sh\n" + script))
        path.chmod(0o755)
        return str(path)

    def assert_missing(self, finding, *pieces, state="missing"):
        self.assertEqual(finding["state"], state, finding)
        for piece in ("without it: ", "what to do: ", *pieces):
            self.assertIn(piece, finding["text"])

    def test_build_and_machine(self):
        text = run("doctor").stdout
        self.assertRegex(text, r"(?m)^OK +compiler +\d")
        self.assertRegex(text, r"(?m)^OK +libraries .*HDF5 1\.\d+")
        report = json.loads(run("doctor", "--json").stdout)
        self.assertLessEqual({"version", "program", "compiler", "libraries", "cpu", "memory", "locale", "terminal",
                              "browser", *HELPERS, *TOOLS}, set(report))
        for finding in report.values():
            self.assertEqual(set(finding), {"state", "text"})
            self.assertIn(finding["state"], ("OK", "missing", "note"))

    def test_helpers_of_this_build(self):
        report = json.loads(run("doctor", "--json").stdout)
        folder = pathlib.Path(PROGRAM).resolve().parent
        for name in HELPERS:
            path = folder / (name + ".so" if name == "gelenk-runtime" else name)
            # Sanitized builds have no library that components could carry.
            if path.exists() or name != "gelenk-runtime":
                self.assertEqual(report[name], {"state": "OK", "text": str(path)})
            else:
                self.assert_missing(report[name], str(path))

    def test_every_installed_helper_is_named(self):
        text = (SOURCE / "cmake/GelenkInstall.cmake").read_text()
        for name in HELPERS:
            self.assertRegex(text, rf"install\(TARGETS [^)]*\b{name}\b")
        self.assertEqual(text.count("CMAKE_INSTALL_LIBEXECDIR"), 2, "is there a new helper? then doctor should name it")

    def test_program_without_its_helpers(self):
        alone = self.folder / "place/gelenk"
        alone.parent.mkdir()
        shutil.copy(PROGRAM, alone)
        report = self.findings(program=alone)
        for name, loss in HELPERS.items():
            self.assert_missing(report[name], f"'{alone.parent.resolve()}/{name}", f"/libexec/{name}", loss, "./dev build",
                                "install Gelenk again")
        # Found, but it does not begin: what the loader says is shown.
        broken = self.folder / "libexec/gelenk-cad"
        broken.parent.mkdir()
        broken.write_text("#!/bin/sh\necho 'libTKernel.so.7.6: cannot open shared object file' >&2\nexit 127\n")
        self.assert_missing(self.findings(program=alone)["gelenk-cad"], f"'{broken.resolve()}' cannot be started: ")
        broken.chmod(0o755)
        self.assert_missing(self.findings(program=alone)["gelenk-cad"], "cannot be started: libTKernel.so.7.6")
        # A helper that is called without a question ends like this.
        broken.write_text("#!/bin/sh\nexit 2\n")
        self.assertEqual(self.findings(program=alone)["gelenk-cad"], {"state": "OK", "text": str(broken.resolve())})

    def test_programs_of_others(self):
        report = self.findings()
        for name, cure in TOOLS.items():
            self.assert_missing(report[name], "PATH", cure)
        # A tool counts as found only where it can be run.
        self.write("bin/gnuplot", "#!/bin/sh\n")
        self.assert_missing(self.findings()["gnuplot"])
        for topic, name in (("gnuplot", "gnuplot"), ("chromium", "google-chrome"), ("c-compiler", "cc"), ("make", "make")):
            path = self.tool(name)
            self.assertEqual(self.findings()[topic], {"state": "OK", "text": path})
        self.assert_missing(self.findings({"CC": "clang"})["c-compiler"], "'clang'")
        self.assert_missing(self.findings({"CHROMIUM": "/nowhere"})["chromium"], "CHROMIUM", "'/nowhere'")

    def test_browser(self):
        self.assert_missing(self.findings()["browser"], "DISPLAY", "gelenk export", state="note")
        self.assert_missing(self.findings({"DISPLAY": ":0"})["browser"], "xdg-open", "apt install xdg-utils")
        self.assert_missing(self.findings({"BROWSER": "lynx"})["browser"], "'lynx'", "export BROWSER=")
        for name, env in (("xdg-open", {"WAYLAND_DISPLAY": "wayland-0"}), ("lynx", {"BROWSER": "lynx"})):
            path = self.tool(name)
            self.assertEqual(self.findings(env)["browser"], {"state": "OK", "text": path})

    def test_text_has_a_line_for_the_loss_and_one_for_the_cure(self):
        text = run("doctor", "-q", env={**PLAIN, "PATH": str(self.folder)}).stdout
        self.assertNotIn("OK ", text)
        self.assertRegex(text, r"missing  gnuplot +not on the PATH\n +without it: .*\n +what to do: apt install gnuplot-nox\n")


if __name__ == "__main__":
    unittest.main()
