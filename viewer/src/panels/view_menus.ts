// Menus of the picture: standard views, and what is drawn.
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { LAYERS, type SavedView } from '../state/state';
import { LAYER_TABLE } from '../view/layer_table';
import { type CameraPlace, VIEWS } from '../view/camera_rig';
import type { Viewport } from '../view/viewport';
import { h, iconButton, menu, replace } from './dom';
import { sectionControls } from './section_controls';

function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

export function viewMenu(session: Session, commands: Commands, viewport: Viewport): HTMLElement {
  const item = (text: string | HTMLElement, key: string, onclick: () => void) =>
    h('button', { type: 'button', class: 'item', onclick }, text, h('kbd', {}, key));
  const otherProjection = h('span', {});
  session.store.watch(['projection'], ({ projection }) => {
    otherProjection.textContent = projection === 'perspective' ? 'Orthographic' : 'Perspective';
  });
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
      item(otherProjection, 'P', () => commands.toggleProjection()),
      unfollow,
      item('Show everything', 'A', () => commands.showAll()),
      item('Measure', 'M', () => commands.toggleMeasuring()),
      h('hr'),
      savedViews(session, commands, viewport),
      item('Save this view', 'V', () => commands.saveView(viewport.rig.place)),
    ),
  );
}

function savedViews(session: Session, commands: Commands, viewport: Viewport): HTMLElement {
  const list = h('div', { class: 'saved-views' });
  const show = (view: SavedView) => {
    commands.showView(view);
    viewport.place(view.camera as CameraPlace, view.projection);
  };
  session.store.watch(['views'], ({ views }) => {
    const rows = views.map((view) =>
      h(
        'div',
        { class: 'saved-view' },
        h('button', { type: 'button', class: 'item', onclick: () => show(view) }, view.name),
        iconButton('close', `Forget ${view.name}`, () => commands.removeView(view), { class: 'tool small' }),
      ),
    );
    replace(list, ...rows);
  });
  return list;
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
      sectionControls(session, commands),
      h('hr'),
      h('label', { class: 'item' }, isLog, 'Logarithmic arrows'),
      h('label', { class: 'item column' }, 'Length of arrows', scale),
    ),
  );
}
