// Runs the model: parameters, start values, duration; Run and Stop.
import { type ModelSetting, type ModelSettings, plainNumber, sliderRange } from '../data/model_settings';
import type { Commands } from '../state/commands';
import type { ModelPage } from '../state/model_page';
import type { Session } from '../state/session';
import { h, icon, replace } from './dom';
import { SettingRow } from './setting_row';

interface ShownSetting {
  setting: ModelSetting;
  kind: 'parameters' | 'starts';
  row: SettingRow;
}

export class RunPanel {
  readonly element: HTMLElement;
  private readonly start = h('button', { type: 'button', class: 'run-button' });
  private readonly duration = h('input', { type: 'number', min: 0, step: 'any', 'aria-label': 'Duration' });
  private readonly list = h('div', { class: 'setting-list' });
  private rows: ShownSetting[] = [];
  private shownKey = '';
  /** Values of the model itself, as far as they were ever seen. */
  private readonly own = new Map<string, number>();

  constructor(
    private readonly session: Session,
    commands: Commands,
    private readonly page: ModelPage,
  ) {
    this.start.addEventListener('click', () => (this.isBusy ? commands.stopRun() : page.run()));
    this.duration.addEventListener('change', () => {
      const seconds = Number(this.duration.value);
      page.setDuration(this.duration.value !== '' && seconds > 0 ? seconds : null);
    });
    const keep = h('input', { type: 'checkbox', onchange: () => page.setKeep(keep.checked) });
    session.store.watch(['wish'], ({ wish }) => (keep.checked = wish.keep));
    this.element = h(
      'section',
      { class: 'panel run-panel', 'aria-label': 'Run the model' },
      h(
        'div',
        { class: 'run-head' },
        this.start,
        h('label', { class: 'run-duration' }, this.duration, 's'),
        h('label', { title: 'The results file is kept beside the model' }, keep, 'keep file'),
      ),
      this.list,
    );
    // Arrows move a slider here, not the time.
    this.list.addEventListener('keydown', (event) => {
      if (event.target instanceof HTMLInputElement && event.key !== 'Escape') event.stopPropagation();
    });
    session.store.watch(['sourceCount', 'wish'], () => this.update());
    session.store.watch(['live', 'isStarting'], () => this.showButton());
  }

  private get isBusy(): boolean {
    return this.session.state.isStarting || this.page.isRunning;
  }

  private showButton(): void {
    const { isBusy } = this;
    const text = this.session.state.isStarting ? 'Starting …' : isBusy ? 'Stop' : 'Run';
    this.start.classList.toggle('danger', isBusy);
    replace(this.start, icon(isBusy ? 'stop' : 'play'), text);
  }

  private update(): void {
    const model = this.page.settings;
    if (!model) return;
    const { wish } = this.session.state;
    for (const setting of [...model.parameters, ...model.starts]) {
      if (!setting.isSet && setting.value !== undefined) this.own.set(setting.path, setting.value);
    }
    // Rows stay as long as they are about the same: somebody may hold one of the sliders.
    const shown = { ...model, starts: this.shownStarts(model) };
    const key = JSON.stringify(
      [shown.parameters, shown.starts].map((list) =>
        list.map(({ value, isSet: _, ...rest }) => [
          rest,
          sliderRange(rest, this.own.get(rest.path) ?? value) !== null,
        ]),
      ),
    );
    if (key !== this.shownKey) this.rebuild(shown, model.starts);
    this.shownKey = key;
    for (const { setting, kind, row } of this.rows) {
      const chosen = wish[kind][setting.path];
      const now = model[kind].find((each) => each.path === setting.path);
      row.show(chosen ?? (now?.isSet ? this.own.get(setting.path) : now?.value), chosen !== undefined);
    }
    if (document.activeElement !== this.duration) this.duration.value = plainNumber(wish.duration ?? model.duration);
  }

  /** Those that the model or the page say something about. */
  private shownStarts(model: ModelSettings): ModelSetting[] {
    const { starts } = this.session.state.wish;
    return model.starts.filter((each) => each.value !== undefined || each.path in starts);
  }

  private rebuild(shown: ModelSettings, allStarts: ModelSetting[]): void {
    const row = (kind: ShownSetting['kind'], setting: ModelSetting, label = setting.path): HTMLElement => {
      const change = (value: number | null) =>
        kind === 'parameters' ? this.page.setParameter(setting.path, value) : this.page.setStart(setting.path, value);
      const made = new SettingRow(setting, this.own.get(setting.path) ?? setting.value, change, label);
      this.rows.push({ setting, kind, row: made });
      return made.element;
    };
    this.rows = [];
    const own = shown.parameters.filter((each) => !each.path.includes('.'));
    const inner = shown.parameters.filter((each) => each.path.includes('.'));
    const others = allStarts.filter((each) => !shown.starts.includes(each));
    replace(
      this.list,
      ...own.map((each) => row('parameters', each)),
      inner.length > 0 &&
        group(
          'Parameters of assemblies',
          own.length === 0,
          ...byOwner(inner).flatMap(([owner, list]) => [
            h('h4', {}, owner),
            ...list.map((each) => row('parameters', each, each.path.slice(owner.length + 1))),
          ]),
        ),
      allStarts.length > 0 &&
        group('Start values', true, ...shown.starts.map((each) => row('starts', each)), this.moreStarts(others)),
      shown.parameters.length === 0 &&
        h('p', { class: 'hint' }, 'The model has no parameters. Numbers of `parameters:` in its file appear here.'),
    );
  }

  /** Start values that the model leaves open. */
  private moreStarts(others: ModelSetting[]): HTMLElement | null {
    if (others.length === 0) return null;
    const choice = h(
      'select',
      { 'aria-label': 'Another start value', class: 'more-starts' },
      h('option', { value: '' }, 'another start value …'),
      ...others.map(({ path }) => h('option', { value: path }, path)),
    );
    choice.addEventListener('change', () => {
      if (choice.value) this.page.setStart(choice.value, 0);
    });
    return choice;
  }
}

/** Parameters of each assembly, in the order of the model. */
function byOwner(settings: ModelSetting[]): [string, ModelSetting[]][] {
  const owners = new Map<string, ModelSetting[]>();
  for (const each of settings) {
    const owner = each.path.slice(0, each.path.lastIndexOf('.'));
    owners.set(owner, [...(owners.get(owner) ?? []), each]);
  }
  return [...owners];
}

function group(title: string, isOpen: boolean, ...content: (HTMLElement | null)[]): HTMLElement {
  return h('details', { class: 'setting-group', open: isOpen }, h('summary', {}, title), ...content);
}
