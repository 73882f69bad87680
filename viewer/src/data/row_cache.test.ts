import { describe, expect, it } from 'vitest';
import { RowCache } from './row_cache';

const WIDTH = 64;

function made(rows: number) {
  const asked: { block: number; first: number; count: number }[] = [];
  let notices = 0;
  const fetchRows = (block: number, first: number, count: number) => {
    asked.push({ block, first, count });
    return Promise.resolve(Float32Array.from({ length: count * WIDTH }, (_, i) => first + Math.floor(i / WIDTH)));
  };
  const cache = new RowCache([WIDTH], rows, fetchRows, () => ++notices);
  return { cache, asked, notices: () => notices };
}

const settled = () => new Promise((done) => setTimeout(done, 5));

describe('row cache', () => {
  it('fetches what is looked at, and the next piece', async () => {
    const { cache, asked, notices } = made(100_000);
    expect(cache.row(0, 50_000)).toBeNull();
    await settled();
    expect(notices()).toBe(2);
    expect(cache.row(0, 50_000)?.[0]).toBe(50_000);
    expect(asked.map(({ first }) => first / cache.chunkRows(0))).toEqual([48, 49]);
    expect(asked.every(({ count }) => count * WIDTH * 4 <= 256 * 1024)).toBe(true);
    cache.row(0, 50_001);
    await settled();
    expect(asked.length).toBe(2);
  });

  it('forgets wishes for places that were left', async () => {
    const { cache, asked } = made(1_000_000);
    for (let row = 0; row < 1_000_000; row += 20_000) cache.row(0, row);
    await settled();
    expect(asked.length).toBeLessThan(15);
    expect(cache.row(0, 980_000)?.[0]).toBe(980_000);
  });

  it('reads the last piece again when a run grows', async () => {
    const { cache } = made(10);
    cache.row(0, 9);
    await settled();
    expect(cache.row(0, 10)).toBeNull();
    cache.grow(11);
    cache.row(0, 10);
    await settled();
    expect(cache.row(0, 10)?.[0]).toBe(10);
  });
});
