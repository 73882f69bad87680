// Symbols of joints: those that parts do not hide, and on demand those inside of parts.
import { Group, type Raycaster } from 'three';
import { depthEraser } from './depth_eraser';
import { JointSymbols, shiningSymbols } from './joint_symbols';
import type { Hit, Layer, Picture } from './layer';
import { PartMaterial } from './part_material';

const SHINE_OPACITY = 0.4;

function allJoints(picture: Picture): number[] {
  return picture.session.source.scene.joints.map((_, i) => i);
}

/** Symbols as solid things among the parts. */
export class JointsLayer implements Layer {
  private readonly symbols: JointSymbols;

  constructor(picture: Picture) {
    const material = new PartMaterial();
    material.shading = picture.shading;
    this.symbols = new JointSymbols(picture, allJoints(picture), material);
  }

  get object() {
    return this.symbols.object;
  }

  restyle(picture: Picture): void {
    this.symbols.restyle(picture);
  }

  update(picture: Picture): void {
    this.symbols.update(picture);
  }

  pick(ray: Raycaster): Hit[] {
    return this.symbols.pick(ray);
  }

  dispose(): void {
    this.symbols.dispose();
  }
}

/** All symbols, shining through the parts. */
export class InsideJointsLayer implements Layer {
  readonly object = new Group();
  private readonly symbols: JointSymbols;

  constructor(picture: Picture) {
    this.symbols = shiningSymbols(picture, allJoints(picture), SHINE_OPACITY);
    this.object.add(depthEraser(6), this.symbols.object);
  }

  restyle(picture: Picture): void {
    this.symbols.restyle(picture);
  }

  update(picture: Picture): void {
    this.symbols.update(picture);
  }

  dispose(): void {
    this.symbols.dispose();
  }
}
