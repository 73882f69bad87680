"""Overconstrained linkages as models: loops of hinges that move although their joints hold more than they should.

Each pose is found by Gauss-Newton steps on the closure of the loop, down to rounding: where the joints do not fit exactly,
the linkages could not move.
"""

import numpy


def turn(axis, angle):
    c, s = numpy.cos(angle), numpy.sin(angle)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    result = numpy.eye(4)
    result[j, j], result[j, k], result[k, j], result[k, k] = c, -s, s, c
    return result


def shift(x, z):
    result = numpy.eye(4)
    result[0, 3], result[2, 3] = x, z
    return result


def hinge_frames(links, angles):
    """Frames of the hinges, z along the axis, and the frame after the last link, which is the first one where a loop closes.

    links: length, twist and offset of each (Denavit and Hartenberg).
    """
    frames = [numpy.eye(4)]
    for (length, twist, offset), angle in zip(links, angles):
        frames.append(frames[-1] @ turn(2, angle) @ shift(length, offset) @ turn(0, twist))
    return frames


def gap(links, angles):
    end = hinge_frames(links, angles)[-1]
    return numpy.concatenate([end[:3, 3], end[:3, 0] - [1, 0, 0], end[:3, 1] - [0, 1, 0], end[:3, 2] - [0, 0, 1]])


def close(links, guess):
    """Angles near the guess that close the loop; the first one is kept."""
    angles = numpy.array(guess, dtype=float)
    for _ in range(60):
        residual = gap(links, angles)
        if numpy.abs(residual).max() < 1e-15:
            break
        jacobian = numpy.empty((12, len(angles) - 1))
        for i in range(1, len(angles)):
            step = numpy.zeros(len(angles))
            step[i] = 1e-6
            jacobian[:, i - 1] = (gap(links, angles + step) - gap(links, angles - step)) / 2e-6
        angles[1:] -= numpy.linalg.lstsq(jacobian, residual, rcond=1e-5)[0]
    assert numpy.abs(gap(links, angles)).max() < 1e-13, "the loop does not close"
    return angles


def numbers(values):
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def part(name, place, mass):
    return f"  {name}: {{at: {numbers(place)}, mass: {mass}, inertia: {{xx: 0.02, yy: 0.03, zz: 0.025}}}}"


def hinge(name, first, second, place, axis, start="", kind="revolute"):
    along = "" if kind == "spherical" else f", axis: {numbers(axis)}"
    return f"  {name}: {{type: {kind}, between: [{first}, {second}], at: {numbers(place)}{along}{start}}}"


def model(name, parts, joints, *more):
    head = ["gelenk: 1", f"name: {name}", "gravity: [1.0, -4.0, -8.0]"]
    return "\n".join([*head, "parts:", *parts, "joints:", *joints, *more]) + "\n"


def loop(name, links, guess, rate, kinds=None):
    """A loop of hinges between the ground, the last link, and parts for all others. kinds: joints that are no hinges."""
    frames = hinge_frames(links, close(links, guess))
    places = [frame[:3, 3] for frame in frames[:-1]]
    axes = [frame[:3, 2] for frame in frames[:-1]]
    count = len(places)
    bodies = ["ground", *(f"L{i}" for i in range(1, count)), "ground"]
    parts = [part(f"L{i}", 0.5 * (places[i - 1] + places[i]), 0.7 + 0.1 * i) for i in range(1, count)]
    joints = [hinge(f"J{i}", bodies[i], bodies[i + 1], places[i], axes[i], f", start: {{rate: {rate}}}" if i == 0 else "",
                    (kinds or {}).get(i, "revolute")) for i in range(count)]
    return model(name, parts, joints)


def bennett(kinds=None):
    short, long, twist = 0.6, 0.8, 0.5
    other = numpy.arcsin(long / short * numpy.sin(twist))  # equal sin(twist) / length
    links = 2 * [(short, twist, 0.0), (long, other, 0.0)]
    second = -2 * numpy.arctan(numpy.sin((other + twist) / 2) / numpy.sin((other - twist) / 2) / numpy.tan(0.5))
    return loop("bennett", links, [1.0, second, -1.0, -second], 9.0, kinds)


