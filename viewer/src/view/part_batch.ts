// Some parts drawn together: their shapes, colors and poses by their numbers in the scene.
import { type Color, DoubleSide, FrontSide, type Material, type Mesh, type Raycaster } from 'three';
import type { Scene, Vec3 } from '../data/scene';
import type { Picture } from './layer';
import { PartMaterial } from './part_material';
import { ShapeBatch } from './shape_batch';

/** After everything that is solid. */
const CLEAR_ORDER = 5;

export interface PartLook {
  isPlaceholder?: boolean;
  opacity?: number;
  renderOrder?: number;
  /** Whose parts they are; without it, of the machine that is shown. */
  scene?: Scene;
}

export class PartBatch {
  private readonly batch: ShapeBatch;

  constructor(
    picture: Picture,
    private readonly parts: number[],
    {
      isPlaceholder = false,
      opacity = 1,
      renderOrder = opacity < 1 ? CLEAR_ORDER : 0,
      scene = picture.session.source.scene,
    }: PartLook = {},
  ) {
    const isClear = opacity < 1;
    // Clear faces give way to solid ones in the same place.
    const material = new PartMaterial({
      transparent: isClear,
      opacity,
      depthWrite: !isClear,
      polygonOffset: isClear,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 4,
    });
    material.shading = picture.shading;
    material.isPlaceholder = isPlaceholder;
    const shapes = parts.map((part) => scene.parts[part].shapes);
    this.batch = new ShapeBatch(shapes, picture.geometries, material);
    this.batch.renderOrder = renderOrder;
  }

  get object() {
    return this.batch.object;
  }

  style(colorOf: (part: number, own?: Vec3) => Color, isShown: (part: number) => boolean, isCut: boolean): void {
    this.parts.forEach((part, i) => {
      this.batch.setColors(i, (own) => colorOf(part, own));
      this.batch.setShown(i, isShown(part));
    });
    showInside(this.batch, isCut);
  }

  setPoses(poses: Float32Array): void {
    this.parts.forEach((part, i) => this.batch.setPose(i, poses, 7 * part));
    this.batch.finish();
  }

  pick(ray: Raycaster): { part: number; distance: number }[] {
    return this.batch.pick(ray).map(({ thing, distance }) => ({ part: this.parts[thing], distance }));
  }

  dispose(): void {
    this.batch.dispose();
  }
}

/** Inner sides of shapes are drawn only where a section lets one look at them. */
export function showInside(batch: ShapeBatch, isCut: boolean): void {
  const side = isCut ? DoubleSide : FrontSide;
  batch.object.traverse((each) => {
    const material = (each as Mesh).material as Material | undefined;
    if (!material || material.side === side) return;
    material.side = side;
    material.needsUpdate = true;
  });
}
