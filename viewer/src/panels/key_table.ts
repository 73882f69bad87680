// All keys of the page, and what they do. The keyboard, the help and the README follow this table.
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { VIEWS } from '../view/camera_rig';
import type { Viewport } from '../view/viewport';

const MANY_ROWS = 10;

export interface KeyTarget {
  session: Session;
  commands: Commands;
  viewport: Viewport;
  focusSearch(): void;
  toggleHelp(): void;
}

export interface KeyEntry {
  /** As people read it. */
  keys: string;
  does: string;
  /** By `key` of the event. */
  actions: Record<string, (target: KeyTarget, event: KeyboardEvent) => void>;
}

export const KEY_TABLE: KeyEntry[] = [
  { keys: 'space', does: 'play, pause', actions: { ' ': ({ commands }) => commands.play() } },
  {
    keys: 'left, right',
    does: 'one row back or forward; ten with Shift',
    actions: {
      ArrowLeft: ({ commands }, { shiftKey }) => commands.step(shiftKey ? -MANY_ROWS : -1),
      ArrowRight: ({ commands }, { shiftKey }) => commands.step(shiftKey ? MANY_ROWS : 1),
    },
  },
  {
    keys: 'home, end',
    does: 'go to the start, to the end',
    actions: { Home: ({ commands }) => commands.toStart(), End: ({ commands }) => commands.toEnd() },
  },
  {
    keys: '[ ]',
    does: 'slower, faster',
    actions: { '[': ({ commands }) => commands.changeSpeed(-1), ']': ({ commands }) => commands.changeSpeed(1) },
  },
  {
    keys: 'L',
    does: 'repeat at the end',
    actions: { l: ({ session, commands }) => commands.setLooping(!session.state.isLooping) },
  },
  {
    keys: '1 to 7',
    does: VIEWS.join(', '),
    actions: Object.fromEntries(
      VIEWS.map((view, i) => [String(i + 1), ({ viewport }: KeyTarget) => viewport.look(view)]),
    ),
  },
  {
    keys: 'F, Shift+F',
    does: 'fit everything, fit the selection',
    actions: {
      f: ({ viewport }) => viewport.fit(),
      F: ({ viewport, session }) => viewport.fit(session.state.selection),
    },
  },
  { keys: 'P', does: 'perspective or orthographic', actions: { p: ({ commands }) => commands.toggleProjection() } },
  {
    keys: 'V',
    does: 'save this view',
    actions: { v: ({ commands, viewport }) => commands.saveView(viewport.rig.place) },
  },
  { keys: 'A', does: 'show everything again', actions: { a: ({ commands }) => commands.showAll() } },
  {
    keys: 'M',
    does: 'measure: click two faces, edges, corners, axes or joints',
    actions: { m: ({ commands }) => commands.toggleMeasuring() },
  },
  {
    keys: 'T, R, N',
    does: 'model panel, plots, notes',
    actions: {
      t: ({ commands }) => commands.toggleLeft(),
      r: ({ commands }) => commands.toggleRight(),
      n: ({ commands }) => commands.showSide('notes'),
    },
  },
  { keys: '/', does: 'search', actions: { '/': ({ focusSearch }) => focusSearch() } },
  { keys: '?', does: 'this list', actions: { '?': ({ toggleHelp }) => toggleHelp() } },
  {
    keys: 'escape',
    does: 'stop measuring, clear the selection',
    actions: { Escape: ({ commands }) => commands.escape() },
  },
];

/** What is done with keys and the pointer in single panels. */
export const OTHER_KEYS: [string, string][] = [
  ['in the tree: arrows, enter, H', 'move, select or plot, hide'],
  ['in the picture: click', 'select; click again in the same place to select what is behind'],
  ['in a plot: click, drag, double click, shift and click', 'go to a time, zoom, show all, set a second cursor'],
];
