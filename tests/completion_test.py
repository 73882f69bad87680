#!/usr/bin/env python3
"""Scripts that complete commands in a shell."""

import json
import os
import pty
import select
import shutil
import subprocess
import time
import unittest

from cli_test import GOOD, VERBS
from program_support import InFolder, OK, PROGRAM, run, TIMEOUT_S

ZSH_TIME_LIMIT_S = 20


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

    def test_zsh_knows_every_name_of_an_option(self):
        script = run("completion", "zsh").stdout
        self.assertNotIn("-o,--output", script)
        self.assertIn("'(-o --output)--output[", script)

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh here")
    def test_zsh_completes_sourced_and_as_a_file_of_the_system(self):
        self.write("functions/_gelenk", run("completion", "zsh").stdout)
        start = "autoload -Uz compinit; compinit -u -D; "
        for setup in (f"fpath=({self.folder}/functions $fpath); {start}",
                      f"{start} source {self.folder}/functions/_gelenk"):
            for typed, expected in (("gelenk che", "gelenk check "), ("gelenk check --det", "gelenk check --details "),
                                    ("gelenk report x.h5 --out", "gelenk report x.h5 --output ")):
                self.assertIn(expected, self.typed_in_zsh(setup, typed + "\t", expected))

    def typed_in_zsh(self, setup, keys, expected):
        """What is on the terminal after these keys, once it is what it should be or some time has passed."""
        main, terminal = pty.openpty()
        shell = subprocess.Popen(["zsh", "-f", "-i"], stdin=terminal, stdout=terminal, stderr=terminal, cwd=self.folder,
                                 env={**os.environ, "TERM": "dumb", "PS1": "> "}, start_new_session=True)
        os.close(terminal)

        def read_until(piece):
            text, end = "", time.monotonic() + ZSH_TIME_LIMIT_S
            while piece not in text and time.monotonic() < end:
                if select.select([main], [], [], 0.1)[0]:
                    text += os.read(main, 65536).decode()
            return text

        try:
            # The word is put together by the shell, so that the echo of the line is not taken for the answer.
            os.write(main, f"{setup}; echo rea''dy\n".encode())
            read_until("ready")
            os.write(main, keys.encode())
            return read_until(expected)
        finally:
            shell.kill()
            shell.wait()
            os.close(main)

    def test_unknown_shell(self):
        self.assert_usage_error(run("completion", "bsh"), "did you mean 'bash'?")


if __name__ == "__main__":
    unittest.main()
