// What is measured, drawn over the parts: the picked features and the line between their nearest places.
import { type Feature, type Measurement, measureBetween, placedFeature } from '../data/features';
import type { Picture } from './layer';
import { LineLayer } from './line_layers';

/** In lengths of symbols. */
const CROSS = 0.35;
const AXIS = 3;

/** Between the two picked features in the present poses; null while there are not two. */
export function presentMeasurement({ session, poses }: Pick<Picture, 'session' | 'poses'>): Measurement | null {
  const [a, b] = session.state.measured;
  return a && b ? measureBetween(placedFeature(a, poses), placedFeature(b, poses)) : null;
}

export class MeasureLayer extends LineLayer {
  constructor() {
    super(2.5, { isOnTop: true });
  }

  protected draw(picture: Picture): void {
    this.lines.setColor(picture.theme.measure);
    for (const feature of picture.session.state.measured) this.mark(picture, placedFeature(feature, picture.poses));
    const found = presentMeasurement(picture);
    if (!found) return;
    const { from, to } = found;
    this.lines.add(from[0], from[1], from[2], to[0], to[1], to[2]);
  }

  private mark({ session }: Picture, { kind, at, direction }: Feature): void {
    const { symbol } = session.source.scene;
    for (let i = 0; i < 3; ++i) {
      const axis = [0, 0, 0];
      axis[i] = CROSS * symbol;
      this.ray(at, axis, -1, 1);
    }
    if (kind === 'line' && direction) this.ray(at, direction, -AXIS * symbol, AXIS * symbol);
    if (kind === 'plane' && direction) this.ray(at, direction, 0, symbol);
  }
}
