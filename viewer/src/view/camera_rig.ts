// Two cameras that share one place to look at, standard views, and fitting the machine into the picture.
import { Box3, OrthographicCamera, PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Scene } from '../data/scene';
import type { Projection } from '../state/state';
import { viewBasis } from './view_basis';

export const VIEWS = ['front', 'back', 'left', 'right', 'top', 'bottom', 'oblique'] as const;
export type ViewName = (typeof VIEWS)[number];

/** What a link keeps of the camera: position, target, and smaller side of an orthographic picture. */
export type CameraPlace = [number, number, number, number, number, number, number];

/** Angle of view over the smaller side of the picture, so that the machine also fits a phone held upright. */
const FIELD = 35;
const TANGENT = Math.tan((FIELD * Math.PI) / 360);
const MARGIN = 1.08;

export class CameraRig {
  readonly controls: OrbitControls;
  private readonly perspective = new PerspectiveCamera(FIELD, 1, 0.01, 100);
  private readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, -100, 100);
  private aspect = 1;
  /** Smaller side in m of an orthographic picture. */
  private height = 1;
  private projection: Projection = 'perspective';
  /** False after a standard view or a fit, until somebody moves the camera: it may then fit what else becomes known. */
  isTouched = true;

  constructor(
    private scene: Scene,
    canvas: HTMLElement,
    changed: () => void,
  ) {
    const { up } = viewBasis(scene.up);
    for (const camera of [this.perspective, this.orthographic]) camera.up.copy(up);
    this.setScene(scene);
    this.controls = new OrbitControls(this.perspective, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', changed);
    this.controls.addEventListener('start', () => (this.isTouched = true));
  }

  /** Another machine at the same place; the upward axis stays. */
  setScene(scene: Scene): void {
    this.scene = scene;
    this.perspective.near = scene.size / 500;
    this.perspective.far = scene.size * 500;
    this.orthographic.near = -scene.size * 100;
    this.orthographic.far = scene.size * 100;
    this.apply();
  }

  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.projection === 'perspective' ? this.perspective : this.orthographic;
  }

  setAspect(aspect: number): void {
    this.aspect = aspect;
    this.apply();
  }

  setProjection(projection: Projection): void {
    if (projection === this.projection) return;
    const target = this.controls.target;
    const away = this.camera.position.clone().sub(target);
    // The picture keeps its size at the target.
    if (projection === 'orthographic') {
      this.height = 2 * away.length() * TANGENT;
      this.orthographic.zoom = 1;
    } else {
      away.setLength(this.height / this.orthographic.zoom / (2 * TANGENT));
    }
    this.projection = projection;
    this.camera.position.copy(target).add(away);
    this.controls.object = this.camera;
    this.apply();
    this.controls.update();
  }

  look(view: ViewName, box: Box3): void {
    const { right, forward, up } = viewBasis(this.scene.up);
    const directions: Record<ViewName, Vector3> = {
      front: forward.clone().negate(),
      back: forward,
      left: right.clone().negate(),
      right,
      // Exactly from above there would be no way to see which side is up.
      top: up.clone().addScaledVector(forward, -1e-4),
      bottom: up.clone().negate().addScaledVector(forward, -1e-4),
      oblique: new Vector3().addScaledVector(right, 0.55).addScaledVector(forward, -1).addScaledVector(up, 0.55),
    };
    const target = box.getCenter(new Vector3());
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(directions[view].normalize(), this.scene.size);
    this.camera.lookAt(target);
    this.fit(box);
  }

  /** Moves along the line of sight until the box fills the picture. */
  fit(tight: Box3): void {
    this.isTouched = false;
    // Things without a shape are points; they get room for a symbol.
    const box = tight.clone().expandByScalar(0.25 * this.scene.symbol);
    const camera = this.camera;
    const target = box.getCenter(new Vector3());
    const sight = camera.position.clone().sub(this.controls.target).normalize();
    camera.updateMatrixWorld();
    const [x, y, z] = [0, 1, 2].map((i) => new Vector3().setFromMatrixColumn(camera.matrixWorld, i));
    const narrow = Math.min(1, this.aspect);
    const tangent = TANGENT / narrow;
    let distance = 0;
    let height = 0;
    for (let i = 0; i < 8; ++i) {
      const corner = new Vector3(
        i & 1 ? box.max.x : box.min.x,
        i & 2 ? box.max.y : box.min.y,
        i & 4 ? box.max.z : box.min.z,
      ).sub(target);
      const half = Math.max(Math.abs(corner.dot(y)), Math.abs(corner.dot(x)) / this.aspect);
      distance = Math.max(distance, (half / tangent) * MARGIN + corner.dot(z));
      height = Math.max(height, 2 * half * narrow * MARGIN);
    }
    const least = 0.01 * this.scene.size;
    this.height = Math.max(height, least);
    this.orthographic.zoom = 1;
    this.controls.target.copy(target);
    const away = this.projection === 'perspective' ? Math.max(distance, least) : this.scene.size;
    camera.position.copy(target).addScaledVector(sight, away);
    this.apply();
    this.controls.update();
  }

  /** The whole box is in the picture. */
  sees(box: Box3): boolean {
    this.camera.updateMatrixWorld();
    return [0, 1, 2, 3, 4, 5, 6, 7].every((i) => {
      const { min, max } = box;
      const corner = new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
      const { x, y } = corner.project(this.camera);
      return Math.abs(x) <= 1 && Math.abs(y) <= 1;
    });
  }

  /** Of what is as far away as the point that the camera looks at. */
  pixelsPerMeter(height: number): number {
    const camera = this.camera;
    const visible =
      camera instanceof PerspectiveCamera
        ? 2 * camera.position.distanceTo(this.controls.target) * Math.tan((camera.fov * Math.PI) / 360)
        : (camera.top - camera.bottom) / camera.zoom;
    return height / visible;
  }

  /** Carries camera and target along. */
  shift(by: Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  /** Looks at a point without turning. */
  center(point: Vector3): void {
    this.shift(point.clone().sub(this.controls.target));
  }

  get place(): CameraPlace {
    const { position } = this.camera;
    const { target } = this.controls;
    return [position.x, position.y, position.z, target.x, target.y, target.z, this.height / this.orthographic.zoom];
  }

  set place([x, y, z, tx, ty, tz, height]: CameraPlace) {
    this.camera.position.set(x, y, z);
    this.controls.target.set(tx, ty, tz);
    this.height = height;
    this.isTouched = true;
    this.orthographic.zoom = 1;
    this.apply();
    this.controls.update();
  }

  private apply(): void {
    const narrow = Math.min(1, this.aspect);
    this.perspective.aspect = this.aspect;
    this.perspective.fov = (Math.atan(TANGENT / narrow) * 360) / Math.PI;
    this.perspective.updateProjectionMatrix();
    const half = this.height / 2 / narrow;
    this.orthographic.top = half;
    this.orthographic.bottom = -half;
    this.orthographic.right = half * this.aspect;
    this.orthographic.left = -half * this.aspect;
    this.orthographic.updateProjectionMatrix();
  }
}
