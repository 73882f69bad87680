// The bar on top: name, runs, verdict, menus.
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import type { ThemeChoice } from '../state/state';
import type { Viewport } from '../view/viewport';
import { h, iconButton, menu } from './dom';
import { verdictKind, verdictText } from './notes_panel';
import { layerMenu, viewMenu } from './view_menus';

export interface Exports {
  link(): void;
  picture(): void;
  video(): void;
  gltf(): void;
}

const NEXT_THEME: Record<ThemeChoice, ThemeChoice> = { auto: 'light', light: 'dark', dark: 'auto' };

export function topBar(
  session: Session,
  commands: Commands,
  viewport: Viewport,
  exports: Exports & { help(): void },
): HTMLElement {
  const left = iconButton('left', 'Model and inspector (T)', () => commands.toggleLeft(), { class: 'tool wide-only' });
  const right = iconButton('right', 'Plots and notes (R)', () => commands.toggleRight(), { class: 'tool wide-only' });
  session.store.watch(['isLeftOpen', 'isRightOpen'], (state) => {
    left.setAttribute('aria-pressed', state.isLeftOpen ? 'true' : 'false');
    right.setAttribute('aria-pressed', state.isRightOpen ? 'true' : 'false');
  });
  const theme = iconButton('moon', 'Colors: as the system', () => commands.setTheme(NEXT_THEME[session.state.theme]));
  session.store.watch(['theme'], (state) => {
    const text = { auto: 'Colors: as the system', light: 'Colors: light', dark: 'Colors: dark' }[state.theme];
    theme.title = text;
    theme.setAttribute('aria-label', text);
  });
  const name = h('h1', {});
  session.store.watch(['sourceCount'], () => (name.textContent = session.source.scene.name || 'Gelenk'));
  return h(
    'header',
    { class: 'top' },
    left,
    name,
    ...runChoices(session, commands),
    verdictChip(session, commands),
    h('span', { class: 'stretch' }),
    viewMenu(session, commands, viewport),
    layerMenu(session, commands),
    exportMenu(exports),
    theme,
    iconButton('help', 'Keys (?)', () => exports.help(), { class: 'tool wide-only' }),
    right,
  );
}

function runName(session: Session, run: number): string {
  const { info } = session.source.runs[run];
  return info.file || info.name || `run ${run + 1}`;
}

/** Which run is shown and which is its ghost, each with its color while both are. */
function runChoices(session: Session, commands: Commands): HTMLElement[] {
  const colors = ['first', 'second'].map((which) => h('span', { class: `run-color ${which}`, hidden: true }));
  session.store.watch(['compared'], ({ compared }) => {
    for (const color of colors) color.hidden = compared === null;
  });
  return [colors[0], runChoice(session, commands), colors[1], compareChoice(session, commands)];
}

function runChoice(session: Session, commands: Commands): HTMLElement {
  const choice = h('select', { 'aria-label': 'Run', title: 'Run', class: 'run' });
  choice.addEventListener('change', () => commands.showRun(Number(choice.value)));
  session.store.watch(['sourceCount'], () => {
    const { runs } = session.source;
    choice.hidden = runs.length < 2;
    choice.replaceChildren(...runs.map((_, i) => h('option', { value: i }, runName(session, i))));
  });
  session.store.watch(['run', 'sourceCount'], ({ run }) => (choice.value = String(run)));
  return choice;
}

function compareChoice(session: Session, commands: Commands): HTMLElement {
  const choice = h('select', { 'aria-label': 'Compare with', title: 'Second run, drawn as a ghost', class: 'compare' });
  choice.addEventListener('change', () => commands.compare(choice.value === '' ? null : Number(choice.value)));
  session.store.watch(['run', 'compared', 'sourceCount'], ({ run, compared }) => {
    const { runs } = session.source;
    choice.hidden = runs.length < 2;
    const others = runs.flatMap((_, i) =>
      i === run ? [] : [h('option', { value: i }, `with ${runName(session, i)}`)],
    );
    choice.replaceChildren(h('option', { value: '' }, 'compare with …'), ...others);
    choice.value = compared === null ? '' : String(compared);
  });
  return choice;
}

function verdictChip(session: Session, commands: Commands): HTMLElement {
  const chip = h('button', {
    type: 'button',
    class: 'chip verdict',
    title: 'Messages and certificate (N)',
    onclick: () => commands.showSide('notes'),
  });
  session.store.watch(['run', 'dataCount', 'live', 'sourceCount'], () => {
    const info = session.run?.info;
    const errors = session.source.diagnostics.filter((each) => each.severity === 'error').length;
    const { live } = session.state;
    const isLive = live !== null && session.runOfNumber(live.run) === session.run;
    const status = (isLive && live.status) || info?.status;
    const verdict = info?.certificate?.verdict;
    const text =
      errors > 0
        ? `${errors} ${errors === 1 ? 'error' : 'errors'}`
        : status === 'done'
          ? verdict
            ? verdictText(verdict)
            : 'done'
          : (status ?? 'model');
    chip.textContent = text;
    chip.className = `chip verdict ${errors > 0 ? 'bad' : info ? verdictKind(info) : 'plain'}`;
  });
  return chip;
}

function exportMenu(exports: Exports): HTMLElement {
  const item = (text: string, onclick: () => void) => h('button', { type: 'button', class: 'item', onclick }, text);
  return menu(
    'save',
    'Export',
    h(
      'div',
      {},
      item('Copy link to this view', () => exports.link()),
      h('hr'),
      item('Picture (PNG)', () => exports.picture()),
      item('Video (MP4)', () => exports.video()),
      item('Animation (glTF)', () => exports.gltf()),
    ),
  );
}
