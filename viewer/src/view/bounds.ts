// Boxes around parts in their poses.
import { Box3, Matrix4, Quaternion, Vector3 } from 'three';
import { pointOf } from '../data/pose_math';
import type { Scene, SceneShape } from '../data/scene';
import type { Session } from '../state/session';
import { type GeometryStore, piecesOf } from './geometry_store';
import { jointGap, pointOn } from './joint_geometry';
import { Looks } from './looks';
import { tracedPoint } from './traced_point';

const pose = new Matrix4();
const place = new Vector3();
const turn = new Quaternion();
const one = new Vector3(1, 1, 1);
const piece = new Box3();

/** Boxes of shapes in the axes in which the shapes are given; they never change. */
const known = new WeakMap<SceneShape[], Box3[]>();

function boxesOf(shapes: SceneShape[], geometries: GeometryStore): Box3[] {
  let boxes = known.get(shapes);
  if (!boxes) {
    boxes = shapes.flatMap(piecesOf).map(({ geometry, local }) => {
      return (geometries.get(geometry).boundingBox as Box3).clone().applyMatrix4(local);
    });
    known.set(shapes, boxes);
  }
  return boxes;
}

/** The box around some parts; around the whole machine when there is nothing to see of them. */
export function boundsOf(scene: Scene, poses: Float32Array, parts: number[], geometries: GeometryStore): Box3 {
  const box = new Box3();
  for (const part of parts) {
    const at = 7 * part;
    place.set(poses[at], poses[at + 1], poses[at + 2]);
    pose.compose(place, turn.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]), one);
    const { shapes } = scene.parts[part];
    for (const own of boxesOf(shapes, geometries)) box.union(piece.copy(own).applyMatrix4(pose));
    // Parts of a drawing may have their origin far away from themselves.
    if (shapes.length === 0) box.expandByPoint(place);
  }
  if (parts.length > 0) for (const own of boxesOf(scene.ground.shapes, geometries)) box.union(own);
  if (!box.isEmpty()) return box;
  return box.setFromCenterAndSize(new Vector3(...scene.center), one.clone().multiplyScalar(scene.size / Math.sqrt(3)));
}

const NONE: ReadonlySet<number> = new Set();

/** The box around all parts that are not hidden; those that are `gone` do not count. */
export function visiblePartBounds(
  session: Session,
  poses: Float32Array,
  geometries: GeometryStore,
  gone: ReadonlySet<number> = NONE,
): Box3 {
  const { scene } = session.source;
  const looks = new Looks(session);
  const parts = scene.parts.flatMap((part, i) => (gone.has(i) || looks.of(part.path) === 'hidden' ? [] : [i]));
  return boundsOf(scene, poses, parts, geometries);
}

/** The same with force elements, traced points, and gaps of joints while they are shown. */
export function visibleBounds(
  session: Session,
  poses: Float32Array,
  geometries: GeometryStore,
  gone: ReadonlySet<number> = NONE,
): Box3 {
  const { scene } = session.source;
  const looks = new Looks(session);
  const box = visiblePartBounds(session, poses, geometries, gone);
  const point = [0, 0, 0];
  for (const { path, ends } of scene.forces) {
    if (looks.of(path) === 'hidden') continue;
    for (const end of ends) {
      if (gone.has(end.part)) continue;
      pointOn(point, end.part, end.point, poses);
      box.expandByPoint(place.fromArray(point));
    }
  }
  if (session.state.layers.has('drift')) {
    for (const joint of scene.joints) {
      if (looks.of(joint.path) === 'hidden') continue;
      const { from, to } = jointGap(joint, poses);
      for (const end of [from, to]) box.expandByPoint(place.fromArray(end));
    }
  }
  for (const path of session.state.traces) {
    const traced = tracedPoint(scene, path);
    if (!traced) continue;
    pointOf(point, poses, 7 * traced.part, traced.at[0], traced.at[1], traced.at[2]);
    box.expandByPoint(place.fromArray(point));
  }
  return box;
}
