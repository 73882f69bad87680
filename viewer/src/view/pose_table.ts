// Poses of all parts of the scene at a time: from a run between its rows, from a run that is going on, or of a free motion.
import { mixPoses, multiplyQuaternions } from '../data/pose_math';
import { type RunReader, placeAt, poseBlock } from '../data/run';
import type { Scene, SceneMotion } from '../data/scene';

const WIDTH = 7;
/** The largest displacement of a free motion, as part of the machine's size. */
const MOTION_REACH = 0.08;

export class PoseTable {
  readonly poses: Float32Array;
  private readonly known = new WeakMap<string[], number[]>();

  constructor(private readonly scene: Scene) {
    this.poses = new Float32Array(WIDTH * scene.parts.length);
    this.reset();
  }

  /** As assembled. */
  reset(): void {
    this.scene.parts.forEach((part, i) => this.poses.set(part.at, WIDTH * i));
  }

  /** False when the rows are not here yet; the poses then stay as they were. */
  setTime(run: RunReader, time: number): boolean {
    const block = poseBlock(run);
    if (block < 0 || run.times.length === 0) return false;
    const { row, fraction } = placeAt(run.times, time);
    const before = run.row(block, row);
    const after = fraction > 0 ? run.row(block, row + 1) : before;
    if (!before || !after) return false;
    this.places(run).forEach((part, column) => {
      if (part >= 0) mixPoses(this.poses, WIDTH * part, before, WIDTH * column, after, WIDTH * column, fraction);
    });
    return true;
  }

  /** As a row of the run has them, in its order of parts. */
  setRow(run: RunReader, poses: Float32Array): void {
    this.places(run).forEach((part, column) => {
      if (part >= 0) this.poses.set(poses.subarray(WIDTH * column, WIDTH * (column + 1)), WIDTH * part);
    });
  }

  /** Swings about the assembled pose along a motion; the phase counts in rad. */
  setMotion(motion: SceneMotion, phase: number): void {
    const reach = MOTION_REACH * this.scene.size;
    const largest = Math.max(
      ...motion.twists.map(([x, y, z, a, b, c]) => Math.max(Math.hypot(x, y, z), Math.hypot(a, b, c) * reach * 4)),
    );
    const amount = (largest > 0 ? reach / largest : 0) * Math.sin(phase);
    this.scene.parts.forEach((part, i) => {
      const [x, y, z, a, b, c] = motion.twists[i] ?? [0, 0, 0, 0, 0, 0];
      const rate = Math.hypot(a, b, c) || 1;
      const half = (rate * amount) / 2;
      const sine = Math.sin(half) / rate;
      const turned = [0, 0, 0, 0];
      multiplyQuaternions(turned, [Math.cos(half), a * sine, b * sine, c * sine], 0, part.at, 3);
      this.poses.set([part.at[0] + x * amount, part.at[1] + y * amount, part.at[2] + z * amount, ...turned], WIDTH * i);
    });
  }

  /** Part of the scene in each group of columns; -1: the scene does not have it. */
  private places(run: RunReader): number[] {
    let places = this.known.get(run.info.partOrder);
    if (!places) {
      const numbers = new Map(this.scene.parts.map((part, i) => [part.path, i]));
      places = run.info.partOrder.map((path) => numbers.get(path) ?? -1);
      this.known.set(run.info.partOrder, places);
    }
    return places;
  }
}
