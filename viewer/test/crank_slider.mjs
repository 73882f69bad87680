// A crank-slider with y up, in closed form: with crank r and rod l at the angle a of the crank,
//   sin b = -r sin(a) / l for the angle b of the rod, x = r cos(a) + l cos(b) for the piston.
import { evenTimes, record, turn } from './recorder.mjs';

const CRANK = 0.05;
const ROD = 0.15;
const REST = [0, 0, 0, 1, 0, 0, 0];
const ALONG_X = turn([0, 1, 0], Math.PI / 2);
const Z = [0, 0, 1];

export const UNITS = {
  angle: ['rad', 'angle'],
  rate: ['rad/s', 'rate'],
  reaction: ['N', 'force'],
  torque: ['N*m', 'torque'],
  force: ['N', 'force'],
  length: ['m', 'length'],
  stroke: ['m', 'length'],
};

function solve(angle) {
  const rod = Math.asin((-CRANK * Math.sin(angle)) / ROD);
  const pin = [CRANK * Math.cos(angle), CRANK * Math.sin(angle), 0];
  return { rod, pin, piston: pin[0] + ROD * Math.cos(rod) };
}

const rod = (length, radius) => ({ kind: 'capsule', at: [length / 2, 0, 0, ...ALONG_X], radius, length });
const pin = (x, radius) => ({ kind: 'cylinder', at: [x, 0, 0, 1, 0, 0, 0], radius, length: 0.03 });

export function crankSliderScene() {
  const start = solve(0);
  const at = (place, angle) => [...place, ...turn(Z, angle)];
  const part = (path, pose, mass, center, inertia, color, shapes, frames, line) => {
    return {
      path,
      at: pose,
      mass,
      center,
      inertia,
      color,
      isDefaultShape: false,
      shapes,
      frames,
      file: 'crank_slider.yaml',
      line,
      data: [
        ['mass', `${mass} kg`],
        ['material', 'steel'],
      ],
    };
  };
  const joint = (path, type, parts, frames, axis, line) => {
    return { path, type, parts, frames, axis, file: 'crank_slider.yaml', line, data: [['between', parts.join(', ')]] };
  };
  return {
    format: 1,
    name: 'crank_slider',
    up: [0, 1, 0],
    gravity: [0, -9.81, 0],
    size: 0.26,
    center: [0.1, 0, 0],
    symbol: 0.0105,
    assemblies: [],
    parts: [
      part(
        'crank',
        at([0, 0, 0], 0),
        0.123,
        [0.025, 0, 0],
        [3e-6, 2.7e-5, 2.7e-5, 0, 0, 0],
        [0.36, 0.48, 0.6],
        [rod(CRANK, 0.01), pin(0, 0.014)],
        [{ name: 'pin', at: [CRANK, 0, 0, 1, 0, 0, 0] }],
        11,
      ),
      part(
        'rod',
        at(start.pin, start.rod),
        0.237,
        [0.075, 0, 0],
        [8e-6, 4.5e-4, 4.5e-4, 0, 0, 0],
        [0.72, 0.55, 0.35],
        [rod(ROD, 0.007), pin(0, 0.011)],
        [{ name: 'small_end', at: [ROD, 0, 0, 1, 0, 0, 0] }],
        15,
      ),
      part(
        'piston',
        at([start.piston, 0, 0], 0),
        0.5,
        [0, 0, 0],
        [1e-4, 1e-4, 1e-4, 0, 0, 0],
        [0.5, 0.62, 0.5],
        [{ kind: 'cylinder', at: [0.012, 0, 0, ...ALONG_X], radius: 0.026, length: 0.036 }],
        [],
        20,
      ),
    ],
    meshes: [],
    joints: [
      joint('main_bearing', 'revolute', [-1, 0], [REST, REST], Z, 25),
      joint('crank_pin', 'revolute', [0, 1], [[CRANK, 0, 0, 1, 0, 0, 0], REST], Z, 26),
      joint('wrist_pin', 'revolute', [1, 2], [[ROD, 0, 0, 1, 0, 0, 0], REST], Z, 27),
      joint('bore', 'prismatic', [-1, 2], [[0.15, 0, 0, 1, 0, 0, 0], REST], [1, 0, 0], 28),
    ],
    forces: [
      {
        path: 'gas',
        type: 'force',
        ends: [{ part: 2, point: [0.03, 0, 0] }],
        direction: [-1, 0, 0],
        directionPart: -1,
        file: 'crank_slider.yaml',
        line: 32,
        data: [['value', '2 kN sin²']],
      },
      {
        path: 'buffer',
        type: 'spring_damper',
        ends: [
          { part: 2, point: [0.03, 0, 0] },
          { part: -1, point: [0.3, 0, 0] },
        ],
        file: 'crank_slider.yaml',
        line: 33,
        data: [['stiffness', '2 kN/m']],
      },
    ],
    drivers: [
      { path: 'motor', drives: 'main_bearing.angle', file: 'crank_slider.yaml', line: 30, data: [['rate', '60 rpm']] },
    ],
    frames: [{ path: 'foot', part: -1, at: [0, -0.03, 0, 1, 0, 0, 0] }],
    motions: [
      {
        name: 'crank turns',
        // Crank at angle 0: the pin goes up, the rod turns about its small end, the piston stays.
        twists: [
          [0, 0, 0, 0, 0, 1],
          [0, CRANK, 0, 0, 0, -CRANK / ROD],
          [0, 0, 0, 0, 0, 0],
        ],
      },
    ],
  };
}

