// Springs, dampers and other force elements between two points.
import { Vector3 } from 'three';
import { isWithin } from '../data/model_index';
import type { Scene, SceneForce } from '../data/scene';
import { jointFrame, pointOn } from './joint_geometry';
import type { Picture } from './layer';
import { LineLayer } from './line_layers';
import { Looks } from './looks';

const TURNS = 7;
/** Machines with very many springs get straight lines instead of coils. */
const MOST_COILS = 150;

const start = new Vector3();
const end = new Vector3();
const along = new Vector3();
const across = new Vector3();
const third = new Vector3();
const place = [0, 0, 0];

function isSpring(force: SceneForce): boolean {
  return force.type.includes('spring') && !force.type.startsWith('rotational');
}

/** Whether a section takes the middle of the element away. */
function isCutAway({ section }: Picture): boolean {
  return section !== null && section.distanceToPoint(along.addVectors(start, end).multiplyScalar(0.5)) < 0;
}

export class SpringsLayer extends LineLayer {
  constructor() {
    super(2);
  }

  protected draw(picture: Picture): void {
    const { session, theme, poses } = picture;
    const { scene } = session.source;
    const looks = new Looks(session);
    const points = scene.forces.filter((force) => force.ends.length === 2).length > MOST_COILS ? 3 : 12;
    for (const force of scene.forces) {
      if (force.ends.length < 2 || looks.of(force.path) === 'hidden') continue;
      this.lines.setColor(isWithin(force.path, session.state.selection) ? theme.selection : theme.spring);
      pointOn(place, force.ends[0].part, force.ends[0].point, poses);
      start.fromArray(place);
      pointOn(place, force.ends[1].part, force.ends[1].point, poses);
      end.fromArray(place);
      if (isCutAway(picture)) continue;
      if (isSpring(force)) this.coil(scene, points);
      else if (force.type === 'damper') this.damper(scene);
      else this.piece(start, end);
    }
    for (const joint of scene.joints) {
      if (joint.type !== 'distance' || looks.of(joint.path) === 'hidden') continue;
      this.lines.setColor(isWithin(joint.path, session.state.selection) ? theme.selection : theme.joint);
      const frame = [0, 0, 0, 1, 0, 0, 0];
      jointFrame(frame, joint, 0, poses);
      start.fromArray(frame);
      jointFrame(frame, joint, 1, poses);
      end.fromArray(frame);
      if (!isCutAway(picture)) this.piece(start, end);
    }
  }

  private piece(a: Vector3, b: Vector3): void {
    this.lines.add(a.x, a.y, a.z, b.x, b.y, b.z);
  }

  /** Unit vector along the element, and two across it. */
  private axes(): number {
    along.subVectors(end, start);
    const length = along.length();
    along.divideScalar(length || 1);
    across.set(1, 0, 0);
    if (Math.abs(along.x) > 0.8) across.set(0, 1, 0);
    across.addScaledVector(along, -across.dot(along)).normalize();
    third.crossVectors(along, across);
    return length;
  }

  private coil(scene: Scene, points: number): void {
    const length = this.axes();
    const radius = Math.min(0.5 * scene.symbol, 0.25 * length);
    const straight = 0.12 * length;
    const count = TURNS * points;
    const last = start.clone();
    const next = new Vector3();
    for (let i = 0; i <= count + 1; ++i) {
      const angle = (2 * Math.PI * i) / points;
      const t = Math.min(1, i / count);
      next.copy(start).addScaledVector(along, straight + t * (length - 2 * straight));
      if (i <= count)
        next.addScaledVector(across, radius * Math.cos(angle)).addScaledVector(third, radius * Math.sin(angle));
      this.piece(last, next);
      last.copy(next);
    }
    this.piece(last, end);
  }

  // A cup that is open to one side, and a piston in it.
  private damper(scene: Scene): void {
    const length = this.axes();
    const radius = Math.min(0.35 * scene.symbol, 0.25 * length);
    const at = (t: number, side: number) =>
      start
        .clone()
        .addScaledVector(along, t * length)
        .addScaledVector(across, side * radius);
    this.piece(start, at(0.3, 0));
    this.piece(at(0.3, -1), at(0.3, 1));
    for (const side of [-1, 1]) this.piece(at(0.3, side), at(0.7, side));
    this.piece(at(0.5, -0.8), at(0.5, 0.8));
    this.piece(at(0.5, 0), end);
  }
}
