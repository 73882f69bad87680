// What belongs together while a page is open: data, the index over it, and the state of the view.
import { ChannelTable } from '../data/channels';
import { ModelIndex, isWithin } from '../data/model_index';
import type { RunReader } from '../data/run';
import type { Diagnostic, Scene } from '../data/scene';
import type { DataSource } from '../data/source';
import { type DisplayUnit, displayUnit } from '../data/units';
import { Store } from './store';
import { type ViewerState, initialState } from './state';

const SEVERITIES = ['error', 'warning', 'note'];

export class Session {
  readonly store = new Store<ViewerState>(initialState());
  index: ModelIndex;
  private tables: ChannelTable[];

  constructor(public source: DataSource) {
    this.tables = source.runs.map((run) => new ChannelTable(run));
    this.index = this.makeIndex();
  }

  private makeIndex(): ModelIndex {
    const names = new Set(this.tables.flatMap((table) => table.list.map((channel) => channel.name)));
    return new ModelIndex(this.source.scene, [...names], this.source.diagnostics);
  }

  /** The model or its runs are other ones now. What is shown stays, as far as it is still there. */
  change(patch: Partial<Pick<DataSource, 'scene' | 'runs' | 'diagnostics'>>): void {
    const before = this.source.runs;
    const tables = this.tables;
    this.source = { ...this.source, ...patch };
    const { runs } = this.source;
    this.tables = runs.map((run) => tables[before.indexOf(run)] ?? new ChannelTable(run));
    this.index = this.makeIndex();
    const { state } = this;
    const place = (run: number | null) => (run === null ? -1 : runs.indexOf(before[run]));
    const shown = place(state.run);
    const compared = place(state.compared);
    const isThere = (path: string | null) => path !== null && this.index.find(path) !== undefined;
    this.store.update({
      sourceCount: state.sourceCount + 1,
      run: Math.max(0, shown),
      compared: compared < 0 || compared === shown ? null : compared,
      selection: isThere(state.selection) ? state.selection : null,
      follow: isThere(state.follow) ? state.follow : null,
      motion: state.motion !== null && state.motion < this.source.scene.motions.length ? state.motion : null,
    });
  }

  private readonly runScenes = new WeakMap<RunReader, Scene>();

  /** The machine that a run is of, where it is not the one of the page: the model may have changed since. */
  setSceneOf(run: RunReader, scene: Scene): void {
    this.runScenes.set(run, scene);
  }

  hasSceneOf(run: RunReader): boolean {
    return this.runScenes.has(run);
  }

  sceneOf(run: RunReader | null): Scene {
    return (run && this.runScenes.get(run)) ?? this.source.scene;
  }

  runOfNumber(number: number): RunReader | undefined {
    return this.source.runs.find((run, i) => (run.number ?? i) === number);
  }

  get state(): Readonly<ViewerState> {
    return this.store.get();
  }

  /** The run that is shown; null for a model without one. */
  get run(): RunReader | null {
    return this.source.runs[this.state.run] ?? null;
  }

  get comparedRun(): RunReader | null {
    const { compared } = this.state;
    return compared === null ? null : (this.source.runs[compared] ?? null);
  }

  table(run: number): ChannelTable | null {
    return this.tables[run] ?? null;
  }

  get channels(): ChannelTable | null {
    return this.table(this.state.run);
  }

  unitOf(channel: string): DisplayUnit {
    const found = this.channels?.find(channel);
    return displayUnit(this.run?.info.display ?? [], found?.quantity ?? '', found?.unit ?? '', found?.shownUnit);
  }

  unitOfQuantity(quantity: string, si: string): DisplayUnit {
    return displayUnit(this.run?.info.display ?? [], quantity, si);
  }

  /** Of all runs that are shown: where one has ended, the other goes on. A run in progress is followed by itself. */
  get startTime(): number {
    const starts = this.timedRuns.map(({ times }) => times[0]);
    return starts.length > 0 ? Math.min(...starts) : 0;
  }

  get endTime(): number {
    const ends = this.timedRuns.map(({ times }) => times[times.length - 1]);
    return ends.length > 0 ? Math.max(...ends) : 0;
  }

  /** Of the first run alone. */
  get runEnd(): number {
    const times = this.run?.times;
    return times && times.length > 0 ? times[times.length - 1] : 0;
  }

  private get timedRuns(): RunReader[] {
    const isLive = this.state.live?.status === 'running';
    const shown = isLive ? [this.run] : [this.run, this.comparedRun];
    return shown.filter((run): run is RunReader => run !== null && run.times.length > 0);
  }

  diagnosticsOf(path: string): Diagnostic[] {
    return this.source.diagnostics.filter((each) => each.element === path);
  }

  /** Of an element and of everything inside of it; the worst first. */
  diagnosticsWithin(path: string): Diagnostic[] {
    const { diagnostics } = this.source;
    const inside = diagnostics.filter(({ element }) => element && (path === '' || isWithin(element, path)));
    return inside.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  }
}
