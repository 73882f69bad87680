// Symbols of joints: one shape for each type.
import { quaternionFromZ } from '../data/pose_math';
import type { Pose, SceneJoint, SceneShape } from '../data/scene';

function along(joint: SceneJoint): Pose {
  const [x, y, z] = joint.axis ?? [0, 0, 1];
  const size = Math.hypot(x, y, z) || 1;
  const turn = [1, 0, 0, 0];
  quaternionFromZ(turn, x / size, y / size, z / size);
  return [0, 0, 0, turn[0], turn[1], turn[2], turn[3]];
}

/** Shapes in the axes of the joint frame; s: length of symbols. */
export function jointShapes(joint: SceneJoint, s: number): SceneShape[] {
  const at = along(joint);
  const sideways: Pose = [0, 0, 0, Math.SQRT1_2, 0, Math.SQRT1_2, 0];
  const still: Pose = [0, 0, 0, 1, 0, 0, 0];
  const rod = (radius: number, length: number, pose: Pose = at): SceneShape => {
    return { kind: 'cylinder', at: pose, radius: radius * s, length: length * s };
  };
  switch (joint.type) {
    case 'revolute':
      return [rod(0.3, 0.8), rod(0.1, 1.4)];
    case 'prismatic':
      return [{ kind: 'box', at, size: [0.5 * s, 0.5 * s, 0.9 * s] }, rod(0.12, 2)];
    case 'cylindrical':
      return [rod(0.3, 0.9), rod(0.12, 2)];
    case 'screw':
      return [rod(0.3, 0.5), rod(0.14, 2), { kind: 'cone', at, radius: 0.45 * s, top: 0.14 * s, length: 0.9 * s }];
    case 'universal':
      return [rod(0.14, 1.2), rod(0.14, 1.2, sideways), { kind: 'sphere', at: still, radius: 0.24 * s }];
    case 'planar':
      return [{ kind: 'box', at, size: [1.3 * s, 1.3 * s, 0.12 * s] }];
    case 'rolling':
      return [rod(0.5, 0.15), rod(0.1, 1.2)];
    case 'knife_edge': // z is across the blade
      return [{ kind: 'box', at: still, size: [1.6 * s, 0.4 * s, 0.08 * s] }];
    case 'fixed':
      return [{ kind: 'box', at: still, size: [0.5 * s, 0.5 * s, 0.5 * s] }];
    case 'distance':
      return [{ kind: 'sphere', at: still, radius: 0.2 * s }];
    default:
      return [{ kind: 'sphere', at: still, radius: 0.36 * s }];
  }
}
