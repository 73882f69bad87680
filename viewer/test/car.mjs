// Something like a car: assemblies in assemblies, springs, a mesh, a sealed component. It bounces.
import { evenTimes, record, turn } from './recorder.mjs';

const REST = [0, 0, 0, 1, 0, 0, 0];
const Y = [0, 1, 0];
const ALONG_Y = turn([1, 0, 0], -Math.PI / 2);
const CORNERS = [
  ['front_left', 1.3, 0.75],
  ['front_right', 1.3, -0.75],
  ['rear_left', -1.3, 0.75],
  ['rear_right', -1.3, -0.75],
];

/** A wedge, as a mesh with shared corners and sharp edges. */
function wedge(a, b, c) {
  const positions = Float32Array.from([
    -a,
    -b,
    0,
    a,
    -b,
    0,
    a,
    b,
    0,
    -a,
    b,
    0,
    -a * 0.5,
    -b * 0.8,
    c,
    a * 0.4,
    -b * 0.8,
    c,
    a * 0.4,
    b * 0.8,
    c,
    -a * 0.5,
    b * 0.8,
    c,
  ]);
  const quads = [
    [0, 3, 2, 1],
    [4, 5, 6, 7],
    [0, 1, 5, 4],
    [1, 2, 6, 5],
    [2, 3, 7, 6],
    [3, 0, 4, 7],
  ];
  const indices = Uint32Array.from(quads.flatMap(([p, q, r, s]) => [p, q, r, p, r, s]));
  const base64 = (array) => Buffer.from(array.buffer).toString('base64');
  return { name: 'cabin', positions: base64(positions), indices: base64(indices) };
}

