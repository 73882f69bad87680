// Over the picture: what is wrong with the model as its file is now, while the last machine without errors is shown.
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { h, replace } from './dom';

export function modelBanner(session: Session, commands: Commands): HTMLElement {
  const banner = h('div', { class: 'banner model-banner', role: 'alert', hidden: true });
  session.store.watch(['sourceCount'], () => {
    const errors = session.source.diagnostics.filter((each) => each.severity === 'error');
    banner.hidden = errors.length === 0;
    if (errors.length === 0) return;
    const [first] = errors;
    const place = first.file ? `${first.file}${first.line ? `:${first.line}` : ''}` : '';
    const title = errors.length === 1 ? 'The model has an error' : `The model has ${errors.length} errors`;
    const element = first.element ? `${first.element}: ` : '';
    replace(
      banner,
      h(
        'div',
        {},
        h('b', {}, title),
        h('p', {}, element + first.text),
        first.hint && h('p', { class: 'hint' }, first.hint),
        place && h('p', { class: 'path' }, place),
      ),
      h('button', { type: 'button', class: 'chip', onclick: () => commands.showSide('notes') }, 'All messages'),
    );
  });
  return banner;
}
