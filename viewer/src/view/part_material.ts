// The surface of parts. Parts without a shape of their own are hatched; where a section cuts a part, its inside is flat and hatched.
import { MeshLambertMaterial, Vector4, type WebGLProgramParametersWithUniforms } from 'three';

/** Values that all surfaces of a picture share. */
export interface Shading {
  /** Normal and constant of the section in axes of the camera: what is on its negative side is cut away. All zero: no section. */
  section: { value: Vector4 };
  /** Pixels from one line of a hatching to the next. */
  hatchPitch: { value: number };
}

export function newShading(): Shading {
  return { section: { value: new Vector4() }, hatchPitch: { value: 1 } };
}

export const HATCH_PIXELS = 9;

const DECLARATIONS = `
uniform vec4 section;
uniform float hatchPitch;
/** 1 on the lines of a hatching, 0 between them. */
float hatching(float direction) {
  float place = abs(fract((gl_FragCoord.x + direction * gl_FragCoord.y) / hatchPitch) - 0.5) * hatchPitch;
  return 1.0 - smoothstep(hatchPitch * 0.14, hatchPitch * 0.14 + 1.0, place);
}
void main() {
  if (dot(section.xyz, -vViewPosition) + section.w < 0.0) discard;
`;

const CUT = `
  if (!gl_FrontFacing) outgoingLight = diffuseColor.rgb * (0.85 - 0.4 * hatching(-1.0));
`;

const PLACEHOLDER = `
  outgoingLight = mix(outgoingLight, vec3(1.0), 0.28 + 0.42 * hatching(1.0));
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
