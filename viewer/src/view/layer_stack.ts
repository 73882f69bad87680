// The layers that are drawn at present. Each exists only while it is switched on.
import type { Camera, Scene as Stage } from 'three';
import type { Scene } from '../data/scene';
import type { LayerName } from '../state/state';
import type { Hit, Layer, Picture } from './layer';
import { LAYER_TABLE } from './layer_table';
import { MeasureLayer } from './measure_layer';
import { GhostLayer } from './parts_layer';
import { hitsUnder } from './picking';
import { PointedLayer } from './pointed_layer';
import { PoseTable } from './pose_table';
import { TracesLayer } from './traces_layer';

/** Layers of the menu, and those that come and go by themselves. */
type LayerKey = LayerName | 'ghost' | 'traces' | 'measure' | 'pointed';

export class LayerStack {
  private readonly layers = new Map<LayerKey, Layer>();
  private ghostScene: Scene;
  /** Of the parts in the second run, which may be one of another machine. */
  ghostPoses: PoseTable;

  constructor(
    private readonly stage: Stage,
    private readonly picture: Picture,
  ) {
    this.ghostScene = picture.session.source.scene;
    this.ghostPoses = new PoseTable(this.ghostScene);
  }

  /** Makes layers that were switched on and drops those that were switched off. */
  arrange(): void {
    const { session } = this.picture;
    const { state } = session;
    for (const name of Object.keys(LAYER_TABLE) as LayerName[]) {
      this.keep(name, state.layers.has(name), () => LAYER_TABLE[name].make(this.picture));
    }
    const ghostScene = session.sceneOf(session.comparedRun);
    if (ghostScene !== this.ghostScene) {
      this.drop('ghost');
      this.ghostScene = ghostScene;
      this.ghostPoses = new PoseTable(ghostScene);
    }
    this.keep('ghost', state.compared !== null, () => new GhostLayer(this.picture, this.ghostPoses.poses, ghostScene));
    this.keep('traces', state.traces.length > 0, () => new TracesLayer());
    this.keep('measure', state.isMeasuring, () => new MeasureLayer());
    this.keep('pointed', true, () => new PointedLayer());
  }

  /** Everything is made anew when it is arranged next: the machine is another one. */
  clear(): void {
    for (const name of [...this.layers.keys()]) this.drop(name);
  }

  update(isStyleStale: boolean): void {
    if (isStyleStale) for (const layer of this.layers.values()) layer.restyle?.(this.picture);
    for (const layer of this.layers.values()) layer.update(this.picture);
  }

  hits(camera: Camera, x: number, y: number): Hit[] {
    return hitsUnder(this.layers.values(), camera, x, y);
  }

  private drop(name: LayerKey): void {
    const layer = this.layers.get(name);
    layer?.object.removeFromParent();
    layer?.dispose();
    this.layers.delete(name);
  }

  private keep(name: LayerKey, isWanted: boolean, make: () => Layer): void {
    const layer = this.layers.get(name);
    if (layer && !isWanted) {
      this.drop(name);
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
