// The point that a path names: the origin of a part, or one of its frames.
import type { Scene } from '../data/scene';

export interface TracedPoint {
  /** Place in the list of parts. */
  part: number;
  /** In the axes of the part. */
  at: ArrayLike<number>;
}

const ORIGIN = [0, 0, 0];

export function tracedPoint(scene: Scene, path: string): TracedPoint | null {
  const part = scene.parts.findIndex((each) => each.path === path || path.startsWith(`${each.path}.`));
  if (part < 0) return null;
  const { path: owner, frames } = scene.parts[part];
  const frame = frames.find((each) => `${owner}.${each.name}` === path);
  return { part, at: frame?.at ?? ORIGIN };
}
