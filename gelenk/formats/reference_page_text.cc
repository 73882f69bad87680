#include "gelenk/formats/reference_page_text.h"

#include <array>

namespace gelenk::formats {
namespace {

constexpr std::array kFunctionTexts{
    FunctionText{"sin", "sin(a)", "sine of an angle; `sin(2 * pi * 5 Hz * time)` also works"},
    FunctionText{"cos", "cos(a)", "cosine"},
    FunctionText{"tan", "tan(a)", "tangent"},
    FunctionText{"asin", "asin(x)", "arc sine, −π/2 … π/2"},
    FunctionText{"acos", "acos(x)", "arc cosine, 0 … π"},
    FunctionText{"atan", "atan(x)", "arc tangent, −π/2 … π/2"},
    FunctionText{"atan2", "atan2(y, x)", "angle of the point (x, y), −π … π; both of one dimension"},
    FunctionText{"sinh", "sinh(x)", "hyperbolic sine"},
    FunctionText{"cosh", "cosh(x)", "hyperbolic cosine"},
    FunctionText{"tanh", "tanh(x)", "hyperbolic tangent"},
    FunctionText{"exp", "exp(x)", "eˣ"},
    FunctionText{"log", "log(x)", "natural logarithm"},
    FunctionText{"log10", "log10(x)", "logarithm to base 10"},
    FunctionText{"sqrt", "sqrt(x)", "square root, of the unit too"},
    FunctionText{"abs", "abs(x)", "absolute value"},
    FunctionText{"sign", "sign(x)", "−1, 0 or 1"},
    FunctionText{"floor", "floor(x)", "largest whole number that is not above x"},
    FunctionText{"ceil", "ceil(x)", "smallest whole number that is not below x"},
    FunctionText{"mod", "mod(a, b)", "remainder of a / b, with the sign of b"},
    FunctionText{"hypot", "hypot(a, b)", "√(a² + b²) without overflow"},
    FunctionText{"step", "step(x)", "0 for x < 0, otherwise 1"},
    FunctionText{"if", "if(condition, a, b)", "a where the condition holds, otherwise b"},
    FunctionText{"min", "min(a, b, ...)", "the smallest"},
    FunctionText{"max", "max(a, b, ...)", "the largest"},
    FunctionText{"distance", "distance(a, b)", "between the origins of two frames"},
    FunctionText{"angle", "angle(a, b)",
                 "by which frame a is turned about z of frame b, −π … π: atan2(x_a·y_b, x_a·x_b), the angle of a hinge "
                 "`between: [b, a]` without its full turns"},
    FunctionText{"relative", "relative(a, b).position.x",
                 "channels of frame a as frame b sees them, in the axes of b; see [channels](#channels)"},
    FunctionText{
        "reaction", "reaction(joint, frame).moment.x",
        "force and moment that a joint exerts on its second part, about the origin of a frame and in its axes: "
        "at a sensor, at a section of a beam; only outputs may read it"},
};

}  // namespace

std::span<const FunctionText> function_texts() { return kFunctionTexts; }

constinit const std::string_view kReferenceIntroduction =
    R"md(<!-- Generated: change gelenk/model or gelenk/formats/reference_page_text.cc, then run `./dev docs`. -->
# The model file

A model is a text file. This page is its reference: first how things are written, then every key. `gelenk check FILE`
says what is wrong with a file; [conventions.md](conventions.md) says what signs and axes mean.

`gelenk schema` prints a JSON Schema; with it, editors complete keys and mark mistakes while you type. Write it to
a file, `gelenk schema > model.schema.json`, and begin the model with the line
`# yaml-language-server: $schema=model.schema.json`.

A complete model, a pendulum:

```yaml
gelenk: 1                                 # version of the format
name: pendulum
parts:
  arm:
    material: steel                       # mass and inertia come from shape and density
    shape: {cylinder: {radius: 10 mm, from: [0, 0, 0], to: tip}}
    frames: {tip: {at: [300 mm, 0, 0]}}
joints:
  hinge: {type: revolute, between: [ground, arm], axis: y, start: {angle: 20 deg}}
outputs: {height: arm.position.z, load: hinge.reaction.force.magnitude}
```

## The text

The file is YAML in a strict profile; JSON is read by the same rules.

- No types are guessed: the key decides what a value means, also for `no`, `010` and `1e3`.
- Every key appears once. Tabs, anchors and aliases (`&a`, `*a`), tags (`!x`), merge keys (`<<`) and a second document
  are errors.
- Keys and elements may be in any order.
- Only an empty value and `~` are nothing. A section such as `forces:` may be empty; other keys need a value.
- In `[ ]` and `{ }` a comma ends a text. An expression with a comma needs quotes: `["=max(a, b)", 0, 0]`.

## Numbers and units

A number is written with its unit: `50 mm`, `2.1e5 N/m`, `600 rpm`, `3 N*m*s/rad`. Without a unit it is SI:
`mass: 0.5` is 0.5 kg, and an angle is in radians. A unit that does not match the key is an error.

- Units are joined by `*` (or `·`) and `/`; a slash divides only by the next unit, parentheses group: `N/(m/s)`.
  Powers are `m^2`, `m²`, `s^-1`.
- rad counts as 1. `Hz` counts turns, so it is refused for an angular rate: 1 Hz is 2π rad/s. Write `60 rpm`.
- Upper and lower case differ: `mN` is a millinewton, `MN` a meganewton. The [table of units](#units) has all symbols.
- `display:` chooses the units that people see: by default degrees for angles, SI for everything else. It never changes what a
  number in the file means.

## Parameters and expressions

A value that begins with `=` is an expression. Parameters are named numbers, for use in expressions.

```yaml
gelenk: 1
parameters:
  length: {value: 400 mm, min: 100 mm, max: 1 m, doc: hinge to tip}
  thickness: =length / 20
  speed: 60 rpm
parts:
  arm:
    density: 2700 kg/m^3
    shape: {box: {size: [=length, =thickness, "=max(thickness, 15 mm)"], at: [=length / 2, 0, 0]}}
joints:
  hinge: {type: revolute, between: [ground, arm], axis: y}
drivers:
  motor: {drives: hinge.angle, rate: "=if(time < 2 s, speed * time / 2 s, speed)"}
outputs:
  torque: motor.torque
  tip_speed: {value: =hinge.rate * length, unit: mm/s}
```

- In an expression a number may carry one unit symbol, `2 s`; put a compound unit in parentheses: `120 (rad/s)`.
  A number without a unit is a pure number there, so `length + 1` is an error and `length + 1 mm` is not.
- Operators, weakest first: `or`, `and`, `not`, `< <= > >= == !=`, `+ -`, `* /`, sign, `^`. There are
  [functions](#functions), and `pi` is π.
- Dimensions are checked through every operation.
- Names are parameters of the same assembly, or of its sub-assemblies by path: `front_left.stiffness`.
- Where a value may change while the machine moves (drivers, forces, inputs, outputs), an expression may also use
  `time`, [channels](#channels), inputs and outputs: `=-50 (N*s/m) * piston.velocity.x`. The `value` of an
  actuator may use `coordinate` and `rate` of what it drives. In `outputs` and in a table's `of` the bare name of a
  channel is enough.
- An output is shown in the unit of its quantity, or in its own: `{value: ..., unit: mm/s}`. Sums, differences and
  multiples of angles are angles, and shown as such.
- Instead of an expression such a value may be a table: `{table: {of: time, x: [0 s, 1 s], y: [0 N, 50 N]}}`.

## States

A state is a number that the run integrates beside the motion: a current, a pressure, the memory of a controller. It
has a `start` and a `rate`, and its dimension is that of the start. An assembly has states of its own, and so has a
force, in whose formulas they have short names:

```yaml
gelenk: 1
parameters: {u: 24 V, R: 0.5 ohm, L: 2 mH, k: 0.05 N*m/A}
parts:
  rotor: {mass: 1 kg, inertia: {xx: 1e-3 kg*m^2, yy: 1e-3 kg*m^2, zz: 2e-3 kg*m^2}}
joints:
  shaft: {type: revolute, between: [ground, rotor], axis: z}
forces:
  servo:
    type: actuator
    drives: shaft.angle
    value: =k * i
    states:
      i: {start: 0 A, rate: =(u - R * i - k * rate) / L}
states:
  filtered: {start: 0 rad/s, unit: rpm, rate: =(shaft.rate - filtered) / (10 ms)}
outputs:
  current: servo.i
  heat: =R * servo.i^2
```

- Forces, drivers, inputs, outputs and the rates of other states read a state by its name, from outside of a force by
  `servo.i`. It is recorded as a channel of that name.
- A rate may read time, positions, velocities, forces and states, but no accelerations and no reactions. A driver that
  prescribes a `rate` may read states whose rates read no forces, one that prescribes a `position` none.
- The error of a state is kept small relative to its value and its `scale`: by default the start, or one SI unit where the
  start is zero. Give a scale to states that stay far below that, such as a valve's travel of 20 µm.
- Rates that switch are stepped onto, as those of forces are. Stiff states, which decay much faster than the machine
  moves, need an implicit method; `method: auto` chooses one.

## Names and paths

Names begin with a letter or `_` and contain letters, digits, `_` and `-`. All elements of one assembly share one set of
names. `ground`, `time`, `previous`, `index`, `pi`, `world`, `and`, `or`, `not` and the names of functions are reserved.

Paths join names with dots: `rod.small_end` is a frame of a part, `front_left.strut_top` a port of a sub-assembly,
`link.3` the fourth of the repeated instances. The name of a part alone stands for its origin frame. `ground` is
the world, and `ground.NAME` a frame of the `ground:` section.

## Nodes

A node is a point without mass, where forces meet: springs in a row, three springs in a star. It is a frame of an
assembly with `moves`, which names the axes along which it moves; it is always where the forces at it balance.

```yaml
gelenk: 1
ground: {frames: {left: [0.3 m, 0, 0], right: [0, 0.3 m, 0]}}
parts:
  body: {mass: 0.8 kg, inertia: {xx: 2e-3, yy: 2e-3, zz: 2e-3}, at: [0.1, 0.1, -0.5]}
frames:
  knot: {at: [0.1, 0.1, -0.2], moves: xyz}
forces:
  spring1: {type: spring_damper, between: [ground.left, knot], stiffness: 20 N/m, free_length: 0.1 m}
  spring2: {type: spring_damper, between: [ground.right, knot], stiffness: 40 N/m, free_length: 0.1 m}
  spring3: {type: spring_damper, between: [knot, body], stiffness: 20 N/m, free_length: 0.1 m}
outputs: {depth: knot.position.z}
```

- Forces along lines (`spring_damper`, `line_force`, `gas_spring`, `cable`, `pulley_cable`) and `force` act on nodes. Joints,
  bushings and torques do not.
- Where some force at a node follows speeds or states, it flows to where they balance, as between a spring and a damper in a
  row. Then forces must resist its speed along all axes along which it moves.
- Springs that are pressed give way to the side: `moves: z` is the tube around them.
- Its way from where it is drawn is recorded as `knot.x`, `knot.y`, `knot.z`.

## Placements

`at:` says where a part, a frame, a shape, a joint or a sub-assembly is drawn. It has three forms:

- `at: [10 mm, 0, 0]`: a position in the axes of what it belongs to: a frame on its part, a part in its assembly.
- `at: rod.small_end`: onto a frame, with its axes.
- `at: {position: [...], orientation: {...}, relative_to: FRAME}`: each of the three may be left out.

The drawing need not be exact: joints pull the parts into place when the machine is assembled. `start:`
values of joint coordinates are then held exactly, `guess:` values only choose the branch.

An orientation has one of four forms:

```yaml
gelenk: 1
parts:
  a: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: {orientation: {axis: z, angle: 30 deg}}}
  b: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: {orientation: {quaternion: [1, 0, 0, 0]}, relative_to: a}}
  c:
    mass: 1 kg
    inertia: {xx: 1, yy: 1, zz: 1}
    at: {position: [0, 1 m, 0], orientation: {angles: [10 deg, 0, 5 deg], sequence: zyx}}  # about z, new y, new x
  d: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: {orientation: {x: [1, 1, 0], z: z}}}
```

A joint joins the two frames of `between`, in this order; its axis is in the axes of the first. With `at:` the joint
sits at that place in the drawing instead, with the axes there: both parts get a frame there, and the coordinates are
zero as drawn.

## Plates and drawings

An `extrusion` is a plate of any outline, given by its corners or by a DXF drawing. It lies on the xy plane of its `at`.

```yaml
gelenk: 1
parts:
  bracket:
    material: aluminum
    shape:
      - {extrusion: {x: [0, 80 mm, 80 mm, 20 mm, 20 mm, 0], y: [0, 0, 20 mm, 20 mm, 60 mm, 60 mm], height: 6 mm}}
      - {cylinder: {radius: 4 mm, from: [10 mm, 50 mm, 0], to: [10 mm, 50 mm, 6 mm], hole: true}}
```

- Corners go around the outline in either direction; edges must not cross or touch.
- A drawing, `{extrusion: {file: plate.dxf, height: 6 mm}}`, is a text DXF with the lines of the plate alone. Closed lines within
  others are holes. Lines, arcs, circles, ellipses, polylines and splines are read; arcs become edges, 64 for a full turn, that
  enclose the same area. Its unit is what the drawing says; `scale` says otherwise.
- Mass properties are exact for the straight edges. `gelenk check --parts` shows them for every part.

## Assemblies

`definitions:` holds assemblies that may be used several times; `assemblies:` puts them in place. An assembly shows
its `ports:` to its owner.

```yaml
gelenk: 1
definitions:
  leg:
    parameters: {length: 0.5 m, stiffness: 2 kN/m}
    parts:
      upper:
        material: aluminum
        shape: {cylinder: {radius: 15 mm, from: [0, 0, 0], to: [0, 0, =-length]}}
      foot: {at: [0, 0, =-length], material: rubber, shape: {sphere: {radius: 30 mm}}}
    joints:
      slide: {type: prismatic, between: [upper, foot], at: foot, axis: z}
    forces:
      spring: {type: spring_damper, between: [upper, foot], stiffness: =stiffness, damping: 50 N*s/m}
    ports: {hip: upper}
parameters: {spring: 3 kN/m}
parts:
  body: {material: aluminum, shape: {box: {size: [1 m, 0.4 m, 0.1 m]}}}
assemblies:
  front_left:
    use: leg
    at: [0.4 m, 0.2 m, 0]
    set: {stiffness: =spring}                   # evaluated here, in the owner
    attach: {hip: {type: revolute, to: body, axis: y}}
  front_right: {mirror_of: front_left, plane: xz}
  rear_left: {copy_of: front_left, at: [-0.4 m, 0.2 m, 0]}
  rear_right: {mirror_of: rear_left, plane: xz}
outputs: {deflection: front_left.slide.travel}
```

- `use:` takes a name of `definitions:` or the path of a model file, relative to the file it is written in. Files
  outside the folder of the model need `--allow-outside`.
- An assembly sees only its own names. Values come in through `set:` and `inputs:`; the owner may read parameters,
  inputs and outputs of what it owns.
- From outside, joints, forces and drivers use only ports: `front_left.hip`. Outputs and expressions may read channels
  of anything inside.
- A port names a frame of one of its parts or a port of a sub-assembly.
- `attach: {PORT: {type: T, to: FRAME, ...}}` is a joint between `[FRAME, PORT]`, the frame first, named
  `instance.port`. When `to` is a part or `ground`, it is joined where the port is drawn, with the axes of that part.
- `mirror_of` mirrors everything inside in a plane through the owner's origin: places, axes, inertia, joints, forces.
- `copy_of` takes everything that is not given from another instance.
- `up`, `gravity`, `display`, `simulation` and `about` of a used file count only at the root.

A parameter is set once. An input is a number that the owner gives at every instant: the expression may use `time`,
channels, outputs of sub-assemblies and the owner's own inputs. Inside, it is read by its name wherever a value may
change.

```yaml
gelenk: 1
definitions:
  motor:
    parameters: {constant: 0.05 N*m/A, resistance: 0.5 ohm}
    inputs: {voltage: {value: 12 V, doc: at the terminals}}
    parts:
      case: {mass: 0.8 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 2e-3}}
      rotor: {mass: 0.3 kg, inertia: {xx: 2e-4, yy: 2e-4, zz: 1e-4}}
    joints: {bearing: {type: revolute, between: [case, rotor], axis: z}}
    forces: {winding: {type: actuator, drives: bearing.angle, value: =constant * current}}
    outputs: {speed: bearing.rate, current: =(voltage - constant * bearing.rate) / resistance}
    ports: {case: case, shaft: rotor}
parameters: {gain: 0.02 V*s}
assemblies:
  motor:
    use: motor
    inputs: {voltage: "=if(time < 0.1 s, 0 V, 10 V) - gain * motor.speed"}
    attach: {case: {type: fixed, to: ground}}
```

- What the owner does not give has its `value`; where there is none, that is an error. An input with a `unit` alone
  must be given.
- Inputs of the model itself have their `value` when it runs on its own, or what `--set` says.
- What sub-assemblies are given is recorded as a channel: `motor.voltage`.
- Inputs and outputs that read each other in a circle are an error.

With `repeat:` a row of instances is made, `link.0`, `link.1`, ...; `index` counts them in `at`, `set` and `inputs`, and
`previous` names the one before. The first has none before it and is not joined, unless `first_to` says to what:

```yaml
gelenk: 1
definitions:
  link:
    parts:
      rod:
        material: steel
        shape: {capsule: {radius: 5 mm, from: [0, 0, 0], to: end}}
        frames: {end: [0.1 m, 0, 0]}
    ports: {start: rod, end: rod.end}
assemblies:
  link:
    use: link
    repeat: 8
    at: [=index * 0.1 m, 0, 0]
    attach: {start: {type: spherical, to: previous.end, first_to: ground}}
```

## A file on top of another

`use:` at the top of a file makes the contents of another file its own, under the same names. `modify:` changes what
came in, by paths that start there; new elements are simply added. So an imported file stays as it is, and your changes
are in a short file of their own.

```yaml
# file: imported.yaml
gelenk: 1
parts:
  arm: {mass: 2 kg, inertia: {xx: 0.01, yy: 0.1, zz: 0.1}, center_of_mass: [0.2 m, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, arm], axis: y}
```

```yaml
gelenk: 1
use: imported.yaml
modify:
  parts.arm: {mass: 2.5 kg}
  joints.hinge: {start: {angle: 10 deg}}
forces:
  friction: {type: rotational_spring_damper, drives: hinge.angle, damping: 0.1 N*m*s/rad}
```

An instance takes a `modify:` of its own, for itself alone:
`{use: leg, modify: {joints.slide: {type: cylindrical}}}`.

)md";

constinit const std::string_view kReferenceForceExample = R"md(```yaml
gelenk: 1
parameters: {rate: 400 N/m}
parts:
  block:
    at: [0, 0, 0.5 m]
    material: oak
    shape:
      - box: {size: [0.2 m, 0.2 m, 0.1 m]}
      - cylinder: {radius: 20 mm, from: [0, 0, -60 mm], to: [0, 0, 60 mm], hole: true}
    frames: {hook: [0, 0, 50 mm]}
  arm: {at: block.hook, mass: 0.2 kg, inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-4}}
ground: {frames: {ceiling: [0, 0, 1 m]}}
joints:
  pin: {type: revolute, between: [block.hook, arm], axis: x, limits: {angle: {min: -90 deg, max: 90 deg}}}
forces:
  wind: {type: force, applied_to: block, axes_of: ground, along: x, value: =2 N * sin(2 * pi * time / 1 s)}
  twist: {type: torque, between: [ground, block], about: z, value: 0.1 N*m}
  hanger: {type: spring_damper, between: [ground.ceiling, block.hook], stiffness: =rate, damping: 5 N*s/m}
  mount: {type: bushing, between: [ground, block], stiffness: [1 kN/m, 1 kN/m, 0], rotational_stiffness: [10, 10, 10]}
  hairspring: {type: rotational_spring_damper, drives: pin.angle, stiffness: 0.2 N*m/rad}
  brake: {type: actuator, drives: pin.angle, value: =-0.05 (N*m*s/rad) * rate}
```

)md";

constinit const std::string_view kReferenceChannels = R"md(## Channels

What a machine records has one name everywhere, in expressions, outputs, plots and files:
`path.quantity[.component]`, such as `piston.position.x` or `crank_pin.reaction.force.magnitude`. Vectors have the
components `x`, `y`, `z` and `magnitude`, orientations `w`, `x`, `y`, `z`. A joint also records its coordinates and
rates: `hinge.angle`, `hinge.rate`.

Expressions and outputs also read frames: those of parts, of the ground and of assemblies, and ports of sub-assemblies.
`rod.small_end.velocity.x` is a velocity in world axes, as those of parts are. Two frames are compared by functions:

```yaml
gelenk: 1
ground: {frames: {anchor: [0, 0, 500 mm]}}
parts:
  rod: {mass: 1 kg, inertia: {xx: 1e-3, yy: 1e-2, zz: 1e-2}, frames: {tip: [300 mm, 0, 0]}}
joints: {hinge: {type: revolute, between: [ground, rod], axis: y, start: {angle: 20 deg}}}
forces:
  sky_hook: {type: force, applied_to: rod.tip, axes_of: ground, along: z, value: "=-5 (N*s/m) * rod.tip.velocity.z"}
outputs:
  height: rod.tip.position.z
  reach: "distance(rod.tip, ground.anchor)"
  ahead: "relative(ground.anchor, rod.tip).position.x"     # in axes that turn with the rod
  closing_in: "relative(ground.anchor, rod.tip).velocity.x"  # rate of change of `ahead`
```

A part stands for its own axes and `ground` for those of the model, or of the assembly in which it is written. The order
is *of, as seen from*. An angle jumps at ±π; the angle of a joint counts its turns. The joint of an attachment has the
name of its port, and its coordinates come first: read the frame as `relative(arm.port, ground)` then. A sealed component
reports positions and velocities of its ports, not accelerations. These channels are recorded where an output reads them;
`gelenk info MODEL --channels` lists all that can be read.

)md";

}  // namespace gelenk::formats
