import { Color, MeshBasicMaterial } from 'three';
import { expect, test } from 'vitest';
import { type Pose, type SceneShape, readScene } from '../data/scene';
import { GeometryStore } from './geometry_store';
import { ShapeBatch } from './shape_batch';

const AT: Pose = [0, 0, 0, 1, 0, 0, 0];
const PLAIN: SceneShape = { kind: 'box', at: AT, size: [1, 1, 1] };
const PAINTED: SceneShape = { kind: 'sphere', at: AT, radius: 1, color: [1, 0, 0] };

function batchOf(things: SceneShape[][]): ShapeBatch {
  return new ShapeBatch(things, new GeometryStore(readScene({ format: 1 }), 8), new MeshBasicMaterial());
}

test('each shape is asked for with the color that it has of its own', () => {
  const batch = batchOf([[PLAIN], [PLAIN, PAINTED]]);
  const asked: unknown[] = [];
  batch.setColors(1, (own) => {
    asked.push(own);
    return new Color(0, 0, 1);
  });
  expect(asked).toEqual([undefined, [1, 0, 0]]);
});

test('all pieces of a shape have its color', () => {
  const capsule: SceneShape = { kind: 'capsule', at: AT, radius: 1, length: 2, color: [0, 1, 0] };
  const asked: unknown[] = [];
  batchOf([[capsule]]).setColors(0, (own) => {
    asked.push(own);
    return new Color(0, 0, 1);
  });
  expect(asked).toEqual([
    [0, 1, 0],
    [0, 1, 0],
    [0, 1, 0],
  ]);
});
