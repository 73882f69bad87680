// Many small pieces as one mesh whose corners are moved here. Software renderers take some 40 µs for every instance, as
// much as for moving a hundred corners; graphics cards do not, and get instances.
import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  DynamicDrawUsage,
  type Intersection,
  type Material,
  type Matrix4,
  Mesh,
  Matrix3,
  Vector3,
} from 'three';
import type { Drawer } from './drawers';

export interface MergedPiece {
  geometry: BufferGeometry;
  local: Matrix4;
}

export class MergedDrawer implements Drawer {
  readonly object: Mesh;
  /** Corners and normals in axes of the thing that the piece belongs to. */
  private readonly restPlaces: Float32Array;
  private readonly restNormals: Float32Array;
  private readonly places: BufferAttribute;
  private readonly normals: BufferAttribute;
  private readonly colors: BufferAttribute;
  /** First corner of each piece, and one more for the end. */
  private readonly starts: number[] = [0];
  private readonly triangles: Uint32Array[] = [];
  private readonly isShown: boolean[];
  private isIndexStale = true;

  constructor(pieces: MergedPiece[], material: Material) {
    for (const { geometry } of pieces) {
      this.starts.push(this.starts[this.starts.length - 1] + geometry.getAttribute('position').count);
    }
    const count = this.starts[pieces.length];
    this.restPlaces = new Float32Array(3 * count);
    this.restNormals = new Float32Array(3 * count);
    pieces.forEach((piece, i) => this.rest(piece, this.starts[i]));
    this.isShown = pieces.map(() => true);
    this.places = new BufferAttribute(this.restPlaces.slice(), 3).setUsage(DynamicDrawUsage);
    this.normals = new BufferAttribute(this.restNormals.slice(), 3).setUsage(DynamicDrawUsage);
    this.colors = new BufferAttribute(new Float32Array(3 * count).fill(1), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.places);
    geometry.setAttribute('normal', this.normals);
    geometry.setAttribute('color', this.colors);
    const own = material.clone();
    own.vertexColors = true;
    this.object = new Mesh(geometry, own);
    this.object.frustumCulled = false;
  }

  setPose(piece: number, pose: Matrix4): void {
    const m = pose.elements;
    const out = this.places.array;
    const turned = this.normals.array;
    const { restPlaces: p, restNormals: n } = this;
    const end = 3 * this.starts[piece + 1];
    for (let i = 3 * this.starts[piece]; i < end; i += 3) {
      const [x, y, z] = [p[i], p[i + 1], p[i + 2]];
      out[i] = m[0] * x + m[4] * y + m[8] * z + m[12];
      out[i + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
      out[i + 2] = m[2] * x + m[6] * y + m[10] * z + m[14];
      const [a, b, c] = [n[i], n[i + 1], n[i + 2]];
      turned[i] = m[0] * a + m[4] * b + m[8] * c;
      turned[i + 1] = m[1] * a + m[5] * b + m[9] * c;
      turned[i + 2] = m[2] * a + m[6] * b + m[10] * c;
    }
    this.places.needsUpdate = true;
    this.normals.needsUpdate = true;
  }

  setColor(piece: number, color: Color): void {
    for (let i = this.starts[piece]; i < this.starts[piece + 1]; ++i) this.colors.setXYZ(i, color.r, color.g, color.b);
    this.colors.needsUpdate = true;
  }

  setShown(piece: number, isShown: boolean): void {
    this.isShown[piece] = isShown;
    this.isIndexStale = true;
  }

  finish(): void {
    // Made anew when somebody picks.
    this.object.geometry.boundingSphere = null;
    if (!this.isIndexStale) return;
    this.isIndexStale = false;
    const shown = this.triangles.filter((_, piece) => this.isShown[piece]);
    const index = new Uint32Array(shown.reduce((sum, list) => sum + list.length, 0));
    let at = 0;
    for (const list of shown) {
      index.set(list, at);
      at += list.length;
    }
    this.object.geometry.setIndex(new BufferAttribute(index, 1));
    this.object.visible = index.length > 0;
  }

  pieceOf(hit: Intersection): number | undefined {
    const corner = hit.face?.a;
    if (corner === undefined) return undefined;
    let low = 0;
    let high = this.starts.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= corner) low = middle;
      else high = middle;
    }
    return low;
  }

  dispose(): void {
    this.object.geometry.dispose();
  }

  private rest({ geometry, local }: MergedPiece, start: number): void {
    const normalMatrix = new Matrix3().getNormalMatrix(local);
    const point = new Vector3();
    const [places, normals] = [geometry.getAttribute('position'), geometry.getAttribute('normal')];
    for (let i = 0; i < places.count; ++i) {
      point
        .fromBufferAttribute(places, i)
        .applyMatrix4(local)
        .toArray(this.restPlaces, 3 * (start + i));
      point
        .fromBufferAttribute(normals, i)
        .applyNormalMatrix(normalMatrix)
        .toArray(this.restNormals, 3 * (start + i));
    }
    this.triangles.push(Uint32Array.from(geometry.index?.array ?? [], (corner) => corner + start));
  }
}
