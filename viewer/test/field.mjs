// A thousand parts in twenty rows that swing: for counting draw calls and pictures a second.
import { evenTimes, record, turn } from './recorder.mjs';

const COUNT = 1000;
const IN_ROW = 50;

function placeOf(i) {
  return [0.4 * (i % IN_ROW) - 10, 1.0 * Math.floor(i / IN_ROW) - 10, 0];
}

function shapeOf(i) {
  if (i % 3 === 0) return [{ kind: 'box', at: [0, 0, -0.3, 1, 0, 0, 0], size: [0.1, 0.1, 0.6] }];
  if (i % 3 === 1) return [{ kind: 'cylinder', at: [0, 0, -0.3, 1, 0, 0, 0], radius: 0.07, length: 0.6 }];
  return [{ kind: 'capsule', at: [0, 0, -0.3, 1, 0, 0, 0], radius: 0.06, length: 0.5 }];
}

const pathOf = (i) => `row.${Math.floor(i / IN_ROW)}.arm_${i % IN_ROW}`;

export function fieldScene() {
  const rows = Array.from({ length: COUNT / IN_ROW }, (_, i) => ({
    path: `row.${i}`,
    file: 'field.yaml',
    line: 3,
    sealed: false,
    data: [],
  }));
  const indices = Array.from({ length: COUNT }, (_, i) => i);
  return {
    format: 1,
    name: 'field',
    up: [0, 0, 1],
    gravity: [0, 0, -9.81],
    size: 29,
    center: [0, 0, 0],
    symbol: 0.25,
    assemblies: rows,
    meshes: [],
    forces: [],
    drivers: [],
    frames: [],
    parts: indices.map((i) => ({
      path: pathOf(i),
      at: [...placeOf(i), 1, 0, 0, 0],
      mass: 1,
      center: [0, 0, -0.3],
      inertia: [0.03, 0.03, 0.002, 0, 0, 0],
      color: [0.4 + (0.4 * ((i * 7) % 10)) / 10, 0.55, 0.75 - (0.3 * ((i * 3) % 10)) / 10],
      isDefaultShape: true,
      shapes: shapeOf(i),
      frames: [],
      file: 'field.yaml',
      line: 9,
      data: [['mass', '1 kg']],
    })),
    joints: indices.map((i) => ({
      path: `${pathOf(i)}_pivot`,
      type: 'revolute',
      parts: [-1, i],
      frames: [
        [...placeOf(i), 1, 0, 0, 0],
        [0, 0, 0, 1, 0, 0, 0],
      ],
      axis: [0, 1, 0],
      file: 'field.yaml',
      line: 12,
      data: [],
    })),
  };
}

export function fieldRun() {
  const sample = (time) => ({
    poses: Object.fromEntries(
      Array.from({ length: COUNT }, (_, i) => [
        pathOf(i),
        [...placeOf(i), ...turn([0, 1, 0], 0.8 * Math.sin(3 * time + 0.2 * i))],
      ]),
    ),
    values: { swing: 0.8 * Math.sin(3 * time) },
  });
  return record({
    info: { name: 'field', file: 'field.h5' },
    times: evenTimes(4, 0.02),
    sample,
    units: { swing: ['rad', 'angle'] },
  });
}
