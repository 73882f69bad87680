import { Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { prismGeometry } from './prism_geometry';

/** Volume by the divergence theorem: it has the right sign only when every triangle looks outward. */
function volume(sides: number, bottom: number, top: number): number {
  const geometry = prismGeometry(sides, bottom, top, true);
  const positions = geometry.getAttribute('position');
  const index = geometry.getIndex()?.array ?? [];
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  let sum = 0;
  for (let i = 0; i < index.length; i += 3) {
    [a, b, c].forEach((point, k) => point.fromBufferAttribute(positions, index[i + k]));
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

describe('prism', () => {
  it('has the volume of a cylinder, a cone and a frustum', () => {
    expect(volume(400, 1, 1)).toBeCloseTo(Math.PI, 3);
    expect(volume(400, 1, 0)).toBeCloseTo(Math.PI / 3, 3);
    expect(volume(400, 0, 1)).toBeCloseTo(Math.PI / 3, 3);
    expect(volume(400, 1, 0.5)).toBeCloseTo((Math.PI / 3) * 1.75, 3);
  });

  it('is closed and has few corners', () => {
    expect(volume(6, 1, 1)).toBeCloseTo(1.5 * Math.sqrt(3), 6);
    expect(prismGeometry(6, 1, 1, true).getAttribute('position').count).toBe(26);
    expect(prismGeometry(6, 1, 1, false).getAttribute('position').count).toBe(14);
  });
});
