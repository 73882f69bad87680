// What is to be said about the model and the run: messages, verdict, events, assumptions. Elements and times can be clicked.
import { rowAt } from '../data/run';
import type { Certificate, RunInfo } from '../data/run';
import type { Diagnostic } from '../data/scene';
import { numberText } from '../data/units';
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { h, replace } from './dom';

const MOST_EVENTS = 200;
/** Members that have a place of their own. */
const SHOWN = new Set(['verdict', 'reasons', 'assumptions', 'sharedReactions']);

/** As people say it; "look at" is the word of the file. */
export function verdictText(verdict: string): string {
  const text = verdict.replaceAll('_', ' ');
  return text === 'look at' ? 'needs a look' : text;
}

export function verdictKind(info: RunInfo): 'good' | 'look' | 'bad' | 'plain' {
  const verdict = info.certificate?.verdict?.replaceAll('_', ' ');
  if (info.status === 'failed' || verdict === 'do not use') return 'bad';
  if (verdict === 'look at' || info.status === 'stopped') return 'look';
  return verdict === 'good' ? 'good' : 'plain';
}

export class NotesPanel {
  readonly element = h('section', { class: 'panel notes', 'aria-label': 'Notes' });

  private shown: RunInfo | null | undefined = null;
  private shownMessages: Diagnostic[] | null = null;

  constructor(
    private readonly session: Session,
    private readonly commands: Commands,
  ) {
    session.store.watch(['run', 'dataCount', 'sourceCount'], () => this.rebuild());
  }

  // Rows arrive many times a second: links that somebody wants to click must stay.
  private rebuild(): void {
    const info = this.session.run?.info;
    const { diagnostics } = this.session.source;
    if (info === this.shown && diagnostics === this.shownMessages) return;
    this.shown = info;
    this.shownMessages = diagnostics;
    replace(
      this.element,
      this.diagnostics(),
      info && this.status(info),
      info?.certificate && this.verdict(info, info.certificate),
      info && this.events(info),
      info?.certificate && this.rest(info.certificate),
    );
    if (!this.element.hasChildNodes()) replace(this.element, h('p', { class: 'hint' }, 'No messages.'));
  }

  private section(title: string, ...content: (Node | string | null | undefined | false)[]): HTMLElement {
    return h('div', { class: 'note-section' }, h('h3', {}, title), ...content);
  }

  private link(path: string): HTMLElement {
    if (!this.session.index.find(path)) return h('span', {}, path);
    return h('button', { type: 'button', class: 'link', onclick: () => this.commands.select(path) }, path);
  }

  private diagnostics(): HTMLElement | null {
    const { diagnostics } = this.session.source;
    if (diagnostics.length === 0) return null;
    const items = diagnostics.map((each) => {
      const place = each.file ? `${each.file}${each.line ? `:${each.line}` : ''}` : '';
      const head = [each.severity, each.code].filter(Boolean).join(' ');
      return h(
        'li',
        { class: `message ${each.severity}` },
        h('b', {}, head),
        ' ',
        each.element !== undefined && this.link(each.element),
        h('span', {}, ` ${each.text}`),
        each.hint && h('small', {}, each.hint),
        place && h('small', { class: 'path' }, place),
      );
    });
    return this.section('Messages', h('ul', {}, ...items));
  }

  private status(info: RunInfo): HTMLElement {
    const elements = info.failure?.elements ?? [];
    const rows = `${info.rows || this.session.run?.times.length || 0} rows until ${numberText(this.session.runEnd)} s`;
    return this.section(
      'Run',
      h('p', {}, h('b', {}, info.status), info.file && ` ${info.file}`, `, ${rows}`),
      info.message && h('p', { class: info.status === 'failed' ? 'message error' : '' }, info.message),
      info.leftOut && h('p', {}, `${info.leftOut[0].toUpperCase()}${info.leftOut.slice(1)}.`),
      elements.length > 0 &&
        h('p', {}, 'Elements: ', ...elements.flatMap((path, i) => [i > 0 ? ', ' : '', this.link(path)])),
    );
  }

  private verdict(info: RunInfo, certificate: Certificate): HTMLElement {
    const reasons = (certificate.reasons ?? []).map((reason) => h('li', {}, String(reason)));
    const shared = certificate.sharedReactions ?? [];
    const assumptions = (certificate.assumptions ?? []).map((text) => h('li', {}, String(text)));
    return h(
      'div',
      {},
      certificate.verdict &&
        this.section(
          'Verdict',
          h('p', { class: `verdict ${verdictKind(info)}` }, verdictText(certificate.verdict)),
          reasons.length > 0 && h('ul', {}, ...reasons),
        ),
      assumptions.length > 0 && this.section('Assumptions', h('ul', {}, ...assumptions)),
      shared.length > 0 &&
        this.section(
          'Loads that joints share',
          h(
            'ul',
            {},
            ...shared
              .slice(0, 100)
              .map((each) => h('li', {}, this.link(each.element), ` ${each.channel.slice(each.element.length + 1)}`)),
          ),
        ),
    );
  }

  private events(info: RunInfo): HTMLElement | null {
    if (info.events.length === 0) return null;
    const items = info.events.slice(0, MOST_EVENTS).map((event) => {
      const go = () => {
        this.commands.seek(event.time);
        if (this.session.index.find(event.element)) this.commands.select(event.element);
      };
      const label = `${numberText(event.time)} s`;
      return h(
        'li',
        {},
        h(
          'button',
          {
            type: 'button',
            class: 'link',
            title: `Row ${rowAt(this.session.run?.times ?? new Float64Array(0), event.time)}`,
            onclick: go,
          },
          label,
        ),
        ` ${event.kind}: ${event.text}`,
        event.element && ' ',
        event.element && this.link(event.element),
      );
    });
    const more = info.events.length - MOST_EVENTS;
    return this.section('Events', h('ul', {}, ...items), more > 0 && h('p', { class: 'hint' }, `and ${more} more`));
  }

  private rest(certificate: Certificate): HTMLElement {
    const rows = Object.entries(certificate)
      .filter(([name]) => !SHOWN.has(name))
      .flatMap(([name, value]) => flatten(name, value));
    const cells = rows.map(([name, value]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, value)));
    return h(
      'details',
      { class: 'note-section' },
      h('summary', {}, 'Certificate'),
      h('table', { class: 'facts' }, h('tbody', {}, ...cells)),
    );
  }
}

/** Members of members become names with dots. */
function flatten(name: string, value: unknown): [string, string][] {
  if (typeof value === 'number') return [[name, Number.isInteger(value) ? String(value) : numberText(value)]];
  if (value === null || typeof value !== 'object') return [[name, String(value)]];
  if (Array.isArray(value)) return [[name, value.length === 0 ? 'none' : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, inner]) => flatten(`${name}.${key}`, inner));
}
