// Keys that work everywhere but in fields where one types.
import { KEY_TABLE, type KeyTarget } from './key_table';

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('input:not([type=range]):not([type=checkbox]), select, textarea');
}

export function listenToKeys(target: KeyTarget): void {
  const actions = Object.assign({}, ...KEY_TABLE.map((entry) => entry.actions)) as (typeof KEY_TABLE)[0]['actions'];
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // A button answers to the space bar itself.
    if (
      event.key === ' ' &&
      event.target instanceof HTMLElement &&
      event.target.matches('button, summary, [type=checkbox]')
    )
      return;
    const action = actions[event.key];
    // A dialog has its own Escape.
    if (!action || (document.querySelector('dialog[open]') && event.key !== '?')) return;
    event.preventDefault();
    action(target, event);
  });
}
