// Menus of the picture: standard views, and what is drawn.
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { LAYERS } from '../state/state';
import { LAYER_TABLE } from '../view/layer_table';
import { VIEWS } from '../view/camera_rig';
import type { Viewport } from '../view/viewport';
import { h, menu } from './dom';

function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

export function viewMenu(session: Session, commands: Commands, viewport: Viewport): HTMLElement {
  const item = (text: string, key: string, onclick: () => void) =>
    h('button', { type: 'button', class: 'item', onclick }, text, h('kbd', {}, key));
  const projection = item('', 'P', () => commands.toggleProjection());
  session.store.watch(['projection'], (state) => {
    projection.firstChild?.replaceWith(state.projection === 'perspective' ? 'Orthographic' : 'Perspective');
  });
  projection.prepend('Orthographic');
  const unfollow = item('Stop following', '', () => commands.follow(null));
  session.store.watch(['follow'], ({ follow }) => (unfollow.hidden = follow === null));
  return menu(
    'cube',
    'View',
    h(
      'div',
      {},
      ...VIEWS.map((view, i) => item(capital(view), String(i + 1), () => viewport.look(view))),
      h('hr'),
      item('Fit', 'F', () => viewport.fit()),
      projection,
      unfollow,
      item('Show everything', 'A', () => commands.showAll()),
    ),
  );
}

export function layerMenu(session: Session, commands: Commands): HTMLElement {
  const boxes = LAYERS.map((name) => {
    const box = h('input', { type: 'checkbox', onchange: () => commands.toggleLayer(name), 'data-layer': name });
    session.store.watch(['layers'], ({ layers }) => (box.checked = layers.has(name)));
    return h('label', { class: 'item', title: LAYER_TABLE[name].hint }, box, LAYER_TABLE[name].label);
  });
  const isLog = h('input', { type: 'checkbox' });
  const scale = h('input', { type: 'range', min: -1, max: 1, step: 0.05, 'aria-label': 'Length of arrows' });
  const apply = () => commands.setArrows(isLog.checked, 10 ** Number(scale.value));
  isLog.addEventListener('change', apply);
  scale.addEventListener('input', apply);
  session.store.watch(['isLogarithmic', 'arrowScale'], (state) => {
    isLog.checked = state.isLogarithmic;
    scale.value = String(Math.log10(state.arrowScale));
  });
  return menu(
    'layers',
    'What is drawn',
    h(
      'div',
      {},
      ...boxes,
      h('hr'),
      h('label', { class: 'item' }, isLog, 'Logarithmic arrows'),
      h('label', { class: 'item column' }, 'Length of arrows', scale),
    ),
  );
}
