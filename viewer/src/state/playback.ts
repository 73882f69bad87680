// Moves the time on while the run is played.
import type { Session } from './session';

/** A page in the background gets no pictures: what passed meanwhile is not made up for. */
const LONGEST_STEP = 0.25;

export function nextTime(
  time: number,
  seconds: number,
  start: number,
  end: number,
  isLooping: boolean,
): { time: number; hasEnded: boolean } {
  const next = time + seconds;
  if (next <= end) return { time: next, hasEnded: false };
  if (!isLooping || end <= start) return { time: end, hasEnded: true };
  return { time: start + ((next - start) % (end - start)), hasEnded: false };
}

export function startPlayback(session: Session): void {
  let last = 0;
  let isRunning = false;
  const tick = (now: number) => {
    const { state, startTime, endTime } = session;
    isRunning = state.isPlaying;
    if (!isRunning) return;
    const passed = Math.min(LONGEST_STEP, (now - last) / 1000);
    last = now;
    const { time, hasEnded } = nextTime(state.time, passed * state.speed, startTime, endTime, state.isLooping);
    session.store.update({ time, isPlaying: !hasEnded });
    requestAnimationFrame(tick);
  };
  session.store.watch(['isPlaying'], ({ isPlaying }) => {
    if (!isPlaying || isRunning) return;
    isRunning = true;
    last = performance.now();
    requestAnimationFrame(tick);
  });
}
