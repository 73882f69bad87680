// Cylinders and cones with as few corners as possible: software renderers pay for each of them.
import { BufferAttribute, BufferGeometry } from 'three';

/** Axis z from -1/2 to 1/2; `bottom` and `top` are radii, `sides` the corners of its circles. */
export function prismGeometry(sides: number, bottom: number, top: number, hasCaps: boolean): BufferGeometry {
  const positions: number[] = [];
  const normals: number[] = [];
  const corners: number[] = [];
  const angle = (i: number) => (2 * Math.PI * i) / sides;
  const slope = bottom - top;
  const length = Math.hypot(1, slope);
  for (let i = 0; i <= sides; ++i) {
    const [c, s] = [Math.cos(angle(i)), Math.sin(angle(i))];
    positions.push(bottom * c, bottom * s, -0.5, top * c, top * s, 0.5);
    for (let end = 0; end < 2; ++end) normals.push(c / length, s / length, slope / length);
    if (i === sides) break;
    const at = 2 * i;
    if (bottom > 0) corners.push(at, at + 2, at + 1);
    if (top > 0) corners.push(at + 1, at + 2, at + 3);
  }
  for (const [radius, z] of [
    [bottom, -0.5],
    [top, 0.5],
  ]) {
    if (!hasCaps || radius === 0) continue;
    const first = positions.length / 3;
    for (let i = 0; i < sides; ++i) {
      positions.push(radius * Math.cos(angle(i)), radius * Math.sin(angle(i)), z);
      normals.push(0, 0, Math.sign(z));
      // A fan around the first corner; seen from outside it goes against the clock.
      if (i < 2) continue;
      if (z > 0) corners.push(first, first + i - 1, first + i);
      else corners.push(first, first + i, first + i - 1);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute('normal', new BufferAttribute(new Float32Array(normals), 3));
  geometry.setIndex(corners);
  return geometry;
}
