// The three-dimensional picture. It draws when something has changed, and not otherwise.
import { type Box3, Raycaster, Scene as Stage, Vector2, Vector3, WebGLRenderer } from 'three';
import type { LivePoses } from '../data/live';
import type { Scene } from '../data/scene';
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import type { LayerName } from '../state/state';
import { boundsOf, visibleBounds } from './bounds';
import { CameraRig, type ViewName } from './camera_rig';
import { GeometryStore } from './geometry_store';
import { LAYER_TABLE } from './layer_table';
import { Lights } from './lights';
import { Labels } from './labels';
import type { Hit, Layer, Picture } from './layer';
import { GhostLayer } from './parts_layer';
import { PointerPicker } from './pointer_picker';
import { PoseTable } from './pose_table';
import { Pacer, type Quality } from './quality';
import { placeOf, sceneLabels } from './scene_labels';
import { themeOf } from './theme';
import { TracesLayer } from './traces_layer';
import { viewBasis } from './view_basis';

const MOTION_SECONDS = 2.5;
/** Between the machine and the floor, as part of its size. */
const FLOOR_GAP = 0.003;
/** A machine that has become that much smaller is fitted into the picture. */
const MOST_SHRINKAGE = 3;

export class Viewport {
  readonly element = document.createElement('div');
  readonly rig: CameraRig;
  readonly renderer: WebGLRenderer;
  private readonly stage = new Stage();
  private readonly lights: Lights;
  private readonly layers = new Map<LayerName | 'ghost' | 'traces', Layer>();
  private table: PoseTable;
  private ghostTable: PoseTable;
  private shownScene: Scene;
  private ghostScene: Scene;
  private readonly labels = new Labels();
  private readonly pacer = new Pacer();
  private readonly picture: Picture;
  private readonly drawn: (() => void)[] = [];
  private followed: Vector3 | null = null;
  private live: LivePoses | null = null;
  /** The picture that is to come; 0: none. */
  private pending = 0;
  private isPoseStale = true;
  private isStyleStale = true;
  private ratio = 0;
  /** Pictures drawn so far. */
  frames = 0;

  constructor(
    private readonly session: Session,
    commands: Commands,
    readonly quality: Quality,
  ) {
    const { scene } = session.source;
    this.shownScene = scene;
    this.ghostScene = scene;
    this.renderer = new WebGLRenderer({ antialias: this.quality.isSmooth, powerPreference: 'high-performance' });
    this.setRatio(quality.pixelRatio);
    const canvas = this.renderer.domElement;
    canvas.setAttribute('aria-label', 'Three-dimensional view of the machine');
    canvas.setAttribute('role', 'img');
    this.element.className = 'viewport';
    this.element.append(canvas, this.labels.element);
    this.lights = new Lights(viewBasis(scene.up).up);
    this.stage.add(...this.lights.objects);
    this.table = new PoseTable(scene);
    this.ghostTable = new PoseTable(scene);
    const geometries = new GeometryStore(scene, this.quality.segments, this.quality.isSoftware);
    const focus = new Vector3(...scene.center);
    const { poses } = this.table;
    this.picture = { session, poses, theme: themeOf(false), geometries, floor: 0, focus, quality };
    this.stand(this.visibleBox());
    this.rig = new CameraRig(scene, canvas, () => this.draw());
    new PointerPicker(this.element, canvas, this, commands);
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.watch();
  }

  setDark(isDark: boolean): void {
    this.picture.theme = themeOf(isDark);
    this.stage.background = this.picture.theme.background;
    this.restyle();
  }

  setLive(live: LivePoses | null): void {
    this.live = live;
    this.repose();
  }

  /** Calls after each picture. */
  onDrawn(call: () => void): void {
    this.drawn.push(call);
  }

  look(view: ViewName, box = this.visibleBox()): void {
    this.rig.look(view, box);
    this.draw();
  }

  fit(path: string | null = null): void {
    const parts = path === null ? [] : this.session.index.partsOf(path);
    const { scene } = this.session.source;
    this.rig.fit(
      parts.length > 0 ? boundsOf(scene, this.table.poses, parts, this.picture.geometries) : this.visibleBox(),
    );
    this.draw();
  }

