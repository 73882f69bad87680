// The surface of parts. Parts without a shape of their own are hatched; where a section cuts a part, its inside is flat and hatched.
import { MeshLambertMaterial, Vector4, type WebGLProgramParametersWithUniforms } from 'three';

/** Values that all surfaces of a picture share. */
export interface Shading {
  /** Normal and constant of the section in axes of the camera: what is on its negative side is cut away. All zero: no section. */
  section: { value: Vector4 };
  /** Pixels from one line of the hatching of a cut to the next. */
  hatchPitch: { value: number };
  /** Meters from one line of the hatching on a part to the next. */
  hatchStep: { value: number };
}

export function newShading(): Shading {
  return { section: { value: new Vector4() }, hatchPitch: { value: 1 }, hatchStep: { value: 1 } };
}

export const HATCH_PIXELS = 9;
/** Lines of the hatching on a part across the size of the machine. */
export const HATCH_LINES = 90;

/** A place on the shape itself, in its own size: what is painted there goes along with the part. */
const OWN_PLACE = `
#include <begin_vertex>
  vOwn = transformed;
#ifdef USE_BATCHING
  vOwn *= vec3(length(batchingMatrix[0].xyz), length(batchingMatrix[1].xyz), length(batchingMatrix[2].xyz));
#endif
#ifdef USE_INSTANCING
  vOwn *= vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));
#endif
`;

const DECLARATIONS = `
uniform vec4 section;
uniform float hatchPitch;
varying vec3 vOwn;
uniform float hatchStep;
/** 1 on the lines of the hatching on a part, 0 between them; where lines are too fine to be seen, their mean. */
float paintedHatching() {
  float across = dot(vOwn, vec3(0.74, 0.53, 0.41)) / hatchStep;
  float blur = fwidth(across);
  float line = 1.0 - smoothstep(0.14, 0.14 + blur, abs(fract(across) - 0.5));
  return mix(line, 0.28, smoothstep(0.3, 0.7, blur));
}
/** 1 on the lines of the hatching of a cut, which is flat in the picture, 0 between them. */
float cutHatching() {
  float place = abs(fract((gl_FragCoord.x - gl_FragCoord.y) / hatchPitch) - 0.5) * hatchPitch;
  return 1.0 - smoothstep(hatchPitch * 0.14, hatchPitch * 0.14 + 1.0, place);
}
void main() {
  if (dot(section.xyz, -vViewPosition) + section.w < 0.0) discard;
`;

const CUT = `
  if (!gl_FrontFacing) outgoingLight = diffuseColor.rgb * (0.85 - 0.4 * cutHatching());
`;

const PLACEHOLDER = `
  outgoingLight = mix(outgoingLight, vec3(1.0), 0.28 + 0.42 * paintedHatching());
`;

export class PartMaterial extends MeshLambertMaterial {
  isPlaceholder = false;
  shading = newShading();

  // Software renderers draw copies of a material.
  override copy(source: PartMaterial): this {
    super.copy(source);
    this.isPlaceholder = source.isPlaceholder;
    this.shading = source.shading;
    return this;
  }

  override onBeforeCompile(shader: WebGLProgramParametersWithUniforms): void {
    Object.assign(shader.uniforms, this.shading);
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', 'varying vec3 vOwn;\nvoid main() {')
      .replace('#include <begin_vertex>', OWN_PLACE);
    shader.fragmentShader = shader.fragmentShader
      .replace('void main() {', DECLARATIONS)
      .replace(
        '#include <opaque_fragment>',
        `${this.isPlaceholder ? PLACEHOLDER : ''}${CUT}#include <opaque_fragment>`,
      );
  }

  override customProgramCacheKey(): string {
    return `part ${this.isPlaceholder}`;
  }
}
