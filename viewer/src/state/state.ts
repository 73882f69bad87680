// Everything that the user can change about the view. Data of the model and of runs is not in here.
import type { Feature } from '../data/features';
import type { LiveState } from '../data/live';
import { NO_WISH, type RunWish } from '../data/model_settings';

export const LAYERS = [
  'grid',
  'shapes',
  'edges',
  'joints',
  'inside',
  'axes',
  'springs',
  'frames',
  'centers',
  'inertia',
  'forces',
  'reactions',
  'drift',
  'gravity',
] as const;
export type LayerName = (typeof LAYERS)[number];

export type ThemeChoice = 'auto' | 'light' | 'dark';
export type Projection = 'perspective' | 'orthographic';
export type SidePanel = 'plots' | 'notes';
export type SheetTab = 'model' | 'inspect' | 'plots' | 'notes' | 'run';

export interface Section {
  axis: 'x' | 'y' | 'z';
  /** From 0 to 1 over the space that the machine sweeps. */
  at: number;
  /** Keeps the side with the smaller coordinates. */
  isFlipped: boolean;
}

/** A view that somebody wants to come back to. */
export interface SavedView {
  name: string;
  time: number;
  projection: Projection;
  /** Place of the camera as in links. */
  camera: readonly number[];
}

export interface PlotPane {
  id: number;
  channels: string[];
  /** Second run minus the first one instead of both. */
  isDifference: boolean;
  /** Shown span of time; null: all of it. */
  span: [number, number] | null;
}

export interface ViewerState {
  time: number;
  isPlaying: boolean;
  speed: number;
  isLooping: boolean;
  run: number;
  /** Index of the run drawn as a ghost; null: none. */
  compared: number | null;

  selection: string | null;
  hovered: string | null;
  hidden: ReadonlySet<string>;
  transparent: ReadonlySet<string>;
  isolated: string | null;
  search: string;

  layers: ReadonlySet<LayerName>;
  isLogarithmic: boolean;
  arrowScale: number;
  /** Paths of parts, or of frames of parts, whose way is drawn. */
  traces: readonly string[];
  projection: Projection;
  /** Where the machine is cut open; null: nowhere. */
  section: Section | null;
  follow: string | null;
  /** Index of the free motion that is shown instead of the run; null: none. */
  motion: number | null;

  /** Clicks pick features to measure instead of selecting. */
  isMeasuring: boolean;
  /** At most two; the measurement goes along with their parts. */
  measured: readonly Feature[];
  views: readonly SavedView[];

  /** Time of the second cursor of plots; null: there is none. */
  marker: number | null;
  plots: readonly PlotPane[];
  activePlot: number;
  theme: ThemeChoice;
  isLeftOpen: boolean;
  isRightOpen: boolean;
  side: SidePanel;
  sheet: SheetTab;
  isSheetOpen: boolean;

  live: LiveState | null;
  /** The picture follows the newest row of a run that is going on. */
  isAtLiveEnd: boolean;
  /** Counts up when rows of a run arrived. */
  dataCount: number;
  /** Counts up when the scene, the messages or the list of runs are other ones. */
  sourceCount: number;
  /** The picture shows the machine as it is put together, though there is a run. */
  isAssembled: boolean;
  /** What the next run is to have other than the model. */
  wish: RunWish;
  /** A run was asked for and is not there yet. */
  isStarting: boolean;
  /** Path of the failing element while the page points at it. */
  blamed: string | null;
  notice: string;
}

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export function initialState(): ViewerState {
  return {
    time: 0,
    isPlaying: false,
    speed: 1,
    isLooping: true,
    run: 0,
    compared: null,
    selection: null,
    hovered: null,
    hidden: new Set(),
    transparent: new Set(),
    isolated: null,
    search: '',
    layers: new Set<LayerName>(['grid', 'shapes', 'edges', 'joints', 'springs', 'gravity']),
    isLogarithmic: false,
    arrowScale: 1,
    traces: [],
    projection: 'perspective',
    section: null,
    follow: null,
    motion: null,
    isMeasuring: false,
    measured: [],
    views: [],
    marker: null,
    plots: [],
    activePlot: 0,
    theme: 'auto',
    isLeftOpen: true,
    isRightOpen: true,
    side: 'plots',
    sheet: 'model',
    isSheetOpen: false,
    live: null,
    isAtLiveEnd: false,
    dataCount: 0,
    sourceCount: 0,
    isAssembled: false,
    wish: NO_WISH,
    isStarting: false,
    blamed: null,
    notice: '',
  };
}
