// The panes of plots, one below the other.
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { h, icon } from './dom';
import { watchTime } from './paced';
import { PlotPaneView } from './plot_pane';
import { CHANNEL_TYPE } from './tree_panel';

const LIVE_MS = 500;

export class PlotsPanel {
  readonly element: HTMLElement;
  private readonly list = h('div', { class: 'plots-list' });
  private readonly hint: HTMLElement;
  private views: PlotPaneView[] = [];
  private lastLoad = 0;
  private timer = 0;

  constructor(
    private readonly session: Session,
    private readonly commands: Commands,
  ) {
    const add = h(
      'button',
      { type: 'button', class: 'wide', onclick: () => commands.addPlot() },
      icon('plus'),
      'New plot',
    );
    this.hint = h(
      'p',
      { class: 'hint' },
      'Drag a channel from the tree onto this panel, or press the plus beside its name.',
    );
    this.element = h('section', { class: 'panel plots', 'aria-label': 'Plots' }, this.list, this.hint, add);
    this.acceptDrops();
    session.store.watch(['plots'], () => this.arrange());
    session.store.watch(['run', 'compared'], () => this.reload());
    session.store.watch(['dataCount'], () => this.reloadLater());
    session.store.watch(['marker'], () => this.showTime());
    watchTime(session, () => this.showTime());
  }

  /** Colors have changed. */
  reload(): void {
    this.lastLoad = performance.now();
    for (const view of this.views) void view.load();
  }

  private showTime(): void {
    for (const view of this.views) view.showTime();
  }

  view(id: number): PlotPaneView | undefined {
    return this.views.find((view) => view.id === id);
  }

  // Rows of a running simulation come faster than curves can be read again.
  private reloadLater(): void {
    clearTimeout(this.timer);
    const wait = Math.max(0, LIVE_MS - (performance.now() - this.lastLoad));
    this.timer = window.setTimeout(() => this.reload(), wait);
  }

  private arrange(): void {
    const { plots } = this.session.state;
    const kept = this.views.filter((view) => plots.some((pane) => pane.id === view.id));
    for (const view of this.views) if (!kept.includes(view)) view.dispose();
    this.views = plots.map(
      (pane) => kept.find((view) => view.id === pane.id) ?? new PlotPaneView(this.session, this.commands, pane),
    );
    const elements = this.views.map((view) => view.element);
    if (
      elements.some((element, i) => this.list.children[i] !== element) ||
      this.list.childElementCount !== elements.length
    ) {
      this.list.replaceChildren(...elements);
    }
    this.views.forEach((view, i) => view.setPane(plots[i]));
    this.hint.hidden = plots.length > 0;
  }

  // Beside the panes: a new one.
  private acceptDrops(): void {
    this.element.addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes(CHANNEL_TYPE)) event.preventDefault();
    });
    this.element.addEventListener('drop', (event) => {
      event.preventDefault();
      const text = event.dataTransfer?.getData(CHANNEL_TYPE);
      if (text) this.commands.addPlot(JSON.parse(text) as string[]);
    });
  }
}
