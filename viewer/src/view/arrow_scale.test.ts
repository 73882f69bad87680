import { expect, test } from 'vitest';
import type { Session } from '../state/session';
import { ArrowScale, ArrowScales } from './arrow_scale';
import { scaleBars } from './arrow_legend';

test('the largest value has the full length; half of it half, or little less where lengths are logarithmic', () => {
  const scale = new ArrowScale(0.5);
  scale.include(-200);
  expect(scale.length(200, false, 1)).toBeCloseTo(3, 12);
  expect(scale.length(100, false, 1)).toBeCloseTo(1.5, 12);
  expect(scale.length(20, true, 1)).toBeCloseTo(2.25, 12);
  expect(scale.length(0, true, 1)).toBe(0);
});

test('the scale is that of the whole run before it has been played', async () => {
  // Force x, y, z of a reaction: 3, 4 in row 1; a torque of 7 in row 2.
  const rows = [
    [1, 0, 0, 0],
    [3, 4, 0, 1],
    [0, 0, 0, -7],
  ].map((row) => Float32Array.from(row));
  const column = (name: string, at: number) => ({ name, unit: '', quantity: '', block: 0, column: at });
  const force = ['x', 'y', 'z'].map((letter, i) => column(`pin.reaction.force.${letter}`, i));
  const session = {
    source: { scene: { joints: [{ path: 'pin' }], forces: [], drivers: [{ path: 'motor' }] } },
    run: { times: [0, 1, 2], sample: (_: number, row: number) => Promise.resolve(rows[row]) },
    channels: {
      find: (name: string) =>
        name === 'pin.reaction.force.magnitude'
          ? { columns: force }
          : name === 'motor.torque'
            ? { columns: [column(name, 3)] }
            : undefined,
    },
  };
  const scales = new ArrowScales(1);
  await scales.measure(session as unknown as Session);
  expect(scales.forces.largest).toBe(5);
  expect(scales.torques.largest).toBe(7);
});

test('bars of the legend stand for round values and have the length of such an arrow', () => {
  const scale = new ArrowScale(1);
  scale.include(200);
  // The full length of 6 m is 120 pixels; a bar of at most 90 is 150 N, or 100 N when it is round.
  expect(scaleBars(scale, false, 1, 20, 1)).toEqual([{ value: 100, pixels: 60 }]);
  // In units of 1000: 0.1 is 100.
  expect(scaleBars(scale, false, 1, 20, 1000)).toEqual([{ value: 100, pixels: 60 }]);
  const decades = scaleBars(scale, true, 1, 20, 1);
  expect(decades.map(({ value }) => value)).toEqual([200, 20, 2]);
  expect(decades.map(({ pixels }) => Math.round(pixels))).toEqual([120, 90, 60]);
  expect(scaleBars(new ArrowScale(1), false, 1, 20, 1)).toEqual([]);
});
