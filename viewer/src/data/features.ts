// Points, lines and planes of parts, and what lies between two of them: distance and angle.
import { type Flat, pointOf, rotate } from './pose_math';
import { GROUND } from './scene';

export interface Feature {
  /** The element it is picked on. */
  path: string;
  /** That carries it; -1: the ground. */
  part: number;
  /** For people: "axis", "face", "corner". */
  name: string;
  kind: 'point' | 'line' | 'plane';
  /** In axes of the part: a place on the feature, where it was clicked. */
  at: number[];
  /** In axes of the part: unit vector along the line or across the plane. */
  direction: number[] | null;
}

export interface Measurement {
  /** Null where they meet: two planes that are not parallel have no distance. */
  distance: number | null;
  /** From 0 to a right angle; rad. Null where one of them is a point. */
  angle: number | null;
  /** The two places between which the distance is; without a distance those that were clicked. */
  from: number[];
  to: number[];
  /** Between the clicked places. */
  clicked: number;
}

type Vector = number[];

/** Sine of an angle below which lines and planes count as parallel: drawings and poses have seven digits. */
const PARALLEL = 1e-5;

const minus = (a: Vector, b: Vector): Vector => a.map((value, i) => value - b[i]);
const dot = (a: Vector, b: Vector): number => a.reduce((sum, value, i) => sum + value * b[i], 0);
const along = (a: Vector, b: Vector, t: number): Vector => a.map((value, i) => value + t * b[i]);
const length = (a: Vector): number => Math.hypot(...a);
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The same feature in the world. */
export function placedFeature(feature: Feature, poses: Flat): Feature {
  if (feature.part === GROUND) return feature;
  const [x, y, z] = feature.at;
  const at = [0, 0, 0];
  pointOf(at, poses, 7 * feature.part, x, y, z);
  if (!feature.direction) return { ...feature, at };
  const direction = [0, 0, 0];
  rotate(direction, poses, 7 * feature.part + 3, feature.direction[0], feature.direction[1], feature.direction[2]);
  return { ...feature, at, direction };
}

/** The place on a line or plane that is nearest to a point. */
function foot({ kind, at, direction }: Feature, point: Vector): Vector {
  if (!direction) return at;
  const t = dot(minus(point, at), direction);
  return kind === 'line' ? along(at, direction, t) : along(point, direction, -t);
}

/** The nearest places of two lines that are not parallel. */
function nearestOfLines(a: Feature, b: Feature): [Vector, Vector] {
  const [p, q] = [a.direction as Vector, b.direction as Vector];
  const gap = minus(b.at, a.at);
  const cosine = dot(p, q);
  const t = (dot(gap, p) - cosine * dot(gap, q)) / (1 - cosine * cosine);
  const onA = along(a.at, p, t);
  return [onA, foot(b, onA)];
}

/** Between two features in the world. */
export function measureBetween(a: Feature, b: Feature): Measurement {
  const clicked = length(minus(b.at, a.at));
  const between = (from: Vector, to: Vector, angle: number | null) => {
    return { distance: length(minus(to, from)), angle, from, to, clicked };
  };
  if (!a.direction || !b.direction) {
    const [from, to] = a.direction ? [foot(a, b.at), b.at] : [a.at, foot(b, a.at)];
    return between(from, to, null);
  }
  const sine = length(cross(a.direction, b.direction));
  const cosine = Math.abs(dot(a.direction, b.direction));
  const isMixed = a.kind !== b.kind;
  // A line lies in a plane when it is at a right angle to the normal.
  const angle = isMixed ? Math.atan2(cosine, sine) : Math.atan2(sine, cosine);
  if ((isMixed ? cosine : sine) < PARALLEL) {
    const isPlaneFirst = a.kind === 'plane' && isMixed;
    return isPlaneFirst ? between(foot(a, b.at), b.at, 0) : between(a.at, foot(b, a.at), 0);
  }
  if (a.kind === 'line' && b.kind === 'line') return between(...nearestOfLines(a, b), angle);
  return { distance: null, angle, from: a.at, to: b.at, clicked };
}
