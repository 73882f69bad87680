// Which texts stand in the scene: lengths of gaps of open joints, errors of the model at their elements, what is measured.
import { valueText } from '../data/units';
import { jointFrame, jointGap, pointOn, symbolEnd } from './joint_geometry';
import type { Label } from './labels';
import type { Picture } from './layer';
import { OPEN } from './line_layers';
import { presentMeasurement } from './measure_layer';
import { shortMeasuredText } from './measure_text';

const MOST_GAPS = 12;

export function sceneLabels(picture: Picture): Label[] {
  return [...gapLabels(picture), ...diagnosticLabels(picture), ...measureLabels(picture)];
}

/** In the middle of what is measured. */
function measureLabels(picture: Picture): Label[] {
  const found = presentMeasurement(picture);
  if (!found) return [];
  const at = found.from.map((value, i) => (value + found.to[i]) / 2);
  return [{ key: 'measure', kind: 'plain', text: shortMeasuredText(picture.session, found), at }];
}

function gapLabels({ session, poses }: Picture): Label[] {
  const { scene } = session.source;
  if (!session.state.layers.has('drift')) return [];
  const unit = session.unitOfQuantity('length', 'm');
  return scene.joints
    .map((joint) => ({ joint, gap: jointGap(joint, poses) }))
    .filter(({ gap }) => gap.length >= OPEN * scene.size)
    .sort((a, b) => b.gap.length - a.gap.length)
    .slice(0, MOST_GAPS)
    .map(({ joint, gap }) => ({
      key: `gap:${joint.path}`,
      kind: 'gap',
      text: `${joint.path} open by ${valueText(gap.length, unit)}`,
      at: gap.from.map((value, i) => (value + gap.to[i]) / 2),
    }));
}

/** One for each element, with its worst message: several in one place would hide each other. */
function diagnosticLabels(picture: Picture): Label[] {
  const { diagnostics } = picture.session.source;
  const shown = diagnostics.filter(({ severity }) => severity !== 'note');
  return diagnostics.flatMap((diagnostic, i): Label[] => {
    const { element, severity, text } = diagnostic;
    const own = shown.filter((each) => each.element === element);
    const worst = own.find((each) => each.severity === 'error') ?? own[0];
    if (element === undefined || worst !== diagnostic) return [];
    const at = placeOf(picture, element);
    if (!at) return [];
    const more = own.length > 1 ? ` (and ${own.length - 1} more)` : '';
    const kind = severity === 'error' ? 'wrong' : 'warning';
    return [{ key: `diagnostic:${i}`, kind, text: `${element}: ${text}${more}`, at }];
  });
}

/** A point in the world that stands for an element; null where it has none. */
export function placeOf({ session, poses }: Picture, path: string): number[] | null {
  const { scene } = session.source;
  const found = session.index.find(path);
  if (!found) return null;
  const place = [0, 0, 0, 1, 0, 0, 0];
  if (found.kind === 'joint') {
    const joint = scene.joints[found.index];
    jointFrame(place, joint, symbolEnd(joint), poses);
  } else if (found.kind === 'force' && scene.forces[found.index].ends.length > 0) {
    const end = scene.forces[found.index].ends[0];
    pointOn(place, end.part, end.point, poses);
  } else if (found.kind === 'frame') {
    pointOn(place, scene.frames[found.index].part, scene.frames[found.index].at, poses);
  } else {
    const parts = session.index.partsOf(path);
    if (parts.length === 0) return null;
    pointOn(place, parts[0], scene.parts[parts[0]].center, poses);
  }
  return place.slice(0, 3);
}
