#!/usr/bin/env python3
"""Scripts that complete commands in a shell."""

import json
import shutil
import subprocess
import unittest

from cli_test import GOOD, VERBS
from program_support import InFolder, OK, PROGRAM, run, TIMEOUT_S


class CompletionScripts(InFolder):
    def complete(self, *words):
        """What bash offers for the last word."""
        script = 'source <("$0" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gelenk 2>&1; ' \
                 'printf "%s\\n" "${COMPREPLY[@]}"'
        result = subprocess.run(["bash", "-c", script, PROGRAM, "gelenk", *words], capture_output=True, text=True,
                                timeout=TIMEOUT_S, cwd=self.folder)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    def test_bash_completes(self):
        self.assertEqual(self.complete("ch"), ["check"])
        self.assertEqual(sorted(self.complete("")), sorted(VERBS + ["--version", "--help"]))
        self.assertEqual(self.complete("check", "--de"), ["--details"])
        self.assertEqual(self.complete("explain", "GK1301"), ["GK1301"])
        self.assertEqual(self.complete("help", "uni"), ["units"])
        self.assertEqual(sorted(self.complete("completion", "")), ["bash", "fish", "zsh"])
        self.write("model.yaml", GOOD)
        self.write("mine.txt", "")
        self.assertEqual(self.complete("check", "m"), ["model.yaml"])
        self.assertEqual(self.complete("edit", "model.yaml", "re"), ["remove", "rename"])
        self.assertEqual(sorted(self.complete("trust", "")), ["add", "keygen", "list", "remove"])
        self.assertEqual(sorted(self.complete("component", "")), ["bench", "diff", "test"])
        self.write("part.gkc", "")
        self.assertEqual(self.complete("info", "part"), ["part.gkc"])
        self.assertEqual(self.complete("verify", "part"), ["part.gkc"])
        self.assertEqual(self.complete("run", "part"), [])

    def test_scripts_are_well_formed(self):
        for shell in ("bash", "zsh", "fish"):
            result = run("completion", shell)
            self.assert_exit(result, OK)
            for verb in VERBS:
                self.assertIn(verb, result.stdout)
            self.assertEqual(json.loads(run("completion", shell, "--json").stdout)["script"], result.stdout)
            if shutil.which(shell):
                path = self.write("script", result.stdout)
                subprocess.run([shell, "-n", path], check=True, timeout=TIMEOUT_S)

    def test_unknown_shell(self):
        self.assert_usage_error(run("completion", "bsh"), "did you mean 'bash'?")


if __name__ == "__main__":
    unittest.main()
