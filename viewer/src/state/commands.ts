// What the user can do, as functions on the state. Buttons, keys, links and tests all come through here.
import { rowAt } from '../data/run';
import type { Feature } from '../data/features';
import type { Session } from './session';
import {
  type LayerName,
  type PlotPane,
  SPEEDS,
  type SavedView,
  type Section,
  type SheetTab,
  type SidePanel,
  type ThemeChoice,
} from './state';

/** In one plot. */
export const MOST_CURVES = 8;

export class Commands {
  constructor(private readonly session: Session) {}

  // --- Time ---

  seek(time: number): void {
    const { startTime, endTime } = this.session;
    const live = this.session.state.live;
    const isAtLiveEnd = live !== null && live.status === 'running' && time >= endTime;
    this.session.store.update({
      time: Math.min(endTime, Math.max(startTime, time)),
      isAtLiveEnd,
      isAssembled: false,
    });
  }

  play(isPlaying = !this.session.state.isPlaying): void {
    const { state, startTime, endTime } = this.session;
    const hasEnded = isPlaying && state.time >= endTime;
    this.session.store.update({
      isPlaying,
      ...(hasEnded ? { time: startTime } : {}),
      isAtLiveEnd: false,
      isAssembled: false,
    });
  }

  /** Goes some recorded rows ahead or back, onto a row. */
  step(rows: number): void {
    const times = this.session.run?.times;
    if (!times || times.length === 0) return;
    const { time } = this.session.state;
    const row = rowAt(times, time);
    // Between two rows, one step back is the row before.
    const isBetween = times[row] < time;
    const target = row + rows + (isBetween && rows < 0 ? 1 : 0);
    this.session.store.update({ isPlaying: false });
    this.seek(times[Math.min(times.length - 1, Math.max(0, target))]);
  }

  toStart(): void {
    this.seek(this.session.startTime);
  }

  toEnd(): void {
    this.seek(this.session.endTime);
  }

  setSpeed(speed: number): void {
    this.session.store.update({ speed: Math.min(100, Math.max(0.01, speed)) });
  }