  pick(x: number, y: number): Hit | null {
    const { clientWidth: width, clientHeight: height } = this.element;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.rig.camera);
    let nearest: Hit | null = null;
    for (const layer of this.layers.values()) {
      const hit = layer.pick?.(ray) ?? null;
      if (hit && (!nearest || hit.distance < nearest.distance)) nearest = hit;
    }
    return nearest;
  }

  /** Place on the page of an element, in pixels of the viewport; for tests and pointers. */
  screenPlace(path: string): { x: number; y: number } | null {
    const place = placeOf(this.picture, path);
    if (!place) return null;
    const point = new Vector3(...place).project(this.rig.camera);
    const { clientWidth: width, clientHeight: height } = this.element;
    return { x: ((point.x + 1) / 2) * width, y: ((1 - point.y) / 2) * height };
  }

  /** Draws at the next occasion. */
  draw(): void {
    if (this.pending === 0) this.pending = requestAnimationFrame((now) => this.render(now));
  }

  /** Draws at once and in full; the canvas then holds the picture until the browser shows it. */
  drawNow(): HTMLCanvasElement {
    // Rows may have arrived since the last picture.
    this.isPoseStale = true;
    this.render(0);
    return this.renderer.domElement;
  }

  private watch(): void {
    const { store } = this.session;
    store.watch(['layers', 'compared', 'traces', 'run'], () => this.arrange());
    store.watch(['selection', 'hovered', 'hidden', 'transparent', 'isolated', 'blamed', 'layers', 'run'], () =>
      this.restyle(),
    );
    store.watch(
      [
        'time',
        'run',
        'compared',
        'dataCount',
        'motion',
        'isAtLiveEnd',
        'isAssembled',
        'isLogarithmic',
        'arrowScale',
        'layers',
        'traces',
      ],
      () => this.repose(),
    );
    store.watch(['sourceCount'], () => {
      if (this.session.source.scene === this.shownScene) this.restyle();
      else this.rescene();
    });
    store.watch(['projection'], ({ projection }) => {
      this.rig.setProjection(projection);
      this.draw();
    });
    store.watch(['follow'], () => {
      this.followed = null;
      this.repose();
    });
    store.watch(['isPlaying'], () => this.draw());
  }

  private restyle(): void {
    this.isStyleStale = true;
    this.repose();
  }

  private repose(): void {
    this.isPoseStale = true;
    this.draw();
  }

  /** The machine is another one: everything that is drawn is made anew, the camera stays where it is. */
  private rescene(): void {
    const { scene } = this.session.source;
    const hasShrunk = MOST_SHRINKAGE * scene.size < this.shownScene.size;
    this.shownScene = scene;
    for (const name of [...this.layers.keys()]) this.dropLayer(name);
    this.picture.geometries.dispose();
    this.picture.geometries = new GeometryStore(scene, this.quality.segments, this.quality.isSoftware);
    this.table = new PoseTable(scene);
    this.picture.poses = this.table.poses;
    this.rig.setScene(scene);
    this.arrange();
    this.stand(this.visibleBox());
    if (this.rig.isFitted && (hasShrunk || !this.rig.sees(this.visibleBox()))) this.fit();
  }

  /** Makes layers that were switched on and drops those that were switched off. */
  private arrange(): void {
    const { state } = this.session;
    // The machine has become another one: everything is made anew in a moment.
    if (this.session.source.scene !== this.shownScene) return;
    for (const name of Object.keys(LAYER_TABLE) as LayerName[]) {
      this.arrangeLayer(name, state.layers.has(name), () => LAYER_TABLE[name].make(this.picture));
    }
    this.arrangeGhost();
    this.arrangeLayer('traces', state.traces.length > 0, () => new TracesLayer());
  }

  /** The second run in the shapes of its own machine, which may have been another one. */
  private arrangeGhost(): void {
    const { comparedRun } = this.session;
    const scene = this.session.sceneOf(comparedRun);
    if (scene !== this.ghostScene) {
      this.dropLayer('ghost');
      this.ghostScene = scene;
      this.ghostTable = new PoseTable(scene);
    }
    this.arrangeLayer('ghost', comparedRun !== null, () => new GhostLayer(this.picture, this.ghostTable.poses, scene));
  }

  private dropLayer(name: LayerName | 'ghost' | 'traces'): void {
    const layer = this.layers.get(name);
    layer?.object.removeFromParent();
    layer?.dispose();
    this.layers.delete(name);
  }

  private arrangeLayer(name: LayerName | 'ghost' | 'traces', isWanted: boolean, make: () => Layer): void {
    const layer = this.layers.get(name);
    if (layer && !isWanted) {
      this.dropLayer(name);
    } else if (!layer && isWanted) {
      const made = make();
      // The others are symbols.
      if (name === 'shapes' && this.quality.hasShadows)
        made.object.traverse((each) => Object.assign(each, { castShadow: true, receiveShadow: true }));
      this.layers.set(name, made);
      this.stage.add(made.object);
    }
  }

  private pose(now: number): void {
    const { state, run, comparedRun } = this.session;
    const motion = state.motion === null ? undefined : this.session.source.scene.motions[state.motion];
    if (motion) this.table.setMotion(motion, (2 * Math.PI * now) / 1000 / MOTION_SECONDS);
    else if (state.isAssembled) this.table.reset();
    else if (run && state.isAtLiveEnd && this.live?.run === (run.number ?? 0)) this.table.setLive(run, this.live.poses);
    else if (run) this.table.setTime(run, state.time);
    else this.table.reset();
    if (comparedRun) this.ghostTable.setTime(comparedRun, state.time);
  }

  private render(now: number): void {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    const { state } = this.session;
    if (this.isPoseStale || state.motion !== null) {
      this.pose(now);
      this.followPart();
      if (this.isStyleStale) for (const layer of this.layers.values()) layer.restyle?.(this.picture);
      for (const layer of this.layers.values()) layer.update(this.picture);
      this.labels.set(sceneLabels(this.picture));
      this.isPoseStale = false;
      this.isStyleStale = false;
    }
    const isMoving = state.isPlaying || state.motion !== null;
    this.setRatio(this.quality.pixelRatio * this.pacer.next(now, isMoving && this.quality.isSoftware));
    const { camera } = this.rig;
    this.lights.place(camera, this.rig.controls.target);
    this.renderer.render(this.stage, camera);
    this.labels.place(camera, this.element.clientWidth, this.element.clientHeight);
    ++this.frames;
    for (const call of this.drawn) call();
    if (state.motion !== null) this.draw();
  }

  private followPart(): void {
    const { follow } = this.session.state;
    const part = follow === null ? undefined : this.session.index.partsOf(follow)[0];
    if (part === undefined) return;
    const place = new Vector3().fromArray(this.table.poses, 7 * part);
    if (this.followed) this.rig.shift(place.clone().sub(this.followed));
    else this.rig.center(place);
    this.followed = place;
    this.picture.focus.copy(place);
  }

  /** Puts the floor just below a box, and lets what is in it cast shadows. */
  stand(box: Box3): void {
    const { up, size } = this.session.source.scene;
    const lowest = up.reduce((sum, part, i) => sum + part * (part > 0 ? box.min : box.max).getComponent(i), 0);
    this.picture.floor = lowest - FLOOR_GAP * size;
    if (this.quality.hasShadows) this.lights.castShadows(this.renderer, box);
    this.restyle();
  }

  /** The box around all that is shown, in the present poses or in others. */
  visibleBox(poses = this.table.poses): Box3 {
    return visibleBounds(this.session, poses, this.picture.geometries);
  }

  private setRatio(ratio: number): void {
    if (ratio === this.ratio) return;
    this.ratio = ratio;
    this.renderer.setPixelRatio(ratio);
  }

  /** Takes the size that the page gives it. */
  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.rig.setAspect(width / height);
    // The drawing buffer is empty now: waiting for the next occasion would flicker.
    this.render(0);
  }
}
