// Poses as seven numbers in flat arrays: x y z, quaternion w x y z. Results go into `out`; `out` may be an input.
import type { Numbers } from './run';

export type Flat = Numbers | number[];

/** out = the vector v turned by the quaternion at q[at..at+3]. */
export function rotate(out: Flat, q: Flat, at: number, x: number, y: number, z: number): void {
  const w = q[at];
  const a = q[at + 1];
  const b = q[at + 2];
  const c = q[at + 3];
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  out[0] = x + w * tx + b * tz - c * ty;
  out[1] = y + w * ty + c * tx - a * tz;
  out[2] = z + w * tz + a * ty - b * tx;
}

/** Place in the world of a point of the part whose pose begins at pose[at]. */
export function pointOf(out: Flat, pose: Flat, at: number, x: number, y: number, z: number): void {
  rotate(out, pose, at + 3, x, y, z);
  out[0] += pose[at];
  out[1] += pose[at + 1];
  out[2] += pose[at + 2];
}

export function multiplyQuaternions(out: Flat, p: Flat, pAt: number, q: Flat, qAt: number): void {
  const [pw, px, py, pz] = [p[pAt], p[pAt + 1], p[pAt + 2], p[pAt + 3]];
  const [qw, qx, qy, qz] = [q[qAt], q[qAt + 1], q[qAt + 2], q[qAt + 3]];
  out[0] = pw * qw - px * qx - py * qy - pz * qz;
  out[1] = pw * qx + px * qw + py * qz - pz * qy;
  out[2] = pw * qy - px * qz + py * qw + pz * qx;
  out[3] = pw * qz + px * qy - py * qx + pz * qw;
}

const turned = [0, 0, 0, 0];
const moved = [0, 0, 0];

/** Seven numbers: the pose `inner` given in the axes of the pose at outer[at]. */
export function composePoses(out: Flat, outer: Flat, at: number, inner: Flat): void {
  pointOf(moved, outer, at, inner[0], inner[1], inner[2]);
  multiplyQuaternions(turned, outer, at + 3, inner, 3);
  for (let i = 0; i < 3; ++i) out[i] = moved[i];
  for (let i = 0; i < 4; ++i) out[3 + i] = turned[i];
}

/** Between two poses: straight for the place, along the shorter arc for the orientation. */
export function mixPoses(out: Flat, at: number, a: Flat, aAt: number, b: Flat, bAt: number, fraction: number): void {
  for (let i = 0; i < 3; ++i) out[at + i] = a[aAt + i] + fraction * (b[bAt + i] - a[aAt + i]);
  let cosine = 0;
  for (let i = 3; i < 7; ++i) cosine += a[aAt + i] * b[bAt + i];
  const sign = cosine < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const sine = Math.sin(angle);
  // Nearly the same orientation: the straight line is exact enough, and does not divide by zero.
  const isNear = sine < 1e-5;
  const wa = isNear ? 1 - fraction : Math.sin((1 - fraction) * angle) / sine;
  const wb = sign * (isNear ? fraction : Math.sin(fraction * angle) / sine);
  for (let i = 3; i < 7; ++i) out[at + i] = wa * a[aAt + i] + wb * b[bAt + i];
}

/** Quaternion w x y z that turns the z axis into a unit direction. */
export function quaternionFromZ(out: Flat, x: number, y: number, z: number): void {
  if (z < -0.999999) {
    out[0] = 0;
    out[1] = 1;
    out[2] = 0;
    out[3] = 0;
    return;
  }
  const w = 1 + z;
  const size = Math.sqrt(w * w + x * x + y * y);
  out[0] = w / size;
  out[1] = -y / size;
  out[2] = x / size;
  out[3] = 0;
}
