import { describe, expect, it } from 'vitest';
import { type Feature, measureBetween, placedFeature } from './features';

function feature(kind: Feature['kind'], at: number[], direction: number[] | null = null): Feature {
  return { path: 'part', part: -1, name: kind, kind, at, direction };
}

const X = [1, 0, 0];
const Y = [0, 1, 0];
const Z = [0, 0, 1];

describe('distance and angle', () => {
  it('between points', () => {
    const { distance, angle } = measureBetween(feature('point', [1, 2, 3]), feature('point', [1, 5, 7]));
    expect(distance).toBe(5);
    expect(angle).toBe(null);
  });

  it('of a point from a line and from a plane, in either order', () => {
    const point = feature('point', [7, 3, 4]);
    const line = feature('line', [-1, 0, 0], X);
    const plane = feature('plane', [9, 9, 1], Z);
    for (const [a, b] of [
      [point, line],
      [line, point],
    ]) {
      const found = measureBetween(a, b);
      expect(found.distance).toBeCloseTo(5, 12);
      expect([found.from, found.to]).toContainEqual([7, 0, 0]);
    }
    expect(measureBetween(plane, point).distance).toBeCloseTo(3, 12);
  });

  it('between lines: parallel, skew, and crossing at 30 degrees', () => {
    const line = feature('line', [0, 0, 0], X);
    const parallel = measureBetween(line, feature('line', [8, 3, 4], [-1, 0, 0]));
    expect(parallel).toMatchObject({ angle: 0 });
    expect(parallel.distance).toBeCloseTo(5, 12);
    const skew = measureBetween(line, feature('line', [2, 7, 3], Y));
    expect(skew.distance).toBeCloseTo(3, 12);
    expect(skew.angle).toBeCloseTo(Math.PI / 2, 12);
    expect(skew.from[0]).toBeCloseTo(2, 12);
    const crossing = measureBetween(line, feature('line', [0, 0, 0], [Math.cos(Math.PI / 6), 0.5, 0]));
    expect(crossing.angle).toBeCloseTo(Math.PI / 6, 12);
    expect(crossing.distance).toBeCloseTo(0, 12);
  });

  it('between planes, and of a line from a plane: a distance only where they are parallel', () => {
    const floor = feature('plane', [0, 0, 1], Z);
    expect(measureBetween(floor, feature('plane', [3, 3, -1], [0, 0, -1]))).toMatchObject({ distance: 2, angle: 0 });
    const slope = measureBetween(floor, feature('plane', [0, 0, 1], [0, Math.SQRT1_2, Math.SQRT1_2]));
    expect(slope.distance).toBe(null);
    expect(slope.angle).toBeCloseTo(Math.PI / 4, 12);
    const line = feature('line', [1, 1, 5], X);
    expect(measureBetween(line, floor)).toMatchObject({ distance: 4, angle: 0 });
    expect(measureBetween(floor, line).distance).toBe(4);
    expect(measureBetween(floor, feature('line', [0, 0, 0], Z)).angle).toBeCloseTo(Math.PI / 2, 12);
  });
});

it('features go along with their part', () => {
  const half = Math.SQRT1_2;
  // Moved along x, turned by a quarter about z.
  const poses = [10, 0, 0, half, 0, 0, half];
  const placed = placedFeature({ ...feature('line', [1, 0, 0], X), part: 0 }, poses);
  placed.at.forEach((value, i) => expect(value).toBeCloseTo([10, 1, 0][i], 12));
  placed.direction?.forEach((value, i) => expect(value).toBeCloseTo(Y[i], 12));
});
