// Data that came with the page itself.
import { type Container, readContainer } from './container';
import { type Numbers, type RunInfo, type RunReader, readRunInfo } from './run';
import { DataError, type Diagnostic, readScene } from './scene';
import type { DataSource } from './source';

interface EmbeddedRunInfo extends RunInfo {
  timesOffset: number;
  blocks: { name: string; width: number; offset: number }[];
}

class EmbeddedRun implements RunReader {
  readonly times: Float64Array;
  private readonly blocks: Float32Array[];

  constructor(
    readonly info: EmbeddedRunInfo,
    body: ArrayBuffer,
  ) {
    try {
      this.times = new Float64Array(body, info.timesOffset, info.rows);
      this.blocks = info.blocks.map((block) => new Float32Array(body, block.offset, info.rows * block.width));
    } catch {
      throw new DataError(`The data of run '${info.name}' is shorter than its description says.`);
    }
  }

  row(block: number, row: number): Float32Array | null {
    const width = this.info.blocks[block].width;
    return row < this.info.rows ? this.blocks[block].subarray(row * width, (row + 1) * width) : null;
  }

  sample(block: number, row: number): Promise<Float32Array> {
    const found = this.row(block, row);
    return found ? Promise.resolve(found) : Promise.reject(new DataError(`There is no row ${row}.`));
  }

  channel(name: string): Promise<Numbers> {
    const channel = this.info.channels.find((each) => each.name === name);
    if (!channel) return Promise.reject(new DataError(`There is no channel '${name}'.`));
    const width = this.info.blocks[channel.block].width;
    const values = new Float32Array(this.info.rows);
    const block = this.blocks[channel.block];
    for (let i = 0; i < values.length; ++i) values[i] = block[i * width + channel.column];
    return Promise.resolve(values);
  }

  // Everything is here from the start.
  onData(): void {}
}

export function sourceOfContainer(container: Container): DataSource {
  const json = container.json as { scene?: unknown; runs?: unknown[]; diagnostics?: Diagnostic[] };
  return {
    scene: readScene(json.scene),
    runs: (json.runs ?? []).map((run) => new EmbeddedRun(readRunInfo(run) as EmbeddedRunInfo, container.body)),
    diagnostics: json.diagnostics ?? [],
    model: null,
    live: null,
    onTrouble: () => {},
  };
}

/** The data of the page, or null when the page was served without any. */
export async function readEmbedded(): Promise<DataSource | null> {
  const text = document.getElementById('gk-data')?.textContent?.trim();
  return text ? sourceOfContainer(await readContainer(text)) : null;
}
