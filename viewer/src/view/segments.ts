// Straight pieces of one width in pixels, all in one draw call, written anew for each picture.
import { Color, InstancedInterleavedBuffer, InterleavedBufferAttribute } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

const NUMBERS = 6;

export class Segments {
  readonly object: LineSegments2;
  private places = new Float32Array(0);
  private colors = new Float32Array(0);
  private count = 0;
  private readonly color = new Color();

  constructor(width: number, options: { isOnTop?: boolean; opacity?: number } = {}) {
    const material = new LineMaterial({
      linewidth: width,
      vertexColors: true,
      transparent: (options.opacity ?? 1) < 1,
      opacity: options.opacity ?? 1,
      depthTest: !options.isOnTop,
    });
    this.object = new LineSegments2(new LineSegmentsGeometry(), material);
    this.object.frustumCulled = false;
    if (options.isOnTop) this.object.renderOrder = 10;
    this.reserve(64);
  }

  begin(): void {
    this.count = 0;
  }

  setColor(color: Color | string): void {
    this.color.set(color);
  }

  add(ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
    if (this.count * NUMBERS >= this.places.length) this.reserve(2 * this.count);
    const at = NUMBERS * this.count++;
    this.places.set([ax, ay, az, bx, by, bz], at);
    const { r, g, b } = this.color;
    this.colors.set([r, g, b, r, g, b], at);
  }

  end(): void {
    const geometry = this.object.geometry;
    geometry.instanceCount = this.count;
    for (const name of ['instanceStart', 'instanceColorStart']) {
      const attribute = geometry.getAttribute(name) as InterleavedBufferAttribute;
      attribute.data.needsUpdate = true;
    }
    this.object.visible = this.count > 0;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  // Buffers on the graphics card cannot grow: a larger geometry takes the place of the old one.
  private reserve(count: number): void {
    const places = new Float32Array(NUMBERS * count);
    const colors = new Float32Array(NUMBERS * count);
    places.set(this.places);
    colors.set(this.colors);
    this.places = places;
    this.colors = colors;
    this.object.geometry.dispose();
    const geometry = new LineSegmentsGeometry();
    const placeBuffer = new InstancedInterleavedBuffer(places, NUMBERS, 1);
    const colorBuffer = new InstancedInterleavedBuffer(colors, NUMBERS, 1);
    geometry.setAttribute('instanceStart', new InterleavedBufferAttribute(placeBuffer, 3, 0));
    geometry.setAttribute('instanceEnd', new InterleavedBufferAttribute(placeBuffer, 3, 3));
    geometry.setAttribute('instanceColorStart', new InterleavedBufferAttribute(colorBuffer, 3, 0));
    geometry.setAttribute('instanceColorEnd', new InterleavedBufferAttribute(colorBuffer, 3, 3));
    this.object.geometry = geometry;
  }
}
