// Keys that work everywhere but in fields where one types.
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { VIEWS } from '../view/camera_rig';
import type { Viewport } from '../view/viewport';

const MANY_ROWS = 10;

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('input:not([type=range]):not([type=checkbox]), select, textarea');
}

export function listenToKeys(session: Session, commands: Commands, viewport: Viewport, focusSearch: () => void): void {
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    ' ': () => commands.play(),
    ArrowLeft: (event) => commands.step(event.shiftKey ? -MANY_ROWS : -1),
    ArrowRight: (event) => commands.step(event.shiftKey ? MANY_ROWS : 1),
    '[': () => commands.changeSpeed(-1),
    ']': () => commands.changeSpeed(1),
    Home: () => commands.toStart(),
    End: () => commands.toEnd(),
    l: () => commands.setLooping(!session.state.isLooping),
    f: () => viewport.fit(),
    F: () => viewport.fit(session.state.selection),
    p: () => commands.toggleProjection(),
    a: () => commands.showAll(),
    t: () => commands.toggleLeft(),
    r: () => commands.toggleRight(),
    n: () => commands.showSide('notes'),
    '/': () => focusSearch(),
    Escape: () => commands.select(null),
  };
  VIEWS.forEach((view, i) => (keys[String(i + 1)] = () => viewport.look(view)));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // A button answers to the space bar itself.
    if (
      event.key === ' ' &&
      event.target instanceof HTMLElement &&
      event.target.matches('button, summary, [type=checkbox]')
    )
      return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}
