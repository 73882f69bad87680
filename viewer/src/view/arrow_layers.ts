// Forces and torques as arrows: of force elements and drivers, and what joints do to their second part.
import type { Raycaster } from 'three';
import { multiplyQuaternions, rotate } from '../data/pose_math';
import { GROUND, type SceneDriver, type SceneForce, type SceneJoint } from '../data/scene';
import { valueText } from '../data/units';
import type { Session } from '../state/session';
import { type Arrow, ArrowSet } from './arrow_set';
import { directionOn, jointFrame, pointOn, REST } from './joint_geometry';
import type { Hit, Layer, Picture } from './layer';
import { Looks } from './looks';

abstract class ArrowLayer implements Layer {
  private readonly set: ArrowSet;
  private arrows: Arrow[] = [];

  constructor(picture: Picture, capacity: number) {
    this.set = new ArrowSet(capacity, 0.09 * picture.session.source.scene.symbol);
  }

  get object() {
    return this.set.object;
  }

  update(picture: Picture): void {
    this.arrows = [];
    this.collect(picture, new Looks(picture.session));
    this.set.draw(this.arrows);
  }

  pick(ray: Raycaster): Hit[] {
    return this.set.pick(ray);
  }

  dispose(): void {
    this.set.dispose();
  }

  protected abstract collect(picture: Picture, looks: Looks): void;

  /** An arrow for a vector in world axes; `channel` names what it is, for the tool tip. */
  protected add(
    picture: Picture,
    arrow: Pick<Arrow, 'path' | 'from' | 'isDashed' | 'isTurning' | 'color'>,
    vector: number[],
    channel: string,
  ): void {
    const size = Math.hypot(...vector);
    const { isLogarithmic, arrowScale } = picture.session.state;
    const length = picture.arrows.of(arrow.isTurning).length(size, isLogarithmic, arrowScale);
    if (!(length > 0.05 * picture.session.source.scene.symbol)) return;
    this.arrows.push({
      ...arrow,
      from: [...Array.from(arrow.from)],
      direction: vector.map((value) => value / size),
      length,
      text: `${channel} ${valueText(size, quantityUnit(picture.session, arrow.isTurning))}`,
    });
  }
}

function quantityUnit(session: Session, isTurning: boolean) {
  return isTurning ? session.unitOfQuantity('torque', 'N*m') : session.unitOfQuantity('force', 'N');
}

function vectorAt(session: Session, stem: string): number[] | null {
  const { channels, state } = session;
  const parts = ['x', 'y', 'z'].map((letter) => channels?.valueAt(`${stem}.${letter}`, state.time) ?? null);
  return parts.some((part) => part === null) ? null : (parts as number[]);
}

const frame = [0, 0, 0, 1, 0, 0, 0];
const place = [0, 0, 0];
const other = [0, 0, 0];

/** What the joint does to its second part, at the second frame. */
export class ReactionsLayer extends ArrowLayer {
  constructor(picture: Picture) {
    super(picture, 4 * picture.session.source.scene.joints.length);
  }

  protected collect(picture: Picture, looks: Looks): void {
    const { session, theme } = picture;
    const shared = sharedChannels(session);
    for (const joint of session.source.scene.joints) {
      if (looks.of(joint.path) === 'hidden') continue;
      for (const [name, isTurning, color] of [
        ['reaction.force', false, theme.reaction],
        ['reaction.moment', true, theme.moment],
      ] as const) {
        const channel = `${joint.path}.${name}`;
        const whole = vectorAt(session, channel);
        const axes = reactionAxes(joint, picture.poses);
        if (!whole || !axes) continue;
        jointFrame(frame, joint, 1, picture.poses);
        // Directions that are shared get an arrow of their own beside the one that is unique.
        for (const isDashed of [false, true]) {
          const vector = whole.map((value, i) => (shared.has(`${channel}.${'xyz'[i]}`) === isDashed ? value : 0));
          rotate(vector, axes, 0, vector[0], vector[1], vector[2]);
          const note = isDashed ? `${channel} (shared)` : channel;
          this.add(picture, { path: joint.path, from: frame.slice(0, 3), isDashed, isTurning, color }, vector, note);
        }
      }
    }
  }
}

/** Components of reactions that rigid parts alone do not determine. */
function sharedChannels(session: Session): Set<string> {
  const list = session.run?.info.certificate?.sharedReactions ?? [];
  return new Set(list.map((each) => each.channel));
}

