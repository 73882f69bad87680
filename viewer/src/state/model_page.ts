// A page that follows a model: its files, the numbers that are changed on the page, and the runs that are started here.
import type { ModelLink } from '../data/model_link';
import { type ModelSettings, type RunWish, wishOf } from '../data/model_settings';
import type { Scene } from '../data/scene';
import { ServerRun } from '../data/server_source';
import type { Commands } from './commands';
import { firstPlots, openFailure } from './opening';
import type { Session } from './session';

export class ModelPage {
  /** The model as its file is now; a run that is shown may be of an earlier one. */
  private scene: Scene;
  private messages = -1;
  /** Requests one after the other: the last word counts. */
  private work: Promise<void> = Promise.resolve();
  private applied: RunWish;
  /** The scene that has what was applied. */
  private appliedVersion = 0;
  private isApplying = false;

  constructor(
    private readonly session: Session,
    private readonly commands: Commands,
    private readonly link: ModelLink,
    private readonly runCame: (run: ServerRun) => void,
  ) {
    this.scene = session.source.scene;
    if (this.settings) session.store.update({ wish: wishOf(this.settings) });
    this.applied = session.state.wish;
    session.store.watch(['wish'], () => void this.applyWish());
    session.store.watch(['run', 'isAssembled'], () => this.showScene());
  }

  /** What can be changed of the model. */
  get settings(): ModelSettings | undefined {
    return this.scene.model;
  }

  // --- What the program reports ---

  modelChanged(scene: number, messages: number): void {
    this.next(async () => {
      const isOther = this.settings?.version !== scene;
      if (!isOther && messages === this.messages) return;
      const [read, diagnostics] = await Promise.all([
        isOther ? this.link.scene() : this.scene,
        this.link.diagnostics(),
      ]);
      this.messages = messages;
      // A camera has one direction that is up.
      if (read.up.join() !== this.session.source.scene.up.join()) return location.reload();
      this.scene = read;
      // The run that is shown is of the machine as it was.
      if (isOther) this.session.store.update({ isAssembled: true, isPlaying: false, isAtLiveEnd: false });
      this.session.change({ scene: this.shownScene, diagnostics });
      this.forgetLost();
      // A machine that cannot be put together shows its gaps.
      const { layers } = this.session.state;
      if (isOther && diagnostics.some((each) => each.severity === 'error'))
        this.session.store.update({ layers: new Set([...layers, 'drift']) });
      document.title = read.name ? `${read.name} - Gelenk` : 'Gelenk';
    });
  }

  runsChanged(numbers: number[]): void {
    this.next(async () => {
      const known = this.session.source.runs.filter((run) => run instanceof ServerRun);
      if (known.map((run) => run.number).join() === numbers.join()) return;
      const runs = await this.link.runs(known);
      const added = runs.filter((run) => !known.includes(run));
      const former = this.session.run;
      this.session.change({ runs });
      for (const run of added) {
        this.session.setSceneOf(run, this.scene);
        this.runCame(run);
      }
      if (added.length > 0) this.showRun(runs.length - 1, former ? runs.findIndex((run) => run === former) : -1);
    });
  }

  runNotStarted(reason: string): void {
    this.session.store.update({ isStarting: false });
    this.commands.show(reason);
  }

  // --- What the user wants ---

  /** null: as the model says. */
  setParameter(path: string, value: number | null): void {
    const { wish } = this.session.state;
    this.session.store.update({ wish: { ...wish, parameters: changed(wish.parameters, path, value) } });
  }

  setStart(path: string, value: number | null): void {
    const { wish } = this.session.state;
    this.session.store.update({ wish: { ...wish, starts: changed(wish.starts, path, value) } });
  }

  setDuration(duration: number | null): void {
    this.session.store.update({ wish: { ...this.session.state.wish, duration } });
  }

  setKeep(keep: boolean): void {
    this.session.store.update({ wish: { ...this.session.state.wish, keep } });
  }

  run(): void {
    if (this.isRunning || this.session.state.isStarting) return;
    const { wish } = this.session.state;
    this.session.store.update({ isStarting: true, isPlaying: false });
    this.applied = wish;
    this.link
      .start(wish)
      .then((version) => (this.appliedVersion = version))
      .catch(() => this.session.store.update({ isStarting: false }));
  }

  /** A run of this page is going on. */
  get isRunning(): boolean {
    const status = this.session.state.live?.status;
    return status === 'running' || status === 'paused';
  }

  private get shownScene(): Scene {
    const { state, run } = this.session;
    const isOfRun = run !== null && !state.isAssembled && this.session.hasSceneOf(run);
    return isOfRun ? this.session.sceneOf(run) : this.scene;
  }

  private showScene(): void {
    if (this.shownScene !== this.session.source.scene) this.session.change({ scene: this.shownScene });
  }

  /** The newest run is shown, the one that was shown before becomes the second one. */
  private showRun(run: number, former: number): void {
    const { session, commands } = this;
    const { runs } = session.source;
    const { status } = runs[run].info;
    // The same machine once more would cover itself with its own ghost.
    const isSame = former >= 0 && session.hasSceneOf(runs[former]) && session.sceneOf(runs[former]) === this.scene;
    const isOther = former >= 0 && !isSame;
    const compared = isOther ? former : session.state.compared;
    session.store.update({ run, compared, isStarting: false, isPlaying: false });
    commands.seek(session.state.time);
    session.store.update({ isAtLiveEnd: status === 'running' || status === 'paused' });
    if (status === 'failed') return openFailure(session, commands);
    if (session.state.plots.length > 0) return;
    for (const channels of firstPlots(session)) commands.addPlot(channels);
  }

  /** An edit of the file may have left no place for what was chosen here. */
  private forgetLost(): void {
    const { wish } = this.session.state;
    const model = this.settings;
    if (!model || this.isApplying || model.version < this.appliedVersion) return;
    const kept = wishOf(model);
    const parameters = onlyIn(wish.parameters, kept.parameters);
    const starts = onlyIn(wish.starts, kept.starts);
    this.applied = { ...wish, parameters, starts };
    if (!isSameMachine(this.applied, wish)) this.session.store.update({ wish: this.applied });
  }

  /** One request at a time; while it is under way only the newest wish is waiting. */
  private async applyWish(): Promise<void> {
    if (this.isApplying) return;
    this.isApplying = true;
    while (!isSameMachine(this.session.state.wish, this.applied)) {
      this.applied = this.session.state.wish;
      // What cannot be done has been reported.
      await this.link.apply(this.applied).then(
        (version) => (this.appliedVersion = version),
        () => undefined,
      );
    }
    this.isApplying = false;
  }

  private next(task: () => Promise<void>): void {
    this.work = this.work.then(task).catch(() => undefined);
  }
}

function changed(numbers: Record<string, number>, path: string, value: number | null): Record<string, number> {
  const { [path]: _, ...others } = numbers;
  return value === null ? others : { ...others, [path]: value };
}

function onlyIn(numbers: Record<string, number>, names: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).filter(([path]) => path in names));
}

function isSameMachine(a: RunWish, b: RunWish): boolean {
  return JSON.stringify([a.parameters, a.starts]) === JSON.stringify([b.parameters, b.starts]);
}
