#!/usr/bin/env python3
"""Manual pages are well-formed roff, say all that the help says, and come out as it was meant."""

import json
import re
import shutil
import subprocess
import unittest

from cli_test import VERBS
from program_support import InFolder, OK, run, TIMEOUT_S

MACROS = {".TH", ".SH", ".TP", ".PP", ".RS", ".RE", ".nf", ".fi"}
# What the pages may use of roff: fonts, characters that would change otherwise, and nothing at all at a line's begin.
ESCAPES = re.compile(r"\\(?:f[BIR]|-|e|&|\((?:aq|ga|ha|ti)|\[u[0-9A-F]{4,5}\])")
PLAIN = {r"\-": "-", r"\e": "\\", r"\&": "", r"\(aq": "'", r"\(ga": "`", r"\(ha": "^", r"\(ti": "~"}


def plain(roff):
    """The text of roff lines, as a reader sees it."""
    def character(match):
        escape = match.group()
        if escape.startswith(r"\["):
            return chr(int(escape[3:-1], 16))
        return PLAIN.get(escape, "")
    return ESCAPES.sub(character, roff)


def page(verb=None):
    return run("help", "--man", *([verb] if verb else [])).stdout


def words(text):
    return " ".join(text.split())


class ManPages(InFolder):
    def test_pages_are_well_formed(self):
        for verb in [None, *VERBS]:
            with self.subTest(verb=verb):
                text = page(verb)
                lines = text.splitlines()
                name = f"gelenk-{verb}" if verb else "gelenk"
                version = run("--version").stdout.strip()
                self.assertEqual(plain(lines[0]), f'.TH {name.upper()} 1 "" "{version}" "Gelenk"')
                self.assertEqual(lines[1], ".SH NAME")
                self.assertRegex(plain(lines[2]), rf"^{name} - \w")
                self.assertTrue(text.endswith("\n"))
                self.assertNotIn("\n\n", text)
                self.assertTrue(text.isascii())
                for line in lines:
                    self.assertNotIn("\\", ESCAPES.sub("", line), line)
                    self.assertNotRegex(ESCAPES.sub("", line), "[-`'^~]")
                    if line.startswith("."):
                        self.assertIn(line.split()[0], MACROS)
                self.assertEqual(lines.count(".nf"), lines.count(".fi"))
                self.assertEqual(sum(line.startswith(".RS") for line in lines), lines.count(".RE"))
                # A term and a text behind it, neither of them empty.
                for i, line in enumerate(lines):
                    if line == ".TP":
                        self.assertRegex(lines[i + 1] + lines[i + 2], r"^\\f[BI][^\n]+\\fR[^\n]*[^.\n]")
                        self.assertFalse(lines[i + 2].startswith("."))

    def test_the_same_bytes_every_time(self):
        self.assertEqual(run("help", "--man", "run", env={"TZ": "UTC", "LC_ALL": "C", "COLUMNS": "40"}).stdout,
                         run("help", "--man", "run", env={"TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8"}).stdout)

    def test_all_that_the_help_says(self):
        for verb in VERBS:
            with self.subTest(verb=verb):
                text = words(plain(page(verb)))
                shown = run(verb, "--help").stdout
                usage = re.search(r"usage: (.*)", shown).group(1)
                self.assertIn(f".SH SYNOPSIS {usage} .SH DESCRIPTION", text)
                for line in shown.splitlines():
                    if line in ("examples:", "options:") or line.startswith(("usage:", f"gelenk {verb}:", "  -h, --help")):
                        continue
                    # The help has columns; the page has a term and its text.
                    for piece in re.split(r" {2,}", line.removesuffix(" Examples:").strip()):
                        self.assertIn(words(piece), text)

    def test_examples_are_no_description(self):
        text = page("compare")
        self.assertLess(text.index("Without channels"), text.index(".SH OPTIONS"))
        self.assertGreater(text.index("gelenk compare before.h5"), text.index(".SH EXAMPLES"))
        self.assertIn(".TP\n\\fBbench\\fR\nHow long it takes", page("component"))
        self.assertIn("\n\\&.csv  ", page("export"))

    def test_program(self):
        text = page()
        for verb in VERBS:
            self.assertIn(f"\\fBgelenk\\-{verb}\\fR(1)\n", text)
        sections = re.findall(r'(?m)^\.SH "?([A-Z ]+)"?$', text)
        self.assertEqual(sections, ["NAME", "SYNOPSIS", "DESCRIPTION", "VERBS", "OPTIONS", "TOPICS", "EXIT STATUS",
                                    "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"])
        for topic in json.loads(run("help", "--json").stdout)["topics"]:
            self.assertIn(words(topic["title"]), words(plain(text)))
        for option in ("--version", "--help", "--json", "--quiet"):
            self.assertIn(option, plain(text))
        # One list for the page and for the topic.
        codes = {int(code) for code in re.findall(r"(?m)^\.TP\n\\fB(\d+)\\fR$", text)}
        self.assertEqual(codes, {int(code) for code in re.findall(r"(?m)^ {4}(\d+) ", run("help", "exit-codes").stdout)})
        self.assertEqual(codes, {0, 1, 2, 3, 4, 5, 130})

    def test_json_and_mistakes(self):
        self.assertEqual(json.loads(run("help", "--man", "run", "--json").stdout), {"topic": "run", "text": page("run")})
        self.assert_usage_error(run("help", "--man", "rum"), "'rum'", "did you mean 'run'?")
        self.assert_usage_error(run("help", "--man", "units"), "'units'", "gelenk help TOPIC")

    @unittest.skipUnless(shutil.which("groff"), "there is no groff here")
    def test_groff_has_no_complaints(self):
        for verb in [None, *VERBS]:
            result = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-rLL=100n"], input=page(verb), capture_output=True,
                                    text=True, timeout=TIMEOUT_S)
            self.assertEqual((result.returncode, result.stderr), (OK, ""))
        shown = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", result.stdout)
        self.assertIn("source <(gelenk completion bash)", shown)


if __name__ == "__main__":
    unittest.main()
