"""Channels of a file of results, read as anybody would read them: plain h5py and the /index of the file."""

import h5py
import numpy

_VECTOR = ("x", "y", "z")
_QUATERNION = ("w", "x", "y", "z")
# Times of rows are computed, not stored as decimals; rows are never closer together than this.
_SAME_TIME_S = 1e-9


class MissingChannel(Exception):
    pass


def rotation_matrices(quaternions):
    """R_WP of each row, from unit quaternions w x y z: columns are the part's axes in the world."""
    w, x, y, z = quaternions.T
    return numpy.stack([
        numpy.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=-1),
        numpy.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=-1),
        numpy.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1),
    ], axis=-2)


class RunFile:

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            self.time = file["time"][:]
            self._blocks = {}
            self._index = {}
            for row in file["index"][:]:
                block = row["block"].decode()
                self._index[row["name"].decode()] = (block, int(row["column"]))
                if block not in self._blocks:
                    self._blocks[block] = file[block][:].reshape(len(self.time), -1)

    def _column(self, name):
        block, column = self._index[name]
        return self._blocks[block][:, column]

    def channel(self, name):
        """n × 1, n × 3 or n × 4 numbers; the magnitude of a vector is computed."""
        if name in self._index:
            return self._column(name)[:, None]
        base, _, last = name.rpartition(".")
        if last == "magnitude":
            return numpy.linalg.norm(self.channel(base), axis=1)[:, None]
        for components in (_QUATERNION, _VECTOR):
            if all(f"{name}.{c}" in self._index for c in components):
                return numpy.stack([self._column(f"{name}.{c}") for c in components], axis=1)
        raise MissingChannel(f"the results have no channel {name}")

    def in_axes_of(self, part, name):
        """A vector channel in axes of a part, or one component of it there."""
        base, _, last = name.rpartition(".")
        is_component = last in _VECTOR
        vectors = self.channel(base if is_component else name)
        turned = numpy.einsum("nji,nj->ni", rotation_matrices(self.channel(f"{part}.orientation")), vectors)
        return turned[:, [_VECTOR.index(last)]] if is_component else turned

    def axis_direction(self, name, axis):
        """Where an axis of a part points in the world, from the channel of its orientation."""
        return rotation_matrices(self.channel(name))[:, :, _VECTOR.index(axis)]

    def row_at(self, time):
        row = int(numpy.argmin(numpy.abs(self.time - time)))
        if abs(self.time[row] - time) > _SAME_TIME_S:
            raise MissingChannel(f"no row was recorded at {time} s; the nearest is at {self.time[row]} s")
        return row