def goldberg(kinds=None):
    """Two Bennett linkages that share a link, which is left out; two links in line become one."""
    ratio = 0.9
    a, b, c = 0.45, 0.7, 0.3
    alpha, beta, gamma = (numpy.arcsin(ratio * length) for length in (a, b, c))
    links = [(a + c, alpha + gamma, 0.0), (b, beta, 0.0), (c, gamma, 0.0), (a, alpha, 0.0), (b, beta, 0.0)]
    return loop("goldberg", links, [1.3, 2.97, -0.38, -1.13, -2.76], 4.0, kinds)


def bricard_line(kinds=None):
    """Line-symmetric: opposite links and angles are the same."""
    links = 2 * [(0.6, 0.9, 0.1), (0.5, 1.3, -0.05), (0.4, -0.7, 0.15)]
    return loop("bricard_line", links, [1.2, -1.6, 2.0, 1.2, -1.6, 2.0], 4.0, kinds)


def bricard_trihedral(kinds=None):
    links = 3 * [(0.5, numpy.pi / 2, 0.0), (0.5, -numpy.pi / 2, 0.0)]
    return loop("bricard_trihedral", links, [0.9, -2.0, 0.9, -2.0, 0.9, -2.0], 4.0, kinds)


def sarrus():
    """A plate that two legs of three parallel hinges each leave one straight motion. A spring keeps the legs bent."""
    height, out = 0.5, 0.35
    parts = [part("plate", [0, 0, height], 2.0)]
    joints = []
    for name, axis, side in (("x", [0, 1, 0], [1, 0, 0]), ("y", [1, 0, 0], [0, 1, 0])):
        foot, knee, hip = (numpy.array(side) * r + [0, 0, z] for r, z in ((0.2, 0.0), (0.2 + out, height / 2), (0.2, height)))
        parts += [part(f"shin_{name}", 0.5 * (foot + knee), 0.6), part(f"thigh_{name}", 0.5 * (knee + hip), 0.5)]
        start = ", start: {rate: 1.5}" if name == "x" else ""
        joints += [hinge(f"foot_{name}", "ground", f"shin_{name}", foot, axis, start),
                   hinge(f"knee_{name}", f"shin_{name}", f"thigh_{name}", knee, axis),
                   hinge(f"hip_{name}", f"thigh_{name}", "plate", hip, axis)]
    spring = "  spring: {type: spring_damper, between: [ground, plate], stiffness: 1 kN/m, free_length: 0.55 m}"
    return model("sarrus", parts, joints, "forces:", spring)


def parallelogram_row(cranks=5):
    """A beam on more cranks than it needs, all of the same length; it swings and does not lie flat."""
    parts = [part("beam", [0.25 * (cranks - 1), 0, -0.5], 3.0)]
    joints = []
    for i in range(cranks):
        parts.append(part(f"crank{i}", [0.5 * i + 0.15, 0, -0.2], 0.5))
        start = ", start: {rate: 1.0}" if i == 0 else ""
        joints += [hinge(f"foot{i}", "ground", f"crank{i}", [0.5 * i, 0, 0], [0, 1, 0], start),
                   hinge(f"top{i}", f"crank{i}", "beam", [0.5 * i + 0.3, 0, -0.4], [0, 1, 0])]
    return model("parallelogram_row", parts, joints)


LINKAGES = (bennett, goldberg, bricard_line, bricard_trihedral, sarrus, parallelogram_row)

# Joints instead of hinges with which each direction is held once. The motion is the same.
HELD_ONCE = {
    bennett: {2: "spherical", 3: "cylindrical"},
    goldberg: {2: "spherical"},
    bricard_line: {3: "cylindrical"},
    bricard_trihedral: {3: "cylindrical"},
}
