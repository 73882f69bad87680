// How finely to draw: software renderers get fewer triangles, and fewer pixels while something moves.
import type { Scene } from '../data/scene';

export interface Quality {
  isSoftware: boolean;
  isSmooth: boolean;
  hasShadows: boolean;
  /** Pieces of a circle. */
  segments: number;
  pixelRatio: number;
}

function isSoftwareRenderer(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return true;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

function shapeCount(scene: Scene): number {
  return scene.parts.reduce((sum, part) => sum + part.shapes.length, 0) + 2 * scene.joints.length;
}

export function chooseQuality(scene: Scene): Quality {
  const isSoftware = isSoftwareRenderer();
  const shapes = shapeCount(scene);
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  if (!isSoftware)
    return { isSoftware, isSmooth: true, hasShadows: false, segments: shapes > 3000 ? 16 : 40, pixelRatio: ratio };
  const segments = shapes > 600 ? 6 : shapes > 150 ? 14 : 28;
  return { isSoftware, isSmooth: shapes <= 300, hasShadows: false, segments, pixelRatio: Math.min(1, ratio) };
}

/** For pictures that are made once: as good as it gets, however long it takes. */
export function pictureQuality(scene: Scene, pixelRatio: number): Quality {
  return {
    isSoftware: false,
    isSmooth: true,
    hasShadows: true,
    segments: shapeCount(scene) > 3000 ? 16 : 48,
    pixelRatio,
  };
}

const SLOW_MS = 55;
const LEAST_RATIO = 0.6;

/** Lowers the resolution while pictures follow each other too slowly; the still picture is drawn in full. */
export class Pacer {
  private scale = 1;
  private average = 16;
  private last = 0;

  /** Scale of the resolution for the next picture. */
  next(now: number, isMoving: boolean): number {
    if (!isMoving) {
      this.last = 0;
      return 1;
    }
    if (this.last > 0) {
      this.average += 0.15 * (now - this.last - this.average);
      if (this.average > SLOW_MS && this.scale > LEAST_RATIO) {
        this.scale = Math.max(LEAST_RATIO, this.scale * 0.8);
        this.average = 30;
      }
    }
    this.last = now;
    return this.scale;
  }
}
