import { describe, expect, it } from 'vitest';
import type { ScenePart, SceneJoint } from '../data/scene';
import { principalAxes, principalBox } from './inertia_box';
import { jointGap } from './joint_geometry';

describe('inertia box', () => {
  it('of a homogeneous box is that box', () => {
    const [a, b, c] = [2, 1, 0.5];
    const mass = 3;
    const moment = (p: number, q: number) => (mass * (p * p + q * q)) / 12;
    const part = {
      mass,
      center: [1, 0, 0],
      inertia: [moment(b, c), moment(a, c), moment(a, b), 0, 0, 0],
    } as unknown as ScenePart;
    const corners = principalBox(part);
    const reach = [0, 1, 2].map(
      (k) => Math.max(...corners.map((corner) => corner[k])) - Math.min(...corners.map((corner) => corner[k])),
    );
    expect(reach[0]).toBeCloseTo(a, 9);
    expect(reach[1]).toBeCloseTo(b, 9);
    expect(reach[2]).toBeCloseTo(c, 9);
    expect(principalBox({ ...part, mass: 0 })).toEqual([]);
  });

  it('finds principal axes of a full tensor', () => {
    const given = [
      [4, 1, 0.5],
      [1, 3, -0.2],
      [0.5, -0.2, 2],
    ];
    const { values, vectors } = principalAxes(given);
    for (let j = 0; j < 3; ++j) {
      for (let i = 0; i < 3; ++i) {
        const product = given[i].reduce((sum, value, k) => sum + value * vectors[k][j], 0);
        expect(product).toBeCloseTo(values[j] * vectors[i][j], 9);
      }
    }
  });
});

describe('gap of a joint', () => {
  const pose = [0, 0, 0, 1, 0, 0, 0];
  const joint = (type: string) =>
    ({ path: 'j', type, parts: [-1, 0], frames: [pose, pose], axis: [0, 0, 1] }) as unknown as SceneJoint;
  const poses = [3, 4, 12, 1, 0, 0, 0];

  it('leaves out the directions that are free', () => {
    expect(jointGap(joint('revolute'), poses).length).toBeCloseTo(13, 12);
    expect(jointGap(joint('prismatic'), poses).length).toBeCloseTo(5, 12);
    expect(jointGap(joint('planar'), poses).length).toBeCloseTo(12, 12);
    expect(jointGap(joint('distance'), poses).length).toBe(0);
  });
});
