// What the machine sweeps in its runs. Floor, camera and grid fit all of it, not only the pose at the start.
import { Box3, Vector3 } from 'three';
import { type RunReader, poseBlock } from '../data/run';
import { sampleRows } from '../data/sample_rows';
import type { Scene, ScenePart } from '../data/scene';
import type { Session } from '../state/session';
import { visibleBounds, visiblePartBounds } from './bounds';
import type { GeometryStore } from './geometry_store';
import { PoseTable } from './pose_table';

const MOST_SAMPLES = 64;
const FEWEST_SAMPLES = 12;
/** Poses of parts that are looked at; machines of very many parts are met at fewer times. */
const MOST_POSES = 30_000;
/** A machine that sweeps this many times its size is followed instead of being shown from far away. */
const FAR_TRAVEL = 2.5;

/** A part that fell off the machine is gone when it is this many times the size of the machine away. */
const FAR_AWAY = 5;

const extent = new Vector3();

/**
 * Parts that the certificate says have fallen away from a machine that stays: by their number. With them in the picture the
 * machine would be a dot.
 */
export function goneParts({ size, parts }: Scene, samples: Float32Array[]): Set<number> {
  const away = parts.map((_, i) =>
    Math.max(0, ...samples.map((now) => Math.hypot(...[0, 1, 2].map((k) => now[7 * i + k] - samples[0][7 * i + k])))),
  );
  const gone = new Set(away.flatMap((distance, i) => (distance > FAR_AWAY * size ? [i] : [])));
  return gone.size < parts.length ? gone : new Set();
}

function isFinite(box: Box3): boolean {
  return [...box.min.toArray(), ...box.max.toArray()].every(Number.isFinite);
}

export interface SweptSpace {
  /** Around the whole motion. */
  box: Box3;
  /** The machine leaves its place for good: one picture of the whole way would show it too small. */
  isTraveling: boolean;
  /** As above, but of the height alone: the floor under the whole way would be too far below. */
  isFalling: boolean;
}

/** Around everything, and around the parts alone. */
interface PoseBoxes {
  all: Box3;
  parts: Box3;
}

export class MotionSpace {
  private samples: Float32Array[] = [];
  private gone: ReadonlySet<number> = new Set();
  private measurements = 0;
  /** Boxes around the samples, for as long as the same elements are shown. */
  private boxes = new Map<Float32Array, PoseBoxes>();
  private boxesAreOf = '';

  constructor(
    private readonly session: Session,
    private readonly geometries: GeometryStore,
  ) {}

  /** Looks at the shown runs from their first row to their last. False: another measurement has begun meanwhile. */
  async measure(): Promise<boolean> {
    const number = ++this.measurements;
    const { run, comparedRun } = this.session;
    const samples: Float32Array[] = [];
    const gone = new Set<number>();
    for (const each of [run, comparedRun]) {
      if (!each) continue;
      const own = await this.posesOf(each);
      samples.push(...own);
      const hasDepartures = each.info.certificate?.departures !== undefined;
      if (hasDepartures) for (const part of goneParts(this.session.source.scene, own)) gone.add(part);
    }
    if (number !== this.measurements) return false;
    this.samples = samples;
    this.gone = gone;
    this.boxes.clear();
    return true;
  }

  /** Poses that are not in the known rows yet. */
  add(poses: Float32Array): void {
    this.samples.push(poses.slice());
    // Of too many, every second one still shows the way.
    if (this.samples.length > 2 * MOST_SAMPLES) this.samples = this.samples.filter((_, i) => i % 2 === 0);
  }

  /** `present`: the poses of this moment, which belong to it in any case. */
  swept(present: Float32Array): SweptSpace {
    const up = new Vector3(...this.session.source.scene.up);
    const heightOf = (box: Box3) => Math.abs(box.getSize(extent).dot(up));
    const whole = { all: new Box3(), parts: new Box3() };
    let largest = 0;
    let highest = 0;
    for (const { all, parts } of [this.boxesOf(present), ...this.sampledBoxes()]) {
      // A run that failed may end in infinite numbers.
      if (!isFinite(all)) continue;
      whole.all.union(all);
      whole.parts.union(parts);
      largest = Math.max(largest, parts.getSize(extent).length());
      highest = Math.max(highest, heightOf(parts));
    }
    // A spring to the ground grows as the machine leaves: the parts alone say how large it is.
    const isTraveling = whole.parts.getSize(extent).length() > FAR_TRAVEL * largest;
    return { box: whole.all, isTraveling, isFalling: isTraveling && heightOf(whole.parts) > FAR_TRAVEL * highest };
  }

  private boxesOf(poses: Float32Array): PoseBoxes {
    return {
      all: visibleBounds(this.session, poses, this.geometries, this.gone),
      parts: visiblePartBounds(this.session, poses, this.geometries, this.gone),
    };
  }

  private sampledBoxes(): PoseBoxes[] {
    const { hidden, isolated, traces, layers } = this.session.state;
    const shown = JSON.stringify([[...hidden], isolated, traces, layers.has('drift')]);
    const old = shown === this.boxesAreOf ? this.boxes : new Map<Float32Array, PoseBoxes>();
    this.boxesAreOf = shown;
    this.boxes = new Map(this.samples.map((poses) => [poses, old.get(poses) ?? this.boxesOf(poses)]));
    return [...this.boxes.values()];
  }

  private async posesOf(run: RunReader): Promise<Float32Array[]> {
    const block = poseBlock(run);
    if (block < 0) return [];
    const { scene } = this.session.source;
    const most = Math.round(MOST_POSES / Math.max(1, scene.parts.length));
    const rows = sampleRows(run.times.length, Math.min(MOST_SAMPLES, Math.max(FEWEST_SAMPLES, most)));
    const table = new PoseTable(scene);
    const all: Float32Array[] = [];
    for (const row of rows) {
      table.setRow(run, await run.sample(block, row));
      all.push(table.poses.slice());
    }
    return all;
  }
}

/** What the camera goes along with when a machine travels. */
export function heaviestPart({ parts }: Scene): string | null {
  return (
    parts.reduce<ScenePart | null>((best, part) => (best && best.mass >= part.mass ? best : part), null)?.path ?? null
  );
}
