// Boxes around parts in their poses.
import { Box3, Matrix4, Quaternion, Vector3 } from 'three';
import type { Scene } from '../data/scene';
import type { Session } from '../state/session';
import { type GeometryStore, piecesOf } from './geometry_store';
import { pointOn } from './joint_geometry';
import { Looks } from './looks';

const pose = new Matrix4();
const one = new Vector3(1, 1, 1);

/** The box around some parts; around the whole machine when there is nothing to see of them. */
export function boundsOf(scene: Scene, poses: Float32Array, parts: number[], geometries: GeometryStore): Box3 {
  const box = new Box3();
  const piece = new Box3();
  for (const part of parts) {
    const at = 7 * part;
    const place = new Vector3(poses[at], poses[at + 1], poses[at + 2]);
    pose.compose(place, new Quaternion(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]), one);
    for (const { geometry, local } of scene.parts[part].shapes.flatMap(piecesOf)) {
      piece
        .copy(geometries.get(geometry).boundingBox as Box3)
        .applyMatrix4(local)
        .applyMatrix4(pose);
      box.union(piece);
    }
    // Parts of a drawing may have their origin far away from themselves.
    if (scene.parts[part].shapes.length === 0) box.expandByPoint(place);
  }
  if (parts.length > 0) {
    for (const { geometry, local } of scene.ground.shapes.flatMap(piecesOf)) {
      box.union(piece.copy(geometries.get(geometry).boundingBox as Box3).applyMatrix4(local));
    }
  }
  if (!box.isEmpty()) return box;
  return box.setFromCenterAndSize(new Vector3(...scene.center), one.clone().multiplyScalar(scene.size / Math.sqrt(3)));
}

/** The box around all parts and force elements that are not hidden. */
export function visibleBounds(session: Session, poses: Float32Array, geometries: GeometryStore): Box3 {
  const { scene } = session.source;
  const looks = new Looks(session);
  const parts = scene.parts.flatMap((part, i) => (looks.of(part.path) === 'hidden' ? [] : [i]));
  const box = boundsOf(scene, poses, parts, geometries);
  const place = [0, 0, 0];
  for (const { path, ends } of scene.forces) {
    if (looks.of(path) === 'hidden') continue;
    for (const end of ends) {
      pointOn(place, end.part, end.point, poses);
      box.expandByPoint(new Vector3().fromArray(place));
    }
  }
  return box;
}
