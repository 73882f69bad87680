import { describe, expect, it } from 'vitest';
import { chosenRows, commonTimes, csvText, difference, resample } from './plot_data';

describe('plots', () => {
  it('take values of another run straight between its rows', () => {
    const values = resample(Float64Array.of(0, 1, 2), Float64Array.of(0, 10, 30), Float64Array.of(-1, 0.5, 1.5, 2, 3));
    expect([...values]).toEqual([NaN, 5, 20, 30, NaN]);
    expect([...difference(Float64Array.of(1, 2), Float64Array.of(4, 4))]).toEqual([3, 2]);
  });

  it('go on where only the second run has rows', () => {
    const first = Float64Array.of(1, 2, 3);
    expect(commonTimes(first, Float64Array.of(1.5, 3))).toBe(first);
    const all = commonTimes(first, Float64Array.of(0, 0.9, 2.5, 4, 5));
    expect([...all]).toEqual([0, 0.9, 1, 2, 3, 4, 5]);
    expect([...resample(first, Float64Array.of(10, 20, 30), all)]).toEqual([NaN, NaN, 10, 20, 30, NaN, NaN]);
    expect([...commonTimes(new Float64Array(0), first)]).toEqual([1, 2, 3]);
  });

  it('keep every peak when they are thinned', () => {
    const times = Float64Array.from({ length: 100_000 }, (_, i) => i);
    const values = new Float64Array(times.length);
    values[54_321] = 7;
    values[12_345] = -3;
    const rows = chosenRows(times, [values], -Infinity, Infinity, 100);
    expect(rows.length).toBeLessThan(400);
    expect(rows.includes(54_321) && rows.includes(12_345) && rows.includes(99_999)).toBe(true);
    expect([...rows]).toEqual([...rows].sort((a, b) => a - b));
  });

  it('of a short span have all of its rows', () => {
    const times = Float64Array.from({ length: 100 }, (_, i) => i);
    expect([...chosenRows(times, [], 10, 12, 100)]).toEqual([10, 11, 12, 13]);
  });

  it('become tables', () => {
    const curve = { label: 'a,b', unit: 'mm', values: Float64Array.of(1.5, NaN) };
    expect(csvText(Float64Array.of(0, 1), [curve])).toBe('time (s),"a,b (mm)"\n0,1.5\n1,\n');
  });
});
