import { Box3, PerspectiveCamera, Vector3, Vector4 } from 'three';
import { expect, test } from 'vitest';
import { sectionPlane, writeSection } from './section';

const space = new Box3(new Vector3(0, -2, 0), new Vector3(1, 2, 1));

test('a section lies at its share of the space and keeps one side', () => {
  const plane = sectionPlane({ axis: 'y', at: 0.75, isFlipped: false }, space);
  expect(plane.distanceToPoint(new Vector3(5, 1, 5))).toBeCloseTo(0, 12);
  expect(plane.distanceToPoint(new Vector3(0, 2, 0))).toBeGreaterThan(0);
  const other = sectionPlane({ axis: 'y', at: 0.75, isFlipped: true }, space);
  expect(other.distanceToPoint(new Vector3(0, 1, 0))).toBeCloseTo(0, 12);
  expect(other.distanceToPoint(new Vector3(0, 2, 0))).toBeLessThan(0);
});

test('the camera sees the same plane; without one everything is kept', () => {
  const camera = new PerspectiveCamera();
  camera.position.set(3, 4, 5);
  camera.lookAt(0, 0, 0);
  const out = new Vector4();
  writeSection(out, sectionPlane({ axis: 'x', at: 0.5, isFlipped: false }, space), camera);
  const side = (x: number) => {
    const seen = new Vector3(x, 1, 1).applyMatrix4(camera.matrixWorldInverse);
    return seen.dot(new Vector3(out.x, out.y, out.z)) + out.w;
  };
  expect(side(0.5)).toBeCloseTo(0, 6);
  expect(side(0.7)).toBeCloseTo(0.2, 6);
  expect(side(0.2)).toBeCloseTo(-0.3, 6);
  writeSection(out, null, camera);
  expect(out.toArray()).toEqual([0, 0, 0, 0]);
});
