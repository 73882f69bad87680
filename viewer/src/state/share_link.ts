// The view as text behind the # of an address, and back. What a link does not say stays as it is.
import { LAYERS, type LayerName, type PlotPane, type SavedView, type Section, type ViewerState } from './state';

const LISTS = ['hidden', 'transparent'] as const;

function join(items: Iterable<string>): string {
  return [...items].join(',');
}

function split(text: string): string[] {
  return text.split(',').filter(Boolean);
}

function short(value: number): number {
  return Number(value.toPrecision(9));
}

export function linkText(state: ViewerState, camera: number[]): string {
  const words = new URLSearchParams();
  words.set('time', String(Number(state.time.toPrecision(9))));
  words.set('camera', camera.map((value) => Number(value.toPrecision(6))).join(','));
  words.set('layers', join(state.layers));
  if (state.projection === 'orthographic') words.set('projection', state.projection);
  if (state.selection !== null) words.set('selection', state.selection);
  if (state.isolated !== null) words.set('isolated', state.isolated);
  if (state.follow !== null) words.set('follow', state.follow);
  if (state.run !== 0) words.set('run', String(state.run));
  // What is off must be said, too: without a word the page compares two runs, and plots outputs.
  words.set('compared', state.compared === null ? 'none' : String(state.compared));
  if (state.traces.length > 0) words.set('traces', join(state.traces));
  for (const list of LISTS) if (state[list].size > 0) words.set(list, join(state[list]));
  if (state.section) {
    const { axis, at, isFlipped } = state.section;
    words.set('section', `${isFlipped ? '-' : '+'}${axis}${Number(at.toPrecision(4))}`);
  }
  for (const { name, time, projection, camera } of state.views) {
    words.append('view', [name, projection[0], short(time), ...camera.map(short)].join(','));
  }
  if (state.plots.length === 0) words.set('plots', 'none');
  for (const { channels, span, isDifference } of state.plots) {
    words.append(
      'plot',
      `${isDifference ? 'd' : ''}:${span ? span.map((value) => Number(value.toPrecision(9))).join('_') : ''}:${join(channels)}`,
    );
  }
  return words.toString();
}

/** What is not as it should be is left out. */
function viewsOf(texts: string[]): SavedView[] {
  return texts.flatMap((text) => {
    const [name, projection, ...rest] = text.split(',');
    const [time, ...camera] = rest.map(Number);
    if (camera.length !== 7 || ![time, ...camera].every(Number.isFinite)) return [];
    return [{ name, time, projection: projection === 'o' ? 'orthographic' : 'perspective', camera }];
  });
}

function sectionOf(text: string): Section | null {
  const [, sign, axis, at] = /^([+-])([xyz])([0-9.]+)$/.exec(text) ?? [];
  const place = Number(at);
  if (axis === undefined || !(place >= 0 && place <= 1)) return null;
  return { axis: axis as Section['axis'], at: place, isFlipped: sign === '-' };
}

function plotOf(text: string, id: number): PlotPane {
  const [flag, span, channels] = text.split(':');
  const [from, to] = (span ?? '').split('_').map(Number);
  return { id, channels: split(channels ?? ''), isDifference: flag === 'd', span: to > from ? [from, to] : null };
}

export interface LinkedView {
  state: Partial<ViewerState>;
  camera: number[] | null;
}

export function readLink(hash: string): LinkedView {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const state: Partial<ViewerState> = {};
  const number = (name: string): number | null => {
    const value = Number(words.get(name) ?? NaN);
    return Number.isFinite(value) ? value : null;
  };
  const time = number('time');
  if (time !== null) state.time = time;
  const layers = words.get('layers');
  if (layers !== null)
    state.layers = new Set(
      split(layers).filter((name): name is LayerName => (LAYERS as readonly string[]).includes(name)),
    );
  if (words.get('projection') === 'orthographic') state.projection = 'orthographic';
  for (const name of ['selection', 'isolated', 'follow'] as const) if (words.has(name)) state[name] = words.get(name);
  const run = number('run');
  if (run !== null) state.run = run;
  if (words.has('compared')) state.compared = number('compared');
  if (words.has('traces')) state.traces = split(words.get('traces') ?? '');
  for (const list of LISTS) if (words.has(list)) state[list] = new Set(split(words.get(list) ?? ''));
  const section = sectionOf(words.get('section') ?? '');
  if (section) state.section = section;
  if (words.has('view')) state.views = viewsOf(words.getAll('view'));
  if (words.get('plots') === 'none') state.plots = [];
  if (words.has('plot')) state.plots = words.getAll('plot').map((text, i) => plotOf(text, i + 1));
  const camera = split(words.get('camera') ?? '').map(Number);
  return { state, camera: camera.length === 7 && camera.every(Number.isFinite) ? camera : null };
}
