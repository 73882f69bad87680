import { expect, test } from 'vitest';
import type { Hit } from './layer';
import { nextSelection } from './pointer_picker';

const hits: Hit[] = ['rod', 'pin', 'crank'].map((path, i) => ({ kind: 'part', path, distance: i }));

test('clicks at one place go from element to element behind it, and round', () => {
  expect(nextSelection(hits, null, false)).toBe('rod');
  expect(nextSelection(hits, 'rod', true)).toBe('pin');
  expect(nextSelection(hits, 'crank', true)).toBe('rod');
  expect(nextSelection(hits, 'rod', false)).toBe('rod');
  expect(nextSelection([], 'rod', true)).toBe(null);
});