  changeSpeed(steps: number): void {
    const near = SPEEDS.findIndex((speed) => speed >= this.session.state.speed * 0.999);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, near + steps))]);
  }

  setLooping(isLooping: boolean): void {
    this.session.store.update({ isLooping });
  }

  // --- Elements ---

  select(path: string | null): void {
    const isKnown = path !== null && this.session.index.find(path) !== undefined;
    this.session.store.update({ selection: isKnown ? path : null });
  }

  hover(path: string | null): void {
    this.session.store.update({ hovered: path });
  }

  toggleHidden(path: string): void {
    this.session.store.update({ hidden: toggled(this.session.state.hidden, path), isolated: null });
  }

  toggleTransparent(path: string): void {
    this.session.store.update({ transparent: toggled(this.session.state.transparent, path) });
  }

  /** Shows this element alone; once more shows everything again. */
  isolate(path: string): void {
    this.session.store.update({ isolated: this.session.state.isolated === path ? null : path });
  }

  showAll(): void {
    this.session.store.update({ hidden: new Set(), transparent: new Set(), isolated: null, blamed: null });
  }

  search(text: string): void {
    this.session.store.update({ search: text });
  }

  // --- Picture ---

  toggleLayer(name: LayerName): void {
    this.session.store.update({ layers: toggled(this.session.state.layers, name) });
  }

  setArrows(isLogarithmic: boolean, arrowScale: number): void {
    this.session.store.update({ isLogarithmic, arrowScale });
  }

  toggleTrace(path: string): void {
    const { traces } = this.session.state;
    const next = traces.includes(path) ? traces.filter((each) => each !== path) : [...traces, path];
    this.session.store.update({ traces: next });
  }

  toggleProjection(): void {
    const { projection } = this.session.state;
    this.session.store.update({ projection: projection === 'perspective' ? 'orthographic' : 'perspective' });
  }

  setSection(section: Section | null): void {
    this.session.store.update({ section });
  }

  toggleMeasuring(): void {
    this.session.store.update({ isMeasuring: !this.session.state.isMeasuring, measured: [] });
  }

  get isMeasuring(): boolean {
    return this.session.state.isMeasuring;
  }

  /** The second feature completes a measurement, a third begins the next one. */
  measure(feature: Feature | null): void {
    const { measured } = this.session.state;
    if (feature) this.session.store.update({ measured: measured.length === 2 ? [feature] : [...measured, feature] });
  }

  /** Ends what the page is busy with, or else the selection. */
  escape(): void {
    if (this.session.state.isMeasuring) this.toggleMeasuring();
    else this.select(null);
  }

  saveView(camera: readonly number[]): void {
    const { views, time, projection } = this.session.state;
    const numbers = views.map(({ name }) => Number(/^View (\d+)$/.exec(name)?.[1] ?? 0));
    const name = `View ${1 + Math.max(0, ...numbers)}`;
    this.session.store.update({ views: [...views, { name, time, projection, camera }] });
    this.show(`${name} is saved in the menu of views and in the address.`);
  }

  removeView(view: SavedView): void {
    this.session.store.update({ views: this.session.state.views.filter((each) => each !== view) });
  }

  /** Time and projection of a saved view; the camera is moved by the picture. */
  showView({ time, projection }: SavedView): void {
    this.session.store.update({ projection, isPlaying: false });
    this.seek(time);
  }

  follow(path: string | null): void {
    this.session.store.update({ follow: this.session.state.follow === path ? null : path });
  }

  showMotion(motion: number | null): void {
    this.session.store.update({ motion, isPlaying: false });
  }

  setTheme(theme: ThemeChoice): void {
    this.session.store.update({ theme });
  }

  // --- Runs ---

  showRun(run: number): void {
    const { run: before, compared } = this.session.state;
    // The two change places: a comparison goes on.
    this.session.store.update({ run, compared: compared === run ? before : compared });
    this.seek(this.session.state.time);
  }

  compare(run: number | null): void {
    this.session.store.update({ compared: run === this.session.state.run ? null : run });
  }

  // --- Plots ---

  /** Adds a channel to a pane; null: to the one that was used last, or a new one. */
  plot(channel: string, paneId: number | null = null): void {
    const { plots, activePlot } = this.session.state;
    if (!this.session.channels?.find(channel)) return;
    const pane = plots.find((each) => each.id === (paneId ?? activePlot));
    if (!pane) return this.addPlot([channel]);
    const channels = pane.channels.includes(channel) ? pane.channels : [...pane.channels, channel].slice(-MOST_CURVES);
    this.changePlot(pane.id, { channels });
    this.session.store.update({ activePlot: pane.id });
    this.showSide('plots');
  }

  addPlot(channels: string[] = []): void {
    const { plots } = this.session.state;
    const id = 1 + Math.max(0, ...plots.map((pane) => pane.id));
    const pane: PlotPane = { id, channels, isDifference: false, span: null };
    this.session.store.update({ plots: [...plots, pane], activePlot: id });
    this.showSide('plots');
  }

  changePlot(id: number, patch: Partial<PlotPane>): void {
    const plots = this.session.state.plots.map((pane) => (pane.id === id ? { ...pane, ...patch } : pane));
    this.session.store.update({ plots });
  }

  removeCurve(id: number, channel: string): void {
    const pane = this.session.state.plots.find((each) => each.id === id);
    if (pane) this.changePlot(id, { channels: pane.channels.filter((each) => each !== channel) });
  }

  /** Sets the second cursor of plots, or takes it away. */
  mark(time: number | null): void {
    this.session.store.update({ marker: time });
  }

  removePlot(id: number): void {
    this.session.store.update({ plots: this.session.state.plots.filter((pane) => pane.id !== id) });
  }

  // --- Panels ---

  showSide(side: SidePanel): void {
    this.session.store.update({ side, isRightOpen: true });
  }

  toggleLeft(): void {
    this.session.store.update({ isLeftOpen: !this.session.state.isLeftOpen });
  }

  toggleRight(): void {
    this.session.store.update({ isRightOpen: !this.session.state.isRightOpen });
  }

  showSheet(sheet: SheetTab): void {
    const { state } = this.session;
    this.session.store.update({ sheet, isSheetOpen: !(state.isSheetOpen && state.sheet === sheet) });
  }

  show(notice: string): void {
    this.session.store.update({ notice });
  }

  // --- A run that is going on ---

  pauseRun(): void {
    this.session.source.live?.send('pause');
  }

  resumeRun(): void {
    this.session.source.live?.send('resume');
  }

  /** Shows the newest row, and the ones that come after it. */
  followRun(): void {
    this.session.store.update({ isAtLiveEnd: true, isPlaying: false, isAssembled: false });
  }

  stopRun(): void {
    this.session.source.live?.send('stop');
  }
}

function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
