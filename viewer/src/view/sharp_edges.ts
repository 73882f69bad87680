// Edges where faces of a geometry meet at an angle, or where there is only one face. Fast: drawings have a million triangles.
import { type BufferGeometry, Vector3 } from 'three';

/** Corners that are nearer to each other than this part of the geometry's size are one. */
const SAME_PLACE = 1e-6;

/** For each corner the number of its place; corners at one place have one number. */
function placesOf(points: ArrayLike<number>, size: number): Uint32Array {
  const count = points.length / 3;
  const numbers = new Uint32Array(count);
  const grid = Int32Array.from({ length: 3 * count }, (_, i) => Math.round(points[i] / (SAME_PLACE * size)));
  let slots = 16;
  while (slots < 2 * count) slots *= 2;
  // The first corner of each place, found by a hash of its three numbers; a slot that is taken passes on to the next one.
  const first = new Int32Array(slots).fill(-1);
  for (let i = 0; i < count; ++i) {
    const [x, y, z] = [grid[3 * i], grid[3 * i + 1], grid[3 * i + 2]];
    let slot = (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & (slots - 1);
    for (; first[slot] >= 0; slot = (slot + 1) & (slots - 1)) {
      const at = 3 * first[slot];
      if (grid[at] === x && grid[at + 1] === y && grid[at + 2] === z) break;
    }
    if (first[slot] < 0) first[slot] = i;
    numbers[i] = first[slot];
  }
  return numbers;
}

/** Unit normal of each face; zeros for faces without area. */
function normalsOf(points: ArrayLike<number>, corners: ArrayLike<number>): Float32Array {
  const normals = new Float32Array(corners.length);
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  for (let i = 0; i < corners.length; i += 3) {
    a.fromArray(points as number[], 3 * corners[i]);
    b.fromArray(points as number[], 3 * corners[i + 1]).sub(a);
    c.fromArray(points as number[], 3 * corners[i + 2]).sub(a);
    b.cross(c).normalize().toArray(normals, i);
  }
  return normals;
}

/** Both ends of each edge, six numbers one after the other. `angle`: that two faces make at least; degrees. */
export function sharpEdges(geometry: BufferGeometry, angle: number): Float32Array {
  const points = geometry.getAttribute('position').array;
  const corners = geometry.index?.array ?? Uint32Array.from({ length: points.length / 3 }, (_, i) => i);
  geometry.computeBoundingBox();
  const size = geometry.boundingBox?.getSize(new Vector3()).length() || 1;
  const places = placesOf(points, size);
  const normals = normalsOf(points, corners);
  const cosine = Math.cos((angle * Math.PI) / 180);
  const count = points.length / 3;
  const edges: number[] = [];
  const add = (p: number, q: number) => {
    for (const end of [p, q]) edges.push(points[3 * end], points[3 * end + 1], points[3 * end + 2]);
  };
  /** Faces that wait for the one on the other side of an edge. */
  const open = new Map<number, number>();
  for (let face = 0; face < corners.length; face += 3) {
    if (normals[face] === 0 && normals[face + 1] === 0 && normals[face + 2] === 0) continue;
    for (let side = 0; side < 3; ++side) {
      const p = places[corners[face + side]];
      const q = places[corners[face + ((side + 1) % 3)]];
      const key = Math.min(p, q) * count + Math.max(p, q);
      const other = open.get(key);
      if (other === undefined) {
        open.set(key, face);
        continue;
      }
      open.delete(key);
      let dot = 0;
      for (let k = 0; k < 3; ++k) dot += normals[face + k] * normals[other + k];
      if (dot <= cosine) add(p, q);
    }
  }
  for (const key of open.keys()) add(Math.floor(key / count), key % count);
  return Float32Array.from(edges);
}
