#!/usr/bin/env python3
"""The page of a model: it follows the files, changes numbers, and runs the model (docs/adr/0044-model-page.md)."""

import json
import os
import pathlib
import signal
import time
import unittest

from program_support import InFolder, OK
from view_support import Page, children, end, interrupt, is_alive, start, wait_until

# A pendulum whose arm is in a file of its own.
MODEL = """gelenk: 1
name: swing
display: {length: mm, angle: deg}
parameters:
  length: {value: 400 mm, min: 100 mm, max: 1 m, doc: hinge to bob}
  weight: {value: 2000, unit: g}
assemblies:
  arm: {use: arm.yaml, set: {length: =length, weight: =weight}}
joints:
  hinge: {type: revolute, between: [ground, arm.top], axis: y, start: {angle: 20 deg}}
outputs: {swing: hinge.angle}
simulation: {duration: 0.5 s}
"""
ARM = """gelenk: 1
parameters: {length: 1 m, weight: 1 kg}
parts:
  bob: {at: [0, 0, =-length], mass: =weight, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}, frames: {top: {at: [0, 0, =length]}}}
ports: {top: bob.top}
"""
ENDLESS_S = 1e6
# "Within a second" on an idle computer; tests may have a busy one.
SOON_S = 10
OK_STATUS, BAD_REQUEST, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, CONFLICT, TOO_LARGE = 200, 400, 401, 403, 404, 409, 413


class ModelPage(InFolder):
    def setUp(self):
        super().setUp()
        self.write("swing.yaml", MODEL)
        self.write("arm.yaml", ARM)
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()

    def view(self, *arguments):
        """The server, its page, and who follows it."""
        process = start("view", "swing.yaml", "--no-browser", *arguments, cwd=self.folder,
                        env={**os.environ, "TMPDIR": str(self.temporary)})
        self.addCleanup(end, process)
        page = Page(process.stdout.readline())
        follower = page.follow()
        self.addCleanup(follower.close)
        return process, page, follower

    def settings(self, page):
        model = page.json("/api/scene")["model"]
        return {setting["path"]: setting for setting in model["parameters"] + model["starts"]}

    def run_to_its_end(self, page, follower, number, **wish):
        status, answer = page.post("/api/run", wish)
        self.assertEqual(status, OK_STATUS, answer)
        follower.hear_until(lambda message: isinstance(message, dict) and message["type"] == "runs" and
                            number in message["numbers"])
        follower.message("status", run=number, status="done")
        return next(run for run in page.json("/api/runs") if run["number"] == number)

    def assert_leaves_nothing(self, process):
        code, _, err = interrupt(process)
        self.assertEqual(code, OK, err)
        wait_until(lambda: not list(self.temporary.iterdir()), "nothing is left behind")


