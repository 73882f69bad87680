// The way that points of parts take through the whole run.
import { pointOf } from '../data/pose_math';
import { POSE_BLOCK, type RunReader } from '../data/run';
import type { Picture } from './layer';
import { LineLayer } from './line_layers';

const MOST_POINTS = 1500;

interface TracedPoint {
  path: string;
  column: number;
  at: ArrayLike<number>;
}

/** The point that a path names: the origin of a part, or one of its frames. */
function tracedPoint(picture: Picture, run: RunReader, path: string): TracedPoint | null {
  const { scene } = picture.session.source;
  const part = scene.parts.find((each) => each.path === path || path.startsWith(`${each.path}.`));
  const column = part ? run.info.partOrder.indexOf(part.path) : -1;
  if (!part || column < 0) return null;
  const frame = part.frames.find((each) => `${part.path}.${each.name}` === path);
  return { path, column, at: frame?.at ?? [0, 0, 0] };
}

export class TracesLayer extends LineLayer {
  private drawn = '';

  constructor() {
    super(2);
  }

  // The way of a whole run does not depend on the time: it is drawn when something else has changed.
  override update(picture: Picture): void {
    const { state, run } = picture.session;
    const key = [state.run, run?.times.length, state.dataCount, state.traces.join(), picture.theme.isDark].join('|');
    if (key === this.drawn) return;
    this.drawn = key;
    super.update(picture);
  }

  protected draw(picture: Picture): void {
    const { run, state } = picture.session;
    const block = run?.info.blocks.findIndex((each) => each.name === POSE_BLOCK) ?? -1;
    if (!run || block < 0) return;
    this.lines.setColor(picture.theme.trace);
    const stride = Math.max(1, Math.ceil(run.times.length / MOST_POINTS));
    for (const path of state.traces) {
      const point = tracedPoint(picture, run, path);
      if (point) this.way(run, block, point, stride);
    }
  }

  private way(run: RunReader, block: number, point: TracedPoint, stride: number): void {
    const place = [0, 0, 0];
    let before: number[] | null = null;
    for (let i = 0; i < run.times.length; i += stride) {
      const row = run.row(block, i);
      if (!row) {
        before = null;
        continue;
      }
      pointOf(place, row, 7 * point.column, point.at[0], point.at[1], point.at[2]);
      if (before) this.lines.add(before[0], before[1], before[2], place[0], place[1], place[2]);
      before = [...place];
    }
  }
}
