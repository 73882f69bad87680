#!/usr/bin/env python3
"""Makes the pictures of docs/conventions.md: make_pictures.py [FOLDER]; without a folder, docs/pictures.

The pictures are drawn by this script so that they are exact, look alike and can be changed by anyone with an editor. The
files are committed, and tests/pictures_test.py checks that the script still makes them byte for byte.
"""

import math
import pathlib
import sys

from svg_pen import (FAINT, FIRST, INK, LOAD, MOTION, SECOND, X_COLOR, Z_COLOR, Picture, View, apply,
                     matrix_product, polar, rotation)


def revolute():
    picture = Picture(640, 330, "Angle of a revolute joint")
    center, angle = (200, 220), 35
    picture.ground(80, 320, 282)
    picture.polygon([(166, 282), (188, 220), (212, 220), (234, 282)], *FIRST)
    picture.box(polar(center, 105, angle), 240, 28, SECOND, angle)
    picture.circle(center, 13, "#ffffff", INK)
    picture.axes(center, 0, 130, "A", label_place=(160, 242))
    picture.axes(center, angle, 130, dash="7 4")
    picture.text(polar(center, 206, angle), "B", bold=True)
    picture.arc_arrow(center, 96, 0, angle)
    picture.text(polar(center, 108, 13), "angle > 0", MOTION, code=True, anchor="start")
    for y, words, color in ((196, "A: first frame, solid", INK), (218, "B: second frame, dashed", INK),
                            (254, "z = axis, toward you:", Z_COLOR), (276, "counter-clockwise is positive", INK)):
        picture.text((396, y), words, color, anchor="start", size=13)
    picture.text((20, 30), "revolute", bold=True, anchor="start", size=16)
    picture.text((20, 52), "{between: [A, B], axis: z}", anchor="start", code=True, size=12)
    return picture


def prismatic():
    picture = Picture(560, 250, "Travel of a prismatic joint")
    picture.text((20, 30), "prismatic", bold=True, anchor="start", size=16)
    picture.text((20, 52), "{between: [A, B], axis: x}", anchor="start", code=True, size=12)
    picture.ground(50, 510, 200)
    picture.box((280, 180), 460, 40, FIRST)
    picture.box((360, 140), 130, 40, SECOND)
    a, b = (120, 140), (360, 140)
    picture.polyline([(120, 140), (490, 140)], FAINT, 1, "5 5")
    picture.axes(a, 0, 56, "A", z="none", label_place=(100, 156))
    picture.axes(b, 0, 56, "B", z="none", label_place=(340, 156))
    for x in (a[0], b[0]):
        picture.polyline([(x, 204), (x, 234)], FAINT, 1)
    picture.arrow((a[0], 228), (b[0], 228), MOTION)
    picture.text((240, 222), "travel > 0", MOTION, code=True)
    picture.text((540, 30), "All axes stay parallel; the travel is", anchor="end", size=13)
    picture.text((540, 48), "the position of B along the axis.", anchor="end", size=13)
    return picture


