// Opens the data and puts the page together.
import 'uplot/dist/uPlot.min.css';
import './style.css';
import './panels.css';
import './overlay.css';
import './phone.css';
import './run.css';
import { readEmbedded } from './data/embedded_source';
import type { RunReader } from './data/run';
import { DataError } from './data/scene';
import { ServerRun, openServer } from './data/server_source';
import type { DataSource } from './data/source';
import { exportsOf } from './export/exports';
import { record } from './export/recording';
import { asksForRecording } from './export/recording_wish';
import { App } from './panels/app';
import { h } from './panels/dom';
import { Commands } from './state/commands';
import { ModelPage } from './state/model_page';
import { openFailure, openSession, playAtOpening } from './state/opening';
import { startPlayback } from './state/playback';
import { Session } from './state/session';
import { readLink } from './state/share_link';
import type { CameraPlace } from './view/camera_rig';
import { chooseQuality } from './view/quality';
import { Viewport } from './view/viewport';

declare global {
  interface Window {
    /** For tests and for people who want to drive the page from the console. */
    gelenk?: { session: Session; commands: Commands; viewport: Viewport; app: App };
  }
}

async function readData(): Promise<DataSource> {
  const embedded = await readEmbedded();
  if (embedded) return embedded;
  if (location.protocol === 'file:')
    throw new DataError('This file holds no data. Open a file written by `gelenk export`, or start `gelenk view`.');
  return openServer();
}

function watchRun(session: Session, run: RunReader): void {
  run.onData(() => session.store.update({ dataCount: session.state.dataCount + 1 }));
}

/** Rows of runs arrive while the page is open. */
function watchData(session: Session, commands: Commands, viewport: Viewport, page: ModelPage | null): void {
  session.source.onTrouble((text) => commands.show(text));
  for (const run of session.source.runs) watchRun(session, run);
  session.source.live?.listen({
    stateChanged: (live) => {
      const hasEnded = ['done', 'failed', 'stopped'].includes(live.status);
      const isShown = session.runOfNumber(live.run) === session.run;
      session.store.update({ live, ...(hasEnded && isShown ? { isAtLiveEnd: false } : {}) });
      if (live.message) commands.show(live.message);
      void finishLive(session, commands);
    },
    posesCame: (poses) => {
      if (session.runOfNumber(poses.run) !== session.run) return;
      if (session.state.isAtLiveEnd) session.store.update({ time: poses.time });
      viewport.setLive(poses);
    },
    rowsGrew: (run, rows) => {
      const reader = session.runOfNumber(run);
      if (reader instanceof ServerRun) void reader.grow(rows);
    },
    modelChanged: (scene, messages) => page?.modelChanged(scene, messages),
    runsChanged: (numbers) => page?.runsChanged(numbers),
    runNotStarted: (reason) => page?.runNotStarted(reason),
  });
}

/** The description of a run that has just ended is complete only now. */
async function finishLive(session: Session, commands: Commands): Promise<void> {
  const { live } = session.state;
  const run = live && session.runOfNumber(live.run);
  const isGoing = (status: string) => status === 'running' || status === 'paused';
  if (!(run instanceof ServerRun) || isGoing(live?.status ?? '') || live?.status === '' || !isGoing(run.info.status))
    return;
  await run.refresh();
  if (session.run === run && session.run.info.status === 'failed') openFailure(session, commands);
}

async function start(host: HTMLElement): Promise<void> {
  const source = await readData();
  const session = new Session(source);
  const commands = new Commands(session);
  document.title = source.scene.name ? `${source.scene.name} - Gelenk` : 'Gelenk';
  openSession(session, commands);
  const { state, camera } = readLink(location.hash);
  session.store.update(state);
  const runCame = (run: RunReader) => {
    watchRun(session, run);
    // It may be over before its description has come.
    void finishLive(session, commands);
  };
  const page = source.model && new ModelPage(session, commands, source.model, runCame);
  const viewport = new Viewport(session, commands, chooseQuality(source.scene));
  const app = new App(host, session, commands, viewport, exportsOf(session, commands, viewport), page);
  viewport.resize();
  if (camera) viewport.rig.place = camera as CameraPlace;
  else viewport.look('oblique');
  startPlayback(session);
  // A link shows one moment, and some people want nothing to move by itself.
  const isStill = location.hash !== '' || matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!isStill) playAtOpening(session, commands);
  watchData(session, commands, viewport, page);
  window.gelenk = { session, commands, viewport, app };
}

const host = document.getElementById('app') as HTMLElement;
const { search } = location;
(asksForRecording(search) ? record(host, search) : start(host)).catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof DataError)) console.error(error);
  host.replaceChildren(
    h('div', { class: 'fatal', role: 'alert' }, h('h1', {}, 'This cannot be shown'), h('p', {}, text)),
  );
});
