// Where joints are, and how far they are open.
import { pointOf, rotate, composePoses, type Flat } from '../data/pose_math';
import { GROUND, type Pose, type SceneJoint } from '../data/scene';

export const REST: Pose = [0, 0, 0, 1, 0, 0, 0];

const outer = [0, 0, 0, 0, 0, 0, 0];

/** Pose in the world of one of the two frames of a joint (end 0 or 1). */
export function jointFrame(out: Flat, joint: SceneJoint, end: 0 | 1, poses: Flat): void {
  const part = joint.parts[end];
  if (part === GROUND) composePoses(out, REST, 0, joint.frames[end]);
  else composePoses(out, poses, 7 * part, joint.frames[end]);
}

/** Which frame carries the symbol: what rolls or slides on something has it, not the plane. */
export function symbolEnd(joint: SceneJoint): 0 | 1 {
  return joint.type === 'rolling' || joint.type === 'knife_edge' ? 1 : 0;
}

/** Place in the world of a point on a part or on the ground. */
export function pointOn(out: Flat, part: number, point: ArrayLike<number>, poses: Flat): void {
  if (part === GROUND) for (let i = 0; i < 3; ++i) out[i] = point[i];
  else pointOf(out, poses, 7 * part, point[0], point[1], point[2]);
}

/** Direction in the world of a vector in the axes of a part or of the ground. */
export function directionOn(out: Flat, part: number, vector: ArrayLike<number>, poses: Flat): void {
  if (part === GROUND) for (let i = 0; i < 3; ++i) out[i] = vector[i];
  else rotate(out, poses, 7 * part + 3, vector[0], vector[1], vector[2]);
}

const SLIDING = new Set(['prismatic', 'cylindrical', 'screw']);
/** These hold no points together. */
const APART = new Set([
  'distance',
  'rolling',
  'knife_edge',
  'gear',
  'coupling',
  'belt',
  'rack_pinion',
  'rack_and_pinion',
]);

export interface Gap {
  from: number[];
  to: number[];
  length: number;
}

const second = [0, 0, 0, 0, 0, 0, 0];
const axis = [0, 0, 1];

/** From where the first part wants the joint to where the second has it, without the directions that are free. */
export function jointGap(joint: SceneJoint, poses: Flat): Gap {
  jointFrame(outer, joint, 0, poses);
  jointFrame(second, joint, 1, poses);
  const from = outer.slice(0, 3);
  const to = second.slice(0, 3);
  if (APART.has(joint.type)) return { from, to, length: 0 };
  const along = joint.axis ?? [0, 0, 1];
  rotate(axis, outer, 3, along[0], along[1], along[2]);
  let dot = 0;
  for (let i = 0; i < 3; ++i) dot += (to[i] - from[i]) * axis[i];
  if (SLIDING.has(joint.type)) {
    for (let i = 0; i < 3; ++i) from[i] += dot * axis[i];
  } else if (joint.type === 'planar') {
    for (let i = 0; i < 3; ++i) from[i] = to[i] - dot * axis[i];
  }
  return { from, to, length: Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) };
}
