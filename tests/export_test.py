#!/usr/bin/env python3
"""`gelenk export` of what a machine looks like: poses and motions as glTF, checked by the Khronos validator."""

import json
import shutil
import unittest

import h5py
import numpy

from gltf_support import Gltf, rotation, validate
from program_support import FILE_ERROR, InFolder, MODEL_ERROR, OK, run, SOURCE

EXAMPLES = ("car", "crank_slider", "four_bar", "steam_engine", "double_pendulum", "h_frame")
ENGINE_STEP = SOURCE / "tests/data/cad/steam_engine.step"
FLOAT = 2e-7  # numbers of the files are floats; of the largest of them
MOST_ROWS_PER_SECOND = 60


def example(name):
    return str(SOURCE / f"examples/{name}/{name}.yaml")


class Recorded:
    """Poses of a run, read without the program."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            self.times = file["time"][:]
            self.poses = {}
            file["by_path"].visititems(lambda name, item: self.take(name, item))

    def take(self, name, item):
        if name.endswith("/pose"):
            self.poses[name.removesuffix("/pose").replace("/", ".")] = item[:]


class ExportGltf(InFolder):
    def export(self, *arguments):
        result = run("export", *arguments, cwd=self.folder)
        self.assert_exit(result, OK)
        return result

    def run_example(self, name, *options):
        self.assert_exit(run("run", example(name), "-o", f"{name}.h5", *options, cwd=self.folder), OK)
        return Recorded(self.folder / f"{name}.h5")

    def assert_valid(self, *names):
        for report in validate([self.folder / name for name in names]):
            self.assertEqual((report["errors"], report["warnings"]), (0, 0), (report["file"], report["messages"]))

    def assert_pose(self, gltf, path, pose, size):
        """A node stands below the root where the run says."""
        outer_turn, _ = gltf.place(0)
        turn, offset = gltf.place(gltf.index(path))
        numpy.testing.assert_allclose(outer_turn.T @ offset, pose[:3], atol=FLOAT * size)
        numpy.testing.assert_allclose(outer_turn.T @ turn, rotation([*pose[4:], pose[3]]), atol=1e-9)

    def assert_same_motion(self, gltf, recorded):
        tracks = gltf.tracks()
        for path, poses in recorded.poses.items():
            size = max(1.0, abs(poses[:, :3]).max())
            is_moving = (poses[:, :3].astype("f4") != poses[0, :3].astype("f4")).any()
            self.assertEqual((path, "translation") in tracks, is_moving, path)
            if not is_moving:
                numpy.testing.assert_allclose(gltf.node(path).get("translation", [0, 0, 0]), poses[0, :3], atol=FLOAT)
                continue
            times, places = tracks[path, "translation"]
            rows = numpy.searchsorted(recorded.times, recorded.times[0] + times - 1e-6)
            numpy.testing.assert_allclose(recorded.times[rows] - recorded.times[0], times, atol=1e-6)
            numpy.testing.assert_allclose(places, poses[rows, :3], atol=FLOAT * size)
            if (path, "rotation") in tracks:
                _, turns = tracks[path, "rotation"]
                written = turns[:, [3, 0, 1, 2]]
                same = abs((written * poses[rows, 3:]).sum(axis=1))
                numpy.testing.assert_allclose(same, 1.0, atol=1e-6)
                self.assertGreater((turns[1:] * turns[:-1]).sum(axis=1).min(), 0.0, "the short way round")

    def test_examples(self):
        files = []
        for name in EXAMPLES:
            with self.subTest(example=name):
                recorded = self.run_example(name)
                for options in ([], ["--symbols"]):
                    files.append(f"{name}_pose{len(options)}.glb")
                    self.export(example(name), "-o", files[-1], *options)
                files.append(f"{name}.glb")
                report = json.loads(self.export(f"{name}.h5", "-o", files[-1], "--json").stdout)
                self.assertEqual(report["parts"], len(recorded.poses))
                self.assertEqual(report["notes"], [])
                pose, motion = Gltf(self.folder / f"{name}_pose0.glb"), Gltf(self.folder / f"{name}.glb")
                for path, poses in recorded.poses.items():
                    self.assert_pose(pose, path, poses[0], 1.0)
                    self.assert_pose(motion, path, poses[0], 1.0)
                self.assertEqual(pose.tracks(), {})
                self.assert_same_motion(motion, recorded)
                count = max(len(times) for times, _ in motion.tracks().values())
                self.assertEqual(count, report["poses"])
                self.assertLessEqual(count, 2 + MOST_ROWS_PER_SECOND * (recorded.times[-1] - recorded.times[0]))
        self.assert_valid(*files)

    def test_text_form_holds_the_same(self):
        self.run_example("four_bar")
        self.export("four_bar.h5", "-o", "four_bar.glb")
        self.export("four_bar.h5", "-o", "four_bar.gltf")
        self.assert_valid("four_bar.gltf")
        binary, text = Gltf(self.folder / "four_bar.glb"), Gltf(self.folder / "four_bar.gltf")
        self.assertEqual(binary.nodes, text.nodes)
        self.assertEqual(binary.bytes[:len(text.bytes)], text.bytes)

    def test_the_machine_stands_upright(self):
        self.export(example("car"), "-o", "car.glb")
        lower, upper = Gltf(self.folder / "car.glb").bounds()
        # As drawn: from the spare wheel to the bumper, from the road to the roof.
        numpy.testing.assert_allclose([lower[0], upper[0]], [-2.01, 2.0], atol=1e-5)
        numpy.testing.assert_allclose([lower[1], upper[1]], [0.0, 1.52], atol=1e-4)

    def test_assemblies_are_the_tree(self):
        self.export(example("car"), "-o", "car.glb")
        gltf = Gltf(self.folder / "car.glb")
        chain = [gltf.index("front_left.wheel_group.wheel")]
        while chain[-1] in gltf.owner:
            chain.append(gltf.owner[chain[-1]])
        self.assertEqual([gltf.nodes[i]["name"] for i in chain],
                         ["front_left.wheel_group.wheel", "front_left.wheel_group", "front_left", "car"])

    def test_pictures_a_second(self):
        recorded = self.run_example("crank_slider")
        self.export("crank_slider.h5", "-o", "film.glb", "--fps", "24")
        self.assert_valid("film.glb")
        times, places = Gltf(self.folder / "film.glb").tracks()["piston", "translation"]
        numpy.testing.assert_allclose(times, numpy.arange(25) / 24.0, atol=1e-6)
        expected = numpy.interp(times, recorded.times, recorded.poses["piston"][:, 0])
        numpy.testing.assert_allclose(places[:, 0], expected, atol=1e-6)

    def test_one_pose_of_a_run(self):
        recorded = self.run_example("crank_slider")
        self.export("crank_slider.h5", "-o", "pose.glb", "--time", "300 ms")
        gltf = Gltf(self.folder / "pose.glb")
        self.assertNotIn("animations", gltf.json)
        row = int(numpy.argmin(abs(recorded.times - 0.3)))
        for path, poses in recorded.poses.items():
            self.assert_pose(gltf, path, poses[row], 1.0)

    def test_start_values_of_a_model(self):
        self.export(example("crank_slider"), "--start", "main_bearing.angle=0 deg", "-o", "pose.glb")
        numpy.testing.assert_allclose(Gltf(self.folder / "pose.glb").node("piston")["translation"], [0.2, 0, 0], atol=1e-9)

    def test_fast_parts_keep_their_rows(self):
        self.run_example("crank_slider", "--set", "speed=6000 rpm", "--duration", "0.1 s", "--output-every", "1 ms")
        self.export("crank_slider.h5", "-o", "fast.glb")
        _, turns = Gltf(self.folder / "fast.glb").tracks()["crank", "rotation"]
        self.assertGreater((turns[1:] * turns[:-1]).sum(axis=1).min(), numpy.cos(numpy.pi / 4) - 1e-6)

    def test_only_some_parts_recorded(self):
        self.run_example("crank_slider", "--record", "piston.*")
        result = self.export("crank_slider.h5", "-o", "some.glb")
        self.assertIn("motion of 2 of 3 parts is not in the run", result.stderr)
        self.assertEqual({path for path, _ in Gltf(self.folder / "some.glb").tracks()}, {"piston"})

    def test_equal_files_give_equal_bytes(self):
        for name in ("a.glb", "b.glb"):
            self.export(example("steam_engine"), "-o", name)
        self.assertEqual((self.folder / "a.glb").read_bytes(), (self.folder / "b.glb").read_bytes())

    def test_scene(self):
        self.export(example("car"), "-o", "car.scene.json")
        scene = json.loads((self.folder / "car.scene.json").read_text())
        self.assertEqual(scene["format"], 1)
        self.assertEqual(len(scene["parts"]), 17)
        wheel = next(part for part in scene["parts"] if part["path"] == "front_left.wheel_group.wheel")
        self.assertEqual(wheel["shapes"][0]["kind"], "cylinder")
        self.assertTrue(wheel["file"].endswith("suspension.yaml"))
        joint = next(joint for joint in scene["joints"] if joint["path"] == "front_left.strut_foot")
        self.assertIsNone(joint["axis"])
        for i, frame in zip(joint["parts"], joint["frames"]):
            at = scene["parts"][i]["at"]
            place = rotation([*at[4:], at[3]]) @ frame[:3] + at[:3]
            joint.setdefault("places", []).append(place)
        numpy.testing.assert_allclose(joint["places"][0], joint["places"][1], atol=1e-9)

    def test_free_motions_of_a_scene(self):
        for name in ("car", "four_bar"):
            check = json.loads(run("check", example(name), "--json", cwd=self.folder).stdout)
            self.export(example(name), "-o", f"{name}.scene.json")
            scene = json.loads((self.folder / f"{name}.scene.json").read_text())
            self.assertEqual(len(scene["motions"]), check["summary"]["freeMotions"], name)
            for motion in scene["motions"]:
                self.assertEqual(len(motion["twists"]), len(scene["parts"]))
        # A run begins where the machine was put together.
        self.run_example("four_bar", "--duration", "10 ms")
        self.export("four_bar.h5", "-o", "run.scene.json")
        of_run = json.loads((self.folder / "run.scene.json").read_text())["motions"]
        self.assertEqual([motion["name"] for motion in of_run], ["crank turns (crank_bearing.angle)"])
        numpy.testing.assert_allclose(of_run[0]["twists"], scene["motions"][0]["twists"], atol=1e-9)


class ExportImported(InFolder):
    def setUp(self):
        super().setUp()
        self.assert_exit(run("import", ENGINE_STEP, "-o", "out", cwd=self.folder), OK)

    def run_it(self):
        self.assert_exit(run("run", "out/steam_engine.yaml", "--start", "stator_crank_group.rate=1.96", "--duration", "0.2 s",
                             "-o", "run.h5", cwd=self.folder), OK)

    def export(self, *arguments, cwd=None):
        result = run("export", *arguments, cwd=cwd or self.folder)
        self.assert_exit(result, OK)
        return result

    # S2-13: the faces of the drawing are the picture.
    def test_pictures_of_the_drawing(self):
        result = self.export("out/steam_engine.yaml", "-o", "engine.glb")
        self.assertNotIn("note", result.stderr)
        lower, upper = Gltf(self.folder / "engine.glb").bounds()
        numpy.testing.assert_allclose(sorted(upper - lower), [0.175, 0.220, 0.590], atol=2e-3)
        for report in validate([self.folder / "engine.glb", self.folder / "out/steam_engine.cad/flywheel.glb"]):
            self.assertEqual((report["errors"], report["warnings"]), (0, 0), report["messages"])

    # S2-01: from the drawing to the motion and its pictures, all automatic.
    def test_a_run_finds_its_pictures(self):
        self.run_it()
        self.assertNotIn("note", self.export("run.h5", "-o", "run.glb").stderr)
        # From elsewhere, and after the model was changed: the run keeps its own.
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        self.assertNotIn("note", self.export("../run.h5", "-o", "run.glb", cwd=elsewhere).stderr)
        mine = self.folder / "out/steam_engine.yaml"
        mine.write_text(mine.read_text() + "gravity: none\n")
        self.assertNotIn("note", self.export("run.h5", "-o", "changed.glb").stderr)
        first = (self.folder / "run.glb").read_bytes()
        self.assertEqual((elsewhere / "run.glb").read_bytes(), first)
        self.assertEqual((self.folder / "changed.glb").read_bytes(), first)

    def test_without_its_pictures(self):
        self.run_it()
        picture = self.folder / "out/steam_engine.cad/flywheel.glb"
        picture.write_bytes(picture.read_bytes()[:-7])
        result = self.export("out/steam_engine.yaml", "-o", "cut.glb")
        self.assertIn("'crank_group.flywheel' is shown as a plain shape", result.stderr)
        self.assertIn("cut off", result.stderr)
        for each in (self.folder / "out/steam_engine.cad").glob("*.glb"):
            each.unlink()
        result = self.export("out/steam_engine.yaml", "-o", "none.glb")
        self.assertIn("No such file", result.stderr)
        self.assertEqual(1, result.stderr.count("plain shapes"), "one note for all of them")
        self.assertIn("does not contain them: keep the folder of the import", result.stderr)
        # The results have pictures of their own.
        self.assertNotIn("note", self.export("run.h5", "-o", "before.glb").stderr)
        shutil.rmtree(self.folder / "out")
        result = self.export("run.h5", "-o", "after.glb")
        self.assertNotIn("note", result.stderr)
        self.assertEqual((self.folder / "before.glb").read_bytes(), (self.folder / "after.glb").read_bytes())
        for report in validate([self.folder / "cut.glb", self.folder / "none.glb"]):
            self.assertEqual((report["errors"], report["warnings"]), (0, 0), report["messages"])


class Mistakes(InFolder):
    def test_options_that_mean_nothing(self):
        model = example("crank_slider")
        for arguments, words in (([model, "-o", "x.txt"], "an unknown file extension"),
                                 ([model, "-o", ".glb"], "an unknown file extension"),
                                 ([model, "-o", "x.glb", "--display"], "--display does not apply to 'x.glb'"),
                                 ([model, "piston.position", "-o", "x.glb"], "CHANNEL does not apply"),
                                 ([model, "-o", "x.glb", "--time", "1"], "--time needs a run"),
                                 ([model, "-o", "x.glb", "--fps", "30"], "--fps needs a run"),
                                 ([model, "-o", "x.glb", "--fps", "-3"], "--fps needs a positive"),
                                 ([model, "-o", "x.glb", "--start", "bearing.angle=1"], "--start")):
            with self.subTest(arguments=arguments):
                self.assert_usage_error(run("export", *arguments, cwd=self.folder), words)
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_times_outside_of_the_run(self):
        self.assert_exit(run("run", example("four_bar"), "-o", "run.h5", cwd=self.folder), OK)
        self.assert_usage_error(run("export", "run.h5", "-o", "x.glb", "--time", "5 s", cwd=self.folder), "from 0 s to 2 s")
        self.assert_usage_error(run("export", "run.h5", "-o", "x.glb", "--set", "speed=1 rpm", cwd=self.folder), "--set")

    def test_files_are_not_overwritten(self):
        self.write("x.glb", "mine")
        result = run("export", example("four_bar"), "-o", "x.glb", cwd=self.folder)
        self.assert_exit(result, FILE_ERROR)
        self.assertIn("--force", result.stderr)
        self.assertEqual((self.folder / "x.glb").read_text(), "mine")
        self.assert_exit(run("export", example("four_bar"), "-o", "x.glb", "--force", cwd=self.folder), OK)
        self.assertEqual((self.folder / "x.glb").read_bytes()[:4], b"glTF")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["x.glb"], "nothing else is left")

    def test_bad_models(self):
        bad = self.write("bad.yaml", "gelenk: 1\nparts: {a: {mass: -1}}\n")
        result = run("export", bad, "-o", "x.glb", cwd=self.folder)
        self.assert_exit(result, MODEL_ERROR)
        self.assertIn("bad.yaml:2", result.stderr)
        result = run("export", bad, "-o", "x.glb", "--json", cwd=self.folder)
        self.assert_exit(result, MODEL_ERROR)
        self.assertFalse(json.loads(result.stdout)["ok"])
        self.assert_exit(run("export", "none.yaml", "-o", "x.glb", cwd=self.folder), FILE_ERROR)
        self.assert_exit(run("export", example("four_bar"), "-o", "no/such/x.glb", cwd=self.folder), FILE_ERROR)


if __name__ == "__main__":
    unittest.main()
