// What is selected shines through everything else: it must be seen whatever is in front of it. So do the joint that is
// pointed at and the one that is to blame.
import { Group } from 'three';
import { isWithin } from '../data/model_index';
import { depthEraser } from './depth_eraser';
import { JointSymbols, shiningSymbols } from './joint_symbols';
import type { Layer, Picture } from './layer';
import { Looks } from './looks';
import { PartBatch } from './part_batch';

const JOINT_OPACITY = 0.75;
const PART_OPACITY = 0.2;

export class PointedLayer implements Layer {
  readonly object = new Group();
  private symbols: JointSymbols | null = null;
  private batch: PartBatch | null = null;
  private shown = '';

  restyle(picture: Picture): void {
    const { session, theme } = picture;
    const { selection, hovered, blamed } = session.state;
    const { parts, joints } = session.source.scene;
    const looks = new Looks(session);
    const pointed = joints.flatMap(({ path }, i) =>
      isWithin(path, selection) || path === hovered || path === blamed ? [i] : [],
    );
    const selected = parts.flatMap(({ path }, i) =>
      isWithin(path, selection) && looks.of(path) !== 'hidden' ? [i] : [],
    );
    const key = `${pointed.join()}|${selected.join()}`;
    if (key !== this.shown) this.make(picture, pointed, selected);
    this.shown = key;
    this.symbols?.restyle(picture);
    this.batch?.style(
      () => theme.selection,
      () => true,
      false,
    );
  }

  update(picture: Picture): void {
    this.symbols?.update(picture);
    this.batch?.setPoses(picture.poses);
  }

  dispose(): void {
    this.symbols?.dispose();
    this.batch?.dispose();
  }

  private make(picture: Picture, joints: number[], parts: number[]): void {
    this.dispose();
    this.object.clear();
    this.symbols = joints.length > 0 ? shiningSymbols(picture, joints, JOINT_OPACITY) : null;
    this.batch = parts.length > 0 ? new PartBatch(picture, parts, { opacity: PART_OPACITY, renderOrder: 7 }) : null;
    const made = [this.symbols, this.batch].flatMap((each) => (each ? [each.object] : []));
    if (made.length > 0) this.object.add(depthEraser(6), ...made);
  }
}
