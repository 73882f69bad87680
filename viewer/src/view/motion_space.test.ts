import { describe, expect, it } from 'vitest';
import type { Scene } from '../data/scene';
import { goneParts } from './motion_space';

/** Poses of two parts: a hub that stays and a lid at this height. */
const at = (height: number) => new Float32Array([0, 0, 0.1, 1, 0, 0, 0, 0, 0, height, 1, 0, 0, 0]);
const scene = { size: 0.5, parts: [{}, {}] } as unknown as Scene;

describe('parts that have fallen away', () => {
  it('are those that end far from where they began', () => {
    expect([...goneParts(scene, [at(0), at(-1), at(-19.6)])]).toEqual([1]);
    expect([...goneParts(scene, [at(0), at(-1)])]).toEqual([]);
  });

  it('are none when the whole machine falls', () => {
    const falling = [0, -10].map((z) => new Float32Array([0, 0, z, 1, 0, 0, 0, 0, 0, z, 1, 0, 0, 0]));
    expect([...goneParts(scene, falling)]).toEqual([]);
  });

  it('are none without a run', () => expect([...goneParts(scene, [])]).toEqual([]));
});
