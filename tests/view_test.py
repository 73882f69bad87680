#!/usr/bin/env python3
"""`gelenk view`, and `gelenk run --view`: what the page is given, and that neither harms the other."""

import concurrent.futures
import json
import os
import pathlib
import signal
import struct
import subprocess
import unittest

import h5py
import numpy

from program_support import FAILED, FILE_ERROR, INTERRUPTED, InFolder, MODEL_ERROR, OK, PROGRAM, run, SOURCE, TIMEOUT_S, USAGE_ERROR
from view_support import Page, check_policy, children, end, interrupt, is_alive, start, wait_until

PENDULUM = SOURCE / "examples/double_pendulum/double_pendulum.yaml"
FOUR_BAR = SOURCE / "examples/four_bar/four_bar.yaml"
BROKEN = SOURCE / "tests/broken"
NORMAL_END = 1000
# Long enough that it never ends by itself during a test; few rows, so that its file stays small.
ENDLESS = ("--duration", "1000000 s", "--output-every", "1 s")


class Viewing(InFolder):
    def start(self, *arguments):
        process = start(*arguments, cwd=self.folder)
        self.addCleanup(end, process)
        return process

    def view(self, *arguments):
        """The server and its page."""
        process = self.start("view", "--no-browser", *arguments)
        line = process.stdout.readline()
        self.assertRegex(line, r"^http://127\.0\.0\.1:[0-9]+/\?token=[0-9a-f]{32}\n$", process)
        return process, Page(line)

    def record(self, model, name, *options):
        self.assert_exit(run("run", model, "-o", name, *options, cwd=self.folder), OK)
        return name

    def assert_says_good_bye(self, follower):
        while follower.hear() is not None:
            pass
        self.assertEqual(follower.close_code, NORMAL_END)

    def assert_ends(self, process, code=OK):
        returned, _, err = interrupt(process)
        self.assertEqual(returned, code, err)


