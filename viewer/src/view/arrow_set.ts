// Arrows in two draw calls: all shafts, all heads. A dashed shaft is several short ones; a torque has two heads.
import {
  type Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  type Raycaster,
  Vector3,
} from 'three';
import { depthEraser } from './depth_eraser';
import type { Hit } from './layer';

export interface Arrow {
  path: string;
  text: string;
  from: ArrayLike<number>;
  /** Unit vector. */
  direction: ArrayLike<number>;
  length: number;
  color: Color;
  isDashed: boolean;
  isTurning: boolean;
}

const DASHES = 3;
const HEAD = 2.6;
const UP = new Vector3(0, 0, 1);

const matrix = new Matrix4();
const turn = new Quaternion();
const place = new Vector3();
const direction = new Vector3();
const scale = new Vector3();

export class ArrowSet {
  readonly object = new Group();
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private shaftOwners: Arrow[] = [];
  private headOwners: Arrow[] = [];

  /** `capacity`: how many arrows there may be; `radius`: of shafts. */
  constructor(
    capacity: number,
    private readonly radius: number,
  ) {
    // Transparent only to be drawn after the eraser.
    const material = new MeshLambertMaterial({ transparent: true });
    const shaft = new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new ConeGeometry(1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = new InstancedMesh(shaft, material, Math.max(1, DASHES * capacity));
    this.heads = new InstancedMesh(head, material, Math.max(1, 2 * capacity));
    this.object.add(depthEraser(8));
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 9;
      this.object.add(mesh);
    }
  }

  draw(arrows: Arrow[]): void {
    this.shaftOwners = [];
    this.headOwners = [];
    for (const arrow of arrows) this.add(arrow);
    this.finish(this.shafts, this.shaftOwners);
    this.finish(this.heads, this.headOwners);
  }

  pick(ray: Raycaster): Hit[] {
    const hitsOf = (mesh: InstancedMesh, owners: Arrow[]): Hit[] => {
      mesh.boundingSphere = null;
      if (mesh.count === 0) return [];
      return ray.intersectObject(mesh, false).flatMap(({ instanceId, distance }) => {
        const owner = instanceId === undefined ? undefined : owners[instanceId];
        return owner ? [{ kind: 'arrow' as const, path: owner.path, text: owner.text, distance }] : [];
      });
    };
    return [...hitsOf(this.heads, this.headOwners), ...hitsOf(this.shafts, this.shaftOwners)];
  }

  dispose(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
  }

  private add(arrow: Arrow): void {
    direction.set(arrow.direction[0], arrow.direction[1], arrow.direction[2]);
    turn.setFromUnitVectors(UP, direction);
    const wide = HEAD * this.radius;
    const headLength = Math.min(0.6 * arrow.length, 2.4 * wide);
    const heads = arrow.isTurning ? 2 : 1;
    const shaft = Math.max(0, arrow.length - headLength * (1 + 0.6 * (heads - 1)));
    const dashes = arrow.isDashed ? DASHES : 1;
    const pitch = shaft / dashes;
    for (let i = 0; i < dashes; ++i) {
      const length = arrow.isDashed ? 0.6 * pitch : pitch;
      this.put(this.shafts, this.shaftOwners, arrow, i * pitch, this.radius, length);
    }
    for (let i = 0; i < heads; ++i) {
      this.put(this.heads, this.headOwners, arrow, arrow.length - headLength * (1 + 0.6 * i), wide, headLength);
    }
  }

  private put(
    mesh: InstancedMesh,
    owners: Arrow[],
    arrow: Arrow,
    offset: number,
    radius: number,
    length: number,
  ): void {
    place.set(arrow.from[0], arrow.from[1], arrow.from[2]).addScaledVector(direction, offset);
    matrix.compose(place, turn, scale.set(radius, radius, Math.max(length, 1e-9)));
    mesh.setMatrixAt(owners.length, matrix);
    mesh.setColorAt(owners.length, arrow.color);
    owners.push(arrow);
  }

  private finish(mesh: InstancedMesh, owners: Arrow[]): void {
    mesh.count = owners.length;
    mesh.visible = owners.length > 0;
    mesh.instanceMatrix.needsUpdate = true;
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }
}
