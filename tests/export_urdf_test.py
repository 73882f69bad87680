#!/usr/bin/env python3
"""`gelenk export` of robot descriptions and triangles: the same motion, masses and sizes as in the model."""

import json
import struct
import unittest
import xml.etree.ElementTree as xml

import h5py
import numpy

from program_support import FILE_ERROR, InFolder, OK, run, SOURCE

PANDA = SOURCE / "tests/data/robots/panda.urdf"
# Poses of a run are on the constraints to rounding; numbers of the description are doubles in full.
CLOSE = 1e-9


def example(name):
    return str(SOURCE / f"examples/{name}/{name}.yaml")


def turn_about(axis, angle):
    x, y, z = axis
    cross = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return numpy.eye(3) + numpy.sin(angle) * cross + (1 - numpy.cos(angle)) * cross @ cross


def numbers(text):
    return numpy.array([float(number) for number in text.split()])


def pose_of(element):
    origin = element.find("origin")
    roll, pitch, yaw = numbers(origin.get("rpy"))
    turn = turn_about((0, 0, 1), yaw) @ turn_about((0, 1, 0), pitch) @ turn_about((1, 0, 0), roll)
    return turn, numbers(origin.get("xyz"))


def times(a, b):
    return a[0] @ b[0], a[0] @ b[1] + a[1]


class Robot:
    def __init__(self, path):
        self.text = path.read_text()
        self.root = xml.fromstring(self.text)
        self.links = {link.get("name"): link for link in self.root.findall("link")}
        self.joints = {joint.get("name"): joint for joint in self.root.findall("joint")}

    def centers(self, coordinates):
        """Where the centers of mass of all links are in the root, at these joint coordinates."""
        holder = {joint.find("child").get("link"): joint for joint in self.joints.values()}

        def pose(link):
            if link not in holder:
                return numpy.eye(3), numpy.zeros(3)
            joint = holder[link]
            place = times(pose(joint.find("parent").get("link")), pose_of(joint))
            if joint.get("type") in ("fixed", "floating"):
                return place
            axis = numbers(joint.find("axis").get("xyz"))
            value = coordinates[joint.get("name")]
            if joint.get("type") == "prismatic":
                return times(place, (numpy.eye(3), axis * value))
            return times(place, (turn_about(axis, value), numpy.zeros(3)))

        return {name: times(pose(name), pose_of(link.find("inertial")))[1]
                for name, link in self.links.items() if link.find("inertial") is not None}


class ExportUrdf(InFolder):
    def export(self, model, name):
        result = run("export", model, "-o", f"{name}.urdf", cwd=self.folder)
        self.assert_exit(result, OK)
        return Robot(self.folder / f"{name}.urdf"), result.stderr

    def reimported(self, name, *options):
        result = run("import", f"{name}.urdf", "-o", f"{name}_again", "--json", *options, cwd=self.folder)
        self.assert_exit(result, OK)
        return json.loads(result.stdout)

    def assert_moves_alike(self, model, robot, *options):
        """The links stand where the run has its parts, at the first row and at others."""
        self.assert_exit(run("run", model, "-o", "run.h5", "--force", "--duration", "0.5 s", *options, cwd=self.folder), OK)
        self.assert_exit(run("export", model, "-o", "model.scene.json", "--force", cwd=self.folder), OK)
        scene = json.loads((self.folder / "model.scene.json").read_text())
        with h5py.File(self.folder / "run.h5", "r") as file:
            by_path = file["by_path"]
            for row in (0, 7, -1):
                coordinates = {}
                for joint in scene["joints"]:
                    item = by_path[joint["path"].replace(".", "/")]
                    for key in {"angle", "travel"} & set(item):
                        coordinates[joint["path"].replace(".", "_")] = item[key][row]
                centers = robot.centers(coordinates)
                for part in scene["parts"]:
                    w, x, y, z = by_path[part["path"].replace(".", "/")]["pose"][row][3:]
                    place = by_path[part["path"].replace(".", "/")]["pose"][row][:3]
                    axis = numpy.array([x, y, z])
                    size = numpy.linalg.norm(axis)
                    turn = turn_about(axis / size, 2 * numpy.arctan2(size, w)) if size > 0 else numpy.eye(3)
                    numpy.testing.assert_allclose(centers[part["path"].replace(".", "_")], turn @ part["center"] + place,
                                                  atol=CLOSE, err_msg=part["path"])

    # S2-10: one description for other programs, too.
    def test_examples_move_as_their_links(self):
        for name, cut, motions in (("double_pendulum", None, 2), ("crank_slider", "bore", 3), ("four_bar", "rocker_bearing", 3),
                                   ("h_frame", "right_hinge", 1), ("steam_engine", "unit.1.guide", 7)):
            with self.subTest(example=name):
                robot, reported = self.export(example(name), name)
                if cut:
                    self.assertIn("loops are cut at", reported)
                    self.assertIn(f"'{cut}'", reported)
                    self.assertIn(f"'{cut}'", robot.text)
                else:
                    self.assertNotIn("cut", reported)
                self.assert_moves_alike(example(name), robot)
                report = self.reimported(name)
                mass = sum(float(mass.get("value")) for mass in robot.root.iter("mass"))
                standing = 1.0 if robot.links["world"].find("inertial") is None and name != "steam_engine" else 0.0
                self.assertAlmostEqual(report["import"]["mass"], mass + standing, 9, "a base without mass gets 1 kg")
                self.assertEqual(report["assembly"]["freeMotions"], motions)

    def test_panda_comes_back(self):
        self.assert_exit(run("import", PANDA, "-o", "panda", cwd=self.folder), OK)
        robot, reported = self.export("panda/panda.yaml", "panda")
        self.assertNotIn("cut", reported)
        given = Robot(PANDA)
        for name, joint in given.joints.items():
            if joint.get("type") == "fixed":
                continue
            with self.subTest(joint=name):
                mine = robot.joints[name]
                self.assertEqual(mine.get("type"), joint.get("type"))
                for key, value in joint.find("limit").attrib.items():
                    self.assertEqual(float(mine.find("limit").get(key)), float(value), key)
        starts = [option for i in (1, 3, 5) for option in ("--start", f"panda_joint{i}.angle={0.3 * i} rad")]
        self.assert_moves_alike("panda/panda.yaml", robot, *starts)
        before = json.loads(run("import", PANDA, "-o", "first", "--json", cwd=self.folder).stdout)
        after = self.reimported("panda")
        self.assertAlmostEqual(after["import"]["mass"], before["import"]["mass"], 9)
        self.assertEqual(after["assembly"]["freeMotions"], 9)
        self.assertEqual(sorted((joint["name"], joint["type"]) for joint in after["import"]["joints"]),
                         sorted((joint["name"], joint["type"]) for joint in before["import"]["joints"]))

    def test_a_car_has_no_ground_under_it(self):
        robot, reported = self.export(example("car"), "car")
        self.assertNotIn("world", robot.links)
        self.assertIn("'front_left.damper.slide' (cylindrical)", reported)
        self.assertIn("'rear_right.strut_foot' (spherical)", reported)
        self.assertEqual(len(robot.links), 17)
        self.assertTrue((self.folder / "car_meshes/front_left_damper_tube.stl").exists())
        self.assertAlmostEqual(self.reimported("car", "--base", "floating")["import"]["mass"], 1388, 9)

    def test_meshes_of_an_imported_machine(self):
        step = SOURCE / "tests/data/cad/steam_engine.step"
        self.assert_exit(run("import", step, "-o", "out", cwd=self.folder), OK)
        self.export("out/steam_engine.yaml", "engine")
        self.assertEqual(len(list((self.folder / "engine_meshes").iterdir())), 13)
        report = self.reimported("engine")
        self.assertFalse(any("mesh" in note for note in report["import"]["notes"]), report["import"]["notes"])
        result = run("export", "out/steam_engine.yaml", "-o", "engine.urdf", cwd=self.folder)
        self.assert_exit(result, FILE_ERROR)


