import { Color } from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ModelIndex } from '../data/model_index';
import { readScene } from '../data/scene';
import { ForcesLayer, ReactionsLayer } from './arrow_layers';
import { ArrowScales } from './arrow_scale';
import { type Arrow, ArrowSet } from './arrow_set';
import type { Picture } from './layer';

const HALF = Math.SQRT1_2;
const QUARTER_ABOUT_X = [HALF, HALF, 0, 0];
const QUARTER_ABOUT_Z = [HALF, 0, 0, HALF];

/** Two parts with a universal joint, the first turned by a quarter about z, the second moved along x. */
function picture(elements: object, channels: Record<string, number>): Picture {
  const body = { mass: 1, center: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0], color: [0, 0, 0] };
  const scene = readScene({
    format: 1,
    parts: [
      { ...body, path: 'fork', at: [0, 0, 0, ...QUARTER_ABOUT_Z] },
      { ...body, path: 'arm', at: [2, 0, 0, 1, 0, 0, 0] },
    ],
    ...elements,
  });
  const color = new Color();
  const session = {
    source: { scene },
    index: new ModelIndex(scene, Object.keys(channels)),
    channels: { valueAt: (name: string) => channels[name] ?? null },
    run: null,
    state: { time: 0, isolated: null, blamed: null, hidden: new Set(), transparent: new Set(), arrowScale: 1 },
    unitOfQuantity: () => ({ symbol: 'N', factor: 1, offset: 0 }),
  };
  const poses = new Float32Array(scene.parts.flatMap((part) => part.at));
  const arrows = new ArrowScales(1);
  return { session, poses, arrows, theme: { reaction: color, moment: color, force: color, torque: color } } as never;
}

function joint(more: object) {
  const here = [0, 0, 0, 1, 0, 0, 0];
  return { path: 'cross', type: 'universal', parts: [0, 1], frames: [here, here], axis: [0, 0, 1], ...more };
}

function drawn(Layer: typeof ReactionsLayer | typeof ForcesLayer, of: Picture): Arrow[] {
  const draw = vi.spyOn(ArrowSet.prototype, 'draw').mockImplementation(() => undefined);
  new Layer(of).update(of);
  return draw.mock.calls[0][0] as Arrow[];
}

function expectDirection(arrow: Arrow, direction: number[]) {
  direction.forEach((each, i) => expect(arrow.direction[i]).toBeCloseTo(each, 6));
}

afterEach(() => vi.restoreAllMocks());

describe('arrows of reactions', () => {
  const recorded = { 'cross.reaction.force.x': 0, 'cross.reaction.force.y': 5, 'cross.reaction.force.z': 0 };

  it('stand at the second part, in the axes in which they are recorded', () => {
    // y is turned about x to z of the fork, which its own turn about z leaves there.
    const [arrow] = drawn(ReactionsLayer, picture({ joints: [joint({ reactionAxes: QUARTER_ABOUT_X })] }, recorded));
    expectDirection(arrow, [0, 0, 1]);
    expect(arrow.from).toEqual([2, 0, 0]);
  });

  it('follow the first frame where nothing is said about axes', () => {
    const [arrow] = drawn(ReactionsLayer, picture({ joints: [joint({})] }, recorded));
    expectDirection(arrow, [-1, 0, 0]);
  });

  it('do not exist where their axes are not known', () => {
    expect(drawn(ReactionsLayer, picture({ joints: [joint({ reactionAxes: null })] }, recorded))).toEqual([]);
  });
});

describe('arrows of efforts', () => {
  const motor = { path: 'motor', type: 'actuator', ends: [], drives: 'cross.angle_2' };
  const recorded = { 'motor.torque': -3 };

  it('point along their own direction, or the axis of the joint', () => {
    const directed = { ...motor, direction: [1, 0, 0], directionPart: 0 };
    const [own] = drawn(ForcesLayer, picture({ joints: [joint({})], forces: [directed] }, recorded));
    expectDirection(own, [0, -1, 0]);
    expect(own.isTurning).toBe(true);
    vi.restoreAllMocks();
    const [axis] = drawn(ForcesLayer, picture({ joints: [joint({})], forces: [motor] }, recorded));
    expectDirection(axis, [0, 0, -1]);
  });
});