/** Quaternion in the world of the axes in which reactions are recorded; null where the first part does not carry them. */
function reactionAxes(joint: SceneJoint, poses: Float32Array): number[] | null {
  if (joint.reactionAxes === null) return null;
  const axes = [1, 0, 0, 0];
  const part = joint.parts[0];
  const inner = joint.reactionAxes ?? joint.frames[0].slice(3);
  multiplyQuaternions(axes, part < 0 ? REST : poses, part < 0 ? 3 : 7 * part + 3, inner, 0);
  return axes;
}

/** What springs, loads, actuators and drivers do. */
export class ForcesLayer extends ArrowLayer {
  constructor(picture: Picture) {
    const { forces, drivers } = picture.session.source.scene;
    super(picture, 2 * forces.length + drivers.length);
  }

  protected collect(picture: Picture, looks: Looks): void {
    const { scene } = picture.session.source;
    for (const driver of scene.drivers) {
      if (looks.of(driver.path) !== 'hidden') this.effort(picture, driver, driver.drives);
    }
    for (const force of scene.forces) {
      if (looks.of(force.path) === 'hidden') continue;
      if (force.drives) this.effort(picture, force, force.drives);
      else if (force.direction) this.load(picture, force, force.direction);
      else if (force.ends.length === 2) this.pull(picture, force.path, force.ends);
    }
  }

  /** A torque or force on a joint coordinate; along the axis of the joint where its direction is not known. */
  private effort(picture: Picture, element: SceneDriver | SceneForce, drives: string): void {
    const { session, theme, poses } = picture;
    const { path, direction, directionPart } = element;
    const owner = session.index.owner(drives);
    if (owner.kind !== 'joint') return;
    const joint = session.source.scene.joints[owner.index];
    const torque = this.value(session, `${path}.torque`);
    const value = torque ?? this.value(session, `${path}.force`);
    const along = direction ?? joint.axis;
    if (value === null || !along) return;
    jointFrame(frame, joint, 1, poses);
    const vector = along.map((each) => each * value);
    if (direction) directionOn(vector, directionPart ?? GROUND, vector, poses);
    else rotate(vector, frame, 3, vector[0], vector[1], vector[2]);
    const isTurning = torque !== null;
    const color = isTurning ? theme.torque : theme.force;
    const from = frame.slice(0, 3);
    this.add(
      picture,
      { path, from, isDashed: false, isTurning, color },
      vector,
      `${path}.${isTurning ? 'torque' : 'force'}`,
    );
  }

  private load(picture: Picture, force: SceneForce, direction: number[]): void {
    const { session, theme, poses } = picture;
    const { path, ends } = force;
    const torque = this.value(session, `${path}.torque`);
    const value = torque ?? this.value(session, `${path}.force`);
    const end = ends[ends.length - 1];
    if (value === null || !end) return;
    const vector = direction.map((each) => each * value);
    directionOn(vector, force.directionPart ?? GROUND, vector, poses);
    pointOn(place, end.part, end.point, poses);
    const isTurning = torque !== null;
    const color = isTurning ? theme.torque : theme.force;
    this.add(
      picture,
      { path, from: place, isDashed: false, isTurning, color },
      vector,
      `${path}.${isTurning ? 'torque' : 'force'}`,
    );
  }

  /** A spring: positive draws the ends together. */
  private pull(picture: Picture, path: string, ends: { part: number; point: number[] }[]): void {
    const { session, theme, poses } = picture;
    const value = this.value(session, `${path}.force`);
    if (value === null) return;
    pointOn(place, ends[0].part, ends[0].point, poses);
    pointOn(other, ends[1].part, ends[1].point, poses);
    const way = other.map((each, i) => each - place[i]);
    const length = Math.hypot(...way) || 1;
    const pull = way.map((each) => (each / length) * value);
    const looks = { path, isDashed: false, isTurning: false, color: theme.force };
    this.add(picture, { ...looks, from: [...place] }, pull, `${path}.force`);
    this.add(
      picture,
      { ...looks, from: [...other] },
      pull.map((each) => -each),
      `${path}.force`,
    );
  }

  private value(session: Session, channel: string): number | null {
    return session.channels?.valueAt(channel, session.state.time) ?? null;
  }
}
