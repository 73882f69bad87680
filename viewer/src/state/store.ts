// One value that changes by patches. A subscriber to some of its members is called once after a change, however many there were.

export type Watcher<S> = (state: Readonly<S>) => void;

export class Store<S extends object> {
  private state: S;
  private readonly watchers: { keys: (keyof S)[]; call: Watcher<S> }[] = [];
  private changed = new Set<keyof S>();
  private isPending = false;

  constructor(initial: S) {
    this.state = initial;
  }

  get(): Readonly<S> {
    return this.state;
  }

  update(patch: Partial<S>): void {
    for (const key of Object.keys(patch) as (keyof S)[]) {
      if (!Object.is(this.state[key], patch[key])) this.changed.add(key);
    }
    if (this.changed.size === 0) return;
    this.state = { ...this.state, ...patch };
    if (this.isPending) return;
    this.isPending = true;
    queueMicrotask(() => this.flush());
  }

  /** Calls now, and after each change of one of the members. */
  watch(keys: (keyof S)[], call: Watcher<S>): void {
    this.watchers.push({ keys, call });
    call(this.state);
  }

  private flush(): void {
    this.isPending = false;
    const changed = this.changed;
    this.changed = new Set();
    for (const watcher of this.watchers) {
      if (watcher.keys.some((key) => changed.has(key))) watcher.call(this.state);
    }
  }
}
