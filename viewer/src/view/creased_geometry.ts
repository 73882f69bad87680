// Normals of triangle meshes from CAD: smooth across fillets and cylinders, sharp at edges.
import { BufferAttribute, BufferGeometry } from 'three';

const CREASE_COSINE = Math.cos((35 * Math.PI) / 180);

function faceNormals(points: Float32Array, corners: Uint32Array): Float32Array {
  const normals = new Float32Array(corners.length);
  for (let f = 0; f < corners.length; f += 3) {
    const [a, b, c] = [3 * corners[f], 3 * corners[f + 1], 3 * corners[f + 2]];
    const [ux, uy, uz] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
    const [vx, vy, vz] = [points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]];
    // Not of unit length: large faces then count for more.
    normals[f] = uy * vz - uz * vy;
    normals[f + 1] = uz * vx - ux * vz;
    normals[f + 2] = ux * vy - uy * vx;
  }
  return normals;
}

/** Faces at each place; corners that are stored twice at one place are one. */
function facesByPlace(points: Float32Array, corners: Uint32Array): { place: Uint32Array; faces: number[][] } {
  const places = new Map<string, number>();
  const ofPoint = new Uint32Array(points.length / 3);
  for (let i = 0; i < ofPoint.length; ++i) {
    const key = `${points[3 * i]},${points[3 * i + 1]},${points[3 * i + 2]}`;
    let place = places.get(key);
    if (place === undefined) places.set(key, (place = places.size));
    ofPoint[i] = place;
  }
  const faces: number[][] = Array.from({ length: places.size }, () => []);
  const place = new Uint32Array(corners.length);
  for (let i = 0; i < corners.length; ++i) {
    place[i] = ofPoint[corners[i]];
    faces[place[i]].push(i - (i % 3));
  }
  return { place, faces };
}

/** A geometry of the positions and normals given. */
function plainGeometry(positions: Float32Array, normals: Float32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  const order = new Uint32Array(positions.length / 3);
  for (let i = 0; i < order.length; ++i) order[i] = i;
  geometry.setIndex(new BufferAttribute(order, 1));
  return geometry;
}

export function creasedGeometry(points: Float32Array, corners: Uint32Array): BufferGeometry {
  const positions = new Float32Array(3 * corners.length);
  const normals = new Float32Array(3 * corners.length);
  const flat = faceNormals(points, corners);
  const { place, faces } = facesByPlace(points, corners);
  const sum = [0, 0, 0];
  for (let i = 0; i < corners.length; ++i) {
    const own = i - (i % 3);
    const ownSize = Math.hypot(flat[own], flat[own + 1], flat[own + 2]) || 1;
    sum.fill(0);
    for (const face of faces[place[i]]) {
      const size = Math.hypot(flat[face], flat[face + 1], flat[face + 2]) || 1;
      const dot = flat[own] * flat[face] + flat[own + 1] * flat[face + 1] + flat[own + 2] * flat[face + 2];
      if (dot < CREASE_COSINE * size * ownSize) continue;
      for (let k = 0; k < 3; ++k) sum[k] += flat[face + k];
    }
    const size = Math.hypot(...sum) || 1;
    for (let k = 0; k < 3; ++k) {
      positions[3 * i + k] = points[3 * corners[i] + k];
      normals[3 * i + k] = sum[k] / size;
    }
  }
  return plainGeometry(positions, normals);
}
