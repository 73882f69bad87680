import { OrthographicCamera, Plane, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { readScene } from '../data/scene';
import { featureOfJoint, featureOfPart } from './feature_picker';
import { GeometryStore } from './geometry_store';
import { rayUnder } from './picking';

const PIXELS = 400;
const body = { mass: 1, center: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0], color: [0, 0, 0] };
const here = [0, 0, 0, 1, 0, 0, 0];

/** From above onto a square of 4 m, 100 pixels a meter; the part stands 1 m beside the origin. */
function picked(shape: object, x: number, y: number, section: Plane | null = null) {
  const scene = readScene({ format: 1, parts: [{ ...body, path: 'part', at: here, shapes: [shape] }] });
  const camera = new OrthographicCamera(-2, 2, 2, -2, 0, 100);
  camera.position.set(0, 0, 10);
  camera.updateMatrixWorld();
  const { ray } = rayUnder(camera, x / 2, y / 2);
  const poses = Float32Array.from([1, 0, 0, 1, 0, 0, 0]);
  const pointer = { ray, camera, width: PIXELS, height: PIXELS, section };
  return featureOfPart(scene, 0, poses, new GeometryStore(scene, 32), pointer);
}

const box = { kind: 'box', at: here, size: [1, 1, 2] };

describe('a click on a part', () => {
  it('finds the face, the edge or the corner of a box', () => {
    const face = picked(box, 1.2, 0.1);
    expect(face).toMatchObject({ path: 'part', name: 'face', kind: 'plane' });
    // In axes of the part, which is moved along x.
    [0.2, 0.1, 1].forEach((value, i) => expect(face?.at[i]).toBeCloseTo(value, 5));
    expect(face?.direction?.[2]).toBeCloseTo(1, 6);
    const edge = picked(box, 1.47, 0.1);
    expect(edge).toMatchObject({ name: 'edge', kind: 'line' });
    expect(Math.abs(edge?.direction?.[1] ?? 0)).toBeCloseTo(1, 6);
    expect(edge?.at[0]).toBeCloseTo(0.5, 5);
    const corner = picked(box, 1.47, 0.46);
    expect(corner).toMatchObject({ name: 'corner', kind: 'point', direction: null });
    [0.5, 0.5, 1].forEach((value, i) => expect(corner?.at[i]).toBeCloseTo(value, 5));
    expect(picked(box, -1, 0)).toBe(null);
  });

  it('finds the axis of a cylinder, its end, and the center of a ball', () => {
    const lying = { kind: 'cylinder', at: [0, 0, 0, Math.SQRT1_2, 0, Math.SQRT1_2, 0], radius: 0.5, length: 1 };
    const axis = picked(lying, 1.2, 0.3);
    expect(axis).toMatchObject({ name: 'axis', kind: 'line' });
    expect(Math.abs(axis?.direction?.[0] ?? 0)).toBeCloseTo(1, 6);
    [0.2, 0, 0].forEach((value, i) => expect(axis?.at[i]).toBeCloseTo(value, 2));
    expect(picked({ ...lying, at: here }, 1.2, 0.1)).toMatchObject({ name: 'face', kind: 'plane' });
    const ball = picked({ kind: 'sphere', at: [0.1, 0, 0, 1, 0, 0, 0], radius: 0.5 }, 1.3, 0.1);
    expect(ball).toMatchObject({ name: 'center', kind: 'point' });
    expect(ball?.at[0]).toBeCloseTo(0.1, 6);
  });

  it('does not see what a section has cut away', () => {
    expect(picked(box, 1.2, 0.1, new Plane(new Vector3(0, 0, -1), 0.5))).toBe(null);
    expect(picked(box, 1.2, 0.1, new Plane(new Vector3(0, 0, 1), 0.5))).toMatchObject({ name: 'face' });
  });
});

it('a joint has an axis or a center, on its second part', () => {
  const frames = [here, [1, 2, 3, Math.SQRT1_2, Math.SQRT1_2, 0, 0]];
  const joint = { path: 'pin', type: 'revolute', parts: [0, 1], frames, axis: [0, 0, 1] } as never;
  const axis = featureOfJoint(joint);
  expect(axis).toMatchObject({ kind: 'line', part: 1, at: [1, 2, 3] });
  // z is turned by a quarter about x.
  [0, -1, 0].forEach((value, i) => expect(axis.direction?.[i]).toBeCloseTo(value, 12));
  expect(featureOfJoint({ ...(joint as object), axis: null } as never)).toMatchObject({
    kind: 'point',
    direction: null,
  });
});
