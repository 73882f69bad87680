import { describe, expect, it } from 'vitest';
import type { Pose, Scene, SceneJoint, Vec3 } from '../data/scene';
import { rolledFloor } from './rolled_floor';

const REST: Pose = [0, 0, 0, 1, 0, 0, 0];
/** Turned by a quarter about x: z of the frame is -y of the world. */
const TURNED: Pose = [0, 3, 0, Math.SQRT1_2, Math.SQRT1_2, 0, 0];

function scene(frame: Pose, up: Vec3 = [0, 0, 1], part = -1): Pick<Scene, 'joints' | 'up' | 'size'> {
  const joint: SceneJoint = {
    path: 'rim',
    type: 'rolling',
    parts: [part, 0],
    frames: [frame, REST],
    axis: null,
  } as SceneJoint;
  return { joints: [joint], up, size: 1 };
}

describe('the floor', () => {
  it('is the plane that a disk rolls on', () => {
    expect(rolledFloor(scene([0, 0, 0.4, 1, 0, 0, 0]), 0.39)).toBe(0.4);
    expect(rolledFloor(scene(TURNED, [0, -1, 0]), -3)).toBeCloseTo(-3, 12);
  });

  it('is no slope, no part, and no plane in the middle of the machine', () => {
    expect(rolledFloor(scene([0, 0, 0, Math.cos(0.1), Math.sin(0.1), 0, 0]), 0)).toBeNull();
    expect(rolledFloor(scene(REST, [0, 0, 1], 0), 0)).toBeNull();
    expect(rolledFloor(scene(REST), -0.2)).toBeNull();
    expect(rolledFloor({ joints: [], up: [0, 0, 1], size: 1 }, 0)).toBeNull();
  });
});
