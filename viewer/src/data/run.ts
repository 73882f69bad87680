// A run as the page sees it: rows of numbers, read when they are needed.
import { DataError } from './scene';

export interface RunChannel {
  name: string;
  unit: string;
  quantity: string;
  /** In which people want to see it; without it the unit of its quantity. */
  shownUnit?: string;
  block: number;
  column: number;
}

export interface RunEvent {
  time: number;
  kind: string;
  element: string;
  text: string;
}

export interface SharedReaction {
  channel: string;
  element: string;
  group?: number;
  always?: boolean;
}

/** What the page shows of a certificate; more members may be there and are listed as they are. */
export interface Certificate {
  verdict?: string;
  reasons?: string[];
  assumptions?: string[];
  sharedReactions?: SharedReaction[];
  [member: string]: unknown;
}

export type RunStatus = 'running' | 'done' | 'failed' | 'stopped' | 'paused';

export interface RunInfo {
  format: 1;
  /** What requests call it; without it its place in the list. */
  number?: number;
  name: string;
  file: string;
  status: RunStatus;
  message: string;
  rows: number;
  /** Why rows at the end are left out. */
  leftOut?: string;
  blocks: { name: string; width: number }[];
  partOrder: string[];
  channels: RunChannel[];
  /** Quantity and the unit in which people see it. */
  display: [string, string][];
  events: RunEvent[];
  certificate: Certificate | null;
  /** Elements that a failed run blames, the first one first. */
  failure?: { elements: string[] };
}

export type Numbers = Float32Array | Float64Array;

export interface RunReader {
  /** What the program calls it. */
  readonly number?: number;
  readonly info: RunInfo;
  /** Times of all rows that are known; grows while a run is going on. */
  readonly times: Float64Array;
  /** One row of a block, or null: it is not here yet, and `onData` reports when it is. */
  row(block: number, row: number): Float32Array | null;
  /** One row without those around it: for looks at many places of a long run. */
  sample(block: number, row: number): Promise<Float32Array>;
  /** All values of a recorded channel. */
  channel(name: string): Promise<Numbers>;
  onData(listener: () => void): void;
}

export const POSE_BLOCK = 'parts/pose';

/** Index of the block with the poses of parts; -1 where a run has none. */
export function poseBlock(run: RunReader): number {
  return run.info.blocks.findIndex((each) => each.name === POSE_BLOCK);
}

const WAIT_MS = 30_000;

/** A row that may have to be fetched first. */
export async function arrivedRow(run: RunReader, block: number, row: number): Promise<Float32Array> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const found = run.row(block, row);
    if (found) return found;
    if (performance.now() > end) throw new DataError('The rows of the run did not arrive.');
    await new Promise((done) => setTimeout(done, 5));
  }
}

const EMPTY_RUN: RunInfo = {
  format: 1,
  name: '',
  file: '',
  status: 'done',
  message: '',
  rows: 0,
  blocks: [],
  partOrder: [],
  channels: [],
  display: [],
  events: [],
  certificate: null,
};

export function readRunInfo(json: unknown): RunInfo {
  if (typeof json !== 'object' || json === null) throw new DataError('A run is not a JSON object.');
  const given = json as Partial<RunInfo>;
  if (given.format !== 1) throw new DataError(`A run has format ${String(given.format)}; this page reads format 1.`);
  const info: RunInfo = { ...EMPTY_RUN, ...given };
  for (const channel of info.channels) {
    const block = info.blocks[channel.block];
    if (!block || channel.column < 0 || channel.column >= block.width) {
      throw new DataError(`Channel '${channel.name}' is outside the recorded blocks.`);
    }
  }
  return info;
}

/** Index of the last row at or before a time; 0 when there is none. */
export function rowAt(times: Numbers, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The row before a time and how far the time is on the way to the next one, 0..1. */
export function placeAt(times: Numbers, time: number): { row: number; fraction: number } {
  const row = rowAt(times, time);
  if (row + 1 >= times.length) return { row, fraction: 0 };
  const span = times[row + 1] - times[row];
  const fraction = span > 0 ? Math.min(1, Math.max(0, (time - times[row]) / span)) : 0;
  return { row, fraction };
}

/** Waits for the rows with the poses at a time. */
export async function arrivedRows(run: RunReader, time: number): Promise<void> {
  const block = poseBlock(run);
  if (block < 0 || run.times.length === 0) return;
  const { row, fraction } = placeAt(run.times, time);
  await arrivedRow(run, block, row);
  if (fraction > 0) await arrivedRow(run, block, row + 1);
}
