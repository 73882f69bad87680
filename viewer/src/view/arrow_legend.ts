// What arrows mean: their kinds and colors, and how long which value is on the screen.
import type { Color } from 'three';
import type { DisplayUnit } from '../data/units';
import type { ArrowScale } from './arrow_scale';
import type { Picture } from './layer';

const MOST_PIXELS = 90;
const DECADE_BARS = 3;

export interface ScaleBar {
  /** In SI. */
  value: number;
  pixels: number;
}

export interface ArrowKind {
  name: string;
  color: Color;
}

export interface ArrowLegend {
  isLogarithmic: boolean;
  scales: { kinds: ArrowKind[]; unit: DisplayUnit; bars: ScaleBar[] }[];
}

/** 1, 2 or 5 times a power of ten, not more than a value. */
export function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
  return ([5, 2].find((digit) => digit * power <= value * (1 + 1e-9)) ?? 1) * power;
}

/** Bars for round values in a unit: one on a linear scale, one for each of three decades on a logarithmic one. */
export function scaleBars(
  scale: ArrowScale,
  isLogarithmic: boolean,
  factor: number,
  pixelsPerMeter: number,
  unitFactor: number,
): ScaleBar[] {
  const { largest } = scale;
  if (!(largest > 0)) return [];
  const bar = (value: number) => ({ value, pixels: scale.length(value, isLogarithmic, factor) * pixelsPerMeter });
  const round = (value: number) => roundBelow(value / unitFactor) * unitFactor;
  if (isLogarithmic) return Array.from({ length: DECADE_BARS }, (_, i) => bar(round(largest) / 10 ** i));
  const share = Math.min(1, MOST_PIXELS / bar(largest).pixels);
  return [bar(round(share * largest))];
}

/** Null while no arrows are drawn. */
export function arrowLegend({ session, theme, arrows }: Picture, pixelsPerMeter: number): ArrowLegend | null {
  const { layers, isLogarithmic, arrowScale } = session.state;
  const kindsOf = (force: ArrowKind, reaction: ArrowKind) => [
    ...(layers.has('forces') ? [force] : []),
    ...(layers.has('reactions') ? [reaction] : []),
  ];
  const scales = [
    {
      kinds: kindsOf({ name: 'force', color: theme.force }, { name: 'reaction force', color: theme.reaction }),
      unit: session.unitOfQuantity('force', 'N'),
      scale: arrows.forces,
    },
    {
      kinds: kindsOf({ name: 'torque', color: theme.torque }, { name: 'reaction moment', color: theme.moment }),
      unit: session.unitOfQuantity('torque', 'N*m'),
      scale: arrows.torques,
    },
  ]
    .map(({ kinds, unit, scale }) => {
      return { kinds, unit, bars: scaleBars(scale, isLogarithmic, arrowScale, pixelsPerMeter, unit.factor) };
    })
    .filter(({ kinds, bars }) => kinds.length > 0 && bars.length > 0);
  return scales.length > 0 ? { isLogarithmic, scales } : null;
}
