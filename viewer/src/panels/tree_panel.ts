// The model tree. Only rows that can be seen are elements of the page, so ten thousand parts scroll well.
import { type ElementKind, isWithin } from '../data/model_index';
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { type IconName, h, icon, iconButton, keepChildren } from './dom';
import { longName } from './long_name';
import { type TreeRow, elementKey, foundRows, treeRows } from './tree_rows';

export const CHANNEL_TYPE = 'application/x-gelenk-channels';

const SPARE_ROWS = 8;

/** Kinds of elements that have nothing to hide. */
const NEVER_DRAWN = new Set<ElementKind>(['machine', 'output', 'driver', 'coupling', 'faulty']);

/** A faulty element has the icon of what it was meant to be. */
function rowIcon({ kind, element }: TreeRow): IconName {
  if (kind !== 'element') return 'output';
  const isKnown = element.kind === 'faulty' && FAULTY_ICONS.has(element.type as IconName);
  return isKnown ? (element.type as IconName) : element.kind;
}

const FAULTY_ICONS = new Set<IconName>(['assembly', 'part', 'joint', 'driver', 'force', 'frame', 'output']);

export class TreePanel {
  readonly element: HTMLElement;
  private readonly list = h('div', { class: 'tree-list', role: 'tree', tabindex: 0, 'aria-label': 'Model tree' });
  private readonly space = h('div', { class: 'tree-space', role: 'presentation' });
  private readonly search = h('input', {
    type: 'search',
    placeholder: 'Search elements and channels',
    'aria-label': 'Search',
  });
  private readonly empty = h('p', { class: 'hint', hidden: true }, 'Nothing matches the search.');
  private readonly open = new Set<string>([elementKey('')]);
  private rows: TreeRow[] = [];
  /** Elements of rows by everything that they show. */
  private shown = new Map<string, HTMLElement>();
  private active = '';

