// The parts themselves: solid ones, those without a shape of their own, and those that shine through; each kind in a few calls.
import { Color, Group, type Raycaster, Vector3 } from 'three';
import { isWithin } from '../data/model_index';
import type { Scene, Vec3 } from '../data/scene';
import { GeometryStore } from './geometry_store';
import { REST } from './joint_geometry';
import type { Hit, Layer, Picture } from './layer';
import { type Look, Looks } from './looks';
import { PartBatch, showInside } from './part_batch';
import { PartMaterial } from './part_material';
import { ShapeBatch } from './shape_batch';

const SELECTION_MIX = 0.8;
const HOVER_MIX = 0.35;
const RUN_MIX = 0.75;
const CLEAR_OPACITY = 0.22;
const GHOST_OPACITY = 0.45;

const tint = new Color();
const point = new Vector3();

/** `own`: of a shape that has a color of its own. */
function partColor(picture: Picture, part: number, own?: Vec3): Color {
  const { scene } = picture.session.source;
  const { selection, hovered, compared } = picture.session.state;
  const { path, color } = scene.parts[part];
  tint.setRGB(...(own ?? color), 'srgb');
  // Beside a ghost, the color of the run says more than that of the part.
  if (compared !== null) tint.lerp(picture.theme.firstRun, RUN_MIX);
  if (isWithin(path, selection)) tint.lerp(picture.theme.selection, SELECTION_MIX);
  else if (isWithin(path, hovered)) tint.lerp(picture.theme.hover, HOVER_MIX);
  return tint;
}

export class PartsLayer implements Layer {
  readonly object = new Group();
  /** Parts with a shape of their own, and placeholders. */
  private readonly solid: PartBatch[];
  /** What stands still; never selected. */
  private readonly ground: ShapeBatch;
  /** Only the parts that shine through. */
  private clear: PartBatch | null = null;
  private clearParts: number[] = [];

  constructor(private readonly picture: Picture) {
    const { parts, ground } = picture.session.source.scene;
    const numbers = (isPlaceholder: boolean) =>
      parts.flatMap((part, i) => ((part.isDefaultShape ?? false) === isPlaceholder ? [i] : []));
    this.solid = [false, true]
      .filter((isPlaceholder) => numbers(isPlaceholder).length > 0)
      .map((isPlaceholder) => new PartBatch(picture, numbers(isPlaceholder), { isPlaceholder }));
    const material = new PartMaterial();
    material.shading = picture.shading;
    this.ground = new ShapeBatch([ground.shapes], picture.geometries, material);
    this.ground.setPose(0, REST, 0);
    this.ground.setColors(0, (own) => tint.setRGB(...(own ?? ground.color), 'srgb'));
    this.object.add(...this.solid.map((batch) => batch.object), this.ground.object);
    this.restyle(picture);
  }

  restyle(picture: Picture): void {
    const { scene } = picture.session.source;
    const { isolated, section } = picture.session.state;
    const looks = new Looks(picture.session);
    const all: Look[] = scene.parts.map((part) => looks.of(part.path));
    const isCut = section !== null;
    this.ground.setShown(0, isolated === null);
    this.ground.finish();
    showInside(this.ground, isCut);
    this.setClear(
      picture,
      all.flatMap((look, i) => (look === 'transparent' ? [i] : [])),
    );
    const colorOf = (part: number, own?: Vec3) => partColor(picture, part, own);
    for (const batch of this.solid) batch.style(colorOf, (part) => all[part] === 'solid', isCut);
    this.clear?.style(colorOf, () => true, isCut);
  }

  update({ poses }: Picture): void {
    for (const batch of this.solid) batch.setPoses(poses);
    this.clear?.setPoses(poses);
  }

  pick(ray: Raycaster): Hit[] {
    const { session, section } = this.picture;
    const { parts } = session.source.scene;
    return this.solid.flatMap((batch) =>
      batch.pick(ray).flatMap(({ part, distance }): Hit[] => {
        const isCutAway = section !== null && section.distanceToPoint(ray.ray.at(distance, point)) < 0;
        return isCutAway ? [] : [{ kind: 'part', path: parts[part].path, distance }];
      }),
    );
  }

  dispose(): void {
    for (const batch of this.solid) batch.dispose();
    this.ground.dispose();
    this.clear?.dispose();
  }

  private setClear(picture: Picture, parts: number[]): void {
    if (parts.join() === this.clearParts.join()) return;
    this.clearParts = parts;
    this.clear?.object.removeFromParent();
    this.clear?.dispose();
    this.clear = parts.length > 0 ? new PartBatch(picture, parts, { opacity: CLEAR_OPACITY }) : null;
    if (this.clear) this.object.add(this.clear.object);
  }
}

/** The same parts in the poses of another run. */
export class GhostLayer implements Layer {
  private readonly batch: PartBatch;

  constructor(
    picture: Picture,
    private readonly ghostPoses: Float32Array,
    private readonly scene: Scene,
  ) {
    const { quality, session } = picture;
    // Of another machine than the one that is drawn, meshes have other numbers.
    const isOther = scene !== session.source.scene;
    const geometries = isOther ? new GeometryStore(scene, quality.segments, quality.isSoftware) : picture.geometries;
    const all = scene.parts.map((_, i) => i);
    this.batch = new PartBatch({ ...picture, geometries }, all, { opacity: GHOST_OPACITY, scene });
    this.restyle(picture);
  }

  get object() {
    return this.batch.object;
  }

  restyle(picture: Picture): void {
    const { session, theme } = picture;
    const looks = new Looks(session);
    const isShown = (part: number) => looks.of(this.scene.parts[part].path) !== 'hidden';
    this.batch.style(() => theme.secondRun, isShown, session.state.section !== null);
  }

  update(): void {
    this.batch.setPoses(this.ghostPoses);
  }

  dispose(): void {
    this.batch.dispose();
  }
}
