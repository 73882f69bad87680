import { describe, expect, it } from 'vitest';
import { composePoses, mixPoses, pointOf, quaternionFromZ, rotate } from './pose_math';

const turnZ = (angle: number) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];

function close(a: ArrayLike<number>, b: number[]): void {
  b.forEach((value, i) => expect(a[i]).toBeCloseTo(value, 12));
}

describe('poses', () => {
  it('turn and move points', () => {
    const out = [0, 0, 0];
    pointOf(out, [1, 2, 3, ...turnZ(Math.PI / 2)], 0, 1, 0, 0);
    close(out, [1, 3, 3]);
  });

  it('follow each other', () => {
    const out = [0, 0, 0, 0, 0, 0, 0];
    composePoses(out, [1, 0, 0, ...turnZ(Math.PI / 2)], 0, [1, 0, 0, ...turnZ(Math.PI / 2)]);
    close(out, [1, 1, 0, ...turnZ(Math.PI)]);
  });

  it('are mixed along the shorter arc, whatever the sign of the quaternion', () => {
    const a = [0, 0, 0, ...turnZ(0.2)];
    const b = [2, 0, 0, ...turnZ(1.0).map((value) => -value)];
    const out = [0, 0, 0, 0, 0, 0, 0];
    mixPoses(out, 0, a, 0, b, 0, 0.25);
    close(out, [0.5, 0, 0, ...turnZ(0.4)]);
    mixPoses(out, 0, a, 0, a, 0, 0.5);
    close(out, a);
  });

  it('turn z into any direction', () => {
    for (const [x, y, z] of [
      [1, 0, 0],
      [0, -0.6, 0.8],
      [0, 0, -1],
    ]) {
      const q = [0, 0, 0, 0];
      const out = [0, 0, 0];
      quaternionFromZ(q, x, y, z);
      rotate(out, q, 0, 0, 0, 1);
      close(out, [x, y, z]);
    }
  });
});
