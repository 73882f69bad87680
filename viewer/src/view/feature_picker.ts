// What one means by a click on a part: a corner, an edge, an axis, a center or a face.
import {
  type Camera,
  Line3,
  Matrix3,
  Matrix4,
  Mesh,
  type Plane,
  Quaternion,
  type Ray,
  Raycaster,
  Vector3,
} from 'three';
import type { Feature } from '../data/features';
import { rotate } from '../data/pose_math';
import type { Scene, SceneJoint } from '../data/scene';
import { type GeometryStore, type Piece, piecesOf } from './geometry_store';
import { sharpEdges } from './sharp_edges';

/** Distances from the pointer, in pixels. */
const CORNER_PIXELS = 10;
const EDGE_PIXELS = 6;
const SHARP_ANGLE = 20;

export interface Pointer {
  ray: Ray;
  camera: Camera;
  /** Of the picture, in pixels. */
  width: number;
  height: number;
  /** What is on its negative side is cut away. */
  section: Plane | null;
}

interface FoundPiece {
  piece: Piece;
  /** In the world. */
  point: Vector3;
  normal: Vector3;
  /** From the axes of the geometry to the world. */
  matrix: Matrix4;
}

type Found = Pick<Feature, 'name' | 'kind'> & { at: Vector3; direction: Vector3 | null };

const edgesByGeometry = new WeakMap<object, Float32Array>();

function knownEdges(geometries: GeometryStore, name: string): Float32Array {
  const geometry = geometries.get(name);
  let edges = edgesByGeometry.get(geometry);
  if (!edges) {
    edges = sharpEdges(geometry, SHARP_ANGLE);
    edgesByGeometry.set(geometry, edges);
  }
  return edges;
}

function poseMatrix(poses: Float32Array, part: number): Matrix4 {
  const at = 7 * part;
  const turn = new Quaternion(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]);
  return new Matrix4().compose(new Vector3().fromArray(poses, at), turn, new Vector3(1, 1, 1));
}

/** The piece of the part that the ray meets first. */
function metPiece(
  pieces: Piece[],
  pose: Matrix4,
  { ray, section }: Pointer,
  geometries: GeometryStore,
): FoundPiece | null {
  const caster = new Raycaster(ray.origin, ray.direction);
  let best: (FoundPiece & { distance: number }) | null = null;
  for (const piece of pieces) {
    const mesh = new Mesh(geometries.get(piece.geometry));
    mesh.matrixWorld.multiplyMatrices(pose, piece.local);
    const isKept = (point: Vector3) => section === null || section.distanceToPoint(point) >= 0;
    const hit = caster.intersectObject(mesh, false).find((each) => isKept(each.point));
    if (!hit?.face || (best && best.distance <= hit.distance)) continue;
    const normal = hit.face.normal.clone().applyNormalMatrix(new Matrix3().getNormalMatrix(mesh.matrixWorld));
    best = { piece, point: hit.point, normal, matrix: mesh.matrixWorld, distance: hit.distance };
  }
  return best;
}

function pixelsBetween(a: Vector3, b: Vector3, { camera, width, height }: Pointer): number {
  const [p, q] = [a, b].map((each) => each.clone().project(camera));
  return Math.hypot(((p.x - q.x) * width) / 2, ((p.y - q.y) * height) / 2);
}

/** A corner or an edge next to the pointer; null: there is only a face. */
function nearEdge(found: FoundPiece, edges: Float32Array, pointer: Pointer): Found | null {
  let corner: { at: Vector3; pixels: number } | null = null;
  let edge: { at: Vector3; direction: Vector3; pixels: number } | null = null;
  const line = new Line3();
  for (let i = 0; i < edges.length; i += 6) {
    line.start.fromArray(edges, i).applyMatrix4(found.matrix);
    line.end.fromArray(edges, i + 3).applyMatrix4(found.matrix);
    for (const end of [line.start, line.end]) {
      const pixels = pixelsBetween(end, found.point, pointer);
      if (pixels < CORNER_PIXELS && (!corner || pixels < corner.pixels)) corner = { at: end.clone(), pixels };
    }
    const at = line.closestPointToPoint(found.point, true, new Vector3());
    const pixels = pixelsBetween(at, found.point, pointer);
    if (pixels < EDGE_PIXELS && (!edge || pixels < edge.pixels))
      edge = { at, direction: line.delta(new Vector3()).normalize(), pixels };
  }
  if (corner) return { name: 'corner', kind: 'point', at: corner.at, direction: null };
  return edge && { name: 'edge', kind: 'line', at: edge.at, direction: edge.direction };
}

/** What is round has an axis or a center. */
function roundFeature({ piece, point, matrix }: FoundPiece): Found | null {
  const [kind] = piece.geometry.split(':');
  const center = new Vector3().setFromMatrixPosition(matrix);
  if (kind === 'sphere' || kind === 'dome') return { name: 'center', kind: 'point', at: center, direction: null };
  if (!['cylinder', 'tube', 'cone'].includes(kind)) return null;
  const axis = new Vector3().setFromMatrixColumn(matrix, 2).normalize();
  const height = point.clone().applyMatrix4(matrix.clone().invert()).z;
  // The flat ends of a unit cylinder.
  if (Math.abs(height) > 0.5 - 1e-4) return { name: 'face', kind: 'plane', at: point, direction: axis };
  const at = center.addScaledVector(axis, point.clone().sub(center).dot(axis));
  return { name: 'axis', kind: 'line', at, direction: axis };
}

/** The feature of a part under the pointer; null when the ray misses it. */
export function featureOfPart(
  scene: Scene,
  part: number,
  poses: Float32Array,
  geometries: GeometryStore,
  pointer: Pointer,
): Feature | null {
  const pose = poseMatrix(poses, part);
  const found = metPiece(scene.parts[part].shapes.flatMap(piecesOf), pose, pointer, geometries);
  if (!found) return null;
  const { name, kind, at, direction }: Found = roundFeature(found) ??
    nearEdge(found, knownEdges(geometries, found.piece.geometry), pointer) ?? {
      name: 'face',
      kind: 'plane',
      at: found.point,
      direction: found.normal,
    };
  const home = pose.clone().invert();
  return {
    path: scene.parts[part].path,
    part,
    name,
    kind,
    at: at.clone().applyMatrix4(home).toArray(),
    direction: direction && direction.clone().transformDirection(home).toArray(),
  };
}

/** The axis of a joint, or its place where it has none. */
export function featureOfJoint({ path, parts, frames, axis }: SceneJoint): Feature {
  const at = frames[1].slice(0, 3);
  if (!axis) return { path, part: parts[1], name: 'center', kind: 'point', at, direction: null };
  const direction = [0, 0, 0];
  rotate(direction, frames[1], 3, axis[0], axis[1], axis[2]);
  return { path, part: parts[1], name: 'axis', kind: 'line', at, direction };
}
