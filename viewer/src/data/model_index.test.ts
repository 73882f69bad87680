import { describe, expect, it } from 'vitest';
import { foundRows, treeRows } from '../panels/tree_rows';
import { ModelIndex } from './model_index';
import { readScene } from './scene';

const pose = [0, 0, 0, 1, 0, 0, 0];
const part = (path: string) => ({
  path,
  at: pose,
  mass: 1,
  center: [0, 0, 0],
  inertia: [1, 1, 1, 0, 0, 0],
  color: [1, 1, 1],
  shapes: [],
  frames: [],
});

const scene = readScene({
  format: 1,
  name: 'm',
  assemblies: [{ path: 'a.b' }, { path: 'a' }],
  parts: [part('a.b.rod'), part('base'), part('link.3.arm')],
  joints: [{ path: 'a.pin', type: 'revolute', parts: [1, 0], frames: [pose, pose], axis: [0, 0, 1] }],
  drivers: [{ path: 'motor', drives: 'a.pin.angle' }],
  couplings: [{ path: 'mesh', type: 'gear', couples: ['a.pin.angle', 'a.pin.angle'] }],
});
const names = [
  'base.position.x',
  'base.position.y',
  'base.position.z',
  'a.pin.angle',
  'a.load',
  'stroke',
  'energy.total',
  'mesh.torque',
];
const index = new ModelIndex(scene, names);

describe('model index', () => {
  it('follows the dots of paths, also where no assembly is', () => {
    expect(index.find('a.b.rod')?.parent?.path).toBe('a.b');
    expect(index.find('link.3')?.kind).toBe('assembly');
    expect(index.find('link')?.parent).toBe(index.root);
  });

  it('gives channels to their elements; others are outputs', () => {
    expect(index.find('base')?.channels.length).toBe(3);
    expect(index.owner('a.pin.angle').path).toBe('a.pin');
    expect(index.find('a.load')?.kind).toBe('output');
    expect(index.find('mesh')?.channels).toEqual(['mesh.torque']);
    expect(index.find('energy')?.channels).toEqual(['energy.total']);
  });

  it('knows the parts of an element', () => {
    expect(index.partsOf('a')).toEqual([0]);
    expect(index.partsOf('a.pin')).toEqual([1, 0]);
    expect(index.partsOf('motor')).toEqual([1, 0]);
    expect(index.partsOf('mesh')).toEqual([1, 0]);
    expect(index.partsOf('')).toEqual([0, 2, 1]);
  });

  it('has elements that could not be read, where messages name them', () => {
    const named = new ModelIndex(
      index.scene,
      [],
      [
        { severity: 'error', text: 'no such frame', element: 'a.other_pin', kind: 'joint', file: 'm.yaml', line: 7 },
        { severity: 'error', text: 'known already', element: 'base' },
        { severity: 'warning', text: 'not read', element: 'b' },
      ],
    );
    expect(named.find('a.other_pin')).toMatchObject({ kind: 'faulty', type: 'joint', line: 7 });
    expect(named.find('a.other_pin')?.parent?.path).toBe('a');
    expect(named.partsOf('a.other_pin')).toEqual([]);
    expect(named.find('base')?.kind).toBe('part');
    expect(named.find('b')).toBe(undefined);
  });

  it('becomes rows of a tree', () => {
    const rows = treeRows(index, new Set(['element:', 'element:base']));
    const group = rows.find((row) => row.kind === 'group');
    expect(group?.label).toBe('position');
    expect(group?.channels.length).toBe(3);
    expect(rows.find((row) => row.label === 'stroke')?.channels).toEqual(['stroke']);
    expect(foundRows(index, 'POS y').map((row) => row.label)).toEqual(['base.position.y']);
  });

  it('refuses scenes that name parts that do not exist', () => {
    const joint = { path: 'j', type: 'fixed', parts: [0, 5], frames: [pose, pose], axis: null };
    expect(() => readScene({ format: 1, parts: [part('x')], joints: [joint] })).toThrow(/'j' names a part/);
  });
});
