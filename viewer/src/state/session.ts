// What belongs together while a page is open: data, the index over it, and the state of the view.
import { ChannelTable } from '../data/channels';
import { ModelIndex, isWithin } from '../data/model_index';
import type { RunReader } from '../data/run';
import type { Diagnostic } from '../data/scene';
import type { DataSource } from '../data/source';
import { type DisplayUnit, displayUnit } from '../data/units';
import { Store } from './store';
import { type ViewerState, initialState } from './state';

const SEVERITIES = ['error', 'warning', 'note'];

export class Session {
  readonly store = new Store<ViewerState>(initialState());
  readonly index: ModelIndex;
  private readonly tables: ChannelTable[];

  constructor(readonly source: DataSource) {
    this.tables = source.runs.map((run) => new ChannelTable(run));
    const names = new Set(this.tables.flatMap((table) => table.list.map((channel) => channel.name)));
    this.index = new ModelIndex(source.scene, [...names], source.diagnostics);
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
    return displayUnit(this.run?.info.display ?? [], found?.quantity ?? '', found?.unit ?? '');
  }

  unitOfQuantity(quantity: string, si: string): DisplayUnit {
    return displayUnit(this.run?.info.display ?? [], quantity, si);
  }

  get startTime(): number {
    return this.run?.times[0] ?? 0;
  }

  get endTime(): number {
    const times = this.run?.times;
    return times && times.length > 0 ? times[times.length - 1] : 0;
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