class View(Viewing):
    def test_model(self):
        process, page = self.view(FOUR_BAR)
        self.assertIn(b"gk-data", page.bytes("/"))
        self.assertEqual(page.json("/api/scene")["name"], "four_bar")
        self.assertEqual(page.json("/api/runs"), [])
        self.assertEqual(page.json("/api/diagnostics"), [])
        stranger = Page(f"http://{page.host}/?token=0")
        self.assertEqual(stranger.get("/api/scene")[0], 401)
        self.assertEqual(stranger.get("/")[0], 200)
        self.assertEqual(page.get("/../../etc/passwd")[0], 404)
        _, text, head = page.ask("/")
        check_policy(self, text.decode(), head["Content-Security-Policy"])
        code, out, err = interrupt(process)
        self.assertEqual((code, out), (OK, ""))
        self.assertIn("Ctrl-C", err)

    def test_rows_that_mean_nothing_are_left_out(self):
        # A crank of 100 mm on a rod of 70 mm: at the dead center the steps collapse, and the last row with them.
        self.write("locking.yaml", """gelenk: 1
parts:
  crank: {material: steel, shape: {cylinder: {radius: 5 mm, from: [0, 0, 0], to: pin}}, frames: {pin: {at: [100 mm, 0, 0]}}}
  rod: {at: crank.pin, material: steel, shape: {cylinder: {radius: 5 mm, from: [0, 0, 0], to: end}}, frames: {end: {at: [70 mm, 0, 0]}}}
  piston: {at: rod.end, mass: 0.5 kg, inertia: {xx: 1e-4, yy: 1e-4, zz: 1e-4}}
joints:
  bearing: {type: revolute, between: [ground, crank], axis: z, start: {angle: 10 deg}}
  pin: {type: revolute, between: [crank.pin, rod], axis: z}
  wrist: {type: revolute, between: [rod.end, piston], axis: z}
  guide: {type: prismatic, between: [ground, piston], axis: x}
drivers: {motor: {drives: bearing.angle, rate: 60 rpm}}
simulation: {duration: 1 s}
""")
        self.assert_exit(run("run", "locking.yaml", "-o", "run.h5", cwd=self.folder), FAILED)
        with h5py.File(self.folder / "run.h5") as file:
            recorded = file["time"].shape[0]
        _, page = self.view("run.h5")
        (info,) = page.json("/api/runs")
        self.assertEqual((info["status"], info["rows"]), ("failed", recorded - 1))
        self.assertIn("the motion runs away at 0.0956", info["leftOut"])
        torque = numpy.frombuffer(page.bytes("/api/channel?run=0&name=motor.torque&first=0"))
        self.assertEqual(len(torque), recorded - 1)
        self.assertLess(numpy.abs(torque).max(), 1e4)

    def test_settings_and_starts(self):
        _, straight = self.view(PENDULUM, "--start", "shoulder.angle=0 deg", "--start", "elbow.angle=0 deg")
        _, bent = self.view(PENDULUM, "--start", "shoulder.angle=0 deg", "--start", "elbow.angle=90 deg")
        poses = [[part["at"] for part in page.json("/api/scene")["parts"]] for page in (straight, bent)]
        self.assertEqual(poses[0][0], poses[1][0])
        self.assertNotEqual(poses[0][1], poses[1][1])

    def test_run_has_the_numbers_of_its_file(self):
        self.record(FOUR_BAR, "a.h5")
        _, page = self.view("a.h5")
        (described,) = page.json("/api/runs")
        self.assertEqual((described["status"], described["file"]), ("done", "a.h5"))
        self.assertEqual(described["certificate"]["verdict"], "good")
        with h5py.File(self.folder / "a.h5") as file:
            times = file["time"][:]
            self.assertEqual(page.bytes("/api/times?run=0"), times.tobytes())
            rows = described["rows"]
            for number, block in enumerate(described["blocks"]):
                table = file[block["name"]][:].reshape(rows, -1)
                self.assertEqual(table.shape[1], block["width"])
                got = page.bytes(f"/api/rows?run=0&block={number}&first=3&count={rows - 5}")
                self.assertEqual(got, table[3:-2].astype("<f4").tobytes(), block["name"])
            for channel in described["channels"][::7]:
                block = described["blocks"][channel["block"]]["name"]
                column = file[block][:].reshape(rows, -1)[:, channel["column"]]
                got = page.bytes(f"/api/channel?run=0&name={channel['name']}&first=1")
                self.assertEqual(got, column[1:].tobytes(), channel["name"])
        scene = page.json("/api/scene")
        self.assertEqual(sorted(described["partOrder"]), sorted(part["path"] for part in scene["parts"]))
        self.assertEqual(page.get(f"/api/rows?run=0&block=0&first={rows}&count=1")[0], 416)
        follower = page.follow()
        self.addCleanup(follower.close)
        self.assertEqual(follower.status("done")["time"], times[-1])
        self.assert_says_good_bye(follower)

    def test_two_runs(self):
        self.record(FOUR_BAR, "a.h5")
        self.record(FOUR_BAR, "b.h5", "--duration", "0.1 s")
        self.record(PENDULUM, "c.h5", "--duration", "0.1 s")
        process, page = self.view("a.h5", "b.h5", "c.h5")
        self.assertEqual([described["file"] for described in page.json("/api/runs")], ["a.h5", "b.h5", "c.h5"])
        texts = [message["text"] for message in page.json("/api/diagnostics")]
        self.assertEqual(len(texts), 1, texts)
        self.assertIn("'c.h5' is a run of another model", texts[0])
        self.assert_ends(process)

    def test_the_browser_is_not_told_the_token_in_its_arguments(self):
        """Other users see the arguments of every program; the page that leads on is for this user alone."""
        seen = self.folder / "arguments"
        browser = self.write("browser", f"#!/bin/sh\nprintf '%s\\n' \"$@\" >{seen}.part && mv {seen}.part {seen}\n")
        os.chmod(browser, 0o755)
        process = subprocess.Popen([PROGRAM, "view", PENDULUM], stdout=subprocess.PIPE, text=True, cwd=self.folder,
                                   env={**os.environ, "BROWSER": str(browser)})
        self.addCleanup(process.kill)
        page = Page(process.stdout.readline())
        wait_until(seen.exists, "the browser is started")
        argument = seen.read_text().strip()
        self.assertTrue(argument.startswith("file:///"), argument)
        self.assertNotIn(page.token, argument)
        path = pathlib.Path(argument.removeprefix("file://"))
        self.assertIn(page.token, path.read_text())
        self.assertEqual((path.stat().st_mode & 0o077, path.parent.stat().st_mode & 0o077), (0, 0))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)
        self.assertFalse(path.parent.exists(), "nothing is left behind")

    def test_mistakes(self):
        self.record(PENDULUM, "a.h5", "--duration", "0.1 s")
        self.write("text.h5", "no results\n")
        self.write("rubbish.yaml", "\x00\x01\x02")
        (self.folder / "cut.h5").write_bytes((self.folder / "a.h5").read_bytes()[:3000])
        (self.folder / "folder").mkdir()
        for arguments, code, words in [
                (["none.yaml"], FILE_ERROR, "none.yaml"), (["none.h5"], FILE_ERROR, "there is no file 'none.h5'"),
                ([FOUR_BAR, PENDULUM], USAGE_ERROR, "is not a results file"),
                (["a.h5", FOUR_BAR], USAGE_ERROR, "is not a results file"),
                (["a.h5", "none.h5"], FILE_ERROR, "there is no file 'none.h5'"),
                (["text.h5"], FILE_ERROR, "it is not an HDF5 file"), (["cut.h5"], FILE_ERROR, "cut.h5"),
                (["folder"], FILE_ERROR, "folder"), (["rubbish.yaml"], MODEL_ERROR, "rubbish.yaml"),
                (["a.h5", "--set", "x=1"], USAGE_ERROR, "--set"),
                ([PENDULUM, "--start", "none.angle=1 rad"], USAGE_ERROR, "none")]:
            result = run("view", "--no-browser", *arguments, cwd=self.folder)
            self.assertEqual((result.returncode, result.stdout), (code, ""), (arguments, result.stderr))
            self.assertIn(words, result.stderr)

    def test_what_a_killed_run_has_left(self):
        process = self.start("run", PENDULUM, "-o", "a.h5", *ENDLESS)
        wait_until(lambda: (self.folder / "a.h5").exists() and (self.folder / "a.h5").stat().st_size > 100_000, "rows")
        _, page = self.view("a.h5")
        self.assertEqual(page.json("/api/runs")[0]["status"], "running")
        process.kill()
        process.wait()
        wait_until(lambda: page.json("/api/runs")[0]["status"] == "stopped", "the end is noticed")
        self.assertIn("killed", page.json("/api/runs")[0]["message"])
        _, later = self.view("a.h5")
        self.assertEqual(later.json("/api/runs")[0]["status"], "stopped")


