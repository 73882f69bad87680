// What the page shows first: something useful of a run that went well, and the trouble of one that did not.
import { type Commands, MOST_CURVES } from './commands';
import type { Session } from './session';

const LAST_STEPS = 25;
const MOST_BLAMED_CHANNELS = 4;

/** Symbols of more joints than this hide the machine. */
const MOST_JOINT_SYMBOLS = 300;

export function openSession(session: Session, commands: Commands): void {
  const { source } = session;
  // The runs of a model: the newest, over the one before.
  const last = source.runs.length - 1;
  if (source.model && last > 0) session.store.update({ run: last, compared: last - 1 });
  // People who open two runs want to see how they differ.
  else if (last > 0) commands.compare(1);
  const { run } = session;
  if (source.scene.joints.length > MOST_JOINT_SYMBOLS) commands.toggleLayer('joints');
  if (run?.info.status === 'failed') {
    openFailure(session, commands);
    return;
  }
  session.store.update({ time: session.startTime });
  const isLive = source.runs.some(({ info }) => info.status === 'running' || info.status === 'paused');
  if (isLive) session.store.update({ isAtLiveEnd: true });
  const error = source.diagnostics.find((each) => each.severity === 'error');
  if (error) {
    // Joints that could not be closed show how far they are open.
    session.store.update({ layers: new Set([...session.state.layers, 'drift']) });
    if (error.element !== undefined) commands.select(error.element);
    commands.showSide('notes');
    return;
  }
  for (const channels of firstPlots(session)) commands.addPlot(channels);
}

/** All outputs of the model, as their author wanted to see them; those of one unit share a plot. */
export function firstPlots(session: Session): string[][] {
  const plots: { unit: string; channels: string[] }[] = [];
  for (const { kind, path, channels } of session.index.all()) {
    if (kind !== 'output' || !channels.includes(path)) continue;
    const unit = session.unitOf(path).symbol;
    const plot = plots.find((each) => each.unit === unit && each.channels.length < MOST_CURVES);
    if (plot) plot.channels.push(path);
    else plots.push({ unit, channels: [path] });
  }
  return plots.map(({ channels }) => channels);
}

/** A run that can be played begins to: it is why one opens it. */
export function playAtOpening(session: Session, commands: Commands): void {
  const { run, source } = session;
  const isWhole = run?.info.status === 'done' || run?.info.status === 'stopped';
  const hasErrors = source.diagnostics.some((each) => each.severity === 'error');
  if (isWhole && !hasErrors && session.endTime > session.startTime) commands.play(true);
}

/** The element a failed run names, most telling first. */
export function blamedElement(session: Session): string | null {
  const info = session.run?.info;
  const last = info?.events.at(-1);
  const candidates = [
    ...(info?.failure?.elements ?? []),
    ...(last && last.kind === 'failure' ? [last.element] : []),
    ...session.source.diagnostics.filter((each) => each.severity === 'error').map((each) => each.element ?? ''),
  ];
  return candidates.find((path) => path !== '' && session.index.find(path)) ?? null;
}

/** At the last good time, with the failing element selected and its last steps plotted. */
export function openFailure(session: Session, commands: Commands): void {
  const blamed = blamedElement(session);
  const { layers } = session.state;
  session.store.update({ time: session.runEnd, blamed, layers: new Set([...layers, 'drift', 'axes']) });
  if (blamed === null) {
    commands.showSide('notes');
    return;
  }
  commands.select(blamed);
  const channels = session.index.find(blamed)?.channels ?? [];
  // Of vectors the magnitude says enough.
  const telling = channels.filter((channel) => !/\.[wxyz]$/.test(channel)).slice(0, MOST_BLAMED_CHANNELS);
  const times = session.run?.times ?? new Float64Array(0);
  const from = times[Math.max(0, times.length - LAST_STEPS)];
  for (const channel of telling) {
    commands.addPlot([channel]);
    if (times.length > LAST_STEPS) commands.changePlot(session.state.activePlot, { span: [from, session.runEnd] });
  }
}
