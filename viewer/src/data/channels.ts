// Channels of a run by name, with the magnitudes of vectors, which are not recorded but wanted.
import { type Numbers, type RunChannel, type RunReader, placeAt } from './run';

export interface Channel {
  name: string;
  unit: string;
  quantity: string;
  shownUnit?: string;
  /** What it is computed from: one recorded channel, or the components of a vector. */
  columns: RunChannel[];
}

function pickTexts({ unit, quantity, shownUnit }: RunChannel): Pick<Channel, 'unit' | 'quantity' | 'shownUnit'> {
  return { unit, quantity, shownUnit };
}

function withMagnitudes(all: RunChannel[]): Channel[] {
  // The time is the axis of every plot; as a curve it says nothing.
  const recorded = all.filter((channel) => channel.name !== 'time');
  const byName = new Map(recorded.map((channel) => [channel.name, channel]));
  const channels: Channel[] = [];
  for (const channel of recorded) {
    channels.push({ ...pickTexts(channel), name: channel.name, columns: [channel] });
    if (!channel.name.endsWith('.z')) continue;
    const stem = channel.name.slice(0, -2);
    const x = byName.get(`${stem}.x`);
    const y = byName.get(`${stem}.y`);
    // Four components are an orientation; its magnitude is always one.
    if (!x || !y || byName.has(`${stem}.w`) || byName.has(`${stem}.magnitude`)) continue;
    channels.push({ ...pickTexts(channel), name: `${stem}.magnitude`, columns: [x, y, channel] });
  }
  return channels;
}

export class ChannelTable {
  readonly list: Channel[];
  private readonly byName: Map<string, Channel>;

  constructor(private readonly run: RunReader) {
    this.list = withMagnitudes(run.info.channels);
    this.byName = new Map(this.list.map((channel) => [channel.name, channel]));
  }

  find(name: string): Channel | undefined {
    return this.byName.get(name);
  }

  async load(name: string): Promise<Numbers> {
    const channel = this.byName.get(name);
    if (!channel) return new Float64Array(this.run.times.length).fill(NaN);
    if (channel.columns.length === 1) return this.run.channel(name);
    const parts = await Promise.all(channel.columns.map((column) => this.run.channel(column.name)));
    const sums = new Float64Array(Math.min(...parts.map((part) => part.length)));
    for (const part of parts) for (let i = 0; i < sums.length; ++i) sums[i] += part[i] * part[i];
    return sums.map(Math.sqrt);
  }

  /** The value at a time, straight between rows; null while its row is being fetched or where there is no such channel. */
  valueAt(name: string, time: number): number | null {
    const channel = this.byName.get(name);
    if (!channel || this.run.times.length === 0) return null;
    const { row, fraction } = placeAt(this.run.times, time);
    let sum = 0;
    for (const column of channel.columns) {
      const value = this.columnAt(column, row, fraction);
      if (value === null) return null;
      if (channel.columns.length === 1) return value;
      sum += value * value;
    }
    return Math.sqrt(sum);
  }

  private columnAt(column: RunChannel, row: number, fraction: number): number | null {
    const before = this.run.row(column.block, row)?.[column.column];
    if (before === undefined) return null;
    if (fraction === 0) return before;
    const after = this.run.row(column.block, row + 1)?.[column.column];
    return after === undefined ? null : before + fraction * (after - before);
  }
}
