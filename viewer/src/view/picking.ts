// What is under the pointer, in the order in which clicks select it.
import { type Camera, Raycaster, Vector2 } from 'three';
import type { Hit, Layer } from './layer';

/**
 * Arrows are drawn over everything, so they come first; then the nearest part. Symbols of joints come after it, as they often sit
 * inside of parts; then what is behind. Each element once.
 */
export function orderedHits(hits: Hit[]): Hit[] {
  const nearer = (a: Hit, b: Hit) => a.distance - b.distance;
  const of = (kind: Hit['kind']) => hits.filter((hit) => hit.kind === kind).sort(nearer);
  const [front, ...behind] = of('part');
  const ordered = [...of('arrow'), ...(front ? [front] : []), ...of('symbol'), ...behind];
  const seen = new Set<string>();
  return ordered.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** `x`, `y`: from -1 to 1 over the picture. */
export function rayUnder(camera: Camera, x: number, y: number): Raycaster {
  const ray = new Raycaster();
  ray.setFromCamera(new Vector2(x, y), camera);
  return ray;
}

export function hitsUnder(layers: Iterable<Layer>, camera: Camera, x: number, y: number): Hit[] {
  const ray = rayUnder(camera, x, y);
  return orderedHits([...layers].flatMap((layer) => layer.pick?.(ray) ?? []));
}
