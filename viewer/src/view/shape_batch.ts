// Many rigid things drawn with few calls, whatever their shapes are. Each has a pose, a color or several, and may be hidden.
import { type Color, Group, type Material, Matrix4, Quaternion, type Raycaster, Vector3 } from 'three';
import type { Flat } from '../data/pose_math';
import type { SceneShape, Vec3 } from '../data/scene';
import { BatchedDrawer, type Drawer, InstancedDrawer } from './drawers';
import { type GeometryStore, type Piece, piecesOf } from './geometry_store';
import { MergedDrawer } from './merged_drawer';

/** Geometries with fewer pieces share one call. */
const FEWEST_INSTANCES = 12;
const MOST_INSTANCED = 10;
/** Only small pieces are worth merging. */
const MOST_MERGED_CORNERS = 400;

interface PlacedPiece {
  drawer: Drawer;
  number: number;
  /** The color of its shape, where it has one of its own. */
  own?: Vec3;
}

/** The drawer of each geometry. */
function chooseDrawers(pieces: Piece[], geometries: GeometryStore, material: Material): Map<string, Drawer> {
  const drawers = new Map<string, Drawer>();
  const rest = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const list = rest.get(piece.geometry);
    if (list) list.push(piece);
    else rest.set(piece.geometry, [piece]);
  }
  const share = (names: string[], make: (list: Piece[]) => Drawer) => {
    const list = pieces.filter(({ geometry }) => names.includes(geometry));
    if (list.length === 0) return;
    const drawer = make(list);
    for (const name of names) {
      drawers.set(name, drawer);
      rest.delete(name);
    }
  };
  if (geometries.isMerged) {
    const small = [...rest.keys()].filter(
      (name) => geometries.get(name).getAttribute('position').count <= MOST_MERGED_CORNERS,
    );
    share(small, (list) => {
      return new MergedDrawer(
        list.map(({ geometry, local }) => ({ geometry: geometries.get(geometry), local })),
        material,
      );
    });
  }
  const common = [...rest]
    .filter(([, list]) => list.length >= FEWEST_INSTANCES)
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, MOST_INSTANCED);
  for (const [name] of common) {
    share(
      [name],
      (list) =>
        new InstancedDrawer(
          geometries.get(name),
          list.map(({ local }) => local),
          material,
        ),
    );
  }
  share([...rest.keys()], (list) => {
    return new BatchedDrawer(
      list.map(({ geometry }) => geometries.get(geometry)),
      list.map(({ local }) => local),
      material,
    );
  });
  return drawers;
}

const pose = new Matrix4();
const position = new Vector3();
const turn = new Quaternion();
const one = new Vector3(1, 1, 1);

export class ShapeBatch {
  readonly object = new Group();
  /** Pieces of each thing; a thing without shapes has none. */
  private readonly pieces: PlacedPiece[][];
  private readonly owners = new Map<Drawer, number[]>();
  private readonly isShown: boolean[];

  constructor(things: SceneShape[][], geometries: GeometryStore, material: Material) {
    const pieces = things.map((shapes) =>
      shapes.flatMap((shape) => piecesOf(shape).map((piece) => ({ ...piece, own: shape.color }))),
    );
    const drawers = chooseDrawers(pieces.flat(), geometries, material);
    for (const drawer of new Set(drawers.values())) this.object.add(drawer.object);
    this.pieces = pieces.map((list, owner) =>
      list.map(({ geometry, own }) => ({ ...this.place(drawers.get(geometry) as Drawer, owner), own })),
    );
    this.isShown = things.map(() => true);
  }

  set renderOrder(order: number) {
    for (const drawer of this.owners.keys()) drawer.object.renderOrder = order;
  }

  setPoses(poses: Flat): void {
    for (let i = 0; i < this.pieces.length; ++i) this.setPose(i, poses, 7 * i);
  }

  setPose(thing: number, poses: Flat, at: number): void {
    // What is hidden gets a pose when it is shown again.
    if (!this.isShown[thing]) return;
    position.set(poses[at], poses[at + 1], poses[at + 2]);
    turn.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]);
    pose.compose(position, turn, one);
    for (const { drawer, number } of this.pieces[thing]) drawer.setPose(number, pose);
  }

  setColor(thing: number, color: Color): void {
    this.setColors(thing, () => color);
  }

  /** `colorOf`: from the color that a shape has of its own, if it has one. */
  setColors(thing: number, colorOf: (own?: Vec3) => Color): void {
    for (const { drawer, number, own } of this.pieces[thing]) drawer.setColor(number, colorOf(own));
  }

  setShown(thing: number, isShown: boolean): void {
    if (this.isShown[thing] === isShown) return;
    this.isShown[thing] = isShown;
    for (const { drawer, number } of this.pieces[thing]) drawer.setShown(number, isShown);
  }

  /** To be called after changes, before the picture is drawn. */
  finish(): void {
    for (const drawer of this.owners.keys()) drawer.finish();
  }

  /** Things that a ray meets, the nearest first. */
  pick(ray: Raycaster): { thing: number; distance: number }[] {
    return ray.intersectObject(this.object, true).flatMap((hit) => {
      for (const [drawer, owners] of this.owners) {
        if (drawer.object !== hit.object) continue;
        const piece = drawer.pieceOf(hit);
        if (piece !== undefined && piece >= 0) return [{ thing: owners[piece], distance: hit.distance }];
      }
      return [];
    });
  }

  dispose(): void {
    for (const drawer of this.owners.keys()) drawer.dispose();
  }

  private place(drawer: Drawer, owner: number): PlacedPiece {
    const owners = this.owners.get(drawer) ?? [];
    owners.push(owner);
    this.owners.set(drawer, owners);
    return { drawer, number: owners.length - 1 };
  }
}
