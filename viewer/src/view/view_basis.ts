// Right, forward and up of the model as a person stands before it. The front view looks along `forward`.
import { Vector3 } from 'three';
import type { Vec3 } from '../data/scene';

export interface ViewBasis {
  right: Vector3;
  forward: Vector3;
  up: Vector3;
}

/** With z up, x goes to the right and y away; with y up, x goes to the right and z comes nearer. */
export function viewBasis(modelUp: Vec3): ViewBasis {
  const up = new Vector3(...modelUp).normalize();
  const side = Math.abs(up.x) > 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
  const right = side.addScaledVector(up, -side.dot(up)).normalize();
  const forward = new Vector3().crossVectors(up, right);
  return { right, forward, up };
}
