// Numbers of a plot: curves of one or two runs over common times, thinned so that every peak stays.
import type { Numbers } from '../data/run';
import { rowAt } from '../data/run';

export interface Curve {
  label: string;
  unit: string;
  values: Numbers;
}

/** Times of the first run, and before and after them those of the second one. */
export function commonTimes(first: Numbers, second: Numbers): Numbers {
  if (first.length === 0) return second;
  const [begin, end] = [first[0], first[first.length - 1]];
  const before = Float64Array.from(second).filter((time) => time < begin);
  const after = Float64Array.from(second).filter((time) => time > end);
  if (before.length + after.length === 0) return first;
  const all = new Float64Array(before.length + first.length + after.length);
  all.set(before);
  all.set(first, before.length);
  all.set(after, before.length + first.length);
  return all;
}

/** Values of another run at these times, straight between its rows; NaN where it has none. */
export function resample(times: Numbers, values: Numbers, at: Numbers): Float64Array {
  const out = new Float64Array(at.length);
  const end = Math.min(times.length, values.length) - 1;
  for (let i = 0; i < at.length; ++i) {
    const t = at[i];
    if (end < 0 || t < times[0] || t > times[end]) {
      out[i] = NaN;
      continue;
    }
    const row = Math.min(rowAt(times, t), end);
    const next = Math.min(row + 1, end);
    const span = times[next] - times[row];
    out[i] = values[row] + (span > 0 ? ((t - times[row]) / span) * (values[next] - values[row]) : 0);
  }
  return out;
}

export function difference(a: Numbers, b: Numbers): Float64Array {
  const out = new Float64Array(Math.min(a.length, b.length));
  for (let i = 0; i < out.length; ++i) out[i] = b[i] - a[i];
  return out;
}

/**
 * Rows between two times that a plot needs: all of them, or of each of `pieces` equal parts the first row and those with
 * the smallest and the largest value of any curve.
 */
export function chosenRows(times: Numbers, curves: Numbers[], from: number, to: number, pieces: number): Uint32Array {
  const first = Math.max(0, rowAt(times, from));
  const last = Math.min(times.length - 1, rowAt(times, to) + 1);
  const count = last - first + 1;
  if (count <= 3 * pieces) return Uint32Array.from({ length: Math.max(0, count) }, (_, i) => first + i);
  const chosen = new Set<number>([last]);
  for (let piece = 0; piece < pieces; ++piece) {
    const begin = first + Math.floor((piece * count) / pieces);
    const end = first + Math.floor(((piece + 1) * count) / pieces);
    chosen.add(begin);
    for (const values of curves) {
      let low = begin;
      let high = begin;
      for (let i = begin; i < end; ++i) {
        if (values[i] < values[low]) low = i;
        if (values[i] > values[high]) high = i;
      }
      chosen.add(low).add(high);
    }
  }
  return Uint32Array.from([...chosen].sort((a, b) => a - b));
}

/** Text of a table: one line a row, numbers with all their digits. */
export function csvText(times: Numbers, curves: Curve[]): string {
  const head = ['time (s)', ...curves.map(({ label, unit }) => (unit ? `${label} (${unit})` : label))];
  const lines = [head.map((name) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',')];
  for (let i = 0; i < times.length; ++i) {
    lines.push([times[i], ...curves.map(({ values }) => (Number.isNaN(values[i]) ? '' : values[i]))].join(','));
  }
  return `${lines.join('\n')}\n`;
}
