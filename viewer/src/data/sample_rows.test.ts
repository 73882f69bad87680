import { expect, test } from 'vitest';
import { sampleRows } from './sample_rows';

test('few rows are all taken, many are thinned from the first to the last', () => {
  expect(sampleRows(0, 8)).toEqual([]);
  expect(sampleRows(3, 8)).toEqual([0, 1, 2]);
  const rows = sampleRows(100_001, 64);
  expect(rows.length).toBeLessThanOrEqual(64);
  expect(rows.length).toBeGreaterThan(60);
  expect(rows[0]).toBe(0);
  expect(rows.at(-1)).toBe(100_000);
  const widest = Math.max(...rows.slice(1).map((row, i) => row - rows[i]));
  expect(widest).toBeLessThan((2.1 * 100_001) / 64);
});

test('a wheel that turns in step with the samples is still met in all positions', () => {
  // With rows at equal distances, one whole turn from each to the next, the height would always be that of the first.
  const rows = sampleRows(64_000, 64);
  const heights = rows.map((row) => Math.cos((2 * Math.PI * row) / 1000));
  expect(Math.min(...heights)).toBeLessThan(-0.95);
  expect(Math.max(...heights)).toBeGreaterThan(0.95);
});
