// Centers of mass, drawn over the parts that hide them.
import { MeshBasicMaterial } from 'three';
import type { SceneShape } from '../data/scene';
import type { Layer, Picture } from './layer';
import { Looks } from './looks';
import { ShapeBatch } from './shape_batch';

export class CentersLayer implements Layer {
  private readonly batch: ShapeBatch;

  constructor(picture: Picture) {
    const { parts, symbol } = picture.session.source.scene;
    const shapes = parts.map(({ mass, center }): SceneShape[] => {
      const at = (x: number, y: number, z: number): SceneShape => ({
        kind: 'box',
        at: [...center, 1, 0, 0, 0],
        size: [x * symbol, y * symbol, z * symbol],
      });
      const ball: SceneShape = { kind: 'sphere', at: [...center, 1, 0, 0, 0], radius: 0.16 * symbol };
      return mass > 0 ? [ball, at(0.8, 0.05, 0.05), at(0.05, 0.8, 0.05), at(0.05, 0.05, 0.8)] : [];
    });
    this.batch = new ShapeBatch(shapes, picture.geometries, new MeshBasicMaterial({ depthTest: false }));
    this.batch.renderOrder = 9;
    this.restyle(picture);
  }

  get object() {
    return this.batch.object;
  }

  restyle({ session, theme }: Picture): void {
    const looks = new Looks(session);
    session.source.scene.parts.forEach((part, i) => {
      this.batch.setColor(i, theme.center);
      this.batch.setShown(i, looks.of(part.path) !== 'hidden');
    });
  }

  update({ poses }: Picture): void {
    this.batch.setPoses(poses);
    this.batch.finish();
  }

  dispose(): void {
    this.batch.dispose();
  }
}
