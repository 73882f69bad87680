"""Reads files of glTF 2.0 as far as the tests need it, and asks the Khronos validator about them."""

import base64
import json
import pathlib
import struct
import subprocess

import numpy

from program_support import SOURCE

VALIDATOR = SOURCE / "tools/gltf-validator/validate.mjs"
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
TYPES = {5125: "<u4", 5126: "<f4"}


def validate(files):
    """The reports of the validator, one for each file."""
    result = subprocess.run(["node", VALIDATOR, *map(str, files)], capture_output=True, text=True, timeout=120, check=False)
    if result.returncode != 0:
        raise AssertionError("the validator does not run (./dev setup installs it): " + result.stderr)
    return json.loads(result.stdout)


def rotation(quaternion):
    """The matrix of x, y, z, w."""
    x, y, z, w = quaternion
    return numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


class Gltf:
    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        if data[:4] == b"glTF":
            size = struct.unpack("<I", data[12:16])[0]
            self.json = json.loads(data[20:20 + size])
            self.bytes = data[20 + size + 8:]
        else:
            self.json = json.loads(data)
            self.bytes = base64.b64decode(self.json["buffers"][0]["uri"].split(",")[1])
        self.nodes = self.json["nodes"]
        self.owner = {child: index for index, node in enumerate(self.nodes) for child in node.get("children", [])}

    def numbers(self, accessor):
        it = self.json["accessors"][accessor]
        view = self.json["bufferViews"][it["bufferView"]]
        width = WIDTHS[it["type"]]
        flat = numpy.frombuffer(self.bytes, TYPES[it["componentType"]], it["count"] * width, view["byteOffset"])
        return flat.reshape(-1, width)

    def index(self, name):
        """Of a node below the root, which has the name of the machine."""
        return next(i for i, node in enumerate(self.nodes) if i > 0 and node["name"] == name)

    def node(self, name):
        return self.nodes[self.index(name)]

    def place(self, index):
        """Where a node stands in the file: matrix and offset."""
        node = self.nodes[index]
        turn = rotation(node.get("rotation", [0, 0, 0, 1]))
        offset = numpy.array(node.get("translation", [0, 0, 0]), dtype=float)
        if index not in self.owner:
            return turn, offset
        outer_turn, outer_offset = self.place(self.owner[index])
        return outer_turn @ turn, outer_turn @ offset + outer_offset

    def bounds(self, under=None):
        """The corners of the box around all meshes, or around those below a node."""
        points = []
        for index, node in enumerate(self.nodes):
            chain = [index]
            while chain[-1] in self.owner:
                chain.append(self.owner[chain[-1]])
            if "mesh" not in node or (under is not None and self.index(under) not in chain):
                continue
            turn, offset = self.place(index)
            for primitive in self.json["meshes"][node["mesh"]]["primitives"]:
                points.append(self.numbers(primitive["attributes"]["POSITION"]) @ turn.T + offset)
        points = numpy.vstack(points)
        return points.min(axis=0), points.max(axis=0)

    def tracks(self):
        """{(name of the node, path): (times, values)} of the one animation."""
        result = {}
        for animation in self.json.get("animations", []):
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                key = self.nodes[channel["target"]["node"]]["name"], channel["target"]["path"]
                result[key] = self.numbers(sampler["input"])[:, 0], self.numbers(sampler["output"])
        return result