class Following(ModelPage):
    def test_edits_of_all_files(self):
        process, page, follower = self.view()
        first = follower.message("model")
        before = time.monotonic()
        self.write("swing.yaml", MODEL.replace("400 mm", "500 mm"))
        follower.message("model", scene=first["scene"] + 1)
        self.assertLess(time.monotonic() - before, SOON_S)
        self.assertAlmostEqual(self.settings(page)["length"]["value"], 0.5)
        # A file that the model uses, replaced as editors do it.
        self.write("new.yaml", ARM.replace("bob:", "ball:").replace("bob.top", "ball.top"))
        os.replace(self.folder / "new.yaml", self.folder / "arm.yaml")
        follower.message("model", scene=first["scene"] + 2)
        self.assertEqual([part["path"] for part in page.json("/api/scene")["parts"]], ["arm.ball"])
        # A comment changes nothing that is shown.
        with open(self.folder / "swing.yaml", "a") as file:
            file.write("# the end\n")
        self.assertEqual(follower.message("model")["scene"], first["scene"] + 2)
        self.assert_leaves_nothing(process)

    def test_errors_come_and_go_while_the_machine_stays(self):
        _, page, follower = self.view()
        follower.message("model")
        scene = page.json("/api/scene")
        for broken in ("gelenk: 1\nparts: {", MODEL.replace("use: arm.yaml", "use: none.yaml"),
                       MODEL.replace("revolute", "revolt"), ""):
            self.write("swing.yaml", broken)
            follower.message("model")
            errors = [message for message in page.json("/api/diagnostics") if message["severity"] == "error"]
            self.assertNotEqual(errors, [], broken)
            self.assertEqual(page.json("/api/scene"), scene)
        status, answer = page.post("/api/run", {})
        self.assertEqual(status, CONFLICT)
        self.assertIn("the model has errors", answer["error"])
        self.write("swing.yaml", MODEL)
        wait_until(lambda: page.json("/api/diagnostics") == [], "the file is in order again")
        self.assertEqual(page.json("/api/scene"), scene)

    def test_a_file_that_is_missing_is_waited_for(self):
        _, page, follower = self.view()
        follower.message("model")
        (self.folder / "arm.yaml").unlink()
        follower.message("model")
        self.assertIn("arm.yaml", page.json("/api/diagnostics")[0]["text"])
        self.write("arm.yaml", ARM)
        wait_until(lambda: page.json("/api/diagnostics") == [], "the file is back")
        self.write("swing.yaml", MODEL.replace("use: arm.yaml", "use: later.yaml"))
        wait_until(lambda: page.json("/api/diagnostics") != [], "the new file is missed")
        self.write("later.yaml", ARM)
        wait_until(lambda: page.json("/api/diagnostics") == [], "the new file is there")

    def test_meshes_are_followed(self):
        def corner(size):
            """A tetrahedron with three edges of this length at a right angle."""
            return f"v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

        self.write("corner.obj", corner(1.0))
        self.write("swing.yaml", MODEL + "parts: {corner: {density: 6 kg/m^3, shape: {mesh: {file: corner.obj}}}}\n")
        _, page, follower = self.view()
        follower.message("model")

        def mass():
            return next(part["mass"] for part in page.json("/api/scene")["parts"] if part["path"] == "corner")

        self.assertAlmostEqual(mass(), 1.0)
        self.write("corner.obj", corner(2.0))
        follower.message("model", scene=2)
        self.assertAlmostEqual(mass(), 8.0)

    def test_joints_that_cannot_be_closed_are_shown(self):
        _, page, follower = self.view()
        follower.message("model")
        self.write("swing.yaml", MODEL.replace("outputs:", "  far: {type: revolute, between: [ground, arm.top], axis: y, "
                                               "at: [1 m, 0, 0]}\n  post: {type: prismatic, between: [ground, arm.top], "
                                               "axis: x, start: {travel: 2 m}}\noutputs:"))
        follower.message("model", scene=2)
        self.assertEqual([message["severity"] for message in page.json("/api/diagnostics")], ["error"])
        self.assertEqual([joint["path"] for joint in page.json("/api/scene")["joints"]], ["hinge", "far", "post"])


