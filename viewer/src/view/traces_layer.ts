// The way that points of parts take through the whole run, or through both that are compared.
import type { Color } from 'three';
import { pointOf } from '../data/pose_math';
import { type RunReader, poseBlock } from '../data/run';
import type { Picture } from './layer';
import { LineLayer } from './line_layers';
import { tracedPoint } from './traced_point';

const MOST_POINTS = 1500;

export class TracesLayer extends LineLayer {
  private drawn = '';

  constructor() {
    super(2);
  }

  // The way of a whole run does not depend on the time: it is drawn when something else has changed.
  override update(picture: Picture): void {
    const { state, run, comparedRun } = picture.session;
    const rows = [run, comparedRun].map((each) => each?.times.length);
    const key = [state.run, state.compared, rows, state.dataCount, state.traces, picture.theme.isDark].join('|');
    if (key === this.drawn) return;
    this.drawn = key;
    super.update(picture);
  }

  protected draw(picture: Picture): void {
    const { run, comparedRun } = picture.session;
    if (run) this.ways(picture, run, picture.theme.firstRun);
    if (comparedRun) this.ways(picture, comparedRun, picture.theme.secondRun);
  }

  private ways({ session }: Picture, run: RunReader, color: Color): void {
    const { scene } = session.source;
    const block = poseBlock(run);
    if (block < 0) return;
    this.lines.setColor(color);
    const stride = Math.max(1, Math.ceil(run.times.length / MOST_POINTS));
    for (const path of session.state.traces) {
      const point = tracedPoint(scene, path);
      const column = point ? run.info.partOrder.indexOf(scene.parts[point.part].path) : -1;
      if (point && column >= 0) this.way(run, block, column, point.at, stride);
    }
  }

  private way(run: RunReader, block: number, column: number, at: ArrayLike<number>, stride: number): void {
    const place = [0, 0, 0];
    let before: number[] | null = null;
    for (let i = 0; i < run.times.length; i += stride) {
      const row = run.row(block, i);
      if (!row) {
        before = null;
        continue;
      }
      pointOf(place, row, 7 * column, at[0], at[1], at[2]);
      if (before) this.lines.add(before[0], before[1], before[2], place[0], place[1], place[2]);
      before = [...place];
    }
  }
}