export function carScene() {
  const file = 'car.yaml';
  const assemblies = [];
  const parts = [
    {
      path: 'chassis',
      at: [0, 0, 0.6, 1, 0, 0, 0],
      mass: 1200,
      center: [0, 0, 0],
      inertia: [292, 1636, 1856, 0, 0, 0],
      color: [0.42, 0.5, 0.58],
      isDefaultShape: false,
      shapes: [
        { kind: 'box', at: [0, 0, 0, 1, 0, 0, 0], size: [3.9, 1.2, 0.3] },
        { kind: 'mesh', at: [-0.1, 0, 0.15, 1, 0, 0, 0], mesh: 0 },
      ],
      frames: [{ name: 'roof', at: [0, 0, 0.65, 1, 0, 0, 0] }],
      file,
      line: 12,
      data: [['mass', '1200 kg']],
    },
  ];
  const joints = [];
  const forces = [];
  for (const [name, x, y] of CORNERS) {
    const side = Math.sign(y);
    assemblies.push(
      { path: name, file, line: 18, sealed: false, data: [['use', 'suspension.yaml']] },
      { path: `${name}.damper`, file: 'suspension.yaml', line: 80, sealed: false, data: [['use', 'damper']] },
      { path: `${name}.wheel_group`, file: 'suspension.yaml', line: 86, sealed: false, data: [['use', 'wheel_group']] },
    );
    const first = parts.length;
    const part = (path, at, mass, color, shapes) =>
      parts.push({
        path: `${name}.${path}`,
        at,
        mass,
        center: [0, 0, 0],
        inertia: [0.1, 0.4, 0.4, 0, 0, 0],
        color,
        isDefaultShape: path.endsWith('arm'),
        shapes,
        frames: [],
        file: 'suspension.yaml',
        line: 40,
        data: [['mass', `${mass} kg`]],
      });
    part(
      'damper.tube',
      [x + 0.2, y - 0.08 * side, 0.74, 1, 0, 0, 0],
      4,
      [0.65, 0.6, 0.4],
      [{ kind: 'cylinder', at: [0, 0, 0, 1, 0, 0, 0], radius: 0.035, length: 0.25 }],
    );
    part(
      'damper.rod',
      [x + 0.2, y - 0.08 * side, 0.48, 1, 0, 0, 0],
      3,
      [0.75, 0.75, 0.78],
      [{ kind: 'cylinder', at: [0, 0, 0, 1, 0, 0, 0], radius: 0.015, length: 0.3 }],
    );
    part(
      'wheel_group.arm',
      [x + 0.225, y, 0.335, 1, 0, 0, 0],
      18,
      [0.55, 0.42, 0.4],
      [{ kind: 'capsule', at: [0, 0, 0, ...turn(Y, Math.PI / 2)], radius: 0.03, length: 0.45 }],
    );
    part(
      'wheel_group.wheel',
      [x, y + 0.1 * side, 0.32, 1, 0, 0, 0],
      22,
      [0.22, 0.24, 0.27],
      [{ kind: 'cylinder', at: [0, 0, 0, ...ALONG_Y], radius: 0.32, length: 0.2 }],
    );
    const joint = (path, type, pair, frames, axis) =>
      joints.push({
        path: `${name}.${path}`,
        type,
        parts: pair,
        frames,
        axis,
        file: 'suspension.yaml',
        line: 60,
        data: [],
      });
    joint(
      'strut_top',
      'revolute',
      [0, first],
      [
        [x + 0.2, y - 0.08 * side, 0.26, 1, 0, 0, 0],
        [0, 0, 0.12, 1, 0, 0, 0],
      ],
      Y,
    );
    joint(
      'arm_pivot',
      'revolute',
      [0, first + 2],
      [
        [x + 0.45, y, -0.25, 1, 0, 0, 0],
        [0.225, 0, 0.015, 1, 0, 0, 0],
      ],
      Y,
    );
    joint(
      'damper.slide',
      'cylindrical',
      [first, first + 1],
      [
        [0, 0, -0.12, 1, 0, 0, 0],
        [0, 0, 0.14, 1, 0, 0, 0],
      ],
      [0, 0, 1],
    );
    joint(
      'wheel_group.bearing',
      'revolute',
      [first + 2, first + 3],
      [[-0.225, 0.1 * side, -0.015, 1, 0, 0, 0], REST],
      Y,
    );
    joint(
      'strut_foot',
      'spherical',
      [first + 1, first + 2],
      [
        [0, 0, -0.14, 1, 0, 0, 0],
        [-0.025, -0.08 * side, 0.005, 1, 0, 0, 0],
      ],
      null,
    );
    forces.push({
      path: `${name}.damper.strut`,
      type: 'spring_damper',
      ends: [
        { part: first, point: [0, 0, 0.12] },
        { part: first + 1, point: [0, 0, -0.14] },
      ],
      file: 'suspension.yaml',
      line: 50,
      data: [
        ['stiffness', '40 kN/m'],
        ['damping', '2.5 kN s/m'],
      ],
    });
  }
  assemblies.push({
    path: 'gearbox',
    file,
    line: 30,
    sealed: true,
    data: [
      ['maker', 'Example Gears'],
      ['version', '1.2'],
    ],
  });
  return {
    format: 1,
    name: 'car',
    up: [0, 0, 1],
    gravity: [0, 0, -9.81],
    size: 4.6,
    center: [0, 0, 0.6],
    symbol: 0.16,
    assemblies,
    parts,
    meshes: [wedge(1.1, 0.6, 0.5)],
    joints,
    forces,
    drivers: [],
    frames: [{ path: 'gearbox.input', part: 0, at: [0.9, 0, 0, 1, 0, 0, 0] }],
  };
}

export function carRun() {
  const { parts } = carScene();
  const sample = (time) => {
    const lift = 0.04 * Math.sin(4 * time);
    const poses = Object.fromEntries(
      parts.map(({ path, at }) => {
        const moves = path === 'chassis' || path.endsWith('tube');
        const roll = path.endsWith('wheel') ? turn(Y, 3 * time) : at.slice(3);
        return [path, [at[0], at[1], at[2] + (moves ? lift : 0), ...roll]];
      }),
    );
    return {
      poses,
      values: {
        body_height: 0.6 + lift,
        ...Object.fromEntries(CORNERS.map(([name]) => [`${name}.damper.strut.length`, 0.52 + lift])),
        'energy.kinetic': 40 * Math.cos(4 * time) ** 2,
      },
    };
  };
  return record({
    info: { name: 'car', file: 'car.h5' },
    times: evenTimes(6, 0.02),
    sample,
    units: { height: ['m', 'length'], length: ['m', 'length'], energy: ['J', 'energy'] },
  });
}
