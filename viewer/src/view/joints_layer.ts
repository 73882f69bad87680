// Symbols of joints, one shape for each type; with `drift` their color says how far they are open.
import { Color, Group, MeshLambertMaterial, type Raycaster } from 'three';
import { quaternionFromZ } from '../data/pose_math';
import type { Pose, SceneJoint, SceneShape } from '../data/scene';
import { depthEraser } from './depth_eraser';
import { jointFrame, jointGap } from './joint_geometry';
import type { Hit, Layer, Picture } from './layer';
import { Looks } from './looks';
import { ShapeBatch } from './shape_batch';

/** Poses are recorded with seven digits: what is smaller than this part of the machine's size is rounding. */
export const DRIFT_FLOOR = 1e-6;
const DRIFT_CEILING = 1e-2;

function along(joint: SceneJoint): Pose {
  const [x, y, z] = joint.axis ?? [0, 0, 1];
  const size = Math.hypot(x, y, z) || 1;
  const turn = [1, 0, 0, 0];
  quaternionFromZ(turn, x / size, y / size, z / size);
  return [0, 0, 0, turn[0], turn[1], turn[2], turn[3]];
}

/** Shapes in the axes of the joint frame; s: length of symbols. */
export function jointShapes(joint: SceneJoint, s: number): SceneShape[] {
  const at = along(joint);
  const sideways: Pose = [0, 0, 0, Math.SQRT1_2, 0, Math.SQRT1_2, 0];
  const still: Pose = [0, 0, 0, 1, 0, 0, 0];
  const rod = (radius: number, length: number, pose: Pose = at): SceneShape => {
    return { kind: 'cylinder', at: pose, radius: radius * s, length: length * s };
  };
  switch (joint.type) {
    case 'revolute':
      return [rod(0.3, 0.8), rod(0.1, 1.4)];
    case 'prismatic':
      return [{ kind: 'box', at, size: [0.5 * s, 0.5 * s, 0.9 * s] }, rod(0.12, 2)];
    case 'cylindrical':
      return [rod(0.3, 0.9), rod(0.12, 2)];
    case 'screw':
      return [rod(0.3, 0.5), rod(0.14, 2), { kind: 'cone', at, radius: 0.45 * s, top: 0.14 * s, length: 0.9 * s }];
    case 'universal':
      return [rod(0.14, 1.2), rod(0.14, 1.2, sideways), { kind: 'sphere', at: still, radius: 0.24 * s }];
    case 'planar':
      return [{ kind: 'box', at, size: [1.3 * s, 1.3 * s, 0.12 * s] }];
    case 'fixed':
      return [{ kind: 'box', at: still, size: [0.5 * s, 0.5 * s, 0.5 * s] }];
    case 'distance':
      return [{ kind: 'sphere', at: still, radius: 0.2 * s }];
    default:
      return [{ kind: 'sphere', at: still, radius: 0.36 * s }];
  }
}

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

const SHINE_OPACITY = 0.4;
/** With more joints than this, hidden ones do not shine through: it would cost more than it tells. */
const MOST_SHINING = 300;

export class JointsLayer implements Layer {
  readonly object = new Group();
  private readonly solid: ShapeBatch;
  private readonly batches: ShapeBatch[];
  private readonly frame = [0, 0, 0, 1, 0, 0, 0];

  constructor(private readonly picture: Picture) {
    const { joints, symbol } = picture.session.source.scene;
    const shapes = joints.map((joint) => jointShapes(joint, symbol));
    this.solid = new ShapeBatch(shapes, picture.geometries, new MeshLambertMaterial());
    this.batches = [this.solid];
    this.object.add(this.solid.object);
    if (joints.length <= MOST_SHINING) {
      const material = new MeshLambertMaterial({ transparent: true, opacity: SHINE_OPACITY });
      const shining = new ShapeBatch(shapes, picture.geometries, material);
      shining.renderOrder = 7;
      this.batches.push(shining);
      this.object.add(depthEraser(6), shining.object);
    }
    this.restyle(picture);
  }

  restyle(picture: Picture): void {
    const { session, theme } = picture;
    const { selection, hovered } = session.state;
    const looks = new Looks(session);
    session.source.scene.joints.forEach((joint, i) => {
      const isBlamed = session.state.blamed === joint.path;
      const plain = isBlamed ? theme.wrong : theme.joint;
      this.paint(i, joint.path === selection ? theme.selection : joint.path === hovered ? theme.hover : plain);
      const isShown = looks.of(joint.path) !== 'hidden';
      for (const batch of this.batches) batch.setShown(i, isShown);
    });
  }

  update(picture: Picture): void {
    const { scene } = picture.session.source;
    const { layers, selection } = picture.session.state;
    scene.joints.forEach((joint, i) => {
      jointFrame(this.frame, joint, 0, picture.poses);
      for (const batch of this.batches) batch.setPose(i, this.frame, 0);
      if (!layers.has('drift') || joint.path === selection) return;
      this.paint(i, driftColor(jointGap(joint, picture.poses).length, scene.size, picture.theme.wrong));
    });
    for (const batch of this.batches) batch.finish();
  }

  pick(ray: Raycaster): Hit | null {
    const hit = this.solid.pick(ray);
    if (!hit) return null;
    const { scene } = this.picture.session.source;
    const { path } = scene.joints[hit.thing];
    // A joint inside of a part is seen through it, so it is picked before the part.
    return { path, distance: hit.distance - (this.batches.length > 1 ? 4 * scene.symbol : 0) };
  }

  dispose(): void {
    for (const batch of this.batches) batch.dispose();
  }

  private paint(joint: number, color: Color): void {
    for (const batch of this.batches) batch.setColor(joint, color);
  }
}
