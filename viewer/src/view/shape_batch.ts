// Many rigid things drawn with one call, whatever their shapes are. Each has a pose, a color, and may be hidden.
import { BatchedMesh, Color, type Material, Matrix4, Quaternion, Vector3 } from 'three';
import type { Flat } from '../data/pose_math';
import type { SceneShape } from '../data/scene';
import { type GeometryStore, type Piece, piecesOf } from './geometry_store';

interface Instance {
  id: number;
  local: Matrix4;
}

const pose = new Matrix4();
const whole = new Matrix4();
const position = new Vector3();
const turn = new Quaternion();
const one = new Vector3(1, 1, 1);

export class ShapeBatch {
  readonly object: BatchedMesh;
  /** Instances of each thing; a thing without shapes has none. */
  private readonly instances: Instance[][];
  private readonly owners: number[] = [];
  private readonly isShown: boolean[];

  constructor(things: SceneShape[][], geometries: GeometryStore, material: Material) {
    const pieces = things.map((shapes) => shapes.flatMap(piecesOf));
    const all = pieces.flat();
    const names = [...new Set(all.map((piece) => piece.geometry))];
    const used = names.map((name) => geometries.get(name));
    const vertices = used.reduce((sum, geometry) => sum + geometry.getAttribute('position').count, 0);
    const corners = used.reduce((sum, geometry) => sum + (geometry.index?.count ?? 0), 0);
    this.object = new BatchedMesh(Math.max(1, all.length), Math.max(1, vertices), Math.max(1, corners), material);
    // Machines fit into the picture as a rule: testing every piece costs more than drawing it.
    this.object.perObjectFrustumCulled = false;
    this.object.sortObjects = false;
    this.object.frustumCulled = false;
    const ids = new Map(names.map((name, i) => [name, this.object.addGeometry(used[i])]));
    this.instances = pieces.map((list, owner) => list.map((piece) => this.add(piece, ids, owner)));
    this.isShown = things.map(() => true);
  }

  setPoses(poses: Flat): void {
    for (let i = 0; i < this.instances.length; ++i) {
      if (this.isShown[i]) this.setPose(i, poses, 7 * i);
    }
  }

  setPose(thing: number, poses: Flat, at: number): void {
    position.set(poses[at], poses[at + 1], poses[at + 2]);
    turn.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]);
    pose.compose(position, turn, one);
    for (const instance of this.instances[thing]) {
      this.object.setMatrixAt(instance.id, whole.multiplyMatrices(pose, instance.local));
    }
  }

  setColor(thing: number, color: Color): void {
    for (const instance of this.instances[thing]) this.object.setColorAt(instance.id, color);
  }

  setShown(thing: number, isShown: boolean): void {
    if (this.isShown[thing] === isShown) return;
    this.isShown[thing] = isShown;
    for (const instance of this.instances[thing]) this.object.setVisibleAt(instance.id, isShown);
  }

  ownerOf(batchId: number): number {
    return this.owners[batchId];
  }

  dispose(): void {
    this.object.dispose();
  }

  private add(piece: Piece, ids: Map<string, number>, owner: number): Instance {
    const id = this.object.addInstance(ids.get(piece.geometry) as number);
    this.object.setColorAt(id, new Color(1, 1, 1));
    this.owners[id] = owner;
    return { id, local: piece.local };
  }
}
