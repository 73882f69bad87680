// The model as a tree of elements. Paths have dots; each dot is a level of the hierarchy of assemblies.
import type { Diagnostic, Fact, Scene } from './scene';

export type ElementKind =
  'machine' | 'assembly' | 'part' | 'joint' | 'coupling' | 'driver' | 'force' | 'frame' | 'output' | 'faulty';

export interface ModelElement {
  path: string;
  name: string;
  kind: ElementKind;
  /** Place in its list of the scene; -1 where it is in none. */
  index: number;
  /** Revolute, spring_damper ...; empty for elements of which there is only one type. */
  type: string;
  isSealed: boolean;
  file: string;
  line: number;
  facts: Fact[];
  parent: ModelElement | null;
  children: ModelElement[];
  /** Names of the channels that are its own. */
  channels: string[];
}

interface Given {
  path: string;
  type?: string;
  sealed?: boolean;
  file?: string;
  line?: number;
  data?: Fact[];
}

const ORDER: ElementKind[] = [
  'faulty',
  'assembly',
  'part',
  'joint',
  'coupling',
  'driver',
  'force',
  'frame',
  'output',
  'machine',
];

export class ModelIndex {
  readonly root: ModelElement;
  private readonly byPath = new Map<string, ModelElement>();

  /** `messages`: may name elements that have errors, and are not in the scene because of them. */
  constructor(
    readonly scene: Scene,
    channelNames: string[],
    messages: Diagnostic[] = [],
  ) {
    this.root = element('machine', -1, { path: '' }, null);
    this.root.name = scene.name || 'machine';
    this.byPath.set('', this.root);
    this.addAll(
      'assembly',
      [...scene.assemblies].sort((a, b) => depth(a.path) - depth(b.path)),
    );
    this.addAll('part', scene.parts);
    this.addAll('joint', scene.joints);
    this.addAll('coupling', scene.couplings);
    this.addAll('driver', scene.drivers);
    this.addAll('force', scene.forces);
    this.addAll('frame', scene.frames);
    for (const message of messages) this.addFaulty(message);
    for (const name of channelNames) this.addChannel(name);
    this.sort(this.root);
  }

  find(path: string): ModelElement | undefined {
    return this.byPath.get(path);
  }

  all(): Iterable<ModelElement> {
    return this.byPath.values();
  }

  /** The element a path or a channel belongs to: the longest beginning of it that is one. */
  owner(path: string): ModelElement {
    for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
      const found = this.byPath.get(path.slice(0, end));
      if (found) return found;
    }
    return this.root;
  }

  /** Indices of the parts that are or are inside of an element; for a joint or force those it touches. */
  partsOf(path: string): number[] {
    const found = this.byPath.get(path);
    if (!found) return [];
    const isReal = (index: number) => index >= 0;
    switch (found.kind) {
      case 'part':
        return [found.index];
      case 'joint':
        return this.scene.joints[found.index].parts.filter(isReal);
      case 'force':
        return this.scene.forces[found.index].ends.map((end) => end.part).filter(isReal);
      case 'frame':
        return [this.scene.frames[found.index].part].filter(isReal);
      case 'driver':
        return this.partsOf(this.owner(this.scene.drivers[found.index].drives).path);
      case 'coupling':
        return [
          ...new Set(this.scene.couplings[found.index].couples.flatMap((path) => this.partsOf(this.owner(path).path))),
        ];
      default:
        return found.children.flatMap((child) =>
          child.kind === 'part' || child.kind === 'assembly' ? this.partsOf(child.path) : [],
        );
    }
  }

  private addAll(kind: ElementKind, given: Given[]): void {
    given.forEach((each) => this.add(kind, this.scene[LISTS[kind] ?? 'parts'].indexOf(each as never), each));
  }

  private add(kind: ElementKind, index: number, given: Given): void {
    const parent = this.parentOf(given.path);
    const made = element(kind, index, given, parent);
    parent.children.push(made);
    this.byPath.set(given.path, made);
  }

  // Levels that no assembly stands for, such as the number in `link.3.pin`, become groups of their own.
  private parentOf(path: string): ModelElement {
    const end = path.lastIndexOf('.');
    if (end < 0) return this.root;
    const above = path.slice(0, end);
    const found = this.byPath.get(above);
    if (found) return found;
    this.add('assembly', -1, { path: above });
    return this.byPath.get(above) as ModelElement;
  }

  private addFaulty({ severity, element, kind, file, line }: Diagnostic): void {
    if (severity !== 'error' || !element || this.byPath.has(element)) return;
    this.add('faulty', -1, { path: element, type: kind, file, line });
  }

  // What belongs to the machine or an assembly only as a channel is an output with a name of its own.
  private addChannel(name: string): void {
    const owner = this.owner(name);
    if (owner.kind !== 'machine' && owner.kind !== 'assembly') {
      owner.channels.push(name);
      return;
    }
    const rest = owner.path ? name.slice(owner.path.length + 1) : name;
    const first = rest.split('.')[0];
    const path = owner.path ? `${owner.path}.${first}` : first;
    if (!this.byPath.has(path)) {
      const made = element('output', -1, { path }, owner);
      owner.children.push(made);
      this.byPath.set(path, made);
    }
    this.byPath.get(path)?.channels.push(name);
  }

  private sort(of: ModelElement): void {
    of.children.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
    for (const child of of.children) this.sort(child);
  }
}

const LISTS: Partial<
  Record<ElementKind, 'assemblies' | 'parts' | 'joints' | 'couplings' | 'drivers' | 'forces' | 'frames'>
> = {
  assembly: 'assemblies',
  part: 'parts',
  joint: 'joints',
  coupling: 'couplings',
  driver: 'drivers',
  force: 'forces',
  frame: 'frames',
};

/** Whether a path names an element or something inside of it. */
export function isWithin(path: string, element: string | null): boolean {
  return element !== null && (path === element || path.startsWith(`${element}.`));
}

function depth(path: string): number {
  return path.split('.').length;
}

function element(kind: ElementKind, index: number, given: Given, parent: ModelElement | null): ModelElement {
  return {
    path: given.path,
    name: given.path.slice(given.path.lastIndexOf('.') + 1),
    kind,
    index,
    type: given.type ?? '',
    isSealed: given.sealed ?? false,
    file: given.file ?? '',
    line: given.line ?? 0,
    facts: given.data ?? [],
    parent,
    children: [],
    channels: [],
  };
}
