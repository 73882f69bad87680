// Light from above on the left of the viewer, so that faces differ and edges show; a little from the viewer, and from the sky.
import {
  type Box3,
  type Camera,
  DirectionalLight,
  HemisphereLight,
  type Object3D,
  PCFShadowMap,
  Vector3,
  type WebGLRenderer,
} from 'three';

/** Directions of the main light, in parts of the way to the left, upward and toward the viewer. */
const LEFT = 0.55;
const UPWARD = 1;
const TOWARD = 0.45;

const SHADOW_PIXELS = 2048;
/** Room around the machine for its shadow on the floor, as part of its radius. */
const SHADOW_REACH = 2.2;

const x = new Vector3();
const z = new Vector3();

export class Lights {
  readonly objects: Object3D[];
  private readonly main = new DirectionalLight(0xffffff, 2.1);
  private readonly fill = new DirectionalLight(0xffffff, 0.55);
  /** Of the space in which shadows fall; m. */
  private radius = 1;

  constructor(private readonly up: Vector3) {
    const sky = new HemisphereLight(0xffffff, 0x8f9aa8, 1.55);
    sky.position.copy(up);
    this.objects = [sky, this.main, this.main.target, this.fill, this.fill.target];
  }

  /** Shadows of what is in the box; for pictures that may take their time. */
  castShadows(renderer: WebGLRenderer, box: Box3): void {
    const pixels = SHADOW_PIXELS * renderer.getPixelRatio();
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    const radius = SHADOW_REACH * box.getSize(x).length() * 0.5;
    this.radius = radius;
    const { shadow } = this.main;
    this.main.castShadow = true;
    shadow.mapSize.set(pixels, pixels);
    shadow.radius = 4;
    shadow.normalBias = (3 * radius) / pixels;
    Object.assign(shadow.camera, { left: -radius, right: radius, top: radius, bottom: -radius });
    shadow.camera.near = 0.01 * radius;
    shadow.camera.far = 4 * radius;
    shadow.camera.updateProjectionMatrix();
  }

  /** Goes with the camera, which looks at the target. */
  place(camera: Camera, target: Vector3): void {
    x.setFromMatrixColumn(camera.matrixWorld, 0);
    z.setFromMatrixColumn(camera.matrixWorld, 2);
    this.main.position
      .set(0, 0, 0)
      .addScaledVector(x, -LEFT)
      .addScaledVector(this.up, UPWARD)
      .addScaledVector(z, TOWARD)
      .setLength(2 * this.radius)
      .add(target);
    this.main.target.position.copy(target);
    this.fill.position.copy(camera.position);
    this.fill.target.position.copy(target);
  }
}