def universal():
    picture = Picture(600, 360, "Axes of a universal joint")
    view = View((240, 205), 80, azimuth=-38, elevation=24)
    turned = matrix_product(rotation(2, 22), rotation(0, 18))

    def bar(points, colors, turn=None):
        shown = [view(apply(turn, p) if turn else p) for p in points]
        picture.polyline(shown, colors[1], 15)
        picture.polyline(shown, colors[0], 11)

    picture.text((20, 30), "universal", bold=True, anchor="start", size=16)
    picture.text((20, 52), "{between: [A, B], axis: z, second_axis: x}", anchor="start", code=True, size=12)
    bar([(0, 2.2, 0), (0, 1.1, 0)], SECOND, turned)
    bar([(-0.8, 0, 0), (-0.8, 1.1, 0), (0.8, 1.1, 0), (0.8, 0, 0)], SECOND, turned)
    picture.polyline([view(apply(turned, (-0.8, 0, 0))), view(apply(turned, (0.8, 0, 0)))], INK, 6)
    picture.polyline([view((0, 0, -0.8)), view((0, 0, 0.8))], INK, 6)
    bar([(0, 0, 0.8), (0, -1.1, 0.8), (0, -1.1, -0.8), (0, 0, -0.8)], FIRST)
    bar([(0, -2.2, 0), (0, -1.1, 0)], FIRST)
    top = view((0, 0, 1.8))
    picture.arrow(view((0, 0, 0.86)), top, Z_COLOR)
    picture.text((top[0] - 14, top[1] + 8), "axis: z, fixed in A", Z_COLOR, anchor="end")
    end = view(apply(turned, (1.9, 0, 0)))
    picture.arrow(view(apply(turned, (0.86, 0, 0))), end, X_COLOR)
    picture.text((end[0] + 12, end[1] + 2), "second_axis: x,", X_COLOR, anchor="start")
    picture.text((end[0] + 12, end[1] + 20), "fixed in B", X_COLOR, anchor="start")
    picture.turn_3d(view, (0, 0, 1.3), rotation(0, 0), 2, 0.34, -170, 100)
    picture.text((top[0] - 38, view((0, 0, 1.3))[1] + 10), "angle_1", MOTION, anchor="end", code=True)
    picture.turn_3d(view, apply(turned, (1.4, 0, 0)), turned, 0, 0.36, -150, 130)
    picture.text((end[0] - 34, end[1] + 48), "angle_2", MOTION, code=True)
    shaft = view((0, -2.2, 0))
    picture.text((shaft[0] - 20, shaft[1] + 6), "A", bold=True)
    shaft = view(apply(turned, (0, 2.2, 0)))
    picture.text((shaft[0] + 20, shaft[1] + 4), "B", bold=True)
    picture.text((580, 340), "R_AB = R_z(angle_1) R_x(angle_2)", anchor="end", code=True, size=13)
    return picture


def planar():
    picture = Picture(560, 350, "Coordinates of a planar joint")
    picture.text((20, 30), "planar", bold=True, anchor="start", size=16)
    picture.text((20, 52), "{between: [A, B], axis: z, second_axis: x}", anchor="start", code=True, size=12)
    picture.polygon([(40, 75), (520, 75), (520, 330), (40, 330)], "#eef1f5", FIRST[1], 1.2)
    a, b, angle = (110, 285), (340, 175), 28
    picture.box(b, 190, 90, SECOND, angle)
    for start, end in ((b, (340, 285)), (b, (110, 175))):
        picture.polyline([start, end], FAINT, 1, "5 5")
    picture.polyline([b, (450, 175)], FAINT, 1, "5 5")
    picture.arrow((a[0], 305), (b[0], 305), MOTION)
    picture.text((225, 322), "x", MOTION, code=True)
    picture.arrow((78, a[1]), (78, b[1]), MOTION)
    picture.text((62, 235), "y", MOTION, code=True)
    picture.axes(a, 0, 62, "A", label_place=(92, 305))
    picture.axes(b, angle, 70, "B", label_place=(322, 197))
    picture.arc_arrow(b, 102, 0, angle)
    picture.text((452, 152), "angle", MOTION, anchor="start", code=True)
    picture.text((540, 30), "z = axis: normal of the plane, toward you", Z_COLOR, anchor="end", size=13)
    return picture


