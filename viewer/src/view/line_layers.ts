// Symbols that are made of lines: frames, joint axes, gravity, inertia boxes, open joints.
import { type Color, Vector3 } from 'three';
import { composePoses, pointOf, rotate } from '../data/pose_math';
import { GROUND, type Pose } from '../data/scene';
import { principalBox } from './inertia_box';
import { jointFrame, jointGap, REST } from './joint_geometry';
import type { Layer, Picture } from './layer';
import { Looks } from './looks';
import { Segments } from './segments';
import { viewBasis } from './view_basis';

/** A layer of lines that is drawn anew for each picture. */
export abstract class LineLayer implements Layer {
  protected readonly lines: Segments;

  constructor(width: number, options: { isOnTop?: boolean; opacity?: number } = {}) {
    this.lines = new Segments(width, options);
  }

  get object() {
    return this.lines.object;
  }

  update(picture: Picture): void {
    this.lines.begin();
    this.draw(picture);
    this.lines.end();
  }

  dispose(): void {
    this.lines.dispose();
  }

  protected abstract draw(picture: Picture): void;

  /** From a point some way along a direction. */
  protected ray(from: ArrayLike<number>, direction: ArrayLike<number>, begin: number, end: number): void {
    const at = (i: number, t: number) => from[i] + t * direction[i];
    this.lines.add(at(0, begin), at(1, begin), at(2, begin), at(0, end), at(1, end), at(2, end));
  }
}

const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

export class FramesLayer extends LineLayer {
  constructor() {
    super(2, { isOnTop: true });
  }

  protected draw(picture: Picture): void {
    const { scene } = picture.session.source;
    const looks = new Looks(picture.session);
    const world: Pose = [...REST];
    scene.parts.forEach((part, i) => {
      if (looks.of(part.path) === 'hidden') return;
      this.triad(picture, picture.poses.subarray(7 * i, 7 * i + 7), 0.8 * scene.symbol);
      for (const frame of part.frames) {
        composePoses(world, picture.poses, 7 * i, frame.at);
        this.triad(picture, world, 0.6 * scene.symbol);
      }
    });
    for (const frame of scene.frames) {
      if (frame.part === GROUND) composePoses(world, REST, 0, frame.at);
      else composePoses(world, picture.poses, 7 * frame.part, frame.at);
      this.triad(picture, world, 0.6 * scene.symbol);
    }
    this.triad(picture, REST, 1.6 * scene.symbol);
  }

  private triad({ theme }: Picture, pose: ArrayLike<number>, length: number): void {
    const direction = [0, 0, 0];
    AXES.forEach(([x, y, z], i) => {
      rotate(direction, pose as Pose, 3, x, y, z);
      this.lines.setColor([theme.x, theme.y, theme.z][i]);
      this.ray(pose, direction, 0, length);
    });
  }
}

export class AxesLayer extends LineLayer {
  constructor() {
    super(1.5, { isOnTop: true });
  }

  protected draw(picture: Picture): void {
    const { joints, symbol } = picture.session.source.scene;
    const looks = new Looks(picture.session);
    const frame = [0, 0, 0, 1, 0, 0, 0];
    const direction = [0, 0, 0];
    this.lines.setColor(picture.theme.axis);
    for (const joint of joints) {
      if (!joint.axis || looks.of(joint.path) === 'hidden') continue;
      jointFrame(frame, joint, 0, picture.poses);
      rotate(direction, frame, 3, joint.axis[0], joint.axis[1], joint.axis[2]);
      // Dash, dot, dash, as axes are drawn.
      for (const [begin, end] of DASHES) this.ray(frame, direction, begin * symbol, end * symbol);
    }
  }
}

const DASHES = [
  [-2.6, -1.2],
  [-0.95, -0.75],
  [-0.5, 0.5],
  [0.75, 0.95],
  [1.2, 2.6],
];

export class GravityLayer extends LineLayer {
  constructor() {
    super(2.5);
  }

  protected draw(picture: Picture): void {
    const { scene } = picture.session.source;
    const size = Math.hypot(...scene.gravity);
    if (size === 0) return;
    const { right, forward, up } = viewBasis(scene.up);
    const down = scene.gravity.map((value) => value / size);
    // At the left, upper and nearer corner of all that moves: parts neither hide it nor does it point at one.
    const half = picture.space.getSize(new Vector3()).multiplyScalar(0.5);
    const reach = (direction: Vector3) => Math.abs(half.dot(direction));
    const from = picture.space
      .getCenter(new Vector3())
      .addScaledVector(right, -reach(right) - 0.5 * scene.symbol)
      .addScaledVector(forward, -reach(forward))
      .addScaledVector(up, reach(up))
      .toArray();
    const length = 2.5 * scene.symbol;
    this.lines.setColor(picture.theme.gravity);
    this.ray(from, down, 0, length);
    const tip = from.map((value, i) => value + down[i] * length);
    for (const sign of [-1, 1]) {
      const back = down.map((value, i) => -value + sign * 0.6 * right.getComponent(i));
      this.ray(tip, back, 0, 0.7 * scene.symbol);
    }
  }
}

export class InertiaLayer extends LineLayer {
  private readonly boxes: number[][][];

  constructor(picture: Picture) {
    super(1.5, { isOnTop: true, opacity: 0.9 });
    this.boxes = picture.session.source.scene.parts.map(principalBox);
  }

  protected draw(picture: Picture): void {
    const looks = new Looks(picture.session);
    this.lines.setColor(picture.theme.inertia);
    this.boxes.forEach((corners, part) => {
      if (corners.length === 0 || looks.of(picture.session.source.scene.parts[part].path) === 'hidden') return;
      const world = corners.map(([x, y, z]) => {
        const point = [0, 0, 0];
        pointOf(point, picture.poses, 7 * part, x, y, z);
        return point;
      });
      // Corners are numbered by bits: those that differ in one bit share an edge.
      for (let a = 0; a < 8; ++a) {
        for (const bit of [1, 2, 4]) {
          const b = a | bit;
          if (b !== a) this.lines.add(world[a][0], world[a][1], world[a][2], world[b][0], world[b][1], world[b][2]);
        }
      }
    });
  }
}

/** Joints open by more than this part of the machine's size contradict each other, and are shown. */
export const OPEN = 1e-4;

export class GapsLayer extends LineLayer {
  constructor() {
    super(4, { isOnTop: true });
  }

  protected draw(picture: Picture): void {
    const { scene } = picture.session.source;
    this.lines.setColor(picture.theme.wrong as Color);
    for (const joint of scene.joints) {
      const gap = jointGap(joint, picture.poses);
      if (gap.length < OPEN * scene.size) continue;
      this.lines.add(gap.from[0], gap.from[1], gap.from[2], gap.to[0], gap.to[1], gap.to[2]);
    }
  }
}
