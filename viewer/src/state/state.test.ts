import { describe, expect, it } from 'vitest';
import { ModelIndex } from '../data/model_index';
import { readScene } from '../data/scene';
import { firstPlots } from './opening';
import { nextTime } from './playback';
import type { Session } from './session';
import { linkText, readLink } from './share_link';
import { initialState } from './state';
import { Store } from './store';

describe('store', () => {
  it('calls once for many changes, and only those that subscribed to them', async () => {
    const store = new Store({ a: 0, b: 0 });
    let calls = 0;
    store.watch(['a'], () => ++calls);
    store.update({ a: 1 });
    store.update({ a: 2, b: 1 });
    await Promise.resolve();
    expect(calls).toBe(2);
    store.update({ b: 2, a: 2 });
    await Promise.resolve();
    expect(calls).toBe(2);
  });
});

describe('playing', () => {
  it('ends at the end, or begins anew', () => {
    expect(nextTime(0.9, 0.3, 0, 1, false)).toEqual({ time: 1, hasEnded: true });
    const looped = nextTime(0.9, 0.3, 0, 1, true);
    expect(looped.time).toBeCloseTo(0.2, 12);
    expect(looped.hasEnded).toBe(false);
  });
});

describe('first plots', () => {
  it('show all outputs, also of assemblies; those of one unit together', () => {
    const names = ['stroke', 'motor_torque', 'left.height', 'left.load', 'energy.kinetic', 'energy.total'];
    const scene = readScene({ format: 1, assemblies: [{ path: 'left' }] });
    const units: Record<string, string> = { stroke: 'm', 'left.height': 'm', motor_torque: 'N*m', 'left.load': 'N' };
    const session = { index: new ModelIndex(scene, names), unitOf: (name: string) => ({ symbol: units[name] }) };
    expect(firstPlots(session as unknown as Session)).toEqual([
      ['stroke', 'left.height'],
      ['motor_torque'],
      ['left.load'],
    ]);
  });
});

describe('link', () => {
  it('brings the view back', () => {
    const state = {
      ...initialState(),
      time: 1.25,
      selection: 'front_left.wheel',
      hidden: new Set(['a.b', 'c']),
      projection: 'orthographic' as const,
      compared: 1,
      plots: [{ id: 4, channels: ['x.y', 'z'], isDifference: true, span: [0.5, 1] as [number, number] }],
    };
    const { state: read, camera } = readLink(`#${linkText(state, [1, 2, 3, 4, 5, 6, 7])}`);
    expect(camera).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(read.time).toBe(1.25);
    expect(read.selection).toBe('front_left.wheel');
    expect(read.hidden).toEqual(state.hidden);
    expect(read.projection).toBe('orthographic');
    expect(read.compared).toBe(1);
    expect(read.plots).toEqual([{ ...state.plots[0], id: 1 }]);
  });

  it('holds saved views, the section, and that nothing is compared or plotted', () => {
    const view = { name: 'View 2', time: 0.5, projection: 'orthographic' as const, camera: [1, 2, 3, 4, 5, 6, 0.125] };
    const section = { axis: 'y' as const, at: 0.25, isFlipped: true };
    const { state } = readLink(`#${linkText({ ...initialState(), views: [view], section }, [1, 2, 3, 4, 5, 6, 7])}`);
    expect(state.views).toEqual([view]);
    expect(state.section).toEqual(section);
    expect(state.compared).toBe(null);
    expect(state.plots).toEqual([]);
    expect(readLink('#view=a,o,1,2&view=b&section=w3&section=x9').state).toEqual({ views: [] });
  });

  it('with nonsense changes nothing', () => {
    expect(readLink('#time=abc&layers=nothing&camera=1,2')).toEqual({ state: { layers: new Set() }, camera: null });
    expect(readLink('')).toEqual({ state: {}, camera: null });
  });
});