class Settings(ModelPage):
    def test_what_the_page_may_change(self):
        _, page, _ = self.view("--set", "weight=1500")
        settings = self.settings(page)
        self.assertEqual(list(settings), ["length", "weight", "arm.length", "arm.weight", "hinge.angle", "hinge.rate"])
        length = settings["length"]
        self.assertEqual((length["unit"], length["doc"]), ("mm", "hinge to bob"))
        self.assertEqual((length["min"], length["max"]), (0.1, 1.0))
        self.assertEqual((settings["weight"]["value"], settings["weight"]["unit"]), (1.5, "g"))
        self.assertEqual(settings["hinge.angle"]["unit"], "deg")
        self.assertNotIn("value", settings["hinge.rate"])

    # S2-20: a start value is changed interactively.
    def test_the_machine_follows(self):
        _, page, follower = self.view()
        follower.message("model")
        wish = {"parameters": {"length": 0.8, "weight": 3.0}, "starts": {"hinge.angle": 0.0}}
        status, answer = page.post("/api/settings", wish)
        self.assertEqual((status, answer), (OK_STATUS, {"scene": 2}))
        follower.message("model", scene=2)
        scene = page.json("/api/scene")
        self.assertAlmostEqual(scene["parts"][0]["at"][2], -0.8)
        self.assertAlmostEqual(scene["parts"][0]["mass"], 3.0)
        self.assertTrue(self.settings(page)["length"]["isSet"])
        # An edit keeps what was chosen, as long as there is a place for it.
        self.write("swing.yaml", MODEL.replace("2000", "1000").replace("to bob", "to weight"))
        follower.message("model", scene=3)
        settings = self.settings(page)
        self.assertEqual((settings["length"]["value"], settings["weight"]["value"]), (0.8, 3.0))
        self.write("swing.yaml", MODEL.replace("1 m,", "700 mm,"))
        follower.message("model", scene=4)
        self.assertEqual(page.json("/api/diagnostics"), [])
        settings = self.settings(page)
        self.assertEqual((settings["length"]["value"], settings["weight"]["value"]), (0.4, 3.0))
        self.assertNotIn("isSet", settings["length"])

    def test_who_may_ask_for_what(self):
        process, page, _ = self.view()
        for wish in ({"parameters": {"length": 1.1}}, {"parameters": {"none": 1}}, {"parameters": {"length": "1 m"}},
                     {"starts": {"hinge.angle=0; x": 1}}, {"duration": -1}, [], b"{"):
            for path in ("/api/settings", "/api/run"):
                status, answer = page.post(path, wish)
                self.assertEqual(status, BAD_REQUEST, wish)
                self.assertIn("error", answer)
        self.assertEqual(page.post("/api/run", b" " * 70_000)[0], TOO_LARGE)
        self.assertEqual(page.post("/api/recording", {})[0], NOT_FOUND)
        self.assertEqual(page.get("/api/run")[0], NOT_FOUND)
        stranger = Page(f"http://{page.host}/?token=0")
        self.assertIn(stranger.post("/api/run", {})[0], (UNAUTHORIZED, TOO_LARGE))
        self.assertIn(page.post("/api/run", {}, Origin="http://example.org")[0], (FORBIDDEN, TOO_LARGE))
        self.assertIn(page.post("/api/run", {}, Host="example.org")[0], (FORBIDDEN, TOO_LARGE))
        self.assertEqual(children(process), [])
        self.assertEqual(page.json("/api/runs"), [])


