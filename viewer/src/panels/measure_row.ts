// A row below the picture while something is measured: what was picked, and what lies between.
import type { Feature } from '../data/features';
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { measuredText } from '../view/measure_text';
import type { Viewport } from '../view/viewport';
import { h, iconButton } from './dom';

function nameOf({ path, name }: Feature): string {
  return `${name} of ${path}`;
}

export function measureRow(session: Session, commands: Commands, viewport: Viewport): HTMLElement {
  const text = h('span', { role: 'status' });
  const row = h(
    'div',
    { class: 'measure-row', hidden: true },
    text,
    iconButton('close', 'Stop measuring (Escape)', () => commands.toggleMeasuring(), { class: 'tool small' }),
  );
  const show = () => {
    const { isMeasuring, measured } = session.state;
    row.hidden = !isMeasuring;
    const found = viewport.measurement();
    const wanted =
      measured.length === 0 ? 'Click a face, an edge, a corner, an axis or a joint.' : 'Click a second one.';
    const picked = measured.map(nameOf).join(' to ');
    text.textContent = [picked, found ? measuredText(session, found) : wanted].filter(Boolean).join(': ');
  };
  session.store.watch(['isMeasuring', 'measured'], show);
  viewport.onDrawn(() => session.state.isMeasuring && show());
  return row;
}
