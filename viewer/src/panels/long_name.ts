// Long names are cut in their middle: what distinguishes one from another often stands at the end.
import { h } from './dom';

/** An end that is longer than this is cut itself. */
const LONGEST_END = 22;
const SHORT_END = 12;

/** A name as a beginning, which may be cut where there is no room, and an end, which stays. */
export function splitName(name: string): [string, string] {
  const dot = name.lastIndexOf('.');
  // Of a vector the component alone says too little.
  const before = name.length - dot <= 2 ? name.lastIndexOf('.', dot - 1) : dot;
  const end = name.length - before <= LONGEST_END ? Math.max(0, before) : name.length - SHORT_END;
  return before < 0 && name.length <= LONGEST_END ? ['', name] : [name.slice(0, end), name.slice(end)];
}

export function longName(name: string, look: string): HTMLElement {
  const [begin, end] = splitName(name);
  return h(
    'span',
    { class: `${look} long-name`, title: name },
    begin !== '' && h('span', { class: 'name-begin' }, begin),
    h('span', { class: 'name-end' }, end),
  );
}
