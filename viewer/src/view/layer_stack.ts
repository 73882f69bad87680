// The layers that are drawn at present. Each exists only while it is switched on.
import type { Camera, Scene as Stage } from 'three';
import type { LayerName } from '../state/state';
import type { Hit, Layer, Picture } from './layer';
import { LAYER_TABLE } from './layer_table';
import { MeasureLayer } from './measure_layer';
import { GhostLayer } from './parts_layer';
import { hitsUnder } from './picking';
import { PointedLayer } from './pointed_layer';
import { TracesLayer } from './traces_layer';

/** Layers of the menu, and those that come and go by themselves. */
type LayerKey = LayerName | 'ghost' | 'traces' | 'measure' | 'pointed';

export class LayerStack {
  private readonly layers = new Map<LayerKey, Layer>();

  /** `ghostPoses`: of the parts in the second run. */
  constructor(
    private readonly stage: Stage,
    private readonly picture: Picture,
    private readonly ghostPoses: Float32Array,
  ) {}

  /** Makes layers that were switched on and drops those that were switched off. */
  arrange(): void {
    const { state } = this.picture.session;
    for (const name of Object.keys(LAYER_TABLE) as LayerName[]) {
      this.keep(name, state.layers.has(name), () => LAYER_TABLE[name].make(this.picture));
    }
    this.keep('ghost', state.compared !== null, () => new GhostLayer(this.picture, this.ghostPoses));
    this.keep('traces', state.traces.length > 0, () => new TracesLayer());
    this.keep('measure', state.isMeasuring, () => new MeasureLayer());
    this.keep('pointed', true, () => new PointedLayer());
  }

  update(isStyleStale: boolean): void {
    if (isStyleStale) for (const layer of this.layers.values()) layer.restyle?.(this.picture);
    for (const layer of this.layers.values()) layer.update(this.picture);
  }

  hits(camera: Camera, x: number, y: number): Hit[] {
    return hitsUnder(this.layers.values(), camera, x, y);
  }

  private keep(name: LayerKey, isWanted: boolean, make: () => Layer): void {
    const layer = this.layers.get(name);
    if (layer && !isWanted) {
      layer.object.removeFromParent();
      layer.dispose();
      this.layers.delete(name);
    } else if (!layer && isWanted) {
      const made = make();
      // The others are symbols.
      if (name === 'shapes' && this.picture.quality.hasShadows)
        made.object.traverse((each) => Object.assign(each, { castShadow: true, receiveShadow: true }));
      this.layers.set(name, made);
      this.stage.add(made.object);
    }
  }
}
