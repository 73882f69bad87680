// Geometries of shapes. Primitives are made once at unit size and scaled; meshes are decoded once.
import { BoxGeometry, type BufferGeometry, Matrix4, Quaternion, SphereGeometry, Vector3 } from 'three';
import { bytesOfBase64 } from '../data/container';
import type { Pose, Scene, SceneShape } from '../data/scene';
import { creasedGeometry } from './creased_geometry';
import { prismGeometry } from './prism_geometry';

/** A geometry by its name, and how it is scaled and placed in its part. */
export interface Piece {
  geometry: string;
  local: Matrix4;
}

const position = new Vector3();
const turn = new Quaternion();
const scale = new Vector3();

export function matrixOf(pose: Pose, x: number, y: number, z: number): Matrix4 {
  position.set(pose[0], pose[1], pose[2]);
  turn.set(pose[4], pose[5], pose[6], pose[3]);
  return new Matrix4().compose(position, turn, scale.set(x, y, z));
}

/** A capsule is a tube and two domes, so that all capsules share geometries whatever their proportions are. */
export function piecesOf(shape: SceneShape): Piece[] {
  switch (shape.kind) {
    case 'box':
      return [{ geometry: 'box', local: matrixOf(shape.at, ...shape.size) }];
    case 'sphere':
      return [{ geometry: 'sphere', local: matrixOf(shape.at, shape.radius, shape.radius, shape.radius) }];
    case 'cylinder':
      return [{ geometry: 'cylinder', local: matrixOf(shape.at, shape.radius, shape.radius, shape.length) }];
    case 'cone': {
      // The larger end has radius one, so that the ratio alone names the geometry.
      const large = Math.max(shape.radius, shape.top);
      const ratios = `${(shape.radius / large).toFixed(3)}:${(shape.top / large).toFixed(3)}`;
      return [{ geometry: `cone:${ratios}`, local: matrixOf(shape.at, large, large, shape.length) }];
    }
    case 'capsule': {
      const r = shape.radius;
      // A negative scale would turn the dome inside out; half a turn about x does not.
      const dome = (sign: 1 | -1): Piece => {
        const place = new Matrix4().makeTranslation(0, 0, (sign * shape.length) / 2);
        if (sign < 0) place.multiply(new Matrix4().makeRotationX(Math.PI));
        return {
          geometry: 'dome',
          local: matrixOf(shape.at, 1, 1, 1)
            .multiply(place)
            .scale(new Vector3(r, r, r)),
        };
      };
      return [{ geometry: 'tube', local: matrixOf(shape.at, r, r, shape.length) }, dome(1), dome(-1)];
    }
    case 'mesh':
      return [{ geometry: `mesh:${shape.mesh}`, local: matrixOf(shape.at, 1, 1, 1) }];
  }
}

export class GeometryStore {
  private readonly made = new Map<string, BufferGeometry>();

  /** `segments`: into how many pieces circles are cut; `isMerged`: small pieces become one mesh. */
  constructor(
    private readonly scene: Scene,
    private readonly segments: number,
    readonly isMerged = false,
  ) {}

  get(name: string): BufferGeometry {
    let geometry = this.made.get(name);
    if (!geometry) {
      geometry = this.make(name);
      geometry.deleteAttribute('uv');
      geometry.computeBoundingBox();
      geometry.computeBoundingSphere();
      this.made.set(name, geometry);
    }
    return geometry;
  }

  dispose(): void {
    for (const geometry of this.made.values()) geometry.dispose();
  }

  private make(name: string): BufferGeometry {
    const [kind, first, second] = name.split(':');
    const n = this.segments;
    switch (kind) {
      case 'box':
        return new BoxGeometry(1, 1, 1);
      case 'sphere':
        return new SphereGeometry(1, n, Math.max(5, Math.round(n * 0.6))).rotateX(Math.PI / 2);
      case 'cylinder':
        return prismGeometry(n, 1, 1, true);
      case 'tube':
        return prismGeometry(n, 1, 1, false);
      case 'dome': {
        const rings = Math.round(n * 0.2);
        if (rings < 2) return prismGeometry(n, 1, 0, false).translate(0, 0, 0.5);
        return new SphereGeometry(1, n, rings, 0, 2 * Math.PI, 0, Math.PI / 2).rotateX(Math.PI / 2);
      }
      case 'cone':
        return prismGeometry(n, Number(first), Number(second), true);
      default:
        return this.mesh(Number(first));
    }
  }

  private mesh(index: number): BufferGeometry {
    const { positions, indices } = this.scene.meshes[index];
    const points = new Float32Array(bytesOfBase64(positions).buffer);
    const corners = new Uint32Array(bytesOfBase64(indices).buffer);
    return creasedGeometry(points, corners);
  }
}
