// While a run is played the picture has the right of way: texts and sliders follow a few times a second.
import type { Session } from '../state/session';

const PAUSE_MS = 70;

/** Calls after changes of the time, but not with every picture; the last change is never left out. */
export function watchTime(session: Session, call: () => void): void {
  let last = 0;
  let timer = 0;
  const run = () => {
    timer = 0;
    last = performance.now();
    call();
  };
  session.store.watch(['time', 'isPlaying', 'dataCount'], ({ isPlaying }) => {
    const wait = isPlaying ? last + PAUSE_MS - performance.now() : 0;
    if (wait <= 0) {
      clearTimeout(timer);
      run();
    } else if (timer === 0) {
      timer = window.setTimeout(run, wait);
    }
  });
}
