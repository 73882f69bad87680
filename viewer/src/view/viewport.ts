// The three-dimensional picture. It draws when something has changed, and not otherwise.
import { type Box3, Scene as Stage, Vector3, WebGLRenderer } from 'three';
import type { Feature, Measurement } from '../data/features';
import type { LivePoses } from '../data/live';
import type { Scene } from '../data/scene';
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import type { Projection } from '../state/state';
import { Aim } from './aim';
import { type ArrowLegend, arrowLegend } from './arrow_legend';
import { ArrowScales } from './arrow_scale';
import { visibleBounds } from './bounds';
import { type CameraPlace, CameraRig, type ViewName } from './camera_rig';
import { featureOfJoint, featureOfPart } from './feature_picker';
import { GeometryStore } from './geometry_store';
import { Lights } from './lights';
import { Labels } from './labels';
import type { Hit, Picture } from './layer';
import { LayerStack } from './layer_stack';
import { presentMeasurement } from './measure_layer';
import { rayUnder } from './picking';
import { PointerPicker } from './pointer_picker';
import { rolledFloor } from './rolled_floor';
import { HATCH_LINES, HATCH_PIXELS, newShading } from './part_material';
import { PoseTable } from './pose_table';
import { Pacer, type Quality } from './quality';
import { placeOf, sceneLabels } from './scene_labels';
import { writeSection } from './section';
import { type Theme, themeOf } from './theme';
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
  private readonly layers: LayerStack;
  private table: PoseTable;
  private shownScene: Scene;
  private readonly labels = new Labels();
  private readonly pacer = new Pacer();
  private readonly picture: Picture;
  readonly aim: Aim;
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
    const geometries = new GeometryStore(scene, this.quality.segments, this.quality.isSoftware);
    const focus = new Vector3(...scene.center);
    const { poses } = this.table;
    const arrows = new ArrowScales(scene.symbol);
    const space = visibleBounds(session, poses, geometries);
    this.picture = {
      session,
      poses,
      theme: themeOf(false),
      geometries,
      floor: 0,
      focus,
      space,
      arrows,
      section: null,
      shading: newShading(),
      quality,
    };
    this.layers = new LayerStack(this.stage, this.picture);
    this.rig = new CameraRig(scene, canvas, () => this.draw());
    new PointerPicker(this.element, canvas, this, commands);
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.stand(space);
    this.aim = new Aim(
      this.picture,
      this.rig,
      (box) => this.stand(box),
      () => this.repose(),
    );
    this.watch();
  }

  /** Height of the floor along the upward axis, m. */
  get floor(): number {
    return this.picture.floor;
  }

  get theme(): Theme {
    return this.picture.theme;
  }

  setDark(isDark: boolean): void {
    this.picture.theme = themeOf(isDark);
    this.stage.background = this.picture.theme.background;
    this.restyle();
  }

  setLive(live: LivePoses | null): void {
    this.live = live;
    this.repose();
    if (live && live.run === (this.session.run?.number ?? 0)) this.aim.extend(live);
  }

  /** Calls after each picture. */
  onDrawn(call: () => void): void {
    this.drawn.push(call);
  }

  look(view: ViewName, box = this.aim.boxOf(null)): void {
    this.rig.look(view, box);
    this.draw();
  }

  fit(path: string | null = null): void {
    this.rig.fit(this.aim.boxOf(path));
    this.draw();
  }

  /** Puts the camera where somebody had it. */
  place(place: CameraPlace, projection: Projection): void {
    this.rig.setProjection(projection);
    this.rig.place = place;
    this.draw();
  }

  /** What is at a place of the viewport, in the order in which clicks select it. */
  hits(x: number, y: number): Hit[] {
    const { clientWidth: width, clientHeight: height } = this.element;
    return this.layers.hits(this.rig.camera, (2 * x) / width - 1, 1 - (2 * y) / height);
  }

  /** What a click there measures. */
  featureAt(x: number, y: number): Feature | null {
    const [hit] = this.hits(x, y).filter(({ kind }) => kind !== 'arrow');
    const found = hit && this.session.index.find(hit.path);
    if (!found) return null;
    const { scene } = this.session.source;
    if (found.kind === 'joint') return featureOfJoint(scene.joints[found.index]);
    const { clientWidth: width, clientHeight: height } = this.element;
    const { camera } = this.rig;
    const { ray } = rayUnder(camera, (2 * x) / width - 1, 1 - (2 * y) / height);
    const { geometries, section } = this.picture;
    const pointer = { ray, camera, width, height, section };
    return featureOfPart(scene, found.index, this.table.poses, geometries, pointer);
  }

  /** Between the two features that were picked last; null while there are not two. */
  measurement(): Measurement | null {
    return presentMeasurement(this.picture);
  }

  /** Place on the page of an element, in pixels of the viewport; for tests and pointers. */
  screenPlace(path: string): { x: number; y: number } | null {
    const place = placeOf(this.picture, path);
    if (!place) return null;
    const point = new Vector3(...place).project(this.rig.camera);
    const { clientWidth: width, clientHeight: height } = this.element;
    return { x: ((point.x + 1) / 2) * width, y: ((1 - point.y) / 2) * height };
  }

  arrowLegend(): ArrowLegend | null {
    return arrowLegend(this.picture, this.rig.pixelsPerMeter(this.element.clientHeight));
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
    store.watch(['layers', 'compared', 'traces', 'run', 'isMeasuring'], () => this.arrange());
    store.watch(
      ['selection', 'hovered', 'hidden', 'transparent', 'isolated', 'blamed', 'layers', 'run', 'compared'],
      () => this.restyle(),
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
        'isMeasuring',
        'measured',
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
    this.layers.clear();
    this.picture.geometries.dispose();
    this.picture.geometries = new GeometryStore(scene, this.quality.segments, this.quality.isSoftware);
    this.picture.arrows = new ArrowScales(scene.symbol);
    this.table = new PoseTable(scene);
    this.picture.poses = this.table.poses;
    this.rig.setScene(scene);
    this.arrange();
    this.aim.rescene();
    if (!this.rig.isTouched && hasShrunk) this.fit();
  }

  private arrange(): void {
    // The machine has become another one: everything is made anew in a moment.
    if (this.session.source.scene === this.shownScene) this.layers.arrange();
  }

  private pose(now: number): void {
    const { state, run, comparedRun } = this.session;
    const motion = state.motion === null ? undefined : this.session.source.scene.motions[state.motion];
    if (motion) this.table.setMotion(motion, (2 * Math.PI * now) / 1000 / MOTION_SECONDS);
    else if (state.isAssembled) this.table.reset();
    else if (run && state.isAtLiveEnd && this.live?.run === (run.number ?? 0)) this.table.setRow(run, this.live.poses);
    else if (run) this.table.setTime(run, state.time);
    else this.table.reset();
    if (comparedRun) this.layers.ghostPoses.setTime(comparedRun, state.time);
  }

  private render(now: number): void {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    const { state } = this.session;
    if (this.isPoseStale || state.motion !== null) {
      this.pose(now);
      this.followPart();
      this.layers.update(this.isStyleStale);
      this.labels.set(sceneLabels(this.picture));
      this.isPoseStale = false;
      this.isStyleStale = false;
    }
    const isMoving = state.isPlaying || state.motion !== null;
    this.setRatio(this.quality.pixelRatio * this.pacer.next(now, isMoving && this.quality.isSoftware));
    const { camera } = this.rig;
    this.lights.place(camera, this.rig.controls.target);
    const { section, shading } = this.picture;
    writeSection(shading.section.value, section, camera);
    shading.hatchPitch.value = HATCH_PIXELS * this.ratio;
    shading.hatchStep.value = this.session.source.scene.size / HATCH_LINES;
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

  /** Puts the floor just below a box, or where wheels roll, and lets what is in it cast shadows. */
  private stand(box: Box3): void {
    const { up, size } = this.session.source.scene;
    const lowest = up.reduce((sum, part, i) => sum + part * (part > 0 ? box.min : box.max).getComponent(i), 0);
    this.picture.floor = rolledFloor(this.session.source.scene, lowest) ?? lowest - FLOOR_GAP * size;
    if (this.quality.hasShadows) this.lights.castShadows(this.renderer, box);
    this.restyle();
  }

  /** The box around all that is shown at this moment. */
  visibleBox(): Box3 {
    return visibleBounds(this.session, this.table.poses, this.picture.geometries);
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
