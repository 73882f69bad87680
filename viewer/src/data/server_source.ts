// Data from the program that serves this page, on the same origin.
import { LiveLink } from './live';
import { ModelLink } from './model_link';
import { RowCache } from './row_cache';
import { type Numbers, type RunInfo, type RunReader, arrivedRow, readRunInfo } from './run';
import { DataError, type Diagnostic, readScene } from './scene';
import type { DataSource } from './source';

const FEW_PIECES = 2;
const TOKEN_KEY = 'gelenk-token';

/** Takes the token out of the address, so that nobody passes it on with a link; a reload still has it. */
export function takeToken(): string {
  const url = new URL(location.href);
  const given = url.searchParams.get('token');
  if (given === null) return sessionStorage.getItem(TOKEN_KEY) ?? '';
  sessionStorage.setItem(TOKEN_KEY, given);
  url.searchParams.delete('token');
  history.replaceState(history.state, '', url);
  return given;
}

/** Requests to the program, each with the token. */
export class Api {
  trouble: (text: string) => void = () => {};

  constructor(readonly token: string) {}

  get(path: string): Promise<Response> {
    return this.send(path, {});
  }

  /** The type of the body is that of the blob. */
  post(path: string, body: Blob): Promise<Response> {
    return this.send(path, { method: 'POST', body });
  }

  private async send(path: string, request: RequestInit): Promise<Response> {
    const headers = { Authorization: `Bearer ${this.token}` };
    const response = await fetch(path, { ...request, headers }).catch(() => null);
    if (response?.ok) return response;
    const text = response ? await errorText(response) : 'The program that serves this page no longer answers.';
    this.trouble(text);
    throw new DataError(text);
  }

  async json(path: string): Promise<unknown> {
    return (await this.get(path)).json();
  }

  async floats(path: string): Promise<Float32Array> {
    return new Float32Array(await (await this.get(path)).arrayBuffer());
  }

  async doubles(path: string): Promise<Float64Array> {
    return new Float64Array(await (await this.get(path)).arrayBuffer());
  }
}

async function errorText(response: Response): Promise<string> {
  if (response.status === 401) return 'The address lacks the right token; open the link that the program printed.';
  try {
    const body = (await response.json()) as { error?: string };
    if (body.error) return body.error;
  } catch {
    // Not one of our answers: the status has to do.
  }
  return `The server answered with status ${response.status}.`;
}

function joined(before: Float64Array, more: Float64Array): Float64Array {
  const all = new Float64Array(before.length + more.length);
  all.set(before);
  all.set(more, before.length);
  return all;
}

export class ServerRun implements RunReader {
  times: Float64Array = new Float64Array(0);
  private readonly cache: RowCache;
  private readonly channels = new Map<string, Float64Array>();
  private readonly listeners: (() => void)[] = [];
  private growing: Promise<void> = Promise.resolve();

  constructor(
    private readonly api: Api,
    readonly number: number,
    public info: RunInfo,
  ) {
    const widths = info.blocks.map((block) => block.width);
    const fetchRows = (block: number, first: number, count: number) =>
      api.floats(`api/rows?run=${number}&block=${block}&first=${first}&count=${count}`);
    this.cache = new RowCache(widths, info.rows, fetchRows, () => this.notify());
  }

  async open(): Promise<this> {
    this.times = await this.api.doubles(`api/times?run=${this.number}`);
    this.cache.grow(this.times.length);
    return this;
  }

  row(block: number, row: number): Float32Array | null {
    return this.cache.row(block, row);
  }

  sample(block: number, row: number): Promise<Float32Array> {
    // A run of a few pieces is soon here as a whole.
    const pieces = this.times.length / this.cache.chunkRows(block);
    if (pieces <= FEW_PIECES) return arrivedRow(this, block, row);
    return this.api.floats(`api/rows?run=${this.number}&block=${block}&first=${row}&count=1`);
  }

  async channel(name: string): Promise<Numbers> {
    const have = this.channels.get(name) ?? new Float64Array(0);
    if (have.length >= this.times.length && have.length > 0) return have.subarray(0, this.times.length);
    const query = `run=${this.number}&name=${encodeURIComponent(name)}&first=${have.length}`;
    const values = joined(have, await this.api.doubles(`api/channel?${query}`));
    this.channels.set(name, values);
    return values;
  }

  onData(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Reads the times of new rows; one request after the other, as each begins where the last one ended. */
  grow(rows: number): Promise<void> {
    this.growing = this.growing.then(
      () => this.readTimes(rows),
      () => this.readTimes(rows),
    );
    return this.growing;
  }

  private async readTimes(rows: number): Promise<void> {
    if (rows <= this.times.length) return;
    const more = await this.api.doubles(`api/times?run=${this.number}&first=${this.times.length}`);
    this.times = joined(this.times, more);
    this.cache.grow(this.times.length);
    this.notify();
  }

  /** Reads the description anew, once a run has ended. */
  async refresh(): Promise<void> {
    const runs = ((await this.api.json('api/runs')) as unknown[]).map(readRunInfo);
    const found = runs.find((info, i) => (info.number ?? i) === this.number);
    if (!found) return;
    this.info = found;
    await this.grow(this.info.rows);
    // Rows in which the motion ran away are left out once that is known.
    if (this.info.rows < this.times.length) this.times = this.times.slice(0, this.info.rows);
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

export async function openServer(api = new Api(takeToken())): Promise<DataSource> {
  const [scene, runs, diagnostics] = await Promise.all([
    api.json('api/scene').then(readScene),
    api.json('api/runs') as Promise<unknown[]>,
    api.json('api/diagnostics') as Promise<Diagnostic[]>,
  ]);
  const infos = runs.map(readRunInfo);
  const readers = await Promise.all(infos.map((info, i) => new ServerRun(api, info.number ?? i, info).open()));
  const isLive = readers.some((reader) => reader.info.status === 'running' || reader.info.status === 'paused');
  const socket = new URL('api/live', location.href);
  socket.protocol = socket.protocol === 'https:' ? 'wss:' : 'ws:';
  socket.search = '';
  socket.hash = '';
  return {
    scene,
    runs: readers,
    diagnostics,
    model: scene.model ? new ModelLink(api) : null,
    live: isLive || scene.model ? new LiveLink(socket.href, api.token) : null,
    onTrouble: (listener) => (api.trouble = listener),
  };
}
