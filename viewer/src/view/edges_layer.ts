// Sharp edges of parts as thin lines in one draw call, however many there are: corners stay as they are, and the graphics card moves
// them by the poses of their parts, which it reads from a texture.
import {
  BufferAttribute,
  BufferGeometry,
  CustomBlending,
  DataTexture,
  FloatType,
  LineSegments,
  NearestFilter,
  OneFactor,
  RGBAFormat,
  ShaderMaterial,
  Vector3,
  ZeroFactor,
} from 'three';
import { piecesOf } from './geometry_store';
import type { Layer, Picture } from './layer';
import { Looks } from './looks';
import { sharpEdges } from './sharp_edges';

/** Faces that meet at a smaller angle are one curved surface; degrees. */
const SHARP_ANGLE = 32;
/** Texels for each part: place and whether it is shown, then the quaternion. */
const TEXELS = 2;
const PARTS_PER_LINE = 512;
/** As part of the size of the machine. */
const ORTHOGRAPHIC_PULL = 1e-3;

const VERTEX = `
#define PULL 1.0e-3
uniform sampler2D poses;
uniform float pull;
attribute float part;
varying vec3 seen;
void main() {
  int number = int(part);
  ivec2 texel = ivec2(${TEXELS} * (number % ${PARTS_PER_LINE}), number / ${PARTS_PER_LINE});
  vec4 place = texelFetch(poses, texel, 0);
  vec4 turn = texelFetch(poses, texel + ivec2(1, 0), 0);
  vec3 moved = position + 2.0 * cross(turn.xyz, cross(turn.xyz, position) + turn.w * position) + place.xyz;
  vec4 view = viewMatrix * vec4(moved, 1.0);
  seen = view.xyz;
  // Nearer than the faces that meet here, along the line of sight and by less than one sees.
  vec3 nearer = isOrthographic ? view.xyz + vec3(0.0, 0.0, pull) : view.xyz * (1.0 - PULL);
  gl_Position = projectionMatrix * vec4(nearer, 1.0);
  if (place.w < 0.5) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
`;

const FRAGMENT = `
uniform vec4 section;
uniform vec3 color;
uniform float opacity;
varying vec3 seen;
void main() {
  if (dot(section.xyz, seen) + section.w < 0.0) discard;
  gl_FragColor = vec4(color, opacity);
  #include <colorspace_fragment>
}
`;

/** Both ends of each edge of all parts in axes of their part, and the number of the part. */
function edgesOf(picture: Picture): { places: Float32Array; parts: Float32Array } {
  const made = new Map<string, Float32Array>();
  const places: number[] = [];
  const owners: number[] = [];
  const point = new Vector3();
  picture.session.source.scene.parts.forEach((part, number) => {
    for (const { geometry, local } of part.shapes.flatMap(piecesOf)) {
      let edges = made.get(geometry);
      if (!edges) {
        edges = sharpEdges(picture.geometries.get(geometry), SHARP_ANGLE);
        made.set(geometry, edges);
      }
      for (let i = 0; i < edges.length; i += 3) {
        point.fromArray(edges, i).applyMatrix4(local);
        places.push(point.x, point.y, point.z);
        owners.push(number);
      }
    }
  });
  return { places: Float32Array.from(places), parts: Float32Array.from(owners) };
}

export class EdgesLayer implements Layer {
  readonly object: LineSegments<BufferGeometry, ShaderMaterial>;
  private readonly texture: DataTexture;
  private readonly texels: Float32Array;

  constructor(picture: Picture) {
    const { places, parts } = edgesOf(picture);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(places, 3));
    geometry.setAttribute('part', new BufferAttribute(parts, 1));
    const lines = Math.max(1, Math.ceil(picture.session.source.scene.parts.length / PARTS_PER_LINE));
    this.texels = new Float32Array(4 * TEXELS * PARTS_PER_LINE * lines);
    this.texture = new DataTexture(this.texels, TEXELS * PARTS_PER_LINE, lines, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      // Thin lines blend in, but among the solid things: what is transparent is drawn over them.
      transparent: false,
      blending: CustomBlending,
      // The picture stays opaque, or the page would shine through it.
      blendSrcAlpha: ZeroFactor,
      blendDstAlpha: OneFactor,
      depthWrite: false,
      uniforms: {
        poses: { value: this.texture },
        section: picture.shading.section,
        color: { value: picture.theme.edge },
        opacity: { value: 1 },
        pull: { value: ORTHOGRAPHIC_PULL * picture.session.source.scene.size },
      },
    });
    this.object = new LineSegments(geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 1;
    this.restyle(picture);
  }

  restyle({ session, theme }: Picture): void {
    const looks = new Looks(session);
    session.source.scene.parts.forEach((part, i) => {
      this.texels[4 * TEXELS * i + 3] = looks.of(part.path) === 'hidden' ? 0 : 1;
    });
    const { uniforms } = this.object.material;
    uniforms.color.value = theme.edge;
    uniforms.opacity.value = theme.isDark ? 0.55 : 0.5;
  }

  update({ poses, session }: Picture): void {
    const { length } = session.source.scene.parts;
    for (let part = 0, from = 0, to = 0; part < length; ++part, from += 7, to += 4 * TEXELS) {
      for (let i = 0; i < 3; ++i) this.texels[to + i] = poses[from + i];
      for (let i = 0; i < 3; ++i) this.texels[to + 4 + i] = poses[from + 4 + i];
      this.texels[to + 7] = poses[from + 3];
    }
    this.texture.needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.texture.dispose();
  }
}