  constructor(
    private readonly session: Session,
    private readonly commands: Commands,
  ) {
    this.list.append(this.space);
    this.openErrors();
    this.element = h(
      'section',
      { class: 'panel tree', 'aria-label': 'Model' },
      h('div', { class: 'search' }, this.search),
      this.empty,
      this.list,
    );
    this.search.addEventListener('input', () => commands.search(this.search.value));
    this.search.addEventListener('keydown', (event) => this.searchKey(event));
    this.list.addEventListener('scroll', () => this.draw());
    this.list.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.list);
    session.store.watch(['search', 'sourceCount'], () => this.rebuild());
    session.store.watch(['selection'], ({ selection }) => this.reveal(selection));
    session.store.watch(['hidden', 'transparent', 'isolated', 'hovered'], () => this.draw());
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }

  /** After a search: down to what was found, or back to the keys of the page. */
  private searchKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.preventDefault();
      this.commands.search('');
      this.search.blur();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.list.focus();
    }
  }

  private get rowHeight(): number {
    return parseFloat(getComputedStyle(this.list).getPropertyValue('--row')) || 26;
  }

  private rebuild(): void {
    const { search } = this.session.state;
    if (this.search.value !== search) this.search.value = search;
    this.rows = search.trim() ? foundRows(this.session.index, search) : treeRows(this.session.index, this.open);
    this.empty.hidden = this.rows.length > 0;
    this.draw();
  }

  /** Opens everything above the selected element and scrolls to it. */
  private reveal(path: string | null): void {
    if (path !== null) {
      this.openAbove(path);
      this.active = elementKey(path);
    }
    this.rebuild();
    if (path !== null) this.scrollTo(this.active);
  }

  /** Whatever has an error is seen without a search. */
  private openErrors(): void {
    for (const { severity, element } of this.session.source.diagnostics) {
      if (severity === 'error' && element) this.openAbove(element);
    }
  }

  private openAbove(path: string): void {
    for (let at = this.session.index.find(path)?.parent; at; at = at.parent) this.open.add(elementKey(at.path));
  }

  private scrollTo(key: string): void {
    const at = this.rows.findIndex((row) => row.key === key) * this.rowHeight;
    const { scrollTop, clientHeight } = this.list;
    if (at < 0 || (at >= scrollTop && at + this.rowHeight <= scrollTop + clientHeight)) return;
    this.list.scrollTop = Math.max(0, at - clientHeight / 3);
    this.draw();
  }

  private draw(): void {
    const height = this.rowHeight;
    this.space.style.height = `${this.rows.length * height}px`;
    const first = Math.max(0, Math.floor(this.list.scrollTop / height) - SPARE_ROWS);
    const last = Math.min(
      this.rows.length,
      Math.ceil((this.list.scrollTop + this.list.clientHeight) / height) + SPARE_ROWS,
    );
    const before = this.shown;
    this.shown = new Map();
    this.rows.slice(first, last).forEach((row, i) => {
      const look = this.rowLook(row, first + i, height);
      this.shown.set(look, before.get(look) ?? this.rowElement(row, first + i, height));
    });
    keepChildren(this.space, [...this.shown.values()]);
    const active = this.rows.findIndex((row) => row.key === this.active);
    if (active >= first && active < last) this.list.setAttribute('aria-activedescendant', `tree-row-${active}`);
    else this.list.removeAttribute('aria-activedescendant');
  }

  private rowClasses(row: TreeRow): string {
    const { selection, hidden, hovered } = this.session.state;
    const { path } = row.element;
    const isElement = row.kind === 'element';
    const isSelected = isElement && path === selection;
    const classes = [
      'tree-row',
      row.key === this.active && 'active',
      isSelected && 'selected',
      isElement && hidden.has(path) && 'dimmed',
      isElement && path === hovered && 'hovered',
      isElement && !isSelected && isWithin(path, selection) && 'within',
    ];
    return classes.filter(Boolean).join(' ');
  }

  /** Two rows with the same look are the same element of the page. */
  private rowLook(row: TreeRow, number: number, height: number): string {
    return [row.key, row.label, row.depth, row.canOpen, row.isOpen, number, height, this.rowClasses(row)].join('|');
  }

  private rowElement(row: TreeRow, number: number, height: number): HTMLElement {
    const { state } = this.session;
    const isElement = row.kind === 'element';
    const isSelected = isElement && row.element.path === state.selection;
    const isHidden = isElement && state.hidden.has(row.element.path);
    const element = h(
      'div',
      {
        class: this.rowClasses(row),
        id: `tree-row-${number}`,
        role: 'treeitem',
        'aria-level': row.depth + 1,
        'aria-selected': isSelected ? 'true' : 'false',
        ...(row.canOpen ? { 'aria-expanded': row.isOpen ? 'true' : 'false' } : {}),
        draggable: row.channels.length > 0 ? 'true' : 'false',
        'data-path': isElement ? row.element.path : row.channels[0],
        style: `top:${number * height}px;padding-left:${6 + 14 * row.depth}px`,
        onclick: () => this.click(row),
        ondragstart: (event: DragEvent) => {
          event.dataTransfer?.setData(CHANNEL_TYPE, JSON.stringify(row.channels));
          event.dataTransfer?.setData('text/plain', row.channels.join('\n'));
        },
      },
      this.twisty(row),
      icon(rowIcon(row)),
      longName(row.label, 'tree-name'),
      isElement && this.note(row),
      this.button(row, isHidden),
    );
    return element;
  }

  private twisty(row: TreeRow): HTMLElement {
    const twisty = h('span', { class: row.isOpen ? 'twisty open' : 'twisty' });
    if (!row.canOpen) return twisty;
    twisty.append(icon('chevron'));
    twisty.addEventListener('click', (event) => {
      event.stopPropagation();
      this.toggle(row);
    });
    return twisty;
  }

  private note(row: TreeRow): HTMLElement {
    // A closed row speaks for what is inside of it.
    const { path } = row.element;
    const [worst] = row.isOpen ? this.session.diagnosticsOf(path) : this.session.diagnosticsWithin(path);
    const text = row.element.isSealed ? 'sealed' : row.element.type.replaceAll('_', ' ');
    const note = h('span', { class: 'tree-note' }, text);
    if (worst) note.prepend(h('span', { class: `dot ${worst.severity}`, title: worst.text }));
    return note;
  }

  private button(row: TreeRow, isHidden: boolean): HTMLElement | null {
    if (row.kind !== 'element') {
      const title = `Plot ${row.channels.join(', ')}`;
      return iconButton('plus', title, () => this.plot(row), { tabindex: -1, class: 'tool row-tool' });
    }
    if (NEVER_DRAWN.has(row.element.kind)) return null;
    const title = isHidden ? `Show ${row.element.path}` : `Hide ${row.element.path}`;
    const onclick = () => this.commands.toggleHidden(row.element.path);
    const button = iconButton(isHidden ? 'eyeOff' : 'eye', title, onclick, {
      tabindex: -1,
      class: isHidden ? 'tool row-tool kept' : 'tool row-tool',
    });
    button.addEventListener('click', (event) => event.stopPropagation());
    return button;
  }

  private click(row: TreeRow): void {
    this.active = row.key;
    if (row.kind === 'element') {
      this.commands.select(row.element.path === '' ? null : row.element.path);
      if (row.element.path === '') this.toggle(row);
    } else if (row.kind === 'group') {
      this.toggle(row);
    }
    this.draw();
  }

  private toggle(row: TreeRow): void {
    if (!this.open.delete(row.key)) this.open.add(row.key);
    this.rebuild();
  }

  private plot(row: TreeRow): void {
    for (const channel of row.channels) this.commands.plot(channel);
  }

  private key(event: KeyboardEvent): void {
    const at = Math.max(
      0,
      this.rows.findIndex((row) => row.key === this.active),
    );
    const row = this.rows[at];
    if (!row) return;
    const go = (to: number) => {
      this.active = this.rows[Math.min(this.rows.length - 1, Math.max(0, to))].key;
      this.scrollTo(this.active);
      this.draw();
    };
    const page = Math.max(1, Math.floor(this.list.clientHeight / this.rowHeight) - 1);
    const actions: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      PageDown: () => go(at + page),
      PageUp: () => go(at - page),
      Home: () => go(0),
      End: () => go(this.rows.length - 1),
      ArrowRight: () => (row.canOpen && !row.isOpen ? this.toggle(row) : go(at + 1)),
      ArrowLeft: () =>
        row.isOpen ? this.toggle(row) : go(this.rows.findLastIndex((other, i) => i < at && other.depth < row.depth)),
      Enter: () => (row.kind === 'element' ? this.click(row) : this.plot(row)),
      h: () => row.kind === 'element' && this.commands.toggleHidden(row.element.path),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }
}
