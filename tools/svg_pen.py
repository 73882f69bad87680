"""Draws the pictures of the documentation as SVG text: plain strings, fixed rounding, the same bytes on every machine.

Screen coordinates have y down, as SVG has; angles are in degrees and counter-clockwise, as mechanics has. Every picture
lies on a light card of its own, so that it reads the same on a light and on a dark page.
"""

import math

INK = "#22272e"
FAINT = "#8b929c"
CARD = "#fbfaf7"
FIRST = ("#cfd8e3", "#5d6b7c")  # fill and edge of the first part of a joint
SECOND = ("#f6d3a8", "#b06f1c")  # of the second
X_COLOR, Y_COLOR, Z_COLOR = "#c0392b", "#23804a", "#1f65b5"
AXIS_COLORS = (X_COLOR, Y_COLOR, Z_COLOR)
MOTION = "#7b2d8b"  # coordinates and motions
LOAD = "#c2410c"  # forces and moments

SANS = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
MONO = "DejaVu Sans Mono, Menlo, Consolas, monospace"


def number(value):
    """A coordinate with one decimal; never '-0'."""
    text = f"{value:.1f}"
    return "0" if text in ("-0.0", "0.0") else text.removesuffix(".0")


def polar(center, radius, angle):
    return (center[0] + radius * math.cos(math.radians(angle)), center[1] - radius * math.sin(math.radians(angle)))


def matrix_product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def apply(matrix, v):
    return tuple(sum(matrix[i][k] * v[k] for k in range(3)) for i in range(3))


