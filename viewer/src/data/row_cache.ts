// Rows of one block in chunks, fetched when somebody looks at them: a result of some gigabytes opens at once.

const CHUNK_BYTES = 256 * 1024;
const CACHE_BYTES = 192 * 1024 * 1024;
const MOST_ROWS = 4096;
const PARALLEL = 3;
const RETRY_MS = 2000;
/** Wishes that are older than this many newer ones were for a place that the cursor has left. */
const MOST_WAITING = 6;

export type FetchRows = (block: number, first: number, count: number) => Promise<Float32Array>;

interface Wish {
  block: number;
  chunk: number;
  key: string;
}

export class RowCache {
  private readonly chunks = new Map<string, Float32Array>();
  private readonly busy = new Set<string>();
  private waiting: Wish[] = [];
  private bytes = 0;
  private readonly lastChunk: number[] = [];

  constructor(
    private readonly widths: number[],
    private rows: number,
    private readonly fetchRows: FetchRows,
    private readonly arrived: () => void,
  ) {}

  chunkRows(block: number): number {
    return Math.min(MOST_ROWS, Math.max(1, Math.floor(CHUNK_BYTES / (4 * Math.max(1, this.widths[block])))));
  }

  row(block: number, row: number): Float32Array | null {
    if (row < 0 || row >= this.rows) return null;
    const size = this.chunkRows(block);
    const chunk = Math.floor(row / size);
    const found = this.take(block, chunk);
    this.prefetch(block, chunk);
    const width = this.widths[block];
    const start = (row - chunk * size) * width;
    return found && start + width <= found.length ? found.subarray(start, start + width) : null;
  }

  /** More rows exist now; the last chunk was cut short and is read again. */
  grow(rows: number): void {
    for (let block = 0; block < this.widths.length; ++block) {
      const key = `${block}:${Math.floor(this.rows / this.chunkRows(block))}`;
      const old = this.chunks.get(key);
      if (old) this.bytes -= old.byteLength;
      this.chunks.delete(key);
    }
    this.rows = rows;
  }

  private take(block: number, chunk: number): Float32Array | null {
    const key = `${block}:${chunk}`;
    const found = this.chunks.get(key);
    if (!found) {
      this.wish({ block, chunk, key });
      return null;
    }
    // The order of the map is the order of use: the first one is dropped first.
    this.chunks.delete(key);
    this.chunks.set(key, found);
    return found;
  }

  private prefetch(block: number, chunk: number): void {
    if (this.lastChunk[block] === chunk) return;
    const direction = chunk >= (this.lastChunk[block] ?? -1) ? 1 : -1;
    this.lastChunk[block] = chunk;
    const next = chunk + direction;
    const last = Math.floor((this.rows - 1) / this.chunkRows(block));
    const key = `${block}:${next}`;
    if (next >= 0 && next <= last && !this.chunks.has(key)) this.wish({ block, chunk: next, key });
  }

  private wish(wish: Wish): void {
    if (this.busy.has(wish.key)) return;
    this.waiting = this.waiting.filter((other) => other.key !== wish.key);
    this.waiting.push(wish);
    if (this.waiting.length > MOST_WAITING) this.waiting.shift();
    this.work();
  }

  private work(): void {
    while (this.busy.size < PARALLEL) {
      const wish = this.waiting.pop();
      if (!wish) return;
      this.busy.add(wish.key);
      void this.load(wish);
    }
  }

  private async load(wish: Wish): Promise<void> {
    const size = this.chunkRows(wish.block);
    const first = wish.chunk * size;
    try {
      const data = await this.fetchRows(wish.block, first, Math.min(size, this.rows - first));
      this.chunks.set(wish.key, data);
      this.bytes += data.byteLength;
      this.drop();
      this.arrived();
    } catch {
      // The fetching function has informed the user. Asking again with every picture would not help a server that is gone.
      await new Promise((done) => setTimeout(done, RETRY_MS));
    } finally {
      this.busy.delete(wish.key);
      this.work();
    }
  }

  private drop(): void {
    for (const [key, chunk] of this.chunks) {
      if (this.bytes <= CACHE_BYTES || this.chunks.size <= 2) return;
      this.chunks.delete(key);
      this.bytes -= chunk.byteLength;
    }
  }
}
