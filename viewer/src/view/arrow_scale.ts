// How long arrows are. One scale for all forces and one for all torques of a picture, the same for the whole run.
import type { RunChannel, RunReader } from '../data/run';
import { sampleRows } from '../data/sample_rows';
import type { Session } from '../state/session';

/** The largest arrow, in lengths of symbols; decades of a logarithmic scale. */
const LONGEST = 6;
const DECADES = 4;
const SAMPLES = 48;

export class ArrowScale {
  /** What gets the full length, so that arrows never cover the machine. */
  largest = 0;

  constructor(private readonly unitLength: number) {}

  include(value: number): void {
    if (Number.isFinite(value)) this.largest = Math.max(this.largest, Math.abs(value));
  }

  length(value: number, isLogarithmic: boolean, factor: number): number {
    this.include(value);
    if (!(value > 0)) return 0;
    const share = value / this.largest;
    const part = isLogarithmic ? Math.max(0, 1 + Math.log10(share) / DECADES) : share;
    return factor * LONGEST * this.unitLength * part;
  }
}

/** A number that is drawn as an arrow, or the components of a vector. */
interface ArrowSource {
  isTurning: boolean;
  columns: RunChannel[];
}

function arrowSources({ source, channels }: Session): ArrowSource[] {
  const { joints, forces, drivers } = source.scene;
  const stems = [
    ...joints.flatMap(({ path }) => [`${path}.reaction.force`, `${path}.reaction.moment`]),
    ...[...forces, ...drivers].flatMap(({ path }) => [`${path}.force`, `${path}.torque`]),
  ];
  return stems.flatMap((stem) => {
    const found = channels?.find(stem) ?? channels?.find(`${stem}.magnitude`);
    return found ? [{ isTurning: /\.(moment|torque)$/.test(stem), columns: found.columns }] : [];
  });
}

export class ArrowScales {
  readonly forces: ArrowScale;
  readonly torques: ArrowScale;
  private measured: RunReader | null = null;

  constructor(unitLength: number) {
    this.forces = new ArrowScale(unitLength);
    this.torques = new ArrowScale(unitLength);
  }

  of(isTurning: boolean): ArrowScale {
    return isTurning ? this.torques : this.forces;
  }

  /** Looks for the largest values of the run, so that lengths do not change their meaning on the way. */
  async measure(session: Session): Promise<void> {
    const { run } = session;
    if (!run || run === this.measured) return;
    this.measured = run;
    const sources = arrowSources(session);
    const blocks = new Set(sources.flatMap(({ columns }) => columns.map(({ block }) => block)));
    for (const row of sampleRows(run.times.length, SAMPLES)) {
      const rows = new Map<number, Float32Array>();
      for (const block of blocks) rows.set(block, await run.sample(block, row));
      for (const { isTurning, columns } of sources) {
        const parts = columns.map(({ block, column }) => rows.get(block)?.[column] ?? 0);
        this.of(isTurning).include(Math.hypot(...parts));
      }
    }
  }
}
