// A measurement in words.
import type { Measurement } from '../data/features';
import { type DisplayUnit, valueText } from '../data/units';
import type { Session } from '../state/session';

/** People who measure angles think in degrees. */
const DEGREES: DisplayUnit = { symbol: '°', factor: Math.PI / 180 };

/** Poses have seven digits: what is smaller than this part of the machine, or of a turn, is rounding. */
const ROUNDING = 2e-6;

function withoutRounding(value: number, size: number): number {
  return value < ROUNDING * size ? 0 : value;
}

/** Values in display units; null where there is none. */
function values(session: Session, { distance, angle }: Measurement): { distance: string | null; angle: string | null } {
  const length = session.unitOfQuantity('length', 'm');
  const given = session.unitOfQuantity('angle', 'rad');
  const { size } = session.source.scene;
  return {
    distance: distance === null ? null : valueText(withoutRounding(distance, size), length),
    angle: angle === null ? null : valueText(withoutRounding(angle, 1), given.symbol === 'rad' ? DEGREES : given),
  };
}

/** As short as a label in the picture has to be. */
export function shortMeasuredText(session: Session, measurement: Measurement): string {
  const { distance, angle } = values(session, measurement);
  return [distance, angle].filter(Boolean).join(', ');
}

export function measuredText(session: Session, measurement: Measurement): string {
  const { distance, angle } = values(session, measurement);
  const { clicked } = measurement;
  const words = [
    distance !== null && `distance ${distance}`,
    angle !== null && `angle ${angle}`,
    measurement.distance !== clicked &&
      `clicked places ${valueText(clicked, session.unitOfQuantity('length', 'm'))} apart`,
  ];
  return words.filter(Boolean).join(', ');
}