def mirror():
    picture = Picture(640, 378, "A cylindrical joint and its mirror image")
    picture.text((20, 30), "mirror_of, plane: xz", bold=True, anchor="start", size=16)
    picture.polyline([(320, 48), (320, 300)], FAINT, 2, "9 6")
    picture.text((320, 318), "mirror plane", FAINT, size=13)

    for side in (-1, 1):
        base, tilt = (320 + side * 95, 265), 90 - side * 38  # the axis leans away from the plane

        def along(distance, across=0.0):
            x, y = polar(base, distance, tilt)
            return polar((x, y), across, tilt + 90)

        picture.box(along(60), 90, 62, FIRST, tilt)
        picture.box(along(112), 150, 30, SECOND, tilt)
        picture.polyline([along(-24), along(225)], FAINT, 1, "8 4 2 4")
        picture.arrow(along(187), along(236), Z_COLOR)
        place = along(252)
        picture.text((place[0], place[1] + 5), "z", Z_COLOR, code=True)
        # The shaft moves out of the sleeve on both sides.
        picture.arrow(along(112, -side * 30), along(180, -side * 30), MOTION)
        place = along(146, -side * 42)
        picture.text((place[0], place[1] + 8), "travel > 0", MOTION, code=True, anchor="start" if side > 0 else "end")
        # The near half of a turn about the shaft, right-handed on the left; its image on the right is left-handed.
        points = []
        for i in range(41):
            phi = math.radians(-20 + 220 * i / 40)
            points.append(along(165 - 9 * math.sin(phi), -side * 24 * math.cos(phi)))
        picture.curve_arrow(points, LOAD)
        place = along(168, side * 34)
        picture.text(place, "angle < 0" if side > 0 else "angle > 0", LOAD, code=True,
                     anchor="end" if side > 0 else "start")

    picture.text((150, 340), "cylindrical, as written", size=13)
    picture.text((490, 340), "its image: same travel, other angle", size=13)
    picture.text((320, 362), "A hinge has its axis turned around instead, and its angle stays the same.", FAINT, size=13,
                 italic=True)
    return picture


def reaction():
    picture = Picture(600, 330, "Reaction of a joint")
    picture.text((20, 30), "reaction", bold=True, anchor="start", size=16)
    picture.text((20, 50), "The joint is cut open; both halves feel it with opposite signs.", anchor="start", size=13)
    a, b = (190, 220), (410, 200)
    picture.ground(40, 240, 290)
    picture.polygon([(150, 290), (172, 220), (208, 220), (230, 290)], *FIRST)
    picture.circle(a, 12, "#ffffff", INK)
    picture.box((490, 168), 210, 28, SECOND, 22)
    picture.circle(b, 12, "#ffffff", INK)
    picture.axes(a, 0, 66, "A", label_place=(160, 212))
    picture.text((452, 189), "B", bold=True)
    picture.arrow(b, (348, 118), LOAD, 3)
    picture.text((340, 108), "reaction.force", LOAD, code=True)
    picture.arc_arrow(b, 42, 200, 330, LOAD, 3)
    picture.text((430, 264), "reaction.moment", LOAD, code=True)
    picture.arrow(a, (252, 302), LOAD, 2, "6 4")
    picture.text((262, 312), "-force", LOAD, anchor="start", code=True, size=13)
    picture.text((590, 290), "on the second part,", anchor="end", size=13)
    picture.text((590, 308), "at its joint frame B, in axes of A", anchor="end", size=13)
    return picture


def orientation():
    picture = Picture(780, 320, "Three successive turns, sequence zyx")
    picture.text((20, 30), "angles: [a, b, c], sequence: zyx", bold=True, anchor="start", code=True, size=15)
    turns = ((2, 35, "a about z"), (1, 25, "b about the new y"), (0, 35, "c about the newest x"))
    before = rotation(0, 0)
    for i, (axis, angle, words) in enumerate(turns):
        view = View((125 + 255 * i, 185), 100, azimuth=-140, elevation=28)
        after = matrix_product(before, rotation(axis, angle))
        picture.axes_3d(view, (0, 0, 0), before, 1.0, ("", "", ""), (FAINT, FAINT, FAINT), "4 4", 1.4)
        picture.axes_3d(view, (0, 0, 0), after, 1.0)
        # The two other axes, each from its old to its new direction.
        picture.turn_3d(view, (0, 0, 0), before, axis, 0.75, 0, angle)
        picture.turn_3d(view, (0, 0, 0), before, axis, 0.75, 90, 90 + angle)
        picture.text((130 + 255 * i, 300), f"{i + 1}.  {words}", MOTION)
        before = after
    picture.text((760, 30), "R = R_z(a) R_y(b) R_x(c)", anchor="end", code=True, size=14)
    return picture


