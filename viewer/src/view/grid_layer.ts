// Lines on the floor that fade with the distance, and the shadow of the machine where pictures have shadows.
import {
  BufferGeometry,
  Color,
  CustomBlending,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  PlaneGeometry,
  ShadowMaterial,
  Vector3,
} from 'three';
import type { Layer, Picture } from './layer';
import { viewBasis } from './view_basis';

/** Lines in the size of the machine, about. */
const FINENESS = 6;
/** How far the lines go, in sizes of the machine. */
const REACH = 1.9;
const MAIN_EVERY = 5;
/** A line fades piece by piece. */
const PIECES = 8;
const SHADOW_OPACITY = 0.24;
const SHADOW_COLOR = '#16263a';

/** 1, 2 or 5 times a power of ten. */
function roundStep(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  return ([5, 2].find((factor) => factor * power <= length) ?? 1) * power;
}

export class GridLayer implements Layer {
  // Lines of one pixel: wide ones cost software renderers more than the whole machine does.
  readonly object = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true }));
  private readonly shadow: Mesh<PlaneGeometry, ShadowMaterial> | null = null;
  private readonly drawnFocus = new Vector3();

  constructor(picture: Picture) {
    this.object.frustumCulled = false;
    if (picture.quality.hasShadows) {
      const side = 20 * picture.session.source.scene.size;
      // Drawn before all else, as paint on the floor: symbols that shine through parts must not bring it to the front.
      const paint = new ShadowMaterial({
        color: SHADOW_COLOR,
        opacity: SHADOW_OPACITY,
        blending: CustomBlending,
        transparent: false,
        depthWrite: false,
      });
      this.shadow = new Mesh(new PlaneGeometry(side, side), paint);
      this.shadow.renderOrder = -1;
      this.shadow.receiveShadow = true;
      this.object.add(this.shadow);
    }
    this.restyle(picture);
  }

  update(picture: Picture): void {
    if (!this.drawnFocus.equals(picture.focus)) this.restyle(picture);
  }

  restyle(picture: Picture): void {
    const { scene } = picture.session.source;
    const { right, forward, up } = viewBasis(scene.up);
    const size = Math.max(scene.size, picture.space.getSize(new Vector3()).length());
    const step = roundStep(size / FINENESS);
    const reach = REACH * size;
    this.drawnFocus.copy(picture.focus);
    const center = picture.focus.clone();
    center.addScaledVector(up, picture.floor - center.dot(up));
    const places: number[] = [];
    const colors: number[] = [];
    const color = new Color();
    const point = new Vector3();
    const add = (number: number, at: Vector3) => {
      const share = Math.min(1, at.distanceTo(center) / reach);
      // Where a pixel is small, a line of one pixel needs more contrast to be seen.
      const strength = (1 - share * share) * Math.max(1, picture.quality.pixelRatio);
      color
        .copy(picture.theme.background)
        .lerp(number % MAIN_EVERY === 0 ? picture.theme.gridMain : picture.theme.grid, strength);
      color.toArray(colors, colors.length);
      at.toArray(places, places.length);
    };
    for (const [along, beside] of [
      [right, forward],
      [forward, right],
    ]) {
      const middle = center.dot(beside);
      // Lines are at whole steps of the world; each ends on a circle around the machine.
      for (let i = Math.ceil((middle - reach) / step); i * step < middle + reach; ++i) {
        const offset = i * step - middle;
        const half = Math.sqrt(reach * reach - offset * offset);
        const on = (t: number) =>
          point
            .copy(center)
            .addScaledVector(beside, offset)
            .addScaledVector(along, t * half);
        for (let piece = 0; piece < PIECES; ++piece) {
          add(i, on((2 * piece) / PIECES - 1));
          add(i, on((2 * (piece + 1)) / PIECES - 1));
        }
      }
    }
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry()
      .setAttribute('position', new Float32BufferAttribute(places, 3))
      .setAttribute('color', new Float32BufferAttribute(colors, 3));
    this.shadow?.position.copy(center);
    this.shadow?.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up);
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.shadow?.geometry.dispose();
    this.shadow?.material.dispose();
  }
}