def view_once(path):
    """The exit code, and what the page got."""
    process = start("view", "--no-browser", path)
    try:
        line = process.stdout.readline()
        if not line:
            process.communicate(timeout=TIMEOUT_S)
            return path, process.returncode, None
        page = Page(line)
        got = {name: page.get(f"/api/{name}") for name in ("scene", "diagnostics", "runs")}
        return path, interrupt(process)[0], got
    finally:
        end(process)


class BrokenModels(Viewing):
    def test_none_ends_the_program_by_force(self):
        models = sorted(path for path in BROKEN.rglob("*") if path.suffix in (".yaml", ".json"))
        models += sorted((SOURCE / "tests/data").glob("prototype_*.json"))
        self.assertGreater(len(models), 150)
        shown = 0
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for path, code, got in pool.map(view_once, models):
                if got is None:
                    self.assertIn(code, (MODEL_ERROR, FILE_ERROR), path)
                    continue
                shown += 1
                self.assertEqual(code, OK, path)
                for name, (status, body) in got.items():
                    self.assertEqual(status, 200, (path, name))
                    json.loads(body)
        self.assertGreater(shown, 80)

    def test_errors_stand_at_their_elements(self):
        process, page = self.view(BROKEN / "mechanics/mass_zero.yaml")
        errors = [message for message in page.json("/api/diagnostics") if message["severity"] == "error"]
        self.assertNotEqual(errors, [])
        self.assertTrue(errors[0]["file"].endswith("mass_zero.yaml"))
        self.assertGreater(errors[0]["line"], 0)
        paths = [part["path"] for part in page.json("/api/scene")["parts"]]
        self.assertIn(errors[0]["element"], paths)
        self.assert_ends(process)

    def test_parts_that_do_not_meet_show_the_gap(self):
        # A bar of 100 mm between bearings that are 150 mm apart
        _, page = self.view(BROKEN / "motion/cannot_close.yaml")
        scene = page.json("/api/scene")
        self.assertEqual([message["severity"] for message in page.json("/api/diagnostics")], ["error"])
        gaps = []
        at = scene["parts"][0]["at"]
        for joint in scene["joints"]:
            ends = [numpy.array(frame[:3]) for frame in joint["frames"]]
            w, *v = at[3:]
            turned = ends[1] + 2 * numpy.cross(v, numpy.cross(v, ends[1]) + w * ends[1])
            gaps.append(numpy.linalg.norm(numpy.array(at[:3]) + turned - ends[0]))
        # The shortest way between them is what the bar lacks.
        self.assertGreaterEqual(sum(gaps), 0.05 - 1e-9)
        self.assertLess(sum(gaps), 0.1)


