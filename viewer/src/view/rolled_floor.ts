// The plane that wheels and disks roll on, where it is the floor.
import { GROUND, type Scene } from '../data/scene';

/** Cosine of the angle to the vertical from which on a plane is level. */
const LEVEL = 1 - 1e-9;
/** How far a machine may reach below the plane, as part of its size: the edge of a thick disk that leans. */
const MOST_BELOW = 0.05;

/** Height of the plane along the upward axis; null where nothing rolls on level ground, or the machine is also below it. */
export function rolledFloor(
  { joints, up, size }: Pick<Scene, 'joints' | 'up' | 'size'>,
  lowest: number,
): number | null {
  for (const { type, parts, frames } of joints) {
    if (type !== 'rolling' || parts[0] !== GROUND) continue;
    const [x, y, z, qw, qx, qy, qz] = frames[0];
    // The z axis of the first frame of the joint is the normal of the plane.
    const normal = [2 * (qx * qz + qw * qy), 2 * (qy * qz - qw * qx), 1 - 2 * (qx * qx + qy * qy)];
    const height = x * up[0] + y * up[1] + z * up[2];
    const isLevel = normal[0] * up[0] + normal[1] * up[1] + normal[2] * up[2] > LEVEL;
    if (isLevel && lowest > height - MOST_BELOW * size) return height;
  }
  return null;
}
