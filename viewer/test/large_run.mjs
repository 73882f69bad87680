// A result of two gigabytes that is never whole in memory: its rows are computed when somebody asks for them.
const PARTS = 100;
const ROWS = 750_000;
const STEP = 0.001;

function fill(rows, at, part, row) {
  const angle = 0.01 * row + part;
  rows.set(
    [part % 10, Math.floor(part / 10), 0.2 * Math.sin(angle), Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)],
    at,
  );
}

export function largeSet() {
  const paths = Array.from({ length: PARTS }, (_, i) => `block_${i}`);
  const scene = {
    format: 1,
    name: 'large',
    up: [0, 0, 1],
    gravity: [0, 0, 0],
    size: 13,
    center: [4.5, 4.5, 0],
    symbol: 0.3,
    parts: paths.map((path, i) => ({
      path,
      at: [i % 10, Math.floor(i / 10), 0, 1, 0, 0, 0],
      mass: 1,
      center: [0, 0, 0],
      inertia: [1, 1, 1, 0, 0, 0],
      color: [0.5, 0.6, 0.7],
      shapes: [{ kind: 'box', at: [0, 0, 0, 1, 0, 0, 0], size: [0.5, 0.5, 0.5] }],
      frames: [],
      data: [],
    })),
  };
  const width = 7 * PARTS;
  const info = {
    format: 1,
    name: 'large',
    file: 'large.h5',
    status: 'done',
    message: '',
    rows: ROWS,
    blocks: [{ name: 'parts/pose', width }],
    partOrder: paths,
    display: [],
    events: [],
    certificate: null,
    channels: paths.map((path, i) => ({
      name: `${path}.position.z`,
      unit: 'm',
      quantity: 'length',
      block: 0,
      column: 7 * i + 2,
    })),
  };
  return {
    scene,
    runs: [
      {
        info,
        times: Float64Array.from({ length: ROWS }, (_, i) => i * STEP),
        makeRows: (_, first, count) => {
          const rows = new Float32Array(count * width);
          for (let i = 0; i < count; ++i)
            for (let part = 0; part < PARTS; ++part) fill(rows, i * width + 7 * part, part, first + i);
          return rows;
        },
        makeValue: (channel, row) => 0.2 * Math.sin(0.01 * row + (channel.column - 2) / 7),
      },
    ],
  };
}
