// A message over the picture: why a run failed, or what was just done.
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { h, iconButton, replace } from './dom';

const NOTICE_MS = 4000;

/** Says what went wrong for as long as the failing element is pointed at. */
export function failureBanner(session: Session, commands: Commands): HTMLElement {
  const banner = h('div', { class: 'banner', role: 'alert', hidden: true });
  session.store.watch(['blamed', 'run'], ({ blamed }) => {
    const info = session.run?.info;
    const isShown = info?.status === 'failed' && (blamed !== null || session.state.side === 'notes');
    banner.hidden = !isShown;
    if (!isShown) return;
    const title = blamed === null ? 'The run failed' : `The run failed at ${blamed}`;
    const close = () => {
      banner.hidden = true;
      session.store.update({ blamed: null });
    };
    replace(
      banner,
      h('div', {}, h('b', {}, title), h('p', {}, info.message || 'No reason was recorded.')),
      h('button', { type: 'button', class: 'chip', onclick: () => commands.showSide('notes') }, 'Details'),
      iconButton('close', 'Close and show everything solid', close),
    );
  });
  return banner;
}

export function noticeLine(session: Session): HTMLElement {
  const line = h('div', { class: 'notice', role: 'status' });
  let timer = 0;
  session.store.watch(['notice'], ({ notice }) => {
    line.textContent = notice;
    line.classList.toggle('shown', notice !== '');
    clearTimeout(timer);
    if (notice) timer = window.setTimeout(() => session.store.update({ notice: '' }), NOTICE_MS);
  });
  return line;
}
