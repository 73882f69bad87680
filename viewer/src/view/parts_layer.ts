// The parts themselves: solid ones in one draw call, those that shine through in a second.
import { Color, Group, MeshLambertMaterial, type Raycaster } from 'three';
import type { Scene, SceneShape } from '../data/scene';
import { GeometryStore } from './geometry_store';
import { REST } from './joint_geometry';
import type { Hit, Layer, Picture } from './layer';
import { Looks } from './looks';
import { ShapeBatch } from './shape_batch';

const SELECTION_MIX = 0.8;
const HOVER_MIX = 0.35;
const CLEAR_OPACITY = 0.22;

const tint = new Color();

function partColor(picture: Picture, part: number): Color {
  const { scene } = picture.session.source;
  const { selection, hovered } = picture.session.state;
  const { path, color } = scene.parts[part];
  tint.setRGB(color[0], color[1], color[2], 'srgb');
  const isIn = (element: string | null) => element !== null && (path === element || path.startsWith(`${element}.`));
  if (isIn(selection)) tint.lerp(picture.theme.selection, SELECTION_MIX);
  else if (isIn(hovered)) tint.lerp(picture.theme.hover, HOVER_MIX);
  return tint;
}

export class PartsLayer implements Layer {
  readonly object = new Group();
  private readonly solid: ShapeBatch;
  /** What stands still; never selected. */
  private readonly ground: ShapeBatch;
  /** Only the parts that shine through, in the order of `clearParts`. */
  private clear: ShapeBatch | null = null;
  private clearParts: number[] = [];

  constructor(private readonly picture: Picture) {
    const shapes = picture.session.source.scene.parts.map((part) => part.shapes);
    this.solid = new ShapeBatch(shapes, picture.geometries, new MeshLambertMaterial());
    const { ground } = picture.session.source.scene;
    this.ground = new ShapeBatch([ground.shapes], picture.geometries, new MeshLambertMaterial());
    this.ground.setPose(0, REST, 0);
    this.ground.setColor(0, new Color().setRGB(...ground.color, 'srgb'));
    this.object.add(this.solid.object, this.ground.object);
    this.restyle(picture);
  }

  restyle(picture: Picture): void {
    const { scene } = picture.session.source;
    const looks = new Looks(picture.session);
    this.ground.setShown(0, picture.session.state.isolated === null);
    this.ground.finish();
    const all = scene.parts.map((part) => looks.of(part.path));
    this.setClear(
      picture,
      all.flatMap((look, i) => (look === 'transparent' ? [i] : [])),
    );
    all.forEach((look, i) => {
      this.solid.setShown(i, look === 'solid');
      this.solid.setColor(i, partColor(picture, i));
    });
    this.clearParts.forEach((part, i) => this.clear?.setColor(i, partColor(picture, part)));
  }

  update({ poses }: Picture): void {
    this.solid.setPoses(poses);
    this.solid.finish();
    this.clearParts.forEach((part, i) => this.clear?.setPose(i, poses, 7 * part));
    this.clear?.finish();
  }

  pick(ray: Raycaster): Hit | null {
    const hit = this.solid.pick(ray);
    return hit && { path: this.picture.session.source.scene.parts[hit.thing].path, distance: hit.distance };
  }

  dispose(): void {
    this.solid.dispose();
    this.ground.dispose();
    this.clear?.dispose();
  }

  private setClear(picture: Picture, parts: number[]): void {
    if (parts.join() === this.clearParts.join()) return;
    this.clearParts = parts;
    this.clear?.object.removeFromParent();
    this.clear?.dispose();
    this.clear = null;
    if (parts.length === 0) return;
    this.clear = clearBatch(picture.session.source.scene, parts, picture, CLEAR_OPACITY);
    this.object.add(this.clear.object);
  }
}

function clearBatch(scene: Scene, parts: number[], picture: Picture, opacity: number): ShapeBatch {
  const shapes: SceneShape[][] = parts.map((part) => scene.parts[part].shapes);
  const material = new MeshLambertMaterial({ transparent: true, opacity, depthWrite: false });
  const batch = new ShapeBatch(shapes, picture.geometries, material);
  batch.renderOrder = 5;
  return batch;
}

/** The same parts in the poses of another run. */
export class GhostLayer implements Layer {
  readonly object = new Group();
  private readonly batch: ShapeBatch;

  constructor(
    picture: Picture,
    private readonly ghostPoses: Float32Array,
    private readonly scene: Scene,
  ) {
    const { quality, session } = picture;
    // Of another machine than the one that is drawn, meshes have other numbers.
    const isOther = scene !== session.source.scene;
    const geometries = isOther ? new GeometryStore(scene, quality.segments, quality.isSoftware) : picture.geometries;
    this.batch = clearBatch(
      scene,
      scene.parts.map((_, i) => i),
      { ...picture, geometries },
      0.35,
    );
    this.object.add(this.batch.object);
    this.restyle(picture);
  }

  restyle(picture: Picture): void {
    const looks = new Looks(picture.session);
    this.scene.parts.forEach((part, i) => {
      this.batch.setColor(i, picture.theme.ghost);
      this.batch.setShown(i, looks.of(part.path) !== 'hidden');
    });
  }

  update(): void {
    this.batch.setPoses(this.ghostPoses);
    this.batch.finish();
  }

  dispose(): void {
    this.batch.dispose();
  }
}
