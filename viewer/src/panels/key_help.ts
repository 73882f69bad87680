// The list of keys, over the page.
import { h, iconButton } from './dom';
import { KEY_TABLE, OTHER_KEYS } from './key_table';

export class KeyHelp {
  readonly element: HTMLDialogElement;

  constructor() {
    const rows = [...KEY_TABLE.map(({ keys, does }): [string, string] => [keys, does]), ...OTHER_KEYS];
    this.element = h(
      'dialog',
      { class: 'key-help', 'aria-label': 'Keys' },
      h(
        'header',
        {},
        h('h2', {}, 'Keys'),
        iconButton('close', 'Close (Escape)', () => this.element.close()),
      ),
      h(
        'table',
        { class: 'facts' },
        h('tbody', {}, ...rows.map(([keys, does]) => h('tr', {}, h('th', { scope: 'row' }, keys), h('td', {}, does)))),
      ),
    );
    // A click beside the list, too, closes it.
    this.element.addEventListener('click', (event) => event.target === this.element && this.element.close());
  }

  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
