// The scene: what the machine consists of and what it looks like. SI units, sRGB colors; format 1, see PROTOCOL.md.
import type { ModelSettings } from './model_settings';

export type Vec3 = [number, number, number];
/** x, y, z, then the quaternion w, x, y, z. */
export type Pose = [number, number, number, number, number, number, number];
/** A name and its value as text in display units. */
export type Fact = [string, string];

export const GROUND = -1;

interface Described {
  path: string;
  file?: string;
  line?: number;
  data?: Fact[];
}

export interface SceneAssembly extends Described {
  sealed?: boolean;
}

export type SceneShape = { at: Pose; /** Without it, that of the part. */ color?: Vec3 } & (
  | { kind: 'box'; size: Vec3 }
  | { kind: 'sphere'; radius: number }
  | { kind: 'cylinder'; radius: number; length: number }
  | { kind: 'cone'; radius: number; top: number; length: number }
  | { kind: 'capsule'; radius: number; length: number }
  | { kind: 'mesh'; mesh: number }
);

export interface ScenePart extends Described {
  at: Pose;
  mass: number;
  center: Vec3;
  /** xx, yy, zz, xy, xz, yz about the center of mass, part axes. */
  inertia: [number, number, number, number, number, number];
  color: Vec3;
  isDefaultShape?: boolean;
  shapes: SceneShape[];
  frames: { name: string; at: Pose }[];
}

export interface SceneJoint extends Described {
  type: string;
  parts: [number, number];
  frames: [Pose, Pose];
  /** In the joint frame; null where the joint has none. */
  axis: Vec3 | null;
  /** Axes of recorded reactions as seen from the first part, w x y z; without it those of the first frame. Null: they turn. */
  reactionAxes?: [number, number, number, number] | null;
}

interface Directed {
  /** Direction of a force or torque of one number, in axes of the part `directionPart` (without it: the ground). */
  direction?: Vec3;
  directionPart?: number;
}

export interface SceneForce extends Described, Directed {
  type: string;
  ends: { part: number; point: Vec3 }[];
  /** The joint coordinate an actuator or torsion spring acts on. */
  drives?: string;
}

export interface SceneDriver extends Described, Directed {
  drives: string;
}

/** A gear, a rack, a belt: joint coordinates that depend on each other. */
export interface SceneCoupling extends Described {
  type: string;
  couples: string[];
}

export interface SceneFrame extends Described {
  part: number;
  at: Pose;
}

/** One way in which the assembled machine can move: a twist (velocity of the origin, angular velocity) for each part. */
export interface SceneMotion {
  name: string;
  twists: [number, number, number, number, number, number][];
}

export interface Scene {
  format: 1;
  name: string;
  up: Vec3;
  gravity: Vec3;
  size: number;
  center: Vec3;
  symbol: number;
  assemblies: SceneAssembly[];
  parts: ScenePart[];
  /** What stands still: shapes in world axes. */
  ground: { color: Vec3; shapes: SceneShape[] };
  meshes: { name: string; positions: string; indices: string }[];
  joints: SceneJoint[];
  forces: SceneForce[];
  drivers: SceneDriver[];
  couplings: SceneCoupling[];
  frames: SceneFrame[];
  motions: SceneMotion[];
  /** Of a model that can be run from the page. */
  model?: ModelSettings;
}

export interface Diagnostic {
  severity: 'error' | 'warning' | 'note';
  code?: string;
  text: string;
  hint?: string;
  /** Path of the element it is about, and what that is: "joint". */
  element?: string;
  kind?: string;
  file?: string;
  line?: number;
}

/** Data that the page cannot read; the message is shown to the user. */
export class DataError extends Error {}

const EMPTY_SCENE: Scene = {
  format: 1,
  name: '',
  up: [0, 0, 1],
  gravity: [0, 0, 0],
  size: 1,
  center: [0, 0, 0],
  symbol: 0.04,
  assemblies: [],
  parts: [],
  ground: { color: [0.6, 0.6, 0.6], shapes: [] },
  meshes: [],
  joints: [],
  forces: [],
  drivers: [],
  couplings: [],
  frames: [],
  motions: [],
};

/** Checks what would otherwise fail much later, and fills in lists that were left out. */
export function readScene(json: unknown): Scene {
  if (typeof json !== 'object' || json === null) throw new DataError('The scene is not a JSON object.');
  const given = json as Partial<Scene>;
  if (given.format !== 1)
    throw new DataError(`The scene has format ${String(given.format)}; this page reads format 1.`);
  const scene: Scene = { ...EMPTY_SCENE, ...given };
  if (!(scene.size > 0)) scene.size = 1;
  if (!(scene.symbol > 0)) scene.symbol = 0.04 * scene.size;
  const checkMeshes = (name: string, shapes: SceneShape[]) => {
    for (const shape of shapes) {
      if (shape.kind === 'mesh' && !scene.meshes[shape.mesh]) {
        throw new DataError(`${name} names mesh ${shape.mesh}, which does not exist.`);
      }
    }
  };
  checkMeshes('The ground', scene.ground.shapes);
  const hasPart = (index: number) => Number.isInteger(index) && index >= GROUND && index < scene.parts.length;
  for (const part of scene.parts) {
    part.frames ??= [];
    part.shapes ??= [];
    if (part.at?.length !== 7) throw new DataError(`Part '${part.path}' has no pose.`);
    checkMeshes(`Part '${part.path}'`, part.shapes);
  }
  for (const joint of scene.joints) {
    if (!joint.parts.every(hasPart)) throw new DataError(`Joint '${joint.path}' names a part that does not exist.`);
  }
  for (const force of scene.forces) {
    if (!force.ends.every((end) => hasPart(end.part))) {
      throw new DataError(`Force '${force.path}' names a part that does not exist.`);
    }
  }
  for (const frame of scene.frames) {
    if (!hasPart(frame.part)) throw new DataError(`Frame '${frame.path}' is on a part that does not exist.`);
  }
  return scene;
}
