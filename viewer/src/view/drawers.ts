// Ways to draw many pieces with few calls: one call for each geometry that is used often, one for all the others. A third
// one, for software renderers, is in merged_drawer.ts.
import {
  BatchedMesh,
  type BufferGeometry,
  Color,
  DynamicDrawUsage,
  InstancedMesh,
  type Intersection,
  type Material,
  Matrix4,
  type Mesh,
} from 'three';

export interface Drawer {
  readonly object: Mesh;
  /** The pose of the thing that the piece belongs to. */
  setPose(piece: number, pose: Matrix4): void;
  setColor(piece: number, color: Color): void;
  setShown(piece: number, isShown: boolean): void;
  /** To be called after changes, before the picture is drawn. */
  finish(): void;
  pieceOf(hit: Intersection): number | undefined;
  dispose(): void;
}

const whole = new Matrix4();

/** Pieces of different geometries. */
export class BatchedDrawer implements Drawer {
  readonly object: BatchedMesh;
  private readonly ids: number[];

  /** `geometries` and `locals`: of each piece. */
  constructor(
    geometries: BufferGeometry[],
    private readonly locals: Matrix4[],
    material: Material,
  ) {
    const used = [...new Set(geometries)];
    const vertices = used.reduce((sum, geometry) => sum + geometry.getAttribute('position').count, 0);
    const corners = used.reduce((sum, geometry) => sum + (geometry.index?.count ?? 0), 0);
    this.object = new BatchedMesh(geometries.length, vertices, corners, material);
    // Machines fit into the picture as a rule: testing every piece costs more than drawing it.
    this.object.perObjectFrustumCulled = false;
    this.object.sortObjects = false;
    this.object.frustumCulled = false;
    const known = new Map(used.map((geometry) => [geometry, this.object.addGeometry(geometry)]));
    this.ids = geometries.map((geometry) => this.object.addInstance(known.get(geometry) as number));
    for (const id of this.ids) this.object.setColorAt(id, new Color(1, 1, 1));
  }

  setPose(piece: number, pose: Matrix4): void {
    this.object.setMatrixAt(this.ids[piece], whole.multiplyMatrices(pose, this.locals[piece]));
  }

  setColor(piece: number, color: Color): void {
    this.object.setColorAt(this.ids[piece], color);
  }

  setShown(piece: number, isShown: boolean): void {
    this.object.setVisibleAt(this.ids[piece], isShown);
  }

  finish(): void {}

  pieceOf(hit: Intersection): number | undefined {
    return hit.batchId === undefined ? undefined : this.ids.indexOf(hit.batchId);
  }

  dispose(): void {
    this.object.dispose();
  }
}

/** Pieces of one geometry. Those that are shown are packed to the front, so that hidden ones cost nothing. */
export class InstancedDrawer implements Drawer {
  readonly object: InstancedMesh;
  private readonly matrices: Float32Array;
  private readonly colors: Float32Array;
  private readonly isShown: boolean[];
  /** Pieces in the order in which they are drawn. */
  private order: number[] = [];

  constructor(
    geometry: BufferGeometry,
    private readonly locals: Matrix4[],
    material: Material,
  ) {
    const count = locals.length;
    this.object = new InstancedMesh(geometry, material, count);
    this.object.frustumCulled = false;
    this.object.instanceMatrix.setUsage(DynamicDrawUsage);
    this.object.setColorAt(0, new Color(1, 1, 1));
    this.matrices = new Float32Array(16 * count);
    this.colors = new Float32Array(3 * count).fill(1);
    this.isShown = new Array<boolean>(count).fill(true);
  }

  setPose(piece: number, pose: Matrix4): void {
    whole.multiplyMatrices(pose, this.locals[piece]).toArray(this.matrices, 16 * piece);
  }

  setColor(piece: number, color: Color): void {
    this.colors.set([color.r, color.g, color.b], 3 * piece);
  }

  setShown(piece: number, isShown: boolean): void {
    this.isShown[piece] = isShown;
  }

  finish(): void {
    const { instanceMatrix, instanceColor } = this.object;
    this.order = this.isShown.flatMap((isShown, piece) => (isShown ? [piece] : []));
    this.order.forEach((piece, place) => {
      instanceMatrix.array.set(this.matrices.subarray(16 * piece, 16 * piece + 16), 16 * place);
      instanceColor?.array.set(this.colors.subarray(3 * piece, 3 * piece + 3), 3 * place);
    });
    this.object.count = this.order.length;
    this.object.visible = this.order.length > 0;
    instanceMatrix.needsUpdate = true;
    if (instanceColor) instanceColor.needsUpdate = true;
    // Made anew when somebody picks.
    this.object.boundingSphere = null;
  }

  pieceOf(hit: Intersection): number | undefined {
    return hit.instanceId === undefined ? undefined : this.order[hit.instanceId];
  }

  dispose(): void {
    this.object.dispose();
  }
}
