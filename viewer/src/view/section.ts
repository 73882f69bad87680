// A plane that cuts the machine open.
import { type Box3, type Camera, Plane, Vector3, type Vector4 } from 'three';
import type { Section } from '../state/state';

const AXES = ['x', 'y', 'z'] as const;

/** The plane in the world; what is on its negative side is cut away. */
export function sectionPlane({ axis, at, isFlipped }: Section, space: Box3): Plane {
  const number = AXES.indexOf(axis);
  const low = space.min.getComponent(number);
  const place = low + at * (space.max.getComponent(number) - low);
  const normal = new Vector3().setComponent(number, isFlipped ? -1 : 1);
  return new Plane(normal, isFlipped ? place : -place);
}

/** Writes normal and constant in axes of the camera; zeros without a plane, so that nothing is cut away. */
export function writeSection(out: Vector4, plane: Plane | null, camera: Camera): void {
  if (!plane) {
    out.set(0, 0, 0, 0);
    return;
  }
  camera.updateMatrixWorld();
  const seen = plane.clone().applyMatrix4(camera.matrixWorldInverse);
  out.set(seen.normal.x, seen.normal.y, seen.normal.z, seen.constant);
}
