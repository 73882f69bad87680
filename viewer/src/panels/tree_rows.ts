// The rows of the model tree: elements, groups of channels (a vector), channels. Without the page, so that tests can read it.
import type { ModelElement, ModelIndex } from '../data/model_index';

export interface TreeRow {
  key: string;
  kind: 'element' | 'group' | 'channel';
  label: string;
  depth: number;
  isOpen: boolean;
  canOpen: boolean;
  element: ModelElement;
  /** What plotting this row shows. */
  channels: string[];
}

const MOST_FOUND = 500;

/** Channels of an element as single ones and vectors, by what stands before the last dot. */
export function channelGroups(element: ModelElement): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const channel of element.channels) {
    const rest = channel.slice(element.path.length + 1) || element.name;
    const isComponent = /\.(w|x|y|z|magnitude)$/.test(rest);
    const stem = isComponent ? rest.slice(0, rest.lastIndexOf('.')) : rest;
    groups.set(stem, [...(groups.get(stem) ?? []), channel]);
  }
  return groups;
}

/** The components that a plot of a vector shows at first. */
function components(channels: string[]): string[] {
  const plain = channels.filter((channel) => !channel.endsWith('.magnitude'));
  return plain.length > 0 ? plain : channels;
}

function channelRow(element: ModelElement, channel: string, label: string, depth: number): TreeRow {
  return {
    key: `channel:${channel}`,
    kind: 'channel',
    label,
    depth,
    isOpen: false,
    canOpen: false,
    element,
    channels: [channel],
  };
}

function addChannels(rows: TreeRow[], element: ModelElement, depth: number, open: ReadonlySet<string>): void {
  for (const [stem, channels] of channelGroups(element)) {
    if (channels.length === 1) {
      rows.push(channelRow(element, channels[0], stem, depth));
      continue;
    }
    const key = `group:${element.path}:${stem}`;
    const isOpen = open.has(key);
    rows.push({
      key,
      kind: 'group',
      label: stem,
      depth,
      isOpen,
      canOpen: true,
      element,
      channels: components(channels),
    });
    if (!isOpen) continue;
    for (const channel of channels)
      rows.push(channelRow(element, channel, channel.slice(channel.lastIndexOf('.') + 1), depth + 1));
  }
}

export function elementKey(path: string): string {
  return `element:${path}`;
}

function addElement(rows: TreeRow[], element: ModelElement, depth: number, open: ReadonlySet<string>): void {
  const key = elementKey(element.path);
  // An output is a channel: it needs no row above itself.
  if (element.kind === 'output' && element.channels.length === 1 && element.channels[0] === element.path) {
    rows.push({ ...channelRow(element, element.path, element.name, depth), key });
    return;
  }
  const canOpen = element.children.length > 0 || element.channels.length > 0;
  const isOpen = canOpen && open.has(key);
  rows.push({ key, kind: 'element', label: element.name, depth, isOpen, canOpen, element, channels: [] });
  if (!isOpen) return;
  for (const child of element.children) addElement(rows, child, depth + 1, open);
  addChannels(rows, element, depth + 1, open);
}

export function treeRows(index: ModelIndex, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  addElement(rows, index.root, 0, open);
  return rows;
}

/** Elements and channels whose path holds all words of the search, with their whole path. */
export function foundRows(index: ModelIndex, search: string): TreeRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const elements: TreeRow[] = [];
  const channels: TreeRow[] = [];
  for (const element of index.all()) {
    const isPlainOutput = element.kind === 'output';
    if (element.path && !isPlainOutput && fits(`${element.path} ${element.type} ${element.kind}`)) {
      const key = elementKey(element.path);
      elements.push({
        key,
        kind: 'element',
        label: element.path,
        depth: 0,
        isOpen: false,
        canOpen: false,
        element,
        channels: [],
      });
    }
    for (const channel of element.channels) if (fits(channel)) channels.push(channelRow(element, channel, channel, 0));
  }
  return [...elements, ...channels].slice(0, MOST_FOUND);
}