def read_stl(path):
    data = path.read_bytes()
    count = struct.unpack("<I", data[80:84])[0]
    rows = numpy.frombuffer(data[84:], dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    assert len(rows) == count
    return rows


class ExportStl(InFolder):
    def export(self, *arguments):
        result = run("export", *arguments, cwd=self.folder)
        self.assert_exit(result, OK)
        return result

    def test_one_file_for_each_part(self):
        self.export(example("car"), "-o", "parts/", "--unit", "mm")
        files = list((self.folder / "parts").iterdir())
        self.assertEqual(len(files), 17)
        chassis = read_stl(self.folder / "parts/chassis.stl")["corners"].reshape(-1, 3)
        numpy.testing.assert_allclose(chassis.max(axis=0), [2000, 870, 920], atol=0.1)  # round mirrors have corners
        again = run("export", example("car"), "-o", "parts/", cwd=self.folder)
        self.assert_exit(again, FILE_ERROR)
        self.export(example("car"), "-o", "parts/", "--force")
        numpy.testing.assert_allclose(read_stl(self.folder / "parts/chassis.stl")["corners"].max(), 2.0)

    def test_a_part_weighs_what_it_weighs(self):
        self.export(example("crank_slider"), "-o", "crank.stl", "--part", "crank")
        a, b, c = read_stl(self.folder / "crank.stl")["corners"].astype(float).transpose(1, 0, 2)
        volume = (a * numpy.cross(b, c)).sum() / 6
        full = numpy.pi * 0.01**2 * 0.05
        self.assertLess(volume, full)
        self.assertGreater(volume, 0.99 * full)

    def test_the_machine_in_a_pose(self):
        result = self.export(example("crank_slider"), "--start", "main_bearing.angle=0", "-o", "all.stl")
        self.assertIn("'piston' has no shape: a plain one is used instead", result.stderr)
        points = read_stl(self.folder / "all.stl")["corners"].reshape(-1, 3)
        self.assertGreater(points[:, 0].max(), 0.2)
        normals = read_stl(self.folder / "all.stl")["normal"]
        numpy.testing.assert_allclose(numpy.linalg.norm(normals, axis=1), 1.0, atol=1e-6)

    def test_mistakes(self):
        for options, words in ((["-o", "x.stl", "--part", "pistn"], "did you mean 'piston'"),
                               (["-o", "x.stl", "--unit", "kg"], "unit of length"),
                               (["-o", "x/", "--part", "piston"], "--part does not apply"),
                               (["-o", "x.urdf", "--unit", "mm"], "--unit does not apply")):
            with self.subTest(options=options):
                self.assert_usage_error(run("export", example("crank_slider"), *options, cwd=self.folder), words)
                self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