/** One run; `opening(time)` moves the piston away from the rod: a joint that fails. */
export function crankSliderRun({
  speed = 2 * Math.PI,
  end = 2,
  step = 0.005,
  file = 'crank_slider.h5',
  opening = () => 0,
  info = {},
} = {}) {
  const sample = (time) => {
    const angle = speed * time;
    const now = solve(angle);
    const load = 200 * Math.cos(angle) ** 2;
    const piston = now.piston + opening(time);
    return {
      poses: {
        crank: [0, 0, 0, ...turn(Z, angle)],
        rod: [...now.pin, ...turn(Z, now.rod)],
        piston: [piston, 0, 0, 1, 0, 0, 0],
      },
      values: {
        'main_bearing.angle': angle,
        'main_bearing.rate': speed,
        'main_bearing.reaction.force.x': load,
        'main_bearing.reaction.force.y': 40 * Math.sin(angle),
        'main_bearing.reaction.force.z': 0,
        'crank_pin.reaction.force.x': -load,
        'crank_pin.reaction.force.y': 30 * Math.sin(angle),
        'crank_pin.reaction.force.z': 0,
        'wrist_pin.reaction.force.x': -load * (1 + 1e3 * opening(time)),
        'wrist_pin.reaction.force.y': 20 * Math.sin(angle),
        'wrist_pin.reaction.force.z': 0,
        'bore.reaction.force.x': 0,
        'bore.reaction.force.y': 25 * Math.sin(2 * angle),
        'bore.reaction.force.z': 3,
        'motor.torque': 4 * Math.sin(2 * angle),
        'gas.force': load,
        'buffer.force': -2000 * (piston - 0.17),
        'buffer.length': 0.27 - piston,
        stroke: piston,
        motor_torque: 4 * Math.sin(2 * angle),
      },
    };
  };
  return record({
    info: {
      name: 'crank_slider',
      file,
      display: [
        ['length', 'mm'],
        ['angle', 'deg'],
        ['rate', 'rpm'],
      ],
      events: [{ time: end / 4, kind: 'switch', element: 'gas', text: 'the formula of the value changes sides' }],
      certificate: {
        verdict: 'good',
        reasons: ['joints closed to 6e-16 m', 'energy balanced to 5e-07'],
        assumptions: ['Parts are rigid.', 'Loads that joints share are shared by mass.'],
        sharedReactions: [{ channel: 'bore.reaction.force.z', element: 'bore', group: 0, always: true }],
        method: { name: 'rk4', step: 0.001 },
      },
      ...info,
    },
    times: evenTimes(end, step),
    sample,
    units: UNITS,
  });
}

/** The joint between rod and piston opens in the last steps. */
export function failedRun() {
  const message =
    "At 1.2 s joint 'wrist_pin' cannot be closed: it is open by 12 mm, and four more iterations do not help.";
  return crankSliderRun({
    end: 1.2,
    file: 'failed.h5',
    opening: (time) => (time > 1.1 ? 1.2 * (time - 1.1) ** 2 : 0),
    info: {
      status: 'failed',
      message,
      failure: { elements: ['wrist_pin', 'piston'] },
      certificate: { verdict: 'do_not_use', reasons: ['the run failed'] },
    },
  });
}