class Running(ModelPage):
    def test_runs_one_after_the_other(self):
        process, page, follower = self.view()
        first = self.run_to_its_end(page, follower, 0)
        self.assertEqual((first["file"], first["status"], first["certificate"]["verdict"]), ("run 1", "done", "good"))
        second = self.run_to_its_end(page, follower, 1, parameters={"length": 0.9}, starts={"hinge.rate": 1.0},
                                     duration=0.25)
        self.assertEqual(second["file"], "run 2: length=900 mm, hinge.rate=1 rad/s, 0.25 s")
        times = page.bytes("/api/times?run=1")
        self.assertEqual(len(page.bytes("/api/channel?run=1&name=swing")), len(times))
        # The oldest goes; numbers stay.
        for number in range(2, 6):
            self.run_to_its_end(page, follower, number)
        self.assertEqual([run["number"] for run in page.json("/api/runs")], [2, 3, 4, 5])
        self.assertEqual(page.get("/api/times?run=0")[0], NOT_FOUND)
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.h5")), [])
        self.assert_leaves_nothing(process)

    def test_pause_and_stop(self):
        process, page, follower = self.view()
        self.assertEqual(page.post("/api/run", {"duration": ENDLESS_S})[0], OK_STATUS)
        follower.status("running")
        self.assertEqual(page.post("/api/run", {})[0], CONFLICT)
        follower.say("pause")
        paused = follower.status("paused")
        self.assertEqual(follower.status("paused")["time"], paused["time"])
        # Files are followed meanwhile.
        self.write("swing.yaml", MODEL.replace("400 mm", "500 mm"))
        follower.message("model", scene=2)
        follower.say("resume")
        follower.status("running")
        follower.say("stop")
        follower.message("status", run=0, status="stopped")
        self.run_to_its_end(page, follower, 1)
        self.assert_leaves_nothing(process)

    def test_a_run_obeys_the_flags_of_the_view(self):
        for flags in ([], ["--trust-once", "--allow-outside"]):
            process, page, follower = self.view("--set", "weight=1500", "--start", "hinge.angle=5 deg", *flags)
            wish = {"parameters": {"weight": 2.5}, "starts": {"hinge.rate": -1.0}, "duration": ENDLESS_S}
            self.assertEqual(page.post("/api/run", wish)[0], OK_STATUS)
            follower.status("running")
            (keeper,) = children(process)
            commands = [pathlib.Path(f"/proc/{child}/cmdline").read_text().split("\0")[1:-1]
                        for child in children_of(keeper)]
            (command,) = [words for words in commands if words[0] == "run"]
            at = command.index("--output")
            self.assertTrue(command[at + 1].startswith(str(self.temporary)), command)
            del command[at:at + 2]
            # The last word counts; numbers of a parameter with a unit of its own are in that unit.
            self.assertEqual(command, ["run", "swing.yaml", "--json", "--quiet", "--set", "weight=1500", "--set", "weight=2500",
                                       "--start", "hinge.angle=5 deg", "--start", "hinge.rate=-1", "--duration", "1e+06",
                                       *reversed(flags)])
            self.assert_leaves_nothing(process)

    def test_a_file_that_is_kept(self):
        process, page, follower = self.view()
        kept = self.run_to_its_end(page, follower, 0, keep=True)
        self.assertEqual(kept["file"], "swing.h5")
        self.assertEqual(page.post("/api/run", {"keep": True, "duration": ENDLESS_S})[0], OK_STATUS)
        follower.status("running")
        self.assert_leaves_nothing(process)
        self.assertTrue((self.folder / "swing.h5").exists())
        info = json.loads(self.run_program("info", "--json", "swing.2.h5"))
        self.assertEqual(info["status"], "stopped")

    def run_program(self, *arguments):
        process = start(*arguments, cwd=self.folder)
        out, err = process.communicate()
        self.assertEqual(process.returncode, OK, err)
        return out

    def test_a_run_that_cannot_begin_says_why(self):
        self.write("swing.yaml", MODEL.replace("0.5 s}", "0.5 s, output_every: 1 ms}"))
        _, page, follower = self.view()
        self.assertEqual(page.post("/api/run", {"duration": 1e12})[0], OK_STATUS)
        self.assertIn("rows", follower.message("not_started")["message"])
        self.assertEqual(page.json("/api/runs"), [])
        self.run_to_its_end(page, follower, 0)

    def test_nothing_outlives_a_viewer_that_is_killed(self):
        for ending in (signal.SIGTERM, signal.SIGKILL):
            process, page, follower = self.view()
            self.assertEqual(page.post("/api/run", {"duration": ENDLESS_S})[0], OK_STATUS)
            follower.status("running")
            below = [process_id for child in children(process) for process_id in [child, *children_of(child)]]
            self.assertGreaterEqual(len(below), 2)
            process.send_signal(ending)
            process.wait()
            wait_until(lambda: not any(map(is_alive, below)), "the run ends")
            wait_until(lambda: not list(self.temporary.iterdir()), "its folder goes")


def children_of(process_id):
    return [int(word) for word in pathlib.Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()]


if __name__ == "__main__":
    unittest.main()