class Live(Viewing):
    def run_live(self, *arguments):
        """A run and the page that shows it."""
        process = self.start("run", PENDULUM, "-o", "out.h5", "--view", "--no-browser", *arguments)
        # A short run may have reported its end before the page is there.
        page = Page(next(line for line in process.stdout if line.startswith("http://")))
        follower = page.follow()
        self.addCleanup(follower.close)
        return process, page, follower

    def assert_whole(self, status):
        with h5py.File(self.folder / "out.h5") as file:
            self.assertEqual(file["status"][()].decode(), status)
            return len(file["time"])

    def test_pause_resume_and_stop(self):
        process, page, follower = self.run_live(*ENDLESS)
        going = follower.status("running")
        self.assertEqual(going["end"], 1e6)
        follower.say("pause")
        paused = follower.status("paused")
        self.assertEqual(follower.status("paused")["time"], paused["time"])
        self.assertGreaterEqual(paused["time"], going["time"])
        self.assertEqual(page.json("/api/runs")[0]["status"], "running")
        follower.say("resume")
        resumed = follower.status("running")
        rows = follower.hear_until(lambda message: isinstance(message, dict) and message["type"] == "rows")["rows"]
        self.assertGreaterEqual(resumed["time"], paused["time"])
        poses = follower.hear_until(lambda message: isinstance(message, bytes))
        kind, row, time = struct.unpack_from("<B3xId", poses)
        self.assertEqual(kind, 1)
        self.assertGreaterEqual(row + 1, rows)
        self.assertEqual(len(poses), 16 + 7 * 4 * len(page.json("/api/runs")[0]["partOrder"]))
        self.assertEqual(struct.unpack("<d", page.bytes(f"/api/times?run=0&first={row}")[:8])[0], time)
        follower.say("stop")
        follower.status("stopped")
        self.assert_says_good_bye(follower)
        self.assertEqual(page.json("/api/runs")[0]["status"], "stopped")
        self.assertIsNone(process.poll(), "the page stays")
        self.assert_ends(process, INTERRUPTED)
        self.assertGreater(self.assert_whole("stopped"), row)
        self.assertEqual(page_is_there(page), False)

    def test_a_run_that_ends_by_itself(self):
        process, page, follower = self.run_live("--duration", "0.2 s")
        self.assert_says_good_bye(follower)
        (described,) = page.json("/api/runs")
        self.assertEqual(described["status"], "done")
        # Of a fixed step: its error is known when the page hears of the end.
        certificate = described["certificate"]
        self.assertNotIn("unknownStepError", certificate)
        self.assertTrue(certificate["doubledStep"])
        self.assertIsNone(process.poll(), "the page stays")
        self.assert_ends(process)
        self.assertEqual(self.assert_whole("done"), described["rows"])

    def test_a_killed_run_takes_its_viewer_along(self):
        process, _, _ = self.run_live(*ENDLESS)
        (viewer,) = children(process)
        process.kill()
        wait_until(lambda: not is_alive(viewer), "the viewer ends")

    def test_a_killed_viewer_leaves_the_run_alone(self):
        process, _, follower = self.run_live("--duration", "0.5 s", "--method", "rk4", "--step", "0.01 ms")
        follower.say("pause")
        follower.status("paused")
        (viewer,) = children(process)
        os.kill(viewer, signal.SIGKILL)
        out, err = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, OK, err)
        self.assertIn("the viewer has ended; the run continues without it", err)
        self.assertIn("out.h5", out)
        self.assert_whole("done")

    def test_no_confirmation_beside_a_viewer(self):
        result = run("run", PENDULUM, "-o", "out.h5", "--view", "--confirm", cwd=self.folder)
        self.assertEqual(result.returncode, USAGE_ERROR)
        self.assertIn("cannot be combined", result.stderr)
        self.assertFalse((self.folder / "out.h5").exists())

    def test_ctrl_c_ends_both(self):
        process, _, _ = self.run_live(*ENDLESS)
        (viewer,) = children(process)
        self.assert_ends(process, INTERRUPTED)
        self.assertFalse(is_alive(viewer))
        self.assert_whole("stopped")


def page_is_there(page):
    try:
        page.get("/")
        return True
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main()
