import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelLink } from '../data/model_link';
import type { ModelSettings, RunWish } from '../data/model_settings';
import { type RunReader, readRunInfo } from '../data/run';
import { type Scene, readScene } from '../data/scene';
import { Commands } from './commands';
import { ModelPage } from './model_page';
import { Session } from './session';

const length = { path: 'length', value: 0.05, unit: 'mm', factor: 1e-3 };

function sceneWith(part: string, model: Partial<ModelSettings> = {}): Scene {
  return readScene({
    format: 1,
    name: 'test',
    parts: [{ path: part, at: [0, 0, 0, 1, 0, 0, 0] }],
    model: { file: 'test.yaml', version: 1, parameters: [length], starts: [], duration: 1, ...model },
  });
}

function run(number: number, end = 1): RunReader {
  return {
    number,
    info: readRunInfo({ format: 1, number, file: `run ${number}` }),
    times: Float64Array.of(0, end),
    row: () => null,
    sample: () => Promise.reject(new Error('none')),
    channel: () => Promise.resolve(new Float64Array(2)),
    onData: () => {},
  };
}

function sessionWith(runs: RunReader[], model: ModelLink | null = null): Session {
  const scene = sceneWith('crank');
  return new Session({ scene, runs, diagnostics: [], model, live: null, onTrouble: () => {} });
}

const settled = () => new Promise((done) => setTimeout(done, 0));

describe('a session whose data change', () => {
  it('keeps what is shown when the oldest run goes', () => {
    const runs = [0, 1, 2].map((number) => run(number));
    const session = sessionWith(runs);
    session.store.update({ run: 2, compared: 1 });
    session.change({ runs: [...runs.slice(1), run(3)] });
    expect(session.run).toBe(runs[2]);
    expect(session.comparedRun).toBe(runs[1]);
    expect(session.runOfNumber(3)?.number).toBe(3);
    expect(session.runOfNumber(0)).toBeUndefined();
    session.change({ runs: [runs[2]] });
    expect(session.run).toBe(runs[2]);
    expect(session.comparedRun).toBeNull();
  });

  it('forgets a selection that is no more', () => {
    const session = sessionWith([]);
    session.store.update({ selection: 'crank', follow: 'crank' });
    session.change({ scene: sceneWith('crank') });
    expect(session.state.selection).toBe('crank');
    session.change({ scene: sceneWith('rod') });
    expect(session.state.selection).toBeNull();
    expect(session.state.follow).toBeNull();
    expect(session.index.find('rod')).toBeDefined();
  });
});

/** A program that answers on command. */
class FakeLink {
  asked: RunWish[] = [];
  started: RunWish[] = [];
  answers: ((version: number) => void)[] = [];
  nextScene = sceneWith('crank');

  apply(wish: RunWish): Promise<number> {
    this.asked.push(wish);
    return new Promise((done) => this.answers.push(done));
  }
  start(wish: RunWish): Promise<number> {
    this.started.push(wish);
    return Promise.resolve(1);
  }
  scene = () => Promise.resolve(this.nextScene);
  diagnostics = () => Promise.resolve([]);
}

describe('the page of a model', () => {
  let link: FakeLink;
  let session: Session;
  let page: ModelPage;

  beforeEach(() => {
    vi.stubGlobal('document', { title: '' });
    link = new FakeLink();
    session = sessionWith([run(0)], link as unknown as ModelLink);
    page = new ModelPage(session, new Commands(session), link as unknown as ModelLink, () => {});
  });
  afterEach(() => vi.unstubAllGlobals());

  it('asks once at a time, last for the newest numbers', async () => {
    page.setParameter('length', 0.06);
    await settled();
    for (const value of [0.061, 0.062, 0.063]) page.setParameter('length', value);
    await settled();
    expect(link.asked.map((wish) => wish.parameters.length)).toEqual([0.06]);
    link.answers[0](2);
    await settled();
    expect(link.asked.map((wish) => wish.parameters.length)).toEqual([0.06, 0.063]);
    link.answers[1](3);
    await settled();
    page.setParameter('length', null);
    await settled();
    expect(link.asked.at(-1)?.parameters).toEqual({});
  });

  it('does not ask for another machine when only the duration is another', async () => {
    page.setDuration(2);
    page.setKeep(true);
    await settled();
    expect(link.asked).toEqual([]);
    page.run();
    page.run();
    expect(link.started).toEqual([{ parameters: {}, starts: {}, duration: 2, keep: true }]);
    expect(session.state.isStarting).toBe(true);
    page.runNotStarted('because');
    expect(session.state.isStarting).toBe(false);
    expect(session.state.notice).toBe('because');
  });

  it('shows the machine as its file is now', async () => {
    link.nextScene = sceneWith('rod', { version: 2 });
    page.modelChanged(1, 5);
    await settled();
    expect(session.index.find('crank')).toBeDefined();
    expect(session.state.isAssembled).toBe(false);
    page.modelChanged(2, 6);
    await settled();
    expect(session.index.find('rod')).toBeDefined();
    expect(session.state.isAssembled).toBe(true);
    // The run is of the machine as it was.
    const former = sceneWith('crank');
    session.setSceneOf(session.source.runs[0], former);
    new Commands(session).seek(0.5);
    await settled();
    expect(session.source.scene).toBe(former);
    expect(page.settings?.version).toBe(2);
    session.store.update({ isAssembled: true });
    await settled();
    expect(session.index.find('rod')).toBeDefined();
  });

  it('forgets numbers for which the file has no place any more, but not those that are on their way', async () => {
    page.setParameter('length', 0.06);
    await settled();
    link.answers[0](2);
    await settled();
    link.nextScene = sceneWith('crank', { version: 2, parameters: [{ ...length, value: 0.06, isSet: true }] });
    page.modelChanged(2, 2);
    await settled();
    expect(session.state.wish.parameters).toEqual({ length: 0.06 });
    // A scene that was read before the program had the newest number.
    page.setParameter('length', 0.07);
    await settled();
    link.nextScene = sceneWith('crank', { version: 3 });
    page.modelChanged(3, 3);
    await settled();
    expect(session.state.wish.parameters).toEqual({ length: 0.07 });
    link.answers[1](4);
    await settled();
    link.nextScene = sceneWith('crank', { version: 4, parameters: [] });
    page.modelChanged(4, 4);
    await settled();
    expect(session.state.wish.parameters).toEqual({});
    expect(link.asked.length).toBe(2);
  });
});
