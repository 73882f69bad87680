// A row below the picture while something is measured: what was picked, and what lies between.
import type { Feature, Measurement } from '../data/features';
import { type DisplayUnit, valueText } from '../data/units';
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import type { Viewport } from '../view/viewport';
import { h, iconButton } from './dom';

/** People who measure angles think in degrees. */
const DEGREES: DisplayUnit = { symbol: '°', factor: Math.PI / 180 };

/** Poses have seven digits: what is smaller than this part of the machine, or of a turn, is rounding. */
const ROUNDING = 2e-6;

function withoutRounding(value: number, size: number): number {
  return value < ROUNDING * size ? 0 : value;
}

export function resultText(session: Session, { distance, angle, clicked }: Measurement): string {
  const { size } = session.source.scene;
  const length = session.unitOfQuantity('length', 'm');
  const given = session.unitOfQuantity('angle', 'rad');
  const degrees = given.symbol === 'rad' ? DEGREES : given;
  const words = [
    distance !== null && `distance ${valueText(withoutRounding(distance, size), length)}`,
    angle !== null && `angle ${valueText(withoutRounding(angle, 1), degrees)}`,
    distance !== clicked && `clicked places ${valueText(clicked, length)} apart`,
  ];
  return words.filter(Boolean).join(', ');
}

function nameOf({ path, name }: Feature): string {
  return `${name} of ${path}`;
}

export function measureRow(session: Session, commands: Commands, viewport: Viewport): HTMLElement {
  const text = h('span', { role: 'status' });
  const row = h(
    'div',
    { class: 'measure-row', hidden: true },
    text,
    iconButton('close', 'End measuring (Escape)', () => commands.toggleMeasuring(), { class: 'tool small' }),
  );
  const show = () => {
    const { isMeasuring, measured } = session.state;
    row.hidden = !isMeasuring;
    const found = viewport.measurement();
    const wanted =
      measured.length === 0 ? 'Click a face, an edge, a corner, an axis or a joint.' : 'Click a second one.';
    const picked = measured.map(nameOf).join(' to ');
    text.textContent = [picked, found ? resultText(session, found) : wanted].filter(Boolean).join(': ');
  };
  session.store.watch(['isMeasuring', 'measured'], show);
  viewport.onDrawn(() => session.state.isMeasuring && show());
  return row;
}
