// Where the machine is cut open: across which axis, at which place, and which side stays.
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import type { Section } from '../state/state';
import { h } from './dom';

const MIDDLE = 0.5;

export function sectionControls(session: Session, commands: Commands): HTMLElement {
  const axis = h(
    'select',
    { 'aria-label': 'Section' },
    h('option', { value: '' }, 'no section'),
    ...['x', 'y', 'z'].map((name) => h('option', { value: name }, `across ${name}`)),
  );
  const at = h('input', { type: 'range', min: 0, max: 1, step: 0.005, 'aria-label': 'Place of the section' });
  const flip = h('input', { type: 'checkbox' });
  const apply = () => {
    const section = { axis: axis.value as Section['axis'], at: Number(at.value), isFlipped: flip.checked };
    commands.setSection(axis.value === '' ? null : section);
  };
  for (const control of [axis, flip]) control.addEventListener('change', apply);
  at.addEventListener('input', apply);
  const place = h('label', { class: 'item column' }, 'Place of the section', at);
  const side = h('label', { class: 'item' }, flip, 'Keep the other side');
  session.store.watch(['section'], ({ section }) => {
    axis.value = section?.axis ?? '';
    at.value = String(section?.at ?? MIDDLE);
    flip.checked = section?.isFlipped ?? false;
    place.hidden = side.hidden = section === null;
  });
  return h('div', {}, h('label', { class: 'item' }, 'Section', axis), place, side);
}
