import { describe, expect, test } from 'vitest';
import {
  type ModelSetting,
  fromShown,
  limitProblem,
  plainNumber,
  sliderRange,
  toShown,
  wishOf,
} from './model_settings';

const length: ModelSetting = { path: 'crank_length', value: 0.05, min: 0.02, max: 0.08, unit: 'mm', factor: 1e-3 };
const warm: ModelSetting = { path: 'oil', value: 293.15, unit: 'degC', factor: 1, offset: 273.15 };

describe('numbers of a model', () => {
  test('go to the unit that is shown and back', () => {
    expect(toShown(length, 0.05)).toBeCloseTo(50, 12);
    expect(toShown(warm, 293.15)).toBeCloseTo(20, 12);
    expect(fromShown(warm, 20)).toBeCloseTo(293.15, 12);
    expect(plainNumber(0.07 / 1e-3)).toBe('70');
  });

  test('a limit is met exactly, whatever the unit', () => {
    for (const max of [0.07, 0.08, 0.3, 1.1]) {
      const setting = { ...length, max };
      expect(fromShown(setting, Number(plainNumber(toShown(setting, max))))).toBe(max);
    }
  });

  test('beyond the limits is reported in the unit that is shown', () => {
    expect(limitProblem(length, 0.05)).toBe('');
    expect(limitProblem(length, 0.01)).toBe('at least 20');
    expect(limitProblem(length, 0.09)).toBe('at most 80');
    expect(limitProblem(length, NaN)).toBe('not a number');
  });
});

describe('a slider', () => {
  const open: ModelSetting = { path: 'k', unit: '', factor: 1 };

  test('goes from limit to limit', () => {
    expect(sliderRange(length, 0.05)).toEqual([0.02, 0.08]);
    expect(sliderRange(length, undefined)).toEqual([0.02, 0.08]);
    expect(sliderRange({ ...length, max: 0.02 }, 0.02)).toBeNull();
  });

  test('goes about the value where there are no limits', () => {
    expect(sliderRange(open, 10)).toEqual([1, 20]);
    expect(sliderRange(open, -10)).toEqual([-20, -1]);
    expect(sliderRange({ ...open, min: 0 }, 10)).toEqual([0, 20]);
    expect(sliderRange({ ...open, max: 12 }, 10)).toEqual([1, 12]);
  });

  test('goes half a turn to either side for an angle', () => {
    expect(sliderRange({ ...open, unit: 'deg' }, 0)).toEqual([-Math.PI, Math.PI]);
    expect(sliderRange({ ...open, unit: 'rad' }, 5)).toEqual([-5, 5]);
    expect(sliderRange({ ...open, unit: 'deg', min: 0 }, 0.5)).toEqual([0, Math.PI]);
  });

  test('is left out where nothing is known', () => {
    expect(sliderRange(open, 0)).toBeNull();
    expect(sliderRange({ ...open, min: 0 }, 0)).toBeNull();
    expect(sliderRange(open, undefined)).toBeNull();
  });
});

test('what was chosen is known again after a reload', () => {
  const settings = {
    file: 'a.yaml',
    version: 3,
    parameters: [{ ...length, value: 0.07, isSet: true }, warm],
    starts: [{ path: 'hinge.angle', unit: 'deg', factor: 0.017 }],
    duration: 1,
    ownDuration: 2,
  };
  expect(wishOf(settings)).toEqual({ parameters: { crank_length: 0.07 }, starts: {}, duration: 2, keep: false });
});
