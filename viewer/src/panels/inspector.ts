// Everything about the selected element: its data, where it is written, its values at the shown time.
import type { ModelElement } from '../data/model_index';
import { prettyUnit, numberText, valueText } from '../data/units';
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { h, iconButton, replace } from './dom';
import { watchTime } from './paced';
import { channelGroups } from './tree_rows';

interface LiveValue {
  cell: HTMLElement;
  channels: string[];
}

const PLACEHOLDER_NOTE =
  'It has no shape of its own. The hatched shape is a placeholder made from the points where it is held, its mass and its inertia.';

function kindText({ kind, type }: ModelElement): string {
  if (kind === 'faulty') return `${type || 'element'} with an error`;
  return [type.replaceAll('_', ' '), kind].filter(Boolean).join(' ');
}

export class Inspector {
  readonly element = h('section', { class: 'panel inspector', 'aria-label': 'Inspector' });
  private values: LiveValue[] = [];

  constructor(
    private readonly session: Session,
    private readonly commands: Commands,
    private readonly fit: (path: string) => void,
  ) {
    session.store.watch(
      ['selection', 'run', 'follow', 'traces', 'transparent', 'hidden', 'isolated', 'sourceCount'],
      () => this.rebuild(),
    );
    watchTime(session, () => this.refresh());
  }

  private rebuild(): void {
    this.values = [];
    const { selection } = this.session.state;
    const found = selection === null ? undefined : this.session.index.find(selection);
    if (!found) {
      replace(this.element, this.machine());
      return;
    }
    const place = found.file ? `${found.file}${found.line > 0 ? `:${found.line}` : ''}` : '';
    const kind = kindText(found);
    replace(
      this.element,
      h(
        'header',
        {},
        h('h2', { title: found.path }, found.name),
        h('span', { class: 'kind' }, found.isSealed ? `${kind}, sealed` : kind),
      ),
      found.path !== found.name && h('p', { class: 'path' }, found.path),
      place && h('p', { class: 'path', title: 'Where it is written' }, place),
      this.actions(found),
      ...this.diagnostics(found),
      found.isSealed && h('p', { class: 'hint' }, 'A sealed component: only what its maker published is shown.'),
      found.kind === 'faulty' && h('p', { class: 'hint' }, 'It could not be read, so it is not in the picture.'),
      this.isPlaceholder(found) && h('p', { class: 'hint' }, PLACEHOLDER_NOTE),
      found.facts.length > 0 && this.facts(found),
      found.channels.length > 0 && this.valueTable(found),
    );
    this.refresh();
  }

  private isPlaceholder({ kind, index }: ModelElement): boolean {
    return kind === 'part' && this.session.source.scene.parts[index].isDefaultShape === true;
  }

  /** What is said while nothing is selected. */
  private machine(): HTMLElement {
    const { scene } = this.session.source;
    const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
    const text = [
      count(scene.parts.length, 'part'),
      count(scene.joints.length, 'joint'),
      count(scene.forces.length, 'force'),
      count(scene.drivers.length, 'driver'),
      ...(scene.couplings.length > 0 ? [count(scene.couplings.length, 'coupling')] : []),
    ].join(', ');
    return h(
      'div',
      {},
      h('header', {}, h('h2', {}, scene.name)),
      h('p', { class: 'hint' }, `${text}. Click a part or a row of the tree to see its data.`),
    );
  }

  private actions(found: ModelElement): HTMLElement {
    const { state } = this.session;
    const { path } = found;
    const toggle = (isOn: boolean) => ({ 'aria-pressed': isOn ? 'true' : 'false' });
    const bar = h('div', { class: 'actions', role: 'toolbar', 'aria-label': 'Element' });
    const hasBody = this.session.index.partsOf(path).length > 0;
    if (hasBody || found.kind === 'joint') {
      bar.append(
        iconButton('eyeOff', 'Hide', () => this.commands.toggleHidden(path), toggle(state.hidden.has(path))),
        iconButton(
          'ghost',
          'Transparent',
          () => this.commands.toggleTransparent(path),
          toggle(state.transparent.has(path)),
        ),
        iconButton('alone', 'Show alone', () => this.commands.isolate(path), toggle(state.isolated === path)),
      );
    }
    if (hasBody) {
      bar.append(
        iconButton('fit', 'Fit to view (Shift+F)', () => this.fit(path)),
        iconButton('target', 'Follow with the camera', () => this.commands.follow(path), toggle(state.follow === path)),
      );
    }
    if (found.kind === 'part') {
      bar.append(
        iconButton(
          'trace',
          'Trace the origin',
          () => this.commands.toggleTrace(path),
          toggle(state.traces.includes(path)),
        ),
      );
      for (const frame of this.session.source.scene.parts[found.index].frames) {
        const point = `${path}.${frame.name}`;
        bar.append(
          h(
            'button',
            {
              type: 'button',
              class: 'chip',
              title: `Trace ${point}`,
              onclick: () => this.commands.toggleTrace(point),
              ...toggle(state.traces.includes(point)),
            },
            `trace ${frame.name}`,
          ),
        );
      }
    }
    return bar;
  }

  private diagnostics(found: ModelElement): HTMLElement[] {
    return this.session.diagnosticsOf(found.path).map((each) => {
      return h(
        'p',
        { class: `message ${each.severity}` },
        each.code ? `${each.code}: ${each.text}` : each.text,
        each.hint && h('small', {}, each.hint),
      );
    });
  }

  private facts(found: ModelElement): HTMLElement {
    const rows = found.facts.map(([name, value]) =>
      h('tr', {}, h('th', { scope: 'row' }, name.replaceAll('_', ' ')), h('td', {}, value)),
    );
    return h('table', { class: 'facts' }, h('caption', {}, 'Data'), h('tbody', {}, ...rows));
  }

  private valueTable(found: ModelElement): HTMLElement {
    const rows: HTMLElement[] = [];
    for (const [stem, channels] of channelGroups(found)) {
      const shown = channels.length > 1 ? channels.filter((channel) => !channel.endsWith('.magnitude')) : channels;
      const cell = h('td', { class: 'number' });
      this.values.push({ cell, channels: shown });
      const plot = iconButton(
        'plot',
        `Plot ${found.path}.${stem}`,
        () => shown.forEach((channel) => this.commands.plot(channel)),
        { class: 'tool small' },
      );
      rows.push(h('tr', {}, h('th', { scope: 'row' }, stem.replaceAll('_', ' ')), cell, h('td', {}, plot)));
    }
    return h('table', { class: 'facts values' }, h('caption', {}, 'At this time'), h('tbody', {}, ...rows));
  }

  private refresh(): void {
    const { channels: table, state } = this.session;
    for (const { cell, channels } of this.values) {
      const unit = this.session.unitOf(channels[0]);
      const numbers = channels.map((channel) => table?.valueAt(channel, state.time) ?? null);
      if (numbers.some((number) => number === null)) cell.textContent = '…';
      else if (numbers.length === 1) cell.textContent = valueText(numbers[0] as number, unit);
      else
        cell.textContent = `${numbers.map((number) => numberText((number as number) / unit.factor)).join(', ')} ${prettyUnit(unit.symbol)}`;
    }
  }
}
