// The machine and its motion as binary glTF, for other programs. The y axis is up there, as glTF wants it.
import {
  AnimationClip,
  Color,
  Group,
  type KeyframeTrack,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  QuaternionKeyframeTrack,
  Scene as Stage,
  VectorKeyframeTrack,
} from 'three';
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';
import { mixPoses } from '../data/pose_math';
import { type RunReader, arrivedRow, poseBlock } from '../data/run';
import type { Vec3 } from '../data/scene';
import type { Session } from '../state/session';
import { GeometryStore, piecesOf } from '../view/geometry_store';
import { REST } from '../view/joint_geometry';
import { viewBasis } from '../view/view_basis';

const RATE = 60;
const SEGMENTS = 32;

/** Times of the animation: the rows, but not more than 60 a second. */
function chosenTimes(times: Float64Array): number[] {
  const chosen: number[] = [];
  for (let i = 0; i < times.length; ++i) {
    const isLast = i === times.length - 1;
    if (isLast || chosen.length === 0 || times[i] - times[chosen[chosen.length - 1]] >= 0.999 / RATE) chosen.push(i);
  }
  return chosen;
}

async function tracksOf(run: RunReader, names: Map<string, string>): Promise<KeyframeTrack[]> {
  const block = poseBlock(run);
  if (block < 0 || run.times.length < 2) return [];
  const rows = chosenTimes(run.times);
  const times = rows.map((row) => run.times[row]);
  const parts = run.info.partOrder.map(() => ({ places: [] as number[], turns: [] as number[] }));
  const pose = [0, 0, 0, 1, 0, 0, 0];
  for (const row of rows) {
    const values = await arrivedRow(run, block, row);
    parts.forEach(({ places, turns }, i) => {
      // Of the two quaternions of an orientation the one that is nearer to the last.
      const at = turns.length - 4;
      const last =
        at < 0
          ? Array.from(values.subarray(7 * i, 7 * i + 7))
          : [0, 0, 0, turns[at + 3], turns[at], turns[at + 1], turns[at + 2]];
      mixPoses(pose, 0, last, 0, values, 7 * i, 1);
      places.push(pose[0], pose[1], pose[2]);
      turns.push(pose[4], pose[5], pose[6], pose[3]);
    });
  }
  return run.info.partOrder.flatMap((path, i): KeyframeTrack[] => {
    const name = names.get(path);
    if (name === undefined) return [];
    return [
      new VectorKeyframeTrack(`${name}.position`, times, parts[i].places),
      new QuaternionKeyframeTrack(`${name}.quaternion`, times, parts[i].turns),
    ];
  });
}

/** One material for each color. */
function paintBox(): (color: Vec3) => MeshStandardMaterial {
  const known = new Map<string, MeshStandardMaterial>();
  return (color) => {
    const name = color.join();
    const material =
      known.get(name) ??
      new MeshStandardMaterial({ color: new Color().setRGB(...color, 'srgb'), roughness: 0.7, metalness: 0.1 });
    known.set(name, material);
    return material;
  };
}

export async function animatedGltf(session: Session): Promise<{ blob: Blob; ending: string }> {
  const { scene } = session.source;
  const geometries = new GeometryStore(scene, SEGMENTS);
  const stage = new Stage();
  const { right, forward, up } = viewBasis(scene.up);
  const upright = new Group();
  upright.name = scene.name || 'machine';
  // Turns right, up and backward of the model into x, y and z.
  upright.matrix
    .makeBasis(right, up, forward.clone().negate())
    .invert()
    .decompose(upright.position, upright.quaternion, upright.scale);
  stage.add(upright);
  const names = new Map<string, string>();
  const paint = paintBox();
  for (const part of [{ path: 'ground', at: REST, ...scene.ground }, ...scene.parts]) {
    const node = new Group();
    node.name = part.path;
    node.position.set(part.at[0], part.at[1], part.at[2]);
    node.quaternion.copy(new Quaternion(part.at[4], part.at[5], part.at[6], part.at[3]));
    for (const shape of part.shapes) {
      const material = paint(shape.color ?? part.color);
      for (const { geometry, local } of piecesOf(shape)) {
        const mesh = new Mesh(geometries.get(geometry), material);
        local.decompose(mesh.position, mesh.quaternion, mesh.scale);
        node.add(mesh);
      }
    }
    upright.add(node);
    // Dots have a meaning in names of tracks: nodes are found by their identity instead.
    names.set(part.path, node.uuid);
  }
  const tracks = session.run ? await tracksOf(session.run, names) : [];
  const animations = tracks.length > 0 ? [new AnimationClip('run', -1, tracks)] : [];
  const result = await new GLTFExporter().parseAsync(stage, { binary: true, animations, onlyVisible: false });
  return { blob: new Blob([result as ArrayBuffer], { type: 'model/gltf-binary' }), ending: 'glb' };
}
