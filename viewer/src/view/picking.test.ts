import { expect, test } from 'vitest';
import type { Hit } from './layer';
import { orderedHits } from './picking';

const hit = (kind: Hit['kind'], path: string, distance: number): Hit => ({ kind, path, distance });

test('a part is picked before symbols, also those in front of it; arrows before all', () => {
  const hits = [
    hit('symbol', 'pin', 1),
    hit('part', 'rod', 2),
    hit('part', 'crank', 3),
    hit('symbol', 'bearing', 2.5),
    hit('part', 'rod', 4),
  ];
  expect(orderedHits(hits).map(({ path }) => path)).toEqual(['rod', 'pin', 'bearing', 'crank']);
  expect(orderedHits([...hits, hit('arrow', 'gas', 9)])[0].path).toBe('gas');
  expect(orderedHits([hit('symbol', 'pin', 1)])[0].path).toBe('pin');
  expect(orderedHits([])).toEqual([]);
});
