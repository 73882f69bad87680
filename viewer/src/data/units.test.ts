import { describe, expect, it } from 'vitest';
import { displayUnit, numberText, prettyUnit, unitFactor, valueText } from './units';

describe('units', () => {
  it('are made of products, quotients and powers', () => {
    expect(unitFactor('N*m')).toBe(1);
    expect(unitFactor('mm/s^2')).toBeCloseTo(1e-3, 12);
    expect(unitFactor('kN/mm')).toBeCloseTo(1e6, 3);
    expect(unitFactor('rpm')).toBeCloseTo(0.1047197551, 9);
    expect(unitFactor('1/s')).toBe(1);
    expect(unitFactor('furlong')).toBeNull();
  });

  it('of a quantity are those of the display, or else degrees and SI', () => {
    const display: [string, string][] = [['length', 'mm']];
    expect(valueText(0.0125, displayUnit(display, 'length', 'm'))).toBe('12.5 mm');
    expect(valueText(Math.PI / 6, displayUnit(display, 'angle', 'rad'))).toBe('30 deg');
    expect(valueText(0.0125, displayUnit([['angle', 'rad']], 'angle', 'rad'))).toBe('0.0125 rad');
    expect(valueText(0.0125, displayUnit(display, 'angular rate', 'rad/s'))).toBe('0.0125 rad/s');
    expect(displayUnit([['rate', 'rpm']], 'angular rate', 'rad/s').symbol).toBe('rpm');
    expect(valueText(2, displayUnit([], 'number', '1'))).toBe('2');
    expect(valueText(0.0125, displayUnit(display, 'length', 'm', 'cm'))).toBe('1.25 cm');
    expect(valueText(3, displayUnit([['length', 'ell']], 'length', 'm'))).toBe('3 m');
  });

  it('are printed as people write them', () => {
    expect(prettyUnit('kg*m/s^2')).toBe('kg·m/s²');
  });

  it('numbers have five digits', () => {
    expect(numberText(123456)).toBe('123460');
    expect(numberText(-0.5)).toBe('−0.5');
    expect(numberText(1.5e-9)).toBe('1.5e−9');
    expect(numberText(2e7)).toBe('2e+7');
    expect(numberText(NaN)).toBe('not a number');
  });
});
