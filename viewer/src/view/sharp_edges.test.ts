import { BoxGeometry, PlaneGeometry, SphereGeometry } from 'three';
import { expect, test } from 'vitest';
import { prismGeometry } from './prism_geometry';
import { sharpEdges } from './sharp_edges';

const count = (edges: Float32Array) => edges.length / 6;

test('a box has twelve edges of its own lengths', () => {
  const edges = sharpEdges(new BoxGeometry(1, 2, 3), 30);
  expect(count(edges)).toBe(12);
  const lengths = Array.from({ length: 12 }, (_, i) => {
    return Math.hypot(...[0, 1, 2].map((k) => edges[6 * i + 3 + k] - edges[6 * i + k]));
  });
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeCloseTo(4 * (1 + 2 + 3), 5);
});

test('what is round has none where it is smooth, and no seam', () => {
  expect(count(sharpEdges(new SphereGeometry(1, 32, 16), 30))).toBe(0);
  // The two circles of a cylinder of 32 sides.
  expect(count(sharpEdges(prismGeometry(32, 1, 1, true), 30))).toBe(64);
});

test('a sheet has its border', () => {
  expect(count(sharpEdges(new PlaneGeometry(1, 1, 3, 2), 30))).toBe(10);
});
