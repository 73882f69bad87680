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

/** Direction of the main light as the viewer sees it: to the left, upward and toward the viewer. */
const LEFT = 0.55;
const UPWARD = 1;
const TOWARD = 0.8;

const SHADOW_PIXELS = 2048;
/** Room around the machine for its shadow on the floor, as part of its radius. */
const SHADOW_REACH = 2.2;

const axis = new Vector3();

export class Lights {
  readonly objects: Object3D[];
  private readonly main = new DirectionalLight(0xffffff, 2.1);
  private readonly fill = new DirectionalLight(0xffffff, 0.55);
  /** Of the space in which shadows fall; m. */
  private radius = 1;

  constructor(up: Vector3) {
    const sky = new HemisphereLight(0xffffff, 0x8f9aa8, 1.55);
    sky.position.copy(up);
    this.objects = [sky, this.main, this.main.target, this.fill, this.fill.target];
  }

  /** Shadows of what is in the box; for pictures that may take their time. */
  castShadows(renderer: WebGLRenderer, box: Box3): void {
    const pixels = SHADOW_PIXELS * renderer.getPixelRatio();
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    const radius = SHADOW_REACH * box.getSize(axis).length() * 0.5;
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
    this.main.position.set(0, 0, 0);
    [-LEFT, UPWARD, TOWARD].forEach((amount, i) =>
      this.main.position.addScaledVector(axis.setFromMatrixColumn(camera.matrixWorld, i), amount),
    );
    this.main.position.setLength(2 * this.radius).add(target);
    this.main.target.position.copy(target);
    this.fill.position.copy(camera.position);
    this.fill.target.position.copy(target);
  }
}
