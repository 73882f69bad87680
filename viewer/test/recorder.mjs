// Collects rows of a run: poses of parts, and channels by name.

/** Quaternion w x y z of a turn about an axis. */
export function turn([x, y, z], angle) {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), x * s, y * s, z * s];
}

const DIGITS = { position: ['x', 'y', 'z'], orientation: ['w', 'x', 'y', 'z'] };

/**
 * `sample(time)` gives {poses: {path: [7 numbers]}, values: {channel: number}}; `units` gives unit and quantity of channels
 * by the end of their names.
 */
export function record({ info, times, sample, units }) {
  const first = sample(times[0]);
  const parts = Object.keys(first.poses);
  const names = Object.keys(first.values);
  const width = 7 * parts.length;
  const poses = new Float32Array(width * times.length);
  const values = new Float32Array(names.length * times.length);
  times.forEach((time, row) => {
    const now = sample(time);
    parts.forEach((part, i) => poses.set(now.poses[part], row * width + 7 * i));
    names.forEach((name, i) => (values[row * names.length + i] = now.values[name]));
  });
  const channels = parts.flatMap((part, i) => {
    let column = 7 * i;
    return Object.entries(DIGITS).flatMap(([what, letters]) =>
      letters.map((letter) => ({
        name: `${part}.${what}.${letter}`,
        unit: what === 'position' ? 'm' : '',
        quantity: what === 'position' ? 'length' : 'number',
        block: 0,
        column: column++,
      })),
    );
  });
  names.forEach((name, column) => {
    const key = Object.keys(units).find((each) => name.includes(each));
    const [unit, quantity] = units[key] ?? ['', 'number'];
    channels.push({ name, unit, quantity, block: 1, column });
  });
  return {
    info: {
      format: 1,
      status: 'done',
      message: '',
      events: [],
      display: [],
      certificate: null,
      ...info,
      rows: times.length,
      blocks: [
        { name: 'parts/pose', width },
        { name: 'values', width: names.length },
      ],
      partOrder: parts,
      channels,
    },
    times: Float64Array.from(times),
    data: [poses, values],
  };
}

export function evenTimes(end, step) {
  return Array.from({ length: Math.round(end / step) + 1 }, (_, i) => i * step);
}