def inertia():
    picture = Picture(600, 310, "Sign of the products of inertia")
    picture.text((20, 30), "inertia", bold=True, anchor="start", size=16)
    picture.text((100, 30), "xy is the tensor element: xy = -∫ x y dm", anchor="start", size=14)
    for x, angle, sign, words in ((160, 40, "xy < 0", "mass where x y > 0"), (440, -40, "xy > 0", "mass where x y < 0")):
        center = (x, 160)
        picture.box(center, 200, 40, SECOND, angle)
        picture.axes(center, 0, 92, "C", label_place=(x - 16, 182))
        picture.text((x, 272), sign, LOAD, code=True, size=17, bold=True)
        picture.text((x, 294), words, size=13)
    picture.polyline([(300, 60), (300, 290)], "#d5d8dd", 1)
    return picture


def joint_at():
    picture = Picture(640, 330, "A joint placed in the drawing")
    picture.text((20, 30), "at", bold=True, anchor="start", size=16)
    picture.text((20, 54), "{type: revolute, between: [frame, lever],", anchor="start", code=True, size=12)
    picture.text((20, 72), " axis: z, at: [120 mm, 80 mm, 0]}", anchor="start", code=True, size=12)
    origin, joint = (70, 286), (330, 174)
    picture.polygon([(60, 296), (60, 194), (150, 144), (350, 144), (350, 204), (200, 214), (170, 296)], *FIRST)
    picture.box((435, 142), 240, 30, SECOND, 17)
    picture.circle(joint, 12, "#ffffff", INK)
    picture.axes(origin, 0, 52, z="none")
    picture.text((108, 250), "drawing", size=13)
    picture.axes((535, 112), 17, 46, z="none")
    picture.text((506, 154), "origin of lever", size=13, anchor="start")
    picture.arrow(origin, polar(joint, 16, 203), MOTION, dash="7 5")
    picture.text((222, 246), "at", MOTION, code=True)
    picture.axes(joint, 0, 60)
    picture.text((620, 246), "Both parts get a joint frame here, with the", anchor="end", size=13)
    picture.text((620, 264), "axes of the drawing: the joint is closed and", anchor="end", size=13)
    picture.text((620, 282), "its coordinates are zero as drawn.", anchor="end", size=13)
    return picture


def spring():
    picture = Picture(560, 220, "Sign of the force of a spring")
    picture.text((20, 30), "spring_damper", bold=True, anchor="start", size=16)
    picture.text((20, 52), "force = stiffness (length - free_length) + damping speed", anchor="start", code=True, size=12)
    picture.box((80, 130), 80, 60, FIRST)
    picture.box((480, 130), 80, 60, SECOND)
    coils = [(120 + 20 * i, 138 + (0 if i in (0, 1, 15, 16) else (-12 if i % 2 else 12))) for i in range(17)]
    picture.polyline(coils, INK, 2)
    picture.text((80, 135), "A", bold=True)
    picture.text((480, 135), "B", bold=True)
    picture.arrow((120, 112), (176, 112), LOAD, 3)
    picture.arrow((440, 112), (384, 112), LOAD, 3)
    picture.text((280, 96), "force > 0 draws the ends together", LOAD, size=13)
    for x in (120, 440):
        picture.polyline([(x, 168), (x, 202)], FAINT, 1)
    picture.arrow((120, 196), (440, 196), MOTION, both=True)
    picture.text((280, 188), "length", MOTION, code=True)
    return picture


PICTURES = {
    "revolute": revolute,
    "prismatic": prismatic,
    "universal": universal,
    "planar": planar,
    "mirror": mirror,
    "reaction": reaction,
    "orientation": orientation,
    "inertia": inertia,
    "joint_at": joint_at,
    "spring": spring,
}


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (folder / f"{name}.svg").write_text(draw().svg(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