def rotation(axis, angle):
    """Right-handed turn about axis 0, 1 or 2."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    j, k = (axis + 1) % 3, (axis + 2) % 3
    result = [[float(row == column) for column in range(3)] for row in range(3)]
    result[j][j], result[j][k], result[k][j], result[k][k] = c, -s, s, c
    return result


class View:
    """Parallel projection: z up, turned by `azimuth` about it and seen from `elevation` above."""

    def __init__(self, origin, scale, azimuth=35.0, elevation=24.0):
        self.origin, self.scale = origin, scale
        self.turn = rotation(2, azimuth)
        self.elevation = math.radians(elevation)

    def __call__(self, point):
        x, y, z = apply(self.turn, point)
        up = z * math.cos(self.elevation) + y * math.sin(self.elevation)
        return (self.origin[0] + self.scale * x, self.origin[1] - self.scale * up)


class Picture:
    def __init__(self, width, height, title):
        self.width, self.height = width, height
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img">',
            f"  <title>{title}</title>",
            f'  <rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="10" fill="{CARD}" stroke="#d5d8dd"/>',
        ]

    def svg(self):
        return "\n".join(self.lines + ["</svg>", ""])

    def add(self, element):
        self.lines.append("  " + element)

    def polygon(self, points, fill, edge, width=1.6):
        corners = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self.add(f'<polygon points="{corners}" fill="{fill}" stroke="{edge}" stroke-width="{width}" '
                 'stroke-linejoin="round"/>')

    def polyline(self, points, color=INK, width=1.6, dash=None):
        corners = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(f'<polyline points="{corners}" fill="none" stroke="{color}" stroke-width="{width}" '
                 f'stroke-linecap="round" stroke-linejoin="round"{dashes}/>')

    def circle(self, center, radius, fill="none", edge=INK, width=1.6):
        self.add(f'<circle cx="{number(center[0])}" cy="{number(center[1])}" r="{number(radius)}" fill="{fill}" '
                 f'stroke="{edge}" stroke-width="{width}"/>')

    def box(self, center, length, breadth, colors, angle=0.0):
        """A bar with its middle at center, turned by angle."""
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        corners = [(-length / 2, -breadth / 2), (length / 2, -breadth / 2), (length / 2, breadth / 2),
                   (-length / 2, breadth / 2)]
        self.polygon([(center[0] + c * u + s * v, center[1] - s * u + c * v) for u, v in corners], *colors)

    def text(self, place, words, color=INK, size=14, anchor="middle", code=False, bold=False, italic=False):
        """Words with a halo of the card's color, so that lines may pass behind them."""
        style = "".join([' font-weight="bold"' if bold else "", ' font-style="italic"' if italic else ""])
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        self.add(f'<text x="{number(place[0])}" y="{number(place[1])}" fill="{color}" font-size="{size}" '
                 f'font-family="{MONO if code else SANS}" text-anchor="{anchor}"{style} stroke="{CARD}" stroke-width="4" '
                 f'stroke-linejoin="round" paint-order="stroke">{words}</text>')

    def head(self, tip, direction, color, size=9.0):
        """An arrow head that points along `direction` (screen degrees, counter-clockwise)."""
        self.polygon([tip, polar(tip, size, direction + 155), polar(tip, size, direction - 155)], color, color, 1)

    def arrow(self, start, end, color=INK, width=2.2, dash=None, both=False):
        direction = math.degrees(math.atan2(start[1] - end[1], end[0] - start[0]))
        # The line stops inside the head, so that its thickness does not blunt the tip.
        first = polar(start, 5, direction) if both else start
        self.polyline([first, polar(end, 5, direction + 180)], color, width, dash)
        self.head(end, direction, color)
        if both:
            self.head(start, direction + 180, color)

    def arc_arrow(self, center, radius, start, end, color=MOTION, width=2.2):
        """Around center from one angle to another."""
        self.curve_arrow([polar(center, radius, start + (end - start) * i / 40) for i in range(41)], color, width)

    def curve_arrow(self, points, color=MOTION, width=2.2):
        """A curve through many points; the head takes the direction of the last stretch of about its own length."""
        tip, back = points[-1], points[-2]
        for point in reversed(points):
            back = point
            if math.dist(point, tip) > 7:
                break
        self.polyline([p for p in points if math.dist(p, tip) > 4], color, width)
        self.head(tip, math.degrees(math.atan2(back[1] - tip[1], tip[0] - back[0])), color)

    def ground(self, left, right, y):
        """The world seen from the side: a line with hatching below."""
        self.polyline([(left, y), (right, y)], FIRST[1], 2)
        for i in range(int((right - left) / 12)):
            x = left + 12 * i + 8
            self.polyline([(x, y), (x - 8, y + 9)], FIRST[1], 1.2)

    def axes(self, origin, angle=0.0, length=70.0, name="", z="out", labels=("x", "y"), dash=None, label_place=None):
        """x and y of a frame in the plane of the page; z comes out of it (a dot) or is not drawn."""
        for turn, label, color in ((angle, labels[0], X_COLOR), (angle + 90, labels[1], Y_COLOR)):
            tip = polar(origin, length, turn)
            self.arrow(origin, tip, color, dash=dash)
            place = polar(origin, length + 13, turn)
            self.text((place[0], place[1] + 5), label, color, code=True)
        if z == "out":
            self.circle(origin, 6, CARD, Z_COLOR, 2)
            self.circle(origin, 1.6, Z_COLOR, Z_COLOR, 1)
        else:
            self.circle(origin, 3, INK, INK, 1)
        if name:
            place = label_place or (origin[0] - 14, origin[1] + 22)
            self.text(place, name, bold=True)

    def axes_3d(self, view, origin, turn=None, length=1.0, labels=("x", "y", "z"), colors=AXIS_COLORS, dash=None,
                width=2.2):
        turn = turn or rotation(0, 0.0)
        for i in range(3):
            direction = tuple(turn[row][i] for row in range(3))
            tip = tuple(origin[k] + length * direction[k] for k in range(3))
            self.arrow(view(origin), view(tip), colors[i], width, dash)
            if labels[i]:
                x, y = view(tuple(origin[k] + (length + 0.16) * direction[k] for k in range(3)))
                self.text((x, y + 5), labels[i], colors[i], code=True)

    def turn_3d(self, view, origin, turn, axis, radius, start, end, color=MOTION):
        """An arrow around axis 0, 1 or 2 of the axes `turn`, right-handed from start to end."""
        j, k = (axis + 1) % 3, (axis + 2) % 3

        def point(angle):
            v = [0.0, 0.0, 0.0]
            v[j], v[k] = radius * math.cos(math.radians(angle)), radius * math.sin(math.radians(angle))
            moved = apply(turn, v)
            return view(tuple(origin[i] + moved[i] for i in range(3)))

        self.curve_arrow([point(start + (end - start) * i / 40) for i in range(41)], color)
