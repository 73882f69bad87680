// Symbols of some joints in their poses. With the layer `drift` their color says how far they are open.
import { Color, type Material, MeshLambertMaterial, type Raycaster } from 'three';
import { isWithin } from '../data/model_index';
import { jointFrame, jointGap, symbolEnd } from './joint_geometry';
import { jointShapes } from './joint_shapes';
import type { Hit, Picture } from './layer';
import { Looks } from './looks';
import { ShapeBatch } from './shape_batch';

/** Poses are recorded with seven digits: what is smaller than this part of the machine's size is rounding. */
export const DRIFT_FLOOR = 1e-6;
const DRIFT_CEILING = 1e-2;

const calm = new Color('#2f9e44');
const middle = new Color('#f59f00');
const color = new Color();

/** Green where a joint is closed, red where it is open by a hundredth of the machine; in powers of ten. */
export function driftColor(gap: number, size: number, wrong: Color): Color {
  const low = Math.log10(DRIFT_FLOOR);
  const place = (Math.log10(Math.max(gap / size, 1e-30)) - low) / (Math.log10(DRIFT_CEILING) - low);
  const t = Math.min(1, Math.max(0, place));
  return t < 0.5 ? color.copy(calm).lerp(middle, 2 * t) : color.copy(middle).lerp(wrong, 2 * t - 1);
}

export class JointSymbols {
  private readonly batch: ShapeBatch;
  private readonly frame = [0, 0, 0, 1, 0, 0, 0];

  /** `joints`: places in the list of the scene. */
  constructor(
    private readonly picture: Picture,
    private readonly joints: number[],
    material: Material,
  ) {
    const { scene } = picture.session.source;
    const shapes = joints.map((joint) => jointShapes(scene.joints[joint], scene.symbol));
    this.batch = new ShapeBatch(shapes, picture.geometries, material);
    this.restyle(picture);
  }

  get object() {
    return this.batch.object;
  }

  set renderOrder(order: number) {
    this.batch.renderOrder = order;
  }

  restyle({ session, theme }: Picture): void {
    const { selection, hovered, blamed } = session.state;
    const looks = new Looks(session);
    this.joints.forEach((joint, i) => {
      const { path } = session.source.scene.joints[joint];
      const plain = path === blamed ? theme.wrong : isWithin(path, hovered) ? theme.hover : theme.joint;
      this.batch.setColor(i, isWithin(path, selection) ? theme.selection : plain);
      this.batch.setShown(i, looks.of(path) !== 'hidden');
    });
  }

  update({ session, poses, theme }: Picture): void {
    const { scene } = session.source;
    const { layers, selection } = session.state;
    this.joints.forEach((number, i) => {
      const joint = scene.joints[number];
      jointFrame(this.frame, joint, symbolEnd(joint), poses);
      this.batch.setPose(i, this.frame, 0);
      if (!layers.has('drift') || isWithin(joint.path, selection)) return;
      this.batch.setColor(i, driftColor(jointGap(joint, poses).length, scene.size, theme.wrong));
    });
    this.batch.finish();
  }

  pick(ray: Raycaster): Hit[] {
    const { scene } = this.picture.session.source;
    return this.batch.pick(ray).map(({ thing, distance }) => {
      return { kind: 'symbol', path: scene.joints[this.joints[thing]].path, distance };
    });
  }

  dispose(): void {
    this.batch.dispose();
  }
}

/** Drawn over the parts, so that those inside of them are seen. */
export function shiningSymbols(picture: Picture, joints: number[], opacity: number): JointSymbols {
  const symbols = new JointSymbols(picture, joints, new MeshLambertMaterial({ transparent: true, opacity }));
  symbols.renderOrder = 7;
  return symbols;
}
